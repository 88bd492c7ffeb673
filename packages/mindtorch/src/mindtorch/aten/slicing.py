"""Views of a part of the elements: ``select``, ``slice``, ``narrow``, ``diagonal``."""

from __future__ import annotations

from typing import Any

from mindtorch_storage import layout

from mindtorch.call.row import ViewOf, op
from mindtorch.core.operators import ops

from ..call.forms import OutForm
from . import view_inverses

__all__ = ["diagonal_view", "select_view", "selected_place", "slice_bounds", "slice_view"]

wrap_dim = layout.wrap_dim


def selected_place(shape: tuple[int, ...], dim: int, index: int) -> tuple[int, int]:
    """The dimension and the place along it that ``select`` chooses, counted from the front.

    Raises IndexError where there is none.
    """
    if not shape:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, len(shape))
    size = shape[d]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {list(shape)} "
            f"at dimension {d}"
        )
    return d, index + size if index < 0 else index


def select_view(self: Any, dim: int, index: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    d, at = selected_place(shape, dim, index)
    return ViewOf(shape[:d] + shape[d + 1 :], strides[:d] + strides[d + 1 :], at * strides[d])


def slice_bounds(start: int | None, end: int | None, size: int) -> tuple[int, int]:
    """Start and end of a slice, wrapped and clamped to ``0 <= start <= end <= size``."""
    lo = 0 if start is None else start
    hi = size if end is None else end
    if lo < 0:
        lo += size
    if hi < 0:
        hi += size
    lo = 0 if lo < 0 else min(lo, size)
    return lo, lo if hi < lo else min(hi, size)


def slice_view(self: Any, dim: int, start: int | None, end: int | None, step: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    if not shape:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, len(shape))
    if step <= 0:
        raise RuntimeError("slice step must be positive")
    lo, hi = slice_bounds(start, end, shape[d])
    return ViewOf(
        (*shape[:d], (hi - lo + step - 1) // step, *shape[d + 1 :]),
        (*strides[:d], strides[d] * step, *strides[d + 1 :]),
        lo * strides[d],
    )


def _slice_grad(g: Any, c: Any) -> Any:
    return ops.slice_backward(
        g,
        c.self.shape,
        c.dim,
        0 if c.start is None else c.start,
        9223372036854775807 if c.end is None else c.end,
        c.step,
    )


op(
    "select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)",
    says="""View one slice along a dimension, which is dropped.

    >>> torch.select(torch.tensor([[1, 2], [3, 4]]), 1, 0)
    tensor([1, 3])
    """,
    view=select_view,
    grad={"self": lambda g, c: ops.select_backward(g, c.self.shape, c.dim, c.index)},
    samples="select",
    inverse=view_inverses.by_scatter("select_scatter"),
    copies=OutForm("int_out", meta="native"),
    tags=("real_copy", "moves_mask", "loops: copy"),
)
op(
    "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? end=None, "
    "SymInt step=1) -> Tensor(a)",
    says="View the elements from start to end along a dimension, step apart.",
    view=slice_view,
    variants="",
    grad={"self": _slice_grad},
    samples="slice",
    inverse=view_inverses.by_scatter("slice_scatter"),
    copies=OutForm("Tensor_out", meta="native"),
    tags=("real_copy", "moves_mask", "loops: copy"),
)


def _narrow(self: Any, dim: int, start: Any, length: int) -> Any:
    shape = self.shape
    if not shape:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    d = wrap_dim(dim, len(shape))
    size = shape[d]
    if not -size <= start <= size:
        raise IndexError(
            f"start out of range (expected to be in range of [{-size}, {size}], but got {start})"
        )
    if start < 0:
        start += size
    if start > size - length:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return ops.slice(self, dim, start, start + length, 1)


def _narrow_tensor(self: Any, dim: int, start: Any, length: int) -> Any:
    kind = start.dtype
    if start.dim() or kind.is_floating_point or kind.is_complex or kind.name == "bool":
        raise RuntimeError("start must be an 0-dim integral Tensor.")
    return _narrow(self, dim, int(start.item()), length)


op(
    "narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)",
    says="""View length elements along a dimension, beginning at start.

    >>> torch.narrow(torch.tensor([1, 2, 3, 4]), 0, 1, 2)
    tensor([2, 3])
    """,
    composite=_narrow,
    kinds={"functional": "recorded"},
    samples="narrow",
)
op(
    "narrow.Tensor(Tensor(a) self, int dim, Tensor start, SymInt length) -> Tensor(a)",
    composite=_narrow_tensor,
    batch="no_rule",
    samples="narrow_tensor",
)


def diagonal_view(self: Any, offset: int, dim1: int, dim2: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    n = len(shape)
    a, b = wrap_dim(dim1, n), wrap_dim(dim2, n)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    if offset >= 0:
        size = max(min(shape[a], shape[b] - offset), 0)
        start = offset * strides[b]
    else:
        size = max(min(shape[a] + offset, shape[b]), 0)
        start = -offset * strides[a]
    rest = [i for i in range(n) if i not in (a, b)]
    return ViewOf(
        (*(shape[i] for i in rest), size),
        (*(strides[i] for i in rest), strides[a] + strides[b]),
        start if size else 0,
    )


def _diagonal_grad(g: Any, c: Any) -> Any:
    return ops.diagonal_backward(g, c.self.shape, c.offset, c.dim1, c.dim2)


op(
    "diagonal(Tensor(a) self, int offset=0, int dim1=0, int dim2=1) -> Tensor(a)",
    says="""View the diagonal of two dimensions as a new last dimension.

    >>> torch.diagonal(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """,
    view=diagonal_view,
    grad={"self": _diagonal_grad},
    samples="diagonal",
    inverse=view_inverses.by_scatter("diagonal_scatter"),
    copies=True,
)
