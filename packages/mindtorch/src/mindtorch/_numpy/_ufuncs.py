"""numpy's universal functions, with ``out``, ``dtype`` and ``casting``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from . import _binary_ufuncs_impl, _dtypes_impl, _unary_ufuncs_impl, _util
from ._normalizations import (
    ArrayLike,
    ArrayLikeOrScalar,
    CastingModes,
    DTypeLike,
    NotImplementedType,
    OutArray,
    normalizer,
)

#: Functions of one array whose integers become floats first.
_fp_unary = [
    "arccos",
    "arccosh",
    "arcsin",
    "arcsinh",
    "arctan",
    "arctanh",
    "cbrt",
    "cos",
    "cosh",
    "deg2rad",
    "degrees",
    "exp",
    "exp2",
    "expm1",
    "log",
    "log10",
    "log1p",
    "log2",
    "rad2deg",
    "radians",
    "reciprocal",
    "sin",
    "sinh",
    "sqrt",
    "square",
    "tan",
    "tanh",
    "trunc",
]


def _ufunc_postprocess(result: Any, out: Any, casting: Any) -> Any:
    """The result in the dtype and shape of *out*."""
    if out is not None:
        result = _util.typecast_tensor(result, out.dtype.torch_dtype, casting)
        result = torch.broadcast_to(result, out.shape)
    return result


def _named(ufunc: Callable[..., Any], name: str, kind: str) -> Any:
    """The universal function under its name; errors of its arguments name torch's wrapper."""
    ufunc.__qualname__ = f"deco_{kind}_ufunc.<locals>.wrapped"
    made = normalizer(ufunc)
    made.__name__ = made.__qualname__ = name
    made.__doc__ = f"numpy's ``{name}``, by torch's function of tensors."
    return made


def _of_two(name: str, function: Callable[..., Any]) -> Any:
    """numpy's function of two arrays, which *function* computes on tensors."""

    def ufunc(
        x1: ArrayLikeOrScalar,
        x2: ArrayLikeOrScalar,
        /,
        out: OutArray | None = None,
        *,
        where: NotImplementedType = True,
        casting: CastingModes | None = "same_kind",
        order: NotImplementedType = "K",
        dtype: DTypeLike | None = None,
        subok: NotImplementedType = False,
        signature: NotImplementedType = None,
        extobj: NotImplementedType = None,
    ) -> Any:
        beside_number = _dtypes_impl.is_scalar_or_symbolic(
            x1
        ) or _dtypes_impl.is_scalar_or_symbolic(x2)
        x1, x2 = _dtypes_impl.nep50_to_tensors(x1, x2, dtype is None, name)
        if dtype is not None:
            x1, x2 = _util.typecast_tensors((x1, x2), dtype, casting)
        elif not beside_number:
            common = _dtypes_impl.result_type_impl(x1, x2)
            x1, x2 = (_util.cast_if_needed(x, common) for x in (x1, x2))
        return _ufunc_postprocess(function(x1, x2), out, casting)

    return _named(ufunc, name, "binary")


def _of_one(name: str, function: Callable[..., Any]) -> Any:
    """numpy's function of one array, which *function* computes on a tensor."""

    def ufunc(
        x: ArrayLike,
        /,
        out: OutArray | None = None,
        *,
        where: Any = True,
        casting: CastingModes | None = "same_kind",
        order: Any = "K",
        dtype: DTypeLike | None = None,
        subok: NotImplementedType = False,
        signature: Any = None,
        extobj: Any = None,
    ) -> Any:
        if dtype is not None:
            x = _util.typecast_tensor(x, dtype, casting)
        if name in _fp_unary:
            x = _util.cast_int_to_float(x)
        return _ufunc_postprocess(function(x), out, casting)

    return _named(ufunc, name, "unary")


@normalizer
def matmul(
    x1: ArrayLike,
    x2: ArrayLike,
    /,
    out: OutArray | None = None,
    *,
    casting: CastingModes | None = "same_kind",
    order: NotImplementedType = "K",
    dtype: DTypeLike | None = None,
    subok: NotImplementedType = False,
    signature: NotImplementedType = None,
    extobj: NotImplementedType = None,
    axes: NotImplementedType = None,
    axis: NotImplementedType = None,
) -> Any:
    """The product of matrices."""
    if dtype is None:
        dtype = _dtypes_impl.result_type_impl(x1, x2)
    x1, x2 = _util.typecast_tensors((x1, x2), dtype, casting)
    return _ufunc_postprocess(_binary_ufuncs_impl.matmul(x1, x2), out, casting)


@normalizer
def ldexp(
    x1: ArrayLikeOrScalar,
    x2: ArrayLikeOrScalar,
    /,
    out: OutArray | None = None,
    *,
    where: NotImplementedType = True,
    casting: CastingModes | None = "same_kind",
    order: NotImplementedType = "K",
    dtype: DTypeLike | None = None,
    subok: NotImplementedType = False,
    signature: NotImplementedType = None,
    extobj: NotImplementedType = None,
) -> Any:
    """The first array times two to the power of the second, which has integers."""
    if dtype is not None:
        if isinstance(x1, torch.Tensor):
            x1 = _util.typecast_tensor(x1, dtype, casting)
        else:
            x1 = torch.as_tensor(x1, dtype=dtype)
    elif not isinstance(x1, torch.Tensor):
        x1 = _util.cast_int_to_float(torch.as_tensor(x1))
    x2 = torch.as_tensor(x2)
    if _dtypes_impl._category(x2.dtype) != 1:
        raise ValueError("ldexp 2nd arg must be integer")
    result: Any = torch.ldexp(x1, x2)
    if x1.dtype == torch.float16:
        # torch's ldexp(f16, int) is f32
        result = result.to(torch.float16)
    return _ufunc_postprocess(result, out, casting)


@normalizer
def divmod(
    x1: ArrayLike,
    x2: ArrayLike,
    out1: OutArray | None = None,
    out2: OutArray | None = None,
    /,
    out: tuple[OutArray | None, OutArray | None] = (None, None),
    *,
    where: NotImplementedType = True,
    casting: CastingModes | None = "same_kind",
    order: NotImplementedType = "K",
    dtype: DTypeLike | None = None,
    subok: NotImplementedType = False,
    signature: NotImplementedType = None,
    extobj: NotImplementedType = None,
) -> Any:
    """The quotient rounded down, and what remains."""
    one, other = out
    if out1 is not None or out2 is not None:
        if out1 is None or out2 is None:
            raise ValueError("both out1 and out2 need to be provided")
        if one is not None or other is not None:
            raise TypeError("cannot specify 'out' as both a positional and keyword argument")
    else:
        out1, out2 = one, other
    if dtype is None:
        dtype = _dtypes_impl.result_type_impl(x1, x2)
    x1, x2 = _util.typecast_tensors((x1, x2), dtype, casting)
    quotient, rest = _binary_ufuncs_impl.divmod(x1, x2)
    results = (
        _put(_ufunc_postprocess(quotient, out1, casting), out1),
        _put(_ufunc_postprocess(rest, out2, casting), out2),
    )
    # Arrays that were handed in by name come back themselves.
    return tuple(made if given is None else given for made, given in zip(results, out, strict=True))


def _put(result: Any, out: Any) -> Any:
    """The result in the memory of *out*."""
    if out is None:
        return result
    out.tensor.copy_(result)
    return out.tensor


def modf(x: Any, /, *args: Any, **kwds: Any) -> Any:
    """The part behind the point and the whole part."""
    quotient, rest = divmod(x, 1, *args, **kwds)
    return rest, quotient


_made = {name: _of_two(name, made) for name, made in _binary_ufuncs_impl.FUNCTIONS.items()}
#: The names of the functions of two arrays, and of one.
_binary = [*_made, "divmod", "modf", "matmul", "ldexp"]
_unary = list(_unary_ufuncs_impl.FUNCTIONS)
_made |= {name: _of_one(name, made) for name, made in _unary_ufuncs_impl.FUNCTIONS.items()}
globals().update(_made)
__all__ = [*_binary, *_unary]
