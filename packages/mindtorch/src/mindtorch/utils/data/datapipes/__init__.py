"""``torch.utils.data.datapipes``: datasets that are chained, each reading from the one before."""

from __future__ import annotations

from . import dataframe as dataframe
from . import iter as iter
from . import map as map
