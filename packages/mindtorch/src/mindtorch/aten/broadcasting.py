"""Shapes made to fit each other: ``atleast_1d`` and its kin, ``broadcast_tensors``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_storage import layout

from ..call.row import op
from ..call.validate_gradients import sum_to

__all__: list[str] = []


def _broadcast(tensors: Sequence[Any]) -> list[Any]:
    if not tensors:
        return []
    shape = layout.broadcast_shapes(*[tuple(t.shape) for t in tensors])
    return [t if tuple(t.shape) == shape else t.expand(shape) for t in tensors]


op(
    "broadcast_tensors(Tensor[] tensors) -> Tensor[]",
    says="""Return the tensors, expanded to their common shape; those of that shape as they are.

    >>> a, b = torch.broadcast_tensors(torch.zeros(2, 1), torch.zeros(3))
    >>> a.shape, b.shape
    (torch.Size([2, 3]), torch.Size([2, 3]))
    """,
    composite=_broadcast,
    variants="",
    samples="broadcast_tensors",
)


def _vector(t: Any) -> Any:
    return t if t.dim() else t.reshape((1,))


def _matrix(t: Any) -> Any:
    if not t.dim():
        return t.reshape((1, 1))
    return t.unsqueeze(0) if t.dim() == 1 else t


def _volume(t: Any) -> Any:
    if not t.dim():
        return t.reshape((1, 1, 1))
    if t.dim() == 1:
        return t.unsqueeze(0).unsqueeze(-1)
    return t.unsqueeze(-1) if t.dim() == 2 else t


def _of_each(view: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda tensors: [view(t) for t in tensors]


for _n, _view, _says in (
    (1, _vector, "View a tensor with at least one dimension."),
    (2, _matrix, "View a tensor with at least two dimensions."),
    (3, _volume, "View a tensor with at least three dimensions."),
):
    op(
        f"atleast_{_n}d(Tensor self) -> Tensor",
        says=_says,
        composite=_view,
        variants="function",
        samples="ranks",
    )
    op(
        f"atleast_{_n}d.Sequence(Tensor[] tensors) -> Tensor[]",
        composite=_of_each(_view),
        variants="function",
        samples="lists_of_ranks",
    )


def _sum_to_size(self: Any, size: Sequence[int]) -> Any:
    have = tuple(self.shape)
    lead = len(have) - len(size)
    fits = lead >= 0 and all(s in (1, h) for s, h in zip(size, have[lead:], strict=True))
    if not fits:
        raise RuntimeError(f"size {{{list(size)}}} is not expandable to size {{{list(have)}}}.")
    return sum_to(self, tuple(size))


op(
    "sum_to_size(Tensor self, SymInt[] size) -> Tensor",
    says="""Sum down to a shape from which this one can be broadcast.

    >>> torch.ones(2, 3).sum_to_size(1, 3)
    tensor([[2., 2., 2.]])
    """,
    composite=_sum_to_size,
    variants="method",
    samples="sum_to_size",
)
