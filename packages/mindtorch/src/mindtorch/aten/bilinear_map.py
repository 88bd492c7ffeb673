"""``bilinear``: a map that is linear in each of two inputs.

Source: torch aten/src/ATen/native/Linear.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..call.elementwise_meta import (
    COMPLEX,
    FLOATING,
    INTEGRAL,
    UNSIGNED,
    broadcast_shapes,
    common_dtype,
    refuse,
)
from ..call.row import Out, op
from ..core.operators import ops

__all__: list[str] = []

#: What products of matrices take.
_MULTIPLIED = FLOATING | COMPLEX - {"complex32"} | INTEGRAL - UNSIGNED


_C_NAMES = {
    "float32": "float", "float64": "double", "int64": "long int", "int32": "int",
    "uint8": "unsigned char", "int8": "signed char", "int16": "short int",
    "uint16": "short unsigned int", "uint32": "unsigned int", "uint64": "long unsigned int",
    "float16": "c10::Half", "bfloat16": "c10::BFloat16", "complex64": "c10::complex<float>",
    "complex128": "c10::complex<double>",
}  # fmt: skip


def _bilinear(input1: Any, input2: Any, weight: Any, bias: Any) -> Any:
    kinds = [t.dtype for t in (input1, input2, weight, bias) if t is not None]
    if any(kind is not kinds[0] for kind in kinds):
        said = ["input1", "input2", "weight", "bias"]
        told = [f"{n}: {_C_NAMES.get(k.name, k.name)}" for n, k in zip(said, kinds, strict=False)]
        raise RuntimeError("All tensors must have the same dtype, got " + ", ".join(told))
    if input1.dim() != input2.dim():
        raise RuntimeError(
            f"bilinear(): input dimensions do not match: got {input1.dim()} and {input2.dim()}"
        )
    for i in range(input1.dim() - 1):
        if input1.size(i) != input2.size(i):
            raise RuntimeError(
                f"bilinear(): input batch dimensions do not match at dim {i}: got "
                f"{input1.size(i)} and {input2.size(i)}"
            )
    for which, x, at in (("1", input1, 1), ("2", input2, 2)):
        if x.size(-1) != weight.size(at):
            raise RuntimeError(
                f"bilinear(): input{which} size does not match weight size: got {x.size(-1)} but "
                f"expected {weight.size(at)}"
            )
    if bias is not None and bias.size(0) != weight.size(0):
        raise RuntimeError(
            f"bilinear(): bias size does not match weight size: got {bias.size(0)} but expected "
            f"{weight.size(0)}"
        )
    lead = tuple(input1.shape)[:-1]
    first = input1.reshape((-1, input1.size(-1)))
    second = input2.reshape((-1, input2.size(-1)))
    out = ops._trilinear(first, weight, second, (1, 3), (0,), (1, 2), (2, 3), 1)
    out = out.reshape((*lead, weight.size(0)))
    return out if bias is None else out + bias


op(
    "bilinear(Tensor input1, Tensor input2, Tensor weight, Tensor? bias=None) -> Tensor",
    says="Return x1 @ weight @ x2 for each output, plus a bias.",
    composite=_bilinear,
    variants="function",
    samples="bilinear",
    autocast=("", "promote"),
    tags=("loops: functional",),
)


def _shape(t: Any, expand: Any, ndim: int) -> list[int]:
    sizes = iter(t.shape)
    return [1 if d in expand else next(sizes) for d in range(ndim)]


def _trilinear_meta(
    i1: Any, i2: Any, i3: Any, expand1: Any, expand2: Any, expand3: Any, sumdim: Any, unroll: int
) -> Out:
    ndim = i1.dim() + len(expand1)
    shapes = [
        _shape(t, expand, ndim) for t, expand in ((i1, expand1), (i2, expand2), (i3, expand3))
    ]
    whole = broadcast_shapes(*shapes)
    refuse(i1.dtype, {"bmm": frozenset({i1.dtype.name}) - _MULTIPLIED}, i1)
    return Out(tuple(s for d, s in enumerate(whole) if d not in sumdim), common_dtype(i1, i2, i3))


def _trilinear(
    i1: Any, i2: Any, i3: Any, expand1: Any, expand2: Any, expand3: Any, sumdim: Any, unroll: int
) -> Any:
    """The sum over some dimensions of a product of three tensors, each of which lacks some."""
    ndim = i1.ndim + len(expand1)
    operands: list[Any] = []
    for t, expand in ((i1, expand1), (i2, expand2), (i3, expand3)):
        operands += [t, [d for d in range(ndim) if d not in expand]]
    left = [d for d in range(ndim) if d not in sumdim]
    out = np.einsum(*operands, left, optimize=True)
    return np.ascontiguousarray(out) if out.size else np.empty(out.shape, out.dtype)


def _of_trilinear(g: Any, c: Any) -> tuple[Any, Any, Any]:
    e1, e2, e3, total, unroll = c.expand1, c.expand2, c.expand3, c.sumdim, c.unroll_dim
    part = ops._trilinear
    return (
        part(g, c.i2, c.i3, total, e2, e3, e1, unroll) if c.mask[0] else None,
        part(c.i1, g, c.i3, e1, total, e3, e2, unroll) if c.mask[1] else None,
        part(c.i1, c.i2, g, e1, e2, total, e3, unroll) if c.mask[2] else None,
    )


op(
    "_trilinear(Tensor i1, Tensor i2, Tensor i3, int[] expand1, int[] expand2, int[] expand3, "
    "int[] sumdim, int unroll_dim=1) -> Tensor",
    meta=_trilinear_meta,
    kernel=_trilinear,
    variants="",
    grad={"i1, i2, i3": _of_trilinear},
    samples="trilinear",
    tags=("real_only",),
)


def _norm_except(v: Any, pow: int, dim: int) -> Any:
    if dim == -1:
        return ops.norm(v, pow)
    if dim == 0:
        sizes = (v.size(0),) + (1,) * (v.dim() - 1)
        return v.contiguous().view((v.size(0), -1)).norm(pow, 1).view(sizes)
    if dim == v.dim() - 1:
        sizes = (1,) * (v.dim() - 1) + (v.size(v.dim() - 1),)
        return v.contiguous().view((-1, v.size(v.dim() - 1))).norm(pow, 0).view(sizes)
    return ops.transpose(_norm_except(ops.transpose(v, 0, dim), pow, 0), 0, dim)


op(
    "norm_except_dim(Tensor v, int pow=2, int dim=0) -> Tensor",
    says="Return the norms over all dimensions but one.",
    composite=_norm_except,
    variants="function",
    samples="norm_except_dim",
    tags=("loops: functional",),
)
