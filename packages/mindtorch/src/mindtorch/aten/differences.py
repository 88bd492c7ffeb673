"""Differences of neighbours: ``diff``. Source: torch aten/src/ATen/native/ReduceOps.cpp."""

from __future__ import annotations

from typing import Any

from ..call.row import Out, op
from ..core.dims import wrap_dim
from ..core.operators import ops
from ..tensor.resizing import resize_out
from ..tensor.tensor_impl import alias_of

__all__: list[str] = []


def _check_end(x: Any, end: Any, dim: int) -> None:
    """What is put before or after *x* has its shape, but for *dim*."""
    if end.dim() != x.dim():
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    for d, (n, m) in enumerate(zip(x.shape, end.shape, strict=True)):
        if d != dim and n != m:
            raise RuntimeError(
                "diff expects the shape of tensor to prepend or append to match that of input "
                f"except along the differencing dimension; input.size({d}) = {n}, but got "
                f"tensor.size({d}) = {m}"
            )


def _joined(x: Any, n: int, dim: int, prepend: Any, append: Any) -> tuple[Any, int]:
    """*x* between its two ends, and the wrapped dim. Raises torch's errors."""
    if not x.dim():
        raise RuntimeError("diff expects input to be at least one-dimensional")
    d = wrap_dim(dim, x.dim())
    for end in (prepend, append):
        if end is not None:
            _check_end(x, end, d)
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    if n and (prepend is not None or append is not None):
        x = ops.cat([t for t in (prepend, x, append) if t is not None], dim)
    return x, dim


def _step(x: Any, dim: int, **out: Any) -> Any:
    length = max(x.size(dim) - 1, 0)
    earlier = x.narrow(dim, 0, length)
    later = x.narrow(dim, 1, length)
    return (ops.logical_xor if str(x.dtype) == "torch.bool" else ops.sub)(later, earlier, **out)


def _diff(self: Any, n: int, dim: int, prepend: Any, append: Any) -> Any:
    if n == 0 and self.dim():
        return ops.zeros_like(self).copy_(self)
    x, d = _joined(self, n, dim, prepend, append)
    for _ in range(min(n, x.size(d))):
        x = _step(x, d)
    return x


def _diff_onto(target: Any, self: Any, n: int, dim: int, prepend: Any, append: Any) -> None:
    if n == 0 and self.dim():
        if target.dtype is not self.dtype:
            raise RuntimeError(
                f"expected scalar_type {self.dtype.scalar_type} but found "
                f"{target.dtype.scalar_type}"
            )
        if target.device != self.device:
            raise RuntimeError(f"expected device {self.device} but found {target.device}")
        if target.shape != self.shape:
            resize_out(target, Out(tuple(self.shape), self.dtype))
            alias_of(target).value += 1  # the resize counts as a change of its own
        target.copy_(self)
        return
    x, d = _joined(self, n, dim, prepend, append)
    for _ in range(min(n, x.size(d)) - 1):
        x = _step(x, d)
    _step(x, d, out=target)


op(
    "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? append=None) -> Tensor",
    says="""Return the n-th differences of neighbours along a dimension.

    >>> torch.diff(torch.tensor([1, 4, 9, 16]))
    tensor([3, 5, 7])
    """,
    composite=_diff,
    out=True,
    out_kernel=_diff_onto,
    tags=("checks_devices",),
    samples="diff",
)
