"""``matmul`` of any number of dims, and ``linear``."""

from __future__ import annotations

from typing import Any

from mindtorch.call.elementwise_meta import broadcast_shapes
from mindtorch.call.row import Out, op
from mindtorch.core.dims import numel_of
from mindtorch.core.key_sets import is_unwatched
from mindtorch.core.operators import ops
from mindtorch.core.signature import DUAL
from mindtorch.tensor.resizing import resize_out

from .reflected import watched
from .view import reshaped

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


def _as_batch(t: Any, batch: tuple[int, ...], rows: int, columns: int) -> Any:
    """*t* as a batch of matrices, over which its own batch is spread."""
    whole, flat = (*batch, rows, columns), (numel_of(batch), rows, columns)
    if not is_unwatched(t._sig_):
        return t.expand(whole).reshape(flat)
    if tuple(t.shape) != whole:
        t = t.expand(whole)
    return t if whole == flat else reshaped(t, flat)


def _as_batches(self: Any, other: Any) -> tuple[Any, Any, tuple[int, ...]]:
    """Both as batches of matrices of one size, and the shape of the result.

    A vector is a matrix of one row or column, which the shape is without.
    """
    first, second = tuple(self.shape), tuple(other.shape)
    m, n = len(first), len(second)
    rows, inner = first[-2] if m > 1 else 1, first[-1]
    inner2, columns = second[-2:] if n > 1 else (second[-1], 1)
    batch = broadcast_shapes(first[:-2], second[:-2])
    a = _as_batch(self, batch, rows, inner)
    b = _as_batch(other.unsqueeze(1) if n == 1 else other, batch, inner2, columns)
    shape = (*batch, *((rows,) if m > 1 else ()), *((columns,) if n > 1 else ()))
    return a, b, shape


def _matmul_batches(self: Any, other: Any) -> Any:
    first, second = self.shape, other.shape
    if len(first) == len(second) == 3 and first[0] == second[0]:
        if is_unwatched(self._sig_ | other._sig_):  # nobody sees that they are spread over nothing
            return self.bmm(other)
    a, b, shape = _as_batches(self, other)
    product = a.bmm(b)
    if other.dim() == 1:
        product = product.squeeze(-1)
    elif tuple(product.shape) == shape and is_unwatched(product._sig_):
        return product
    return ops._unsafe_view(product, shape)


def _matmul_onto(target: Any, self: Any, other: Any) -> None:
    """Into a view of the target where there is one, else copied from what was written."""
    m, n = self.dim(), other.dim()
    if m == 0 or n == 0:
        _matmul(self, other)  # says it
    if m == 2 and n == 2:
        ops.mm(self, other, out=target)
    elif m == 1 and n == 1:
        ops.dot(self, other, out=target)
    elif m == 2 and n == 1:
        ops.mv(self, other, out=target)
    elif m == 1 and n == 2:
        ops.mm(self.unsqueeze(0), other, out=target).squeeze_(0)
    elif min(m, n) <= 2 and m > n and _folds(self, other, False):
        lead = tuple(self.shape[:-1])
        folded = self.reshape((numel_of(lead), self.shape[-1]))
        product = ops.mm if n == 2 else ops.mv
        columns = tuple(other.shape[1:])
        flat = _reshaped(target, (*lead, *columns), (numel_of(lead), *columns))
        _copied(target, product(folded, other, out=flat))
    else:
        a, b, shape = _as_batches(self, other)
        flat = _reshaped(target, shape, (a.shape[0], a.shape[1], b.shape[2]))
        _copied(target, ops.bmm(a, b, out=flat), shape)


def _reshaped(target: Any, shape: tuple[int, ...], flat: tuple[int, ...]) -> Any:
    resize_out(target, Out(shape, target.dtype))
    return target.reshape(flat)


def _copied(target: Any, written: Any, shape: tuple[int, ...] | None = None) -> None:
    if written._shared_ is not target._shared_:
        target.copy_(written if shape is None else written.view(shape))


op(
    "matmul(Tensor self, Tensor other) -> Tensor",
    says="""Return the matrix product; vectors are taken as rows or columns, leading dimensions
    are batches.

    >>> torch.matmul(torch.tensor([[1, 2], [3, 4]]), torch.tensor([1, 1]))
    tensor([3, 7])
    >>> torch.matmul(torch.zeros(5, 2, 3), torch.zeros(3, 4)).shape
    torch.Size([5, 2, 4])
    """,
    composite=_matmul,
    kinds={"out": "recorded"},
    out=True,
    out_kernel=_matmul_onto,
    samples="matmul",
    tags=("refuses_gradients", "product"),
    autocast="lower precision",
)


def _linear(input: Any, weight: Any, bias: Any) -> Any:
    n = input.dim()
    if n == 2 and bias is not None and weight.dim():
        return ops.addmm(bias, input, weight.t())
    if n == 0 or weight.dim() == 0:
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{n}D and {weight.dim()}D"
        )
    if bias is not None and input.is_contiguous() and bias.dim() == 1 and bias.is_contiguous():
        lead = tuple(input.shape[:-1])
        flat = input.view((numel_of(lead), input.shape[-1]))
        out = ops.addmm(bias, flat, weight.t())
        return out.view((*lead, out.shape[1]))
    out = ops.matmul(input, weight.t())
    if bias is None:
        return out
    return out + bias if watched(bias) or bias._sig_ & DUAL else out.add_(bias)


def _linear_onto(target: Any, input: Any, weight: Any, bias: Any) -> None:
    if input.dim() == 2 and bias is not None:
        ops.addmm(bias, input, weight.t(), out=target)
        return
    ops.matmul(input, weight.t(), out=target)
    if bias is not None:
        target.add_(bias)


op(
    "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
    says="""Return input @ weight.T + bias.
    Shapes ``(*, in)`` and (out, in) give ``(*, out)``.

    >>> torch.nn.functional.linear(torch.tensor([1., 2.]), torch.tensor([[3., 4.]]),
    ...     torch.tensor([0.5]))
    tensor([11.5000])
    """,
    composite=_linear,
    kinds={"out": "explicit"},
    module="nn",
    variants="function",
    out=True,
    out_kernel=_linear_onto,
    samples="linear",
    tags=("product",),
    autocast="lower precision",
)
