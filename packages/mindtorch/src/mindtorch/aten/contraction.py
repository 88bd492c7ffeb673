"""Sums over shared dims: ``tensordot``, and the Kronecker and cross products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage.promotion import promote_types

from mindtorch.call.elementwise_meta import BOOL, UNSIGNED, broadcast_shapes, refuse
from mindtorch.call.forms import OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import numel_of, scalar_name, size_at, wrap_dim
from mindtorch.core.operators import conj, onto, ops
from mindtorch.core.warning import warn_once
from mindtorch.tensor.resizing import resize_out

__all__ = ["contracted"]


def contracted(a: Any, b: Any, dims_a: Sequence[int], dims_b: Sequence[int]) -> Any:
    """``tensordot``: one matrix product, with the contracted dims brought together."""
    if len(dims_a) != len(dims_b):
        raise RuntimeError("both dimension lists should have same length")
    if a.dtype != b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    inner = 1
    left, right = a, b
    for da, db in zip(dims_a, dims_b, strict=True):
        m, n = size_at(a, da), size_at(b, db)
        if n == 1:
            left = left.sum((da,), True, dtype=a.dtype)
        elif m == 1:
            right = right.sum((db,), True, dtype=b.dtype)
        else:
            if m != n:
                raise RuntimeError(
                    f"contracted dimensions need to match, but first has size {m} in dim {da} "
                    f"and second has size {n} in dim {db}"
                )
            inner *= m
    gone_a = [wrap_dim(d, a.dim()) for d in dims_a]
    gone_b = [wrap_dim(d, b.dim()) for d in dims_b]
    rest_a = [d for d in range(a.dim()) if d not in gone_a]
    rest_b = [d for d in range(b.dim()) if d not in gone_b]
    shape_a = tuple([left.shape[d] for d in rest_a])
    shape_b = tuple([right.shape[d] for d in rest_b])
    order_a, order_b = (*rest_a, *dims_a), (*dims_b, *rest_b)
    if numel_of(shape_a) * numel_of(shape_b) == 1:  # a sum over everything
        left, right = left.permute(order_a), right.permute(order_b)
        if left.is_contiguous() and right.is_contiguous():
            right = right.flatten()
            return left.flatten().dot(right).view(shape_a + shape_b)
        right = right.squeeze()
        return (left.squeeze() * right).sum(dtype=left.dtype).view(shape_a + shape_b)
    left = left.permute(order_a).reshape((numel_of(shape_a), inner))
    right = right.permute(order_b).reshape((inner, numel_of(shape_b)))
    return left.mm(right).reshape(shape_a + shape_b)


def _tensordot_onto(
    target: Any, self: Any, other: Any, dims_self: Sequence[int], dims_other: Sequence[int]
) -> None:
    """Computed, then copied, history included. Source: torch aten/src/ATen/native/Linear.cpp."""
    result = contracted(self, other, dims_self, dims_other)
    if not self.device == other.device == target.device:
        raise RuntimeError(
            "tensordot: Expected the output and input tensors to be on the same device, but got "
            f"the output tensor on {target.device}, input tensor a on {self.device}, and input "
            f"tensor b on {other.device}"
        )
    if result.dtype != target.dtype:
        raise RuntimeError(
            f"tensordot: Expected the output tensor to have dtype {scalar_name(result.dtype)}, "
            f"but got an output tensor with dtype {scalar_name(target.dtype)}"
        )
    resize_out(target, Out(tuple(result.shape), result.dtype))
    target.copy_(result)


op(
    "tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
    says="Contract two tensors over the given dimensions of each.",
    composite=contracted,
    variants="function",
    out=True,
    out_kernel=_tensordot_onto,
    samples="tensordot",
    autocast=("", "promote"),
)


def _kron_parts(self: Any, other: Any) -> tuple[Any, Any, tuple[int, ...]]:
    """What is multiplied elementwise, and the shape of the result."""
    n = max(self.dim(), other.dim())
    a = (1,) * (n - self.dim()) + tuple(self.shape)
    b = (1,) * (n - other.dim()) + tuple(other.shape)
    left = tuple([s for size in a for s in (size, 1)])
    right = tuple([s for size in b for s in (1, size)])
    shape = tuple([m * k for m, k in zip(a, b, strict=True)])
    return ops._unsafe_view(self, left), ops._unsafe_view(other, right), shape


def _kron(self: Any, other: Any) -> Any:
    left, right, shape = _kron_parts(self, other)
    return ops._unsafe_view(left * right, shape)


def _kron_onto(target: Any, self: Any, other: Any) -> None:
    """Multiplied into a view with a version of its own: that of the target stays."""
    left, right, shape = _kron_parts(self, other)
    resize_out(target, Out(shape, promote_types(self.dtype, other.dtype)))
    paired = broadcast_shapes(tuple(left.shape), tuple(right.shape))
    ops.mul(left, right, out=ops._unsafe_view(target, paired))


op(
    "kron(Tensor self, Tensor other) -> Tensor",
    says="""Return the Kronecker product: each element of the first times all of the second.

    >>> torch.kron(torch.tensor([1, 10]), torch.tensor([1, 2, 3]))
    tensor([ 1,  2,  3, 10, 20, 30])
    """,
    composite=_kron,
    out=OutForm(dtype="cast", direct=True),
    out_kernel=_kron_onto,
    samples="kron",
)


# -- the cross product --------------------------------------------------------------------------


def _cross_meta(self: Any, other: Any, dim: int) -> Out:
    a, b = tuple(self.shape), tuple(other.shape)
    if len(a) != len(b):
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    d = wrap_dim(dim, len(a))
    if a[d] != 3 or b[d] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {a[d]} and {b[d]}"
        )
    shape = broadcast_shapes(a, b)
    refuse(self.dtype, {"cross": BOOL | UNSIGNED}, self)
    if self.dtype is not other.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(self.dtype)} but found {scalar_name(other.dtype)}"
        )
    return Out(shape, self.dtype)


def _cross(self: Any, other: Any, dim: int) -> Any:
    shape = np.broadcast_shapes(self.shape, other.shape)
    d = dim % len(shape)
    a = np.moveaxis(np.broadcast_to(self, shape), d, 0)
    b = np.moveaxis(np.broadcast_to(other, shape), d, 0)
    out = np.empty(shape, self.dtype)
    to = np.moveaxis(out, d, 0)
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
        to[i] = a[j] * b[k] - a[k] * b[j]
    return out


def _prepare_cross(self: Any, other: Any, dim: int) -> Any:
    if self.size + other.size > 4096:
        return _cross
    d = dim % max(self.ndim, other.ndim) - max(self.ndim, other.ndim)
    left, right = np.array([[1, 2, 0], [2, 0, 1]]), np.array([[2, 0, 1], [1, 2, 0]])
    minus = np.subtract.reduce
    return lambda self, other, dim: minus(self.take(left, d) * other.take(right, d), d - 1)


op(
    "linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
    says="""Return the cross product of vectors of three elements along one dimension.

    >>> torch.linalg.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]))
    tensor([0., 0., 1.])
    """,
    meta=_cross_meta,
    prepare=_prepare_cross,
    half=False,
    module="linalg",
    variants="function",
    out=OutForm(overlap="apart"),
    grad={
        "self": lambda g, c: ops.linalg_cross(conj(c.other), g, dim=c.dim),
        "other": lambda g, c: ops.linalg_cross(g, conj(c.self), dim=c.dim),
    },
    samples="linalg_cross",
    tags=("rounds",),
)


def _cross_any(self: Any, other: Any, dim: int | None, **out: Any) -> Any:
    if dim is None:
        if not out:
            warn_once(
                "Using torch.cross without specifying the dim arg is deprecated.\nPlease either "
                "pass the dim explicitly or simply use torch.linalg.cross.\nThe default value of "
                "dim will change to agree with that of linalg.cross in a future release.",
            )
        for d, size in enumerate(self.shape):
            if size == 3:
                dim = d
                break
        else:
            raise RuntimeError("no dimension of size 3 in input")
    return ops.linalg_cross(self, other, dim=dim, **out)


op(
    "cross(Tensor self, Tensor other, int? dim=None) -> Tensor",
    says="""Return the cross product of vectors of three elements along a dimension.
    Sizes along the dimension are 3, the others broadcast.

    >>> torch.cross(torch.tensor([1., 0., 0.]), torch.tensor([0., 1., 0.]), dim=0)
    tensor([0., 0., 1.])
    """,
    composite=_cross_any,
    out=True,
    out_kernel=onto(_cross_any),
    samples="cross",
    autocast=("", "promote"),
)
