"""``torch.utils.data.datapipes``: datasets that are chained, each reading from the one before."""

from __future__ import annotations

from . import dataframe as dataframe
from . import iter as iter
from . import map as map
from .dataframe import dataframes as _dataframes  # registers short forms, as the next
from .dataframe import datapipes as _datapipes

_REGISTERED = (_dataframes, _datapipes)
