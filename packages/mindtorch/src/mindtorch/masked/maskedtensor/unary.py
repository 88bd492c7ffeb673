"""Operators of one masked tensor, element by element: they run on the data, the mask stays."""

from __future__ import annotations

from typing import Any

from ..._ops import ops
from ...tensor import Tensor
from .core import OPERATORS, _map_mt_args_kwargs, _wrap_result
from .layouts import elements, placed

__all__: list[str] = []

UNARY_NAMES = (
    "abs absolute acos arccos acosh arccosh angle asin arcsin asinh arcsinh atan arctan atanh "
    "arctanh bitwise_not ceil clamp clip conj_physical cos cosh deg2rad digamma erf erfc erfinv "
    "exp exp2 expm1 fix floor frac lgamma log log10 log1p log2 logit i0 isnan nan_to_num neg "
    "negative positive pow rad2deg reciprocal round rsqrt sigmoid sign sgn signbit sin sinc sinh "
    "sqrt square tan tanh trunc"
).split()
INPLACE_UNARY_NAMES = [
    f"{n}_" for n in UNARY_NAMES if n not in ("angle", "positive", "signbit", "isnan")
]
#: Those that have no meaning here yet.
UNARY_NAMES_UNSUPPORTED = (
    "atan2 arctan2 bitwise_left_shift bitwise_right_shift copysign float_power fmod frexp gradient "
    "imag ldexp lerp logical_not hypot igamma igammac mvlgamma nextafter polygamma real remainder "
    "true_divide xlogy"
).split()


def _unary_helper(fn: Any, args: Any, kwargs: Any, inplace: bool) -> Any:
    if kwargs:
        raise ValueError(
            "MaskedTensor unary ops require that len(kwargs) == 0. "
            "If you need support for this, please open an issue on Github."
        )
    if any(isinstance(a, Tensor) for a in args[1:]):
        raise TypeError("MaskedTensor unary ops do not support additional Tensor arguments")
    data_args, _ = _map_mt_args_kwargs(args, kwargs, lambda x: elements(x._masked_data))
    result, mask = placed(fn(*data_args), args[0]._masked_data), args[0]._masked_mask
    if not inplace:
        return _wrap_result(result, mask)
    args[0]._set_data_mask(result, mask)
    return args[0]


NATIVE_UNARY_FNS = [getattr(ops.aten, name) for name in UNARY_NAMES]
NATIVE_INPLACE_UNARY_FNS = [getattr(ops.aten, name) for name in INPLACE_UNARY_NAMES]


def _is_native_unary(fn: Any) -> bool:
    """Whether the operator *fn* is of one tensor, element by element."""
    return fn in NATIVE_UNARY_FNS or fn in NATIVE_INPLACE_UNARY_FNS


def _apply_native_unary(fn: Any, *args: Any, **kwargs: Any) -> Any:
    """Run *fn* on the data of its first argument; NotImplemented for other operators."""
    if fn in NATIVE_UNARY_FNS:
        return _unary_helper(fn, args, kwargs, inplace=False)
    if fn in NATIVE_INPLACE_UNARY_FNS:
        return _unary_helper(fn, args, kwargs, inplace=True)
    return NotImplemented


def _handler(fn: Any, inplace: bool) -> Any:
    return lambda *args, **kwargs: _unary_helper(fn, args, kwargs, inplace)


OPERATORS.update((fn, _handler(fn, False)) for fn in NATIVE_UNARY_FNS)
OPERATORS.update((fn, _handler(fn, True)) for fn in NATIVE_INPLACE_UNARY_FNS)
