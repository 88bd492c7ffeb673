"""Views with dims of size one added, taken away or repeated: ``expand``, ``squeeze`` …"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from mindtorch_storage import layout

from mindtorch.call.row import ViewOf, op
from mindtorch.core.dims import type_string, unique_dims, with_ones

from . import view_inverses

__all__ = ["expand_view"]

wrap_dim = layout.wrap_dim


def expand_view(self: Any, size: Sequence[int], implicit: bool, copies: bool = False) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    named = partial(type_string, self)
    return ViewOf(*layout.expand_strides(shape, strides, size, named, copies))


op(
    "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
    says="""View dimensions of size 1 as larger ones without copying; -1 keeps a size.

    >>> torch.tensor([[1], [2]]).expand(-1, 3)
    tensor([[1, 1, 1],
            [2, 2, 2]])
    """,
    view=expand_view,
    variants="method",
    grad={"self": lambda g, c: g},
    samples="expand",
    inverse=view_inverses.expanded,
    copies=True,
    batch="expand",
    tags=("moves_mask",),
)
op(
    "expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
    says="View the tensor with the shape of another, to which it is broadcast.",
    composite=lambda self, other: self.expand(other.shape),
    variants="method",
    samples="expand_as",
)
op(
    "broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)",
    says="View the tensor with a larger shape, to which it is broadcast.",
    composite=lambda self, size: self.expand(size),
    samples="expand",
)


def _squeeze(self: Any, dim: Any = None) -> ViewOf:
    shape, strides = self.shape, self.stride()
    n = len(shape)
    if dim is None:
        keep = [i for i in range(n) if shape[i] != 1]
    elif isinstance(dim, int):
        d = wrap_dim(dim, n)
        if not n or shape[d] != 1:
            return ViewOf(tuple(shape), tuple(strides))
        keep = [i for i in range(n) if i != d]
    else:
        drop = unique_dims(dim, n)
        keep = [i for i in range(n) if shape[i] != 1 or i not in drop]
    return ViewOf(tuple([shape[i] for i in keep]), tuple([strides[i] for i in keep]))


def _unsqueeze(self: Any, dim: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    n = len(shape)
    d = wrap_dim(dim, n + 1)
    step = 1 if d == n else shape[d] * strides[d]
    return ViewOf((*shape[:d], 1, *shape[d:]), (*strides[:d], step, *strides[d:]))


def _unsqueezed(g: Any, shape: Sequence[int], dims: Any) -> Any:
    """The gradient of ``squeeze``: the dimensions that it took away are there again."""
    n = len(shape)
    if not n:
        return g
    wrapped = range(n) if dims is None else [d % n for d in dims]
    return with_ones(g, [d for d in wrapped if shape[d] == 1])


op(
    "squeeze(Tensor(a) self) -> Tensor(a)",
    says="""View the tensor without its dimensions of size 1, or without the given ones.

    >>> torch.zeros(1, 2, 1).squeeze().shape
    torch.Size([2])
    >>> torch.zeros(1, 2, 1).squeeze(0).shape
    torch.Size([2, 1])
    """,
    view=_squeeze,
    inplace=True,
    grad={"self": lambda g, c: _unsqueezed(g, c.self.shape, None)},
    samples="squeeze",
    inverse=view_inverses.squeezed,
    copies=True,
    batch="squeezed",
    node=(0, 3),
    tags=("loops: copy",),
)
op(
    "squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)",
    view=_squeeze,
    inplace=True,
    grad={"self": lambda g, c: _unsqueezed(g, c.self.shape, (c.dim,))},
    samples="squeeze_dim",
    inverse=view_inverses.squeezed,
    copies="dim_out",
    node=(1, 4),
    tags=("loops: copy",),
)
op(
    "squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)",
    view=_squeeze,
    inplace=True,
    grad={"self": lambda g, c: _unsqueezed(g, c.self.shape, c.dim)},
    samples="squeeze_dims",
    inverse=view_inverses.squeezed,
    copies="dims_out",
    node=(2, 5),
    tags=("loops: copy",),
)
op(
    "unsqueeze(Tensor(a) self, int dim) -> Tensor(a)",
    says="""View the tensor with a dimension of size 1 inserted.

    >>> torch.unsqueeze(torch.tensor([1, 2]), 1)
    tensor([[1],
            [2]])
    """,
    view=_unsqueeze,
    inplace=True,
    grad={"self": lambda g, c: g.squeeze(c.dim)},
    samples="unsqueeze",
    inverse=view_inverses.unsqueezed,
    copies=True,
    tags=("one_more_dim", "moves_mask", "loops: copy"),
    node=(0, 1),
)
