"""``matmul`` of any number of dims, and ``linear``."""

from __future__ import annotations

from typing import Any

from mindtorch.ops.call import ops
from mindtorch.ops.dims import numel_of
from mindtorch.ops.meta import broadcast_shapes
from mindtorch.ops.row import op

__all__: list[str] = []


def _folds(t1: Any, t2: Any, swapped: bool) -> bool:
    """Whether a batch times one matrix is better seen as one large matrix product.

    Source: torch aten/src/ATen/native/LinearAlgebra.cpp, should_fold.
    """
    if t2.requires_grad:
        return True
    if swapped and t2.dim() == 2:
        return False
    if t1.numel() == 0:
        return True
    shape, strides = t1.shape, t1.stride()
    return all(strides[i] == strides[i + 1] * shape[i + 1] for i in range(len(shape) - 2))


def _matmul(self: Any, other: Any) -> Any:
    m, n = self.dim(), other.dim()
    if m == 2 and n == 2:
        return self.mm(other)
    if m == 0 or n == 0:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {m}D and {n}D"
        )
    if m == 1 and n == 1:
        return self.dot(other)
    if m == 2 and n == 1:
        return self.mv(other)
    if m == 1 and n == 2:
        return self.unsqueeze(0).mm(other).squeeze_(0)
    if m == n == 3 and (self.shape[0] == 1) != (other.shape[0] == 1):
        # A batch of one that requires grad is seen as a matrix, so that its gradient is one too.
        if self.shape[0] == 1 and self.requires_grad:
            return _matmul(self.squeeze(0), other)
        if other.shape[0] == 1 and other.requires_grad:
            return _matmul(self, other.squeeze(0))
    if min(m, n) <= 2:
        swapped = m < n
        if swapped:
            t1, t2 = other.transpose(-2, -1), (self.t() if m == 2 else self)
        else:
            t1, t2 = self, other
        if _folds(t1, t2, swapped):
            lead = tuple(t1.shape[:-1])
            folded = t1.reshape((numel_of(lead), t1.shape[-1]))
            if t2.dim() == 2:
                out = ops._unsafe_view(folded.mm(t2), (*lead, t2.shape[1]))
                return out.transpose(-2, -1).contiguous() if swapped else out
            return ops._unsafe_view(folded.mv(t2), lead)
    return _matmul_batches(self, other)


def _matmul_batches(self: Any, other: Any) -> Any:
    m, n = self.dim(), other.dim()
    rows = self.shape[-2] if m > 1 else 1
    inner = self.shape[-1]
    inner2 = other.shape[-2] if n > 1 else other.shape[-1]
    columns = other.shape[-1] if n > 1 else 1
    batch1 = tuple(self.shape[:-2]) if m > 2 else ()
    batch2 = tuple(other.shape[:-2]) if n > 2 else ()
    batch = broadcast_shapes(batch1, batch2)
    count = numel_of(batch)
    a = self.expand((*batch, rows, inner)).reshape((count, rows, inner))
    if n == 1:
        b = other.unsqueeze(1)
        b = b.expand((*batch, inner2, 1)).reshape((count, inner2, 1))
        return ops._unsafe_view(a.bmm(b).squeeze(-1), (*batch, rows))
    b = other.expand((*batch, inner2, columns)).reshape((count, inner2, columns))
    shape = (*batch, rows, columns) if m > 1 else (*batch, columns)
    return ops._unsafe_view(a.bmm(b), shape)


op("matmul(Tensor self, Tensor other) -> Tensor", composite=_matmul, out=True, samples="matmul")


def _linear(input: Any, weight: Any, bias: Any) -> Any:
    n = input.dim()
    if n == 2 and bias is not None and weight.dim():
        return ops.addmm(bias, input, weight.t())
    if n == 0 or weight.dim() == 0:
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{n}D and {weight.dim()}D"
        )
    if bias is not None and weight.dim() == 2 and input.is_contiguous():
        lead = tuple(input.shape[:-1])
        flat = input.view((numel_of(lead), input.shape[-1]))
        out = ops.addmm(bias, flat, weight.t())
        return out.view((*lead, out.shape[1]))
    out = ops.matmul(input, weight.t())
    return out if bias is None else out + bias


op(
    "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
    composite=_linear,
    module="nn",
    variants="function",
    out=True,
    samples="linear",
)
