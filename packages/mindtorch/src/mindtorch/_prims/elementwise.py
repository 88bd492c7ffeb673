"""Primitives that compute each element from those of the operands at the same place."""

from __future__ import annotations

from functools import partial
from typing import Any

from .. import special as _special
from .._prims_common import (
    check_same_device,
    check_same_dtype,
    check_same_shape,
    compute_elementwise_output_strides,
    corresponding_real_dtype,
    is_boolean_dtype,
    is_complex_dtype,
    is_cpu_scalar_tensor,
    is_float_dtype,
)
from ..aten import torch
from ..core.tags import Tag
from .definition import RETURN_TYPE, Function, define

__all__ = ["TABLE"]

Tensor = torch.Tensor


def like(dtype: torch.dtype, *operands: Any) -> Any:
    """An empty tensor of *dtype* with the sizes and the order of dimensions of the *operands*.

    Sizes and devices have to be equal; a number, or a tensor of the host without dimensions, goes
    with all.
    """
    check_same_device(*operands, allow_cpu_scalar_tensors=True)
    check_same_shape(*operands, allow_cpu_scalar_tensors=True)
    tensors = [x for x in operands if isinstance(x, Tensor)]
    whole = [x for x in tensors if not is_cpu_scalar_tensor(x)] or tensors
    strides = compute_elementwise_output_strides(*whole)
    return torch.empty_strided(whole[0].shape, strides, dtype=dtype, device=whole[0].device)


def _same_dtype(*operands: Any) -> Any:
    tensors = [x for x in operands if isinstance(x, Tensor)]
    check_same_device(*operands, allow_cpu_scalar_tensors=True)
    check_same_shape(*operands, allow_cpu_scalar_tensors=True)
    check_same_dtype(*tensors)
    return tensors[0].dtype


def _default(*operands: Any) -> Any:
    return like(_same_dtype(*operands), *operands)


def _bool(*operands: Any) -> Any:
    _same_dtype(*operands)
    return like(torch.bool, *operands)


def _real(*operands: Any) -> Any:
    dtype = _same_dtype(*operands)
    real = corresponding_real_dtype(dtype) if is_complex_dtype(dtype) else dtype
    return like(real, *operands)


def _complex_only(name: str, self: Any) -> Any:
    if not is_complex_dtype(self.dtype):
        raise RuntimeError(f"prims.{name} is only defined for complex dtypes")
    return like(self.dtype, self)


def _frexp_like(self: Any) -> Any:
    if not is_float_dtype(self.dtype):
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    return like(self.dtype, self), like(torch.int32, self)


def _cube_root(self: Any) -> Any:
    if is_complex_dtype(self.dtype):
        raise RuntimeError(
            "cbrt: Complex inputs not supported. Consider calling torch.pow(a, 1.0/3.0)"
        )
    root = torch.pow(torch.abs(self), 1.0 / 3)
    return torch.copysign(root, self)


def _div(self: Any, other: Any) -> Any:
    whole = isinstance(self, Tensor) and not (
        is_float_dtype(self.dtype) or is_complex_dtype(self.dtype) or is_boolean_dtype(self.dtype)
    )
    return torch.div(self, other, rounding_mode="trunc" if whole else None)


def _larger(name: str, self: Any, other: Any) -> Any:
    """``maximum`` or ``minimum``, which take a number for the first operand here."""
    if isinstance(other, Tensor) and not isinstance(self, Tensor):
        self = torch.scalar_tensor(self, dtype=other.dtype, device=other.device)
    return getattr(torch, name)(self, other)


#: What computes a primitive that has another name than its function.
_COMPUTED: dict[str, Function] = {
    "bessel_i0": torch.i0,
    "bessel_i0e": _special.i0e,
    "bessel_i1": _special.i1,
    "bessel_i1e": _special.i1e,
    "bessel_j0": _special.bessel_j0,
    "bessel_j1": _special.bessel_j1,
    "cbrt": _cube_root,
    "div": _div,
    "erf_inv": _special.erfinv,
    "erfcx": _special.erfcx,
    "fill": torch.fill,
    "igamma": _special.gammainc,
    "igammac": _special.gammaincc,
    "maximum": partial(_larger, "maximum"),
    "minimum": partial(_larger, "minimum"),
    "ndtri": _special.ndtri,
    "shift_left": torch.bitwise_left_shift,
    "shift_right_arithmetic": torch.bitwise_right_shift,
    "spherical_bessel_j0": _special.spherical_bessel_j0,
    "zeta": _special.zeta,
}
_METAS: dict[str, Function] = {
    "abs": _real,
    "conj_physical": partial(_complex_only, "conj_physical"),
    "frexp": _frexp_like,
    **dict.fromkeys("eq ge gt isfinite le lt ne".split(), _bool),
}
_UNARY = """abs acos acosh asin asinh atan atanh bessel_i0 bessel_i0e bessel_i1 bessel_i1e bessel_j0
bessel_j1 bitwise_not cbrt ceil conj_physical cos cosh digamma erf erf_inv erfc erfcx exp exp2 expm1
floor isfinite lgamma log log10 log1p log2 ndtri neg reciprocal round rsqrt sign signbit sin sinh
spherical_bessel_j0 sqrt tan tanh trunc"""
_BINARY = """add atan2 bitwise_and bitwise_or bitwise_xor div eq fmax fmin fmod gcd ge gt hypot
igamma
igammac le lt maximum minimum mul ne nextafter pow remainder shift_left shift_right_arithmetic sub
zeta"""
#: Those that torch says of that a compiler may join them with their neighbours.
_POINTWISE = set(
    """abs bitwise_not conj_physical digamma exp2 fmax fmin hypot igamma igammac log2 maximum
    minimum
    nextafter reciprocal rsqrt sign signbit trunc""".split()
)


def _defined(name: str, parameters: str) -> Any:
    compute = _COMPUTED.get(name) or getattr(torch, name)
    tags = (Tag.pointwise,) if name in _POINTWISE else ()
    return define(
        f"{name}({parameters}) -> Tensor",
        _METAS.get(name, _default),
        compute,
        tags=(*tags, Tag.pt2_compliant_tag),
    )


#: The primitives of this module by their names.
TABLE: dict[str, Any] = {name: _defined(name, "Tensor self") for name in _UNARY.split()}
TABLE |= {name: _defined(name, "Tensor self, Tensor other") for name in _BINARY.split()}
TABLE["fill"] = define(
    "fill(Tensor self, Scalar value) -> Tensor",
    lambda self, value: like(self.dtype, self),
    torch.fill,
)
TABLE["frexp"] = define(
    "frexp(Tensor self) -> (Tensor mantissa, Tensor exponent)",
    _frexp_like,
    torch.frexp,
    (RETURN_TYPE.NEW, RETURN_TYPE.NEW),
)
