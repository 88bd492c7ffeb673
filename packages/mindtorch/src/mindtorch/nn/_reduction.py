"""``torch.nn._reduction``: names and numbers of the reductions of losses."""

from __future__ import annotations

from .functional.reductions import get_enum, legacy_get_enum, legacy_get_string

__all__ = ["get_enum", "legacy_get_enum", "legacy_get_string"]

for _function in (get_enum, legacy_get_enum, legacy_get_string):
    _function.__module__ = __name__
del _function
