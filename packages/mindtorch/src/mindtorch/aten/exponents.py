"""Numbers taken apart into mantissa and exponent, and put together: ``frexp``, ``ldexp``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import get_default_dtype, int32
from mindtorch_storage.layout import contiguous_strides
from mindtorch_storage.promotion import can_cast, result_type

from ..backends.dtype_support import refuse_scarce
from ..call.elementwise_meta import (
    BOOL,
    UNSIGNED,
    common_dtype,
    empty_like_out,
    out_like,
    refuse,
    warn_outgrown,
)
from ..call.forms import InplaceForm
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.errors import c_type_name, cannot_cast
from ..core.half_precision import widened
from ..core.operators import conj, of
from ..core.signature import SCARCE

__all__: list[str] = []

Array = np.ndarray[Any, Any]


def _frexp_meta(self: Any) -> tuple[Out, Out]:
    if not self.dtype.is_floating_point:
        raise RuntimeError("torch.frexp() only supports floating-point dtypes")
    return empty_like_out(self), empty_like_out(self, int32)


def _frexp_onto(target: Any, self: Any) -> tuple[Out, Out]:
    outs = _frexp_meta(self)
    said = f"mantissa to have dtype {c_type_name(self.dtype)}", "exponent to have int dtype"
    for given, wanted, expected in zip(target, outs, said, strict=True):
        if given.dtype is not wanted.dtype:
            got = c_type_name(given.dtype)
            raise RuntimeError(f"torch.frexp() expects {expected} but got {got}")
    return outs


op(
    "frexp.Tensor(Tensor self) -> (Tensor mantissa, Tensor exponent)",
    says="Split each element into a mantissa and an exponent of two.",
    meta=_frexp_meta,
    out_meta=_frexp_onto,
    kernel=np.frexp,
    out="Tensor_out",
    grad={"self": lambda g, c: g[0] / c.result1.exp2()},
    samples="frexp",
    tags=("pointwise",),
)


class _Power:
    """``2 ** exponent`` as the result's dtype and layout see it."""

    def __init__(self, factor: Any, exponent: Any) -> None:
        own = exponent.dtype
        if not (own.is_floating_point or own.is_complex):
            own = factor.dtype.to_real() if factor.dtype.is_complex else get_default_dtype()
        self.dtype = own
        self.shape, self.device, self._exponent = exponent.shape, exponent.device, exponent

    def stride(self) -> tuple[int, ...]:
        """Contiguous, however the exponent lies."""
        return contiguous_strides(tuple(self.shape))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._exponent, name)


def _by_exponent(self: Any, other: Any) -> bool:
    """Whether torch has a kernel for the pair; if not, it multiplies by a power of two."""
    exact = other.dtype.is_floating_point or other.dtype.is_complex
    return bool(self.dtype.is_floating_point and not exact)


def _power_dtype(self: Any, other: Any) -> Any:
    """The dtype of the power: its base is a complex number without dimensions, or no tensor."""
    if not self.dtype.is_complex:
        return other.dtype
    return result_type([(self.dtype, True, False), (other.dtype, not other.shape, False)])


def _ldexp_meta(self: Any, other: Any) -> Out:
    if _by_exponent(self, other):
        out = out_like(self.dtype, self, other)
        refuse(other.dtype, {"ldexp_cpu_exp": BOOL | UNSIGNED}, other)
        return out
    if (self._sig_ | other._sig_) & SCARCE:
        refuse_scarce("ldexp.base", self)
        refuse_scarce("ldexp.exponent", other)
    refuse(_power_dtype(self, other), {"pow": frozenset({"complex32"})}, other)
    power = _Power(self, other)
    return out_like(common_dtype(self, power), self, power)


def _ldexp_onto(target: Any, self: Any, other: Any) -> Out:
    out = _ldexp_meta(self, other)
    if not can_cast(out.dtype, target.dtype):
        if target.dtype.is_floating_point:
            raise cannot_cast(out.dtype, target.dtype)
        raise RuntimeError(
            f"ldexp can't be cast to the desired output type {scalar_name(target.dtype)}"
        )
    if _by_exponent(self, other) and target.dtype is not out.dtype and self.device.type != "meta":
        raise RuntimeError(
            "!needs_dynamic_casting<func_t>::check(iter) INTERNAL ASSERT FAILED at "
            '"/__w/pytorch/pytorch/aten/src/ATen/native/cpu/Loops.h":311, please report a bug to '
            "PyTorch. "
        )
    return out._replace(dtype=target.dtype)


def _warn_outgrown(self: Any, other: Any) -> None:
    if self._a_.shape != other._a_.shape and _by_exponent(self, other):
        warn_outgrown(self.shape, other.shape)


def _prepare_ldexp(self: Array, other: Array) -> Callable[[Array, Array], Array]:
    if self.dtype.kind not in "iubc" and other.dtype.kind in "iu":
        return lambda self, other: np.ldexp(widened(self), other)
    base = other.dtype
    if base.kind in "iub":
        base = self.real.dtype if self.dtype.kind == "c" else get_default_dtype().np
    two, power, multiply = widened(np.array(2, base)), np.power, np.multiply
    rounds = base != two.dtype

    def kernel(self: Array, other: Array) -> Array:
        factor = power(two, widened(other.astype(base, copy=False)))
        return multiply(widened(self), widened(factor.astype(base)) if rounds else factor)

    return kernel


def _ldexp_other(g: Any, c: Any) -> Any:
    return of("mul.Scalar")(g * conj(c.result), math.log(2))


op(
    "ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
    says="Return input * 2 ** other.",
    meta=_ldexp_meta,
    out_meta=_ldexp_onto,
    prepare=_prepare_ldexp,
    half=False,
    inplace=InplaceForm(overload=""),
    out="out",
    grad={
        "self": lambda g, c: g * conj(of("pow.Scalar")(2, c.other)),
        "other": _ldexp_other,
    },
    samples="ldexp",
    warns=_warn_outgrown,
    tags=("pointwise", "warns_when_fresh", "rounds"),
)
