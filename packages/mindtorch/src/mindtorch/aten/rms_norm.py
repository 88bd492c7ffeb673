"""RMS normalisation: a composite on the host, one operator on accelerators, as CUDA has it.

There its two results are all that is kept: the gradient needs the input and the factors.

Source: torch aten/src/ATen/native/layer_norm.cpp, rms_norm_symint;
torch/_decomp/decompositions.py, _fused_rms_norm_backward.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage.dtype import bfloat16, float16, float32, float64
from mindtorch_storage.layout import is_channels_last

from ..backends.backend import BACKENDS
from ..call.device_checks import refuse_apart
from ..call.elementwise_meta import BOOL, INTEGRAL, not_implemented, refuse, wanted
from ..call.overload import FUSED
from ..call.row import Out, op
from ..core import signature as S
from ..core.dims import numel_of
from ..core.errors import c_type_name
from ..core.operators import of, ops
from ..core.warning import warn_once
from .derivatives import listed_as_not_implemented
from .reflected import differentiated
from .summation import sums

__all__: list[str] = []


def _rounded(eps: float, x: Any) -> float:
    """As a number of the dtype that is computed in."""
    return float(np.float32(eps)) if x.dtype is float32 else eps


def _rms_norm(input: Any, normalized_shape: Sequence[int], weight: Any, eps: float | None) -> Any:
    shape, norm = tuple(input.shape), tuple(normalized_shape)
    if not norm:
        raise RuntimeError(
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least "
            f"one element, but got normalized_shape = {list(norm)}"
        )
    if weight is not None and tuple(weight.shape) != norm:
        raise RuntimeError(
            "Expected weight to be of same shape as normalized_shape, but got weight of shape "
            f"{list(weight.shape)} and normalized_shape = {list(norm)}"
        )
    if len(shape) < len(norm):
        raise ValueError(
            f"Input tensor must have at least {len(norm)} dimensions, but got {len(shape)}"
        )
    if shape[-len(norm) :] != norm:
        raise RuntimeError(
            f"Given normalized_shape={list(norm)}, expected input with shape "
            f"[*{', '.join(map(str, norm))}], but got input of size{list(shape)}"
        )
    if weight is not None and weight.dtype != input.dtype and not input.is_complex():
        warn_once(
            "Mismatch dtype between input and weight: input dtype = "
            f"{c_type_name(input.dtype)}, weight dtype = {c_type_name(weight.dtype)}, Cannot "
            "dispatch to fused implementation.",
            "rms_norm",
        )
    if _is_fused(input, weight):
        return of("_fused_rms_norm")(input, norm, weight, eps)[0]
    return _scaled_by_rms(input, norm, weight, eps)[0]


def _is_fused(input: Any, weight: Any) -> bool:
    """Whether the accelerator of these has one operator for them."""
    sig = input._sig_ if weight is None else input._sig_ | weight._sig_
    if not sig & S.ACCELERATORS or sig & (S.BATCHED | S.DUAL):
        return False
    if not BACKENDS[input.device.type].fused_kernels or input.dtype not in _FUSED_DTYPES:
        return False
    if is_channels_last(tuple(input.shape), tuple(input.stride())):
        return False
    return weight is None or (weight.dtype is input.dtype and weight.device == input.device)


_FUSED_DTYPES = (float16, bfloat16, float32, float64)


#: The dtypes in which the mean square is computed, or which are widened to them.
_SCALED = frozenset({"float16", "bfloat16", "float32", "float64", "complex64", "complex128"})


_HALF = (float16, bfloat16)


def _scale(x: Any, ndim: int, eps: float | None) -> Any:
    """One divided by the root of the mean square over the last *ndim* dimensions."""
    if eps is None:
        eps = ops.finfo(x.dtype).eps
    last = x.dim() - 1
    dims = tuple(range(last, last - ndim, -1))
    return of("add_.Scalar")(x.pow(2).mean(dims, True), _rounded(eps, x)).rsqrt()


def _scaled_by_rms(
    input: Any, normalized_shape: Sequence[int], weight: Any, eps: float | None
) -> tuple[Any, Any]:
    """What is scaled, and by what it was before the weight."""
    refuse(input.dtype, {"rms_norm": INTEGRAL | BOOL}, input)
    if input.dtype.name not in _SCALED:
        raise not_implemented("rms_norm", input.dtype)
    x = input.float() if input.dtype in _HALF else input
    scale = _scale(x, len(normalized_shape), eps)
    out = x * scale
    if weight is not None:
        out = out * weight
    if not is_channels_last(tuple(input.shape), tuple(input.stride())):
        out = out.contiguous()
    return out.to(input.dtype) if out.dtype != input.dtype else out, scale


op(
    "rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, float? eps=None)"
    " -> Tensor",
    says="Divide by the root of the mean square over the last dimensions, then scale.",
    composite=_rms_norm,
    variants="function",
    samples="rms_norm",
    autocast=("", "float32"),
)


def _fused_rms_norm(
    input: Any, normalized_shape: Sequence[int], weight: Any, eps: float | None
) -> tuple[Any, Any]:
    refuse_apart("aten::_fused_rms_norm", (input, normalized_shape, weight))
    return _scaled_by_rms(input, normalized_shape, weight, eps)


# One operator -------------------------------------------------------------------------------------


def _meta(input: Any, norm: Sequence[int], weight: Any, eps: float | None) -> tuple[Out, Out]:
    shape = tuple(input.shape)
    kept = (*shape[: len(shape) - len(norm)], *[1] * len(norm))
    wide = float32 if input.dtype in _HALF else input.dtype
    return Out(shape, input.dtype), Out(kept, wide)


def _rows(shape: tuple[int, ...], norm: Sequence[int]) -> tuple[int, int]:
    return numel_of(shape[: len(shape) - len(norm)]), numel_of(norm)


def _prepare(
    input: Any, norm: Sequence[int], weight: Any, eps: float | None
) -> Callable[..., tuple[Any, Any]]:
    shape, dtype = input.shape, input.dtype
    rows = _rows(shape, norm)
    kept = (*shape[: len(shape) - len(norm)], *[1] * len(norm))
    total = sums(np.empty(rows, dtype), (1,), (rows[0], 1))
    added = np.finfo(dtype).eps if eps is None else eps
    one, count, added = (np.asarray(n, dtype) for n in (1, rows[1], added))

    def kernel(input: Any, norm: Any, weight: Any, eps: Any) -> tuple[Any, Any]:
        x = input.reshape(rows)
        rstd = one / np.sqrt(total(x * x) / count + added)
        out = x * rstd
        if weight is not None:
            np.multiply(out, weight.reshape(-1), out)
        return out.reshape(shape), rstd.reshape(kept)

    return kernel


def _backward_meta(
    grad_out: Any, input: Any, norm: Any, rstd: Any, weight: Any, mask: Any
) -> tuple[Out | None, ...]:
    weight_grad = None if weight is None else Out(tuple(norm), weight.dtype)
    return wanted((mask[0], mask[1] and weight is not None), Out(tuple(input.shape), input.dtype),
                  weight_grad)  # fmt: skip


def _prepare_backward(
    grad_out: Any, input: Any, norm: Any, rstd: Any, weight: Any, mask: Any
) -> Callable[..., tuple[Any, Any]]:
    shape, norm = input.shape, tuple(norm)
    rows = _rows(shape, norm)
    wants_input, wants_weight = mask

    like = np.empty(rows, input.dtype)
    along, across = sums(like, (1,), (rows[0], 1)), sums(like, (0,), norm)
    minus_half, two, count = (np.asarray(n, input.dtype) for n in (-0.5, 2, max(rows[1], 1)))

    def kernel(
        grad_out: Any, input: Any, norm_: Any, rstd: Any, weight: Any, mask: Any
    ) -> tuple[Any, Any]:
        g, x, scale = grad_out.reshape(rows), input.reshape(rows), rstd.reshape(-1, 1)
        of_input = of_weight = None
        if wants_weight and weight is not None:
            of_weight = across(g * (x * scale))
        if wants_input:  # in the order of the composite's formulas, to the bit
            scaled = g if weight is None else g * weight.reshape(-1)
            of_mean = along(scaled * x) * minus_half * (scale * scale * scale) / count
            of_input = (scaled * scale + of_mean * (x * two)).reshape(shape)
        return of_input, of_weight

    return kernel


def _gradient(g: Any, c: Any) -> Any:
    out, factors = g
    if out is None and factors is None:
        return None, None
    if factors is not None or differentiated(out, c.input):
        return _gradients_over_tensors(out, factors, c.input, c.normalized_shape, c.weight, c.eps)
    return of("_fused_rms_norm_backward")(
        out, c.input, c.normalized_shape, c.result1, c.weight, list(c.mask)
    )


def _gradients_over_tensors(
    g: Any, of_scale: Any, input: Any, norm: Sequence[int], weight: Any, eps: float | None
) -> tuple[Any, Any]:
    """The gradients for those of both results, by ops that have gradients themselves."""
    ndim = len(norm)
    x = input.float() if input.dtype in _HALF else input
    scale = _scale(x, ndim, eps)
    dims, outer = tuple(range(x.dim() - ndim, x.dim())), tuple(range(x.dim() - ndim))
    direct: Any = 0
    of_weight = None
    if g is not None:
        g = g.to(x.dtype)
        scaled = g if weight is None else g * weight
        direct = scaled * scale
        along = (scaled * x).sum(dims, True)
        of_scale = along if of_scale is None else of_scale + along
        if weight is not None:
            of_weight = g * (x * scale)
            of_weight = (of_weight.sum(outer, False) if outer else of_weight).to(weight.dtype)
    of_mean = of_scale * -0.5 * scale.pow(3) / numel_of(norm)
    return (direct + of_mean * (x * 2)).to(input.dtype), of_weight


op(
    "_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, float? eps)"
    " -> (Tensor, Tensor)",
    says="Return `rms_norm`, and one divided by the root of the mean square.",
    composite=_fused_rms_norm,
    meta=_meta,
    prepare=_prepare,
    kinds={"functional": FUSED},
    grad={"input, weight": _gradient},
    variants="function",
    samples="fused_rms_norm",
)
op(
    "_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] normalized_shape, Tensor rstd, "
    "Tensor? weight, bool[2] output_mask) -> (Tensor, Tensor)",
    meta=_backward_meta,
    prepare=_prepare_backward,
    variants="",
    grad=listed_as_not_implemented(
        "_fused_rms_norm_backward", "grad_out", "input", "rstd", "weight"
    ),
    tags=("not_on_cpu",),
)
