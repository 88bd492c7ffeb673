"""numpy's functions of arrays."""

from __future__ import annotations

from typing import Any

from . import _dtypes, _dtypes_impl, _funcs_impl, _reductions_impl
from ._normalizations import normalize_array_like, normalizer

_REDUCTIONS = (
    "count_nonzero argmax argmin any all amax amin max min ptp sum prod product mean std var "
    "cumsum cumprod cumproduct average quantile percentile median"
).split()
#: Their one value may be put into an array of no dimension.
_OF_PARTS = ("median", "percentile", "quantile")
_made = {
    name: normalizer(function)
    for name, function in _funcs_impl.FUNCTIONS.items()
    if name != "einsum"
}
_made |= {
    name: normalizer(promote_scalar_result=name in _OF_PARTS)(getattr(_reductions_impl, name))
    for name in _REDUCTIONS
}
_made |= {
    "alltrue": _made["all"],
    "sometrue": _made["any"],
    "einsum": normalizer(_funcs_impl.FUNCTIONS["einsum"]),
}


def min_scalar_type(a: Any, /) -> Any:
    """The smallest dtype that can hold a number."""
    return _dtypes.dtype(_funcs_impl.FUNCTIONS["min_scalar_type"](normalize_array_like(a)))


_made["min_scalar_type"] = min_scalar_type
globals().update(_made)
__all__ = [*_made, "index_exp", "isscalar", "s_"]


def isscalar(a: Any) -> bool:
    """Whether there is one element only."""
    if _dtypes_impl.is_scalar(a):
        return True
    try:
        tensor = normalize_array_like(a)
    except Exception:
        return False
    return tensor.numel() == 1


class IndexExpression:
    """Makes an index of what stands in brackets."""

    def __init__(self, maketuple: bool) -> None:
        self.maketuple = maketuple

    def __getitem__(self, item: Any) -> Any:
        if self.maketuple and not isinstance(item, tuple):
            return (item,)
        return item


index_exp = IndexExpression(maketuple=True)
s_ = IndexExpression(maketuple=False)
