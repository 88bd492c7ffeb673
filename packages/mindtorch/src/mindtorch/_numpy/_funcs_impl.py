"""The functions of arrays, on tensors: all of them under one roof."""

from __future__ import annotations

from . import (
    _arithmetic_impl,
    _creation_impl,
    _indexing_impl,
    _joining_impl,
    _shaping_impl,
    _statistics_impl,
)

_PARTS = (
    _creation_impl,
    _joining_impl,
    _shaping_impl,
    _indexing_impl,
    _arithmetic_impl,
    _statistics_impl,
)
#: The functions by name.
FUNCTIONS = {
    name: value
    for part in _PARTS
    for name, value in vars(part).items()
    if not name.startswith("_")
    and callable(value)
    and getattr(value, "__module__", None) == part.__name__
    and name != "is_number"
}
globals().update(FUNCTIONS)
