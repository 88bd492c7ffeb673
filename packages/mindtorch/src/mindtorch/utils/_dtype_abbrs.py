"""``torch.utils._dtype_abbrs``: short names of dtypes, for logs and graphs."""

from __future__ import annotations

from .._C._dtypes import _get_all_dtypes

__all__: list[str] = []

dtype_abbrs = {dtype: dtype.abbr for dtype in _get_all_dtypes()}
