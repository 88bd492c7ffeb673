"""Views as windows on the memory: ``as_strided`` and ``unfold``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_storage import layout
from mindtorch_storage.dtype import int64
from mindtorch_storage.errors import storage_size_overflow

from mindtorch.aten.reflected import zeros_of
from mindtorch.call.forms import OutForm
from mindtorch.call.row import ViewOf, op
from mindtorch.core.constants import contiguous_format, strided
from mindtorch.core.dims import numel_of
from mindtorch.core.errors import window_out_of_bounds
from mindtorch.core.operators import of, ops

from . import view_inverses

__all__: list[str] = []

wrap_dim = layout.wrap_dim


def as_strided_view(
    self: Any, size: Sequence[int], stride: Sequence[int], storage_offset: int | None
) -> ViewOf:
    base = self.storage_offset()
    start = base if storage_offset is None else storage_offset
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    if any(s < 0 for s in stride):
        raise RuntimeError(
            "as_strided: Negative strides are not supported at the moment, "
            f"got strides: {list(stride)}"
        )
    if start < 0:
        raise RuntimeError(f"Tensor: invalid storage offset {start}")
    if any(s < 0 for s in size):
        raise storage_size_overflow(size, stride)
    if 0 not in size:
        item = self.dtype.itemsize
        last = start + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
        room = self.untyped_storage().nbytes()
        needed = (last + 1) * item
        if needed > room:
            raise window_out_of_bounds(size, stride, start, item, needed, room)
    return ViewOf(tuple(size), tuple(stride), start - base)


def _as_strided_grad(g: Any, c: Any) -> Any:
    start = c.self.storage_offset()
    return as_strided_backward(
        g,
        (tuple(c.self.shape), tuple(c.self.stride()), start),
        (tuple(c.size), tuple(c.stride), start if c.storage_offset is None else c.storage_offset),
    )


Geometry = tuple[tuple[int, ...], tuple[int, ...], int]


def _end(geometry: Geometry) -> int:
    """One past the last element."""
    shape, strides, offset = geometry
    return offset + 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))


def _without_repetition(g: Any, outer: Geometry) -> tuple[Any, Geometry]:
    """*g* summed over the dimensions in which the view shows one element again and again."""
    shape, strides, offset = outer
    for d in reversed(range(len(shape))):
        n, step = shape[d], strides[d]
        if n == 1 or not step:
            g = g.squeeze(d) if n == 1 else g.sum((d,))
            shape, strides = shape[:d] + shape[d + 1 :], strides[:d] + strides[d + 1 :]
    return g, (shape, strides, offset)


def as_strided_backward(g: Any, inner: Geometry, outer: Geometry) -> Any:
    """Gradient of a view of any geometry, by a stand-in of the storage.

    What the view shows is summed into it, and the input's elements are read from it: those that
    the view shows twice get the sum, those that the input shows twice the mean.

    :param inner: shape, strides and offset of what was viewed.
    :param outer: those of the view.

    Source: torch csrc/autograd/FunctionsManual.cpp, as_strided_backward.
    """
    if 0 in inner[0] or 0 in outer[0]:
        return zeros_of(g, inner[0])
    g, outer = _without_repetition(g, outer)
    low = min(inner[2], outer[2])
    room = max(_end(inner), _end(outer)) - low
    flat = of("new_zeros")(g, (room,))
    overlapping = overlaps(inner[0], inner[1])
    places = None
    if overlaps(outer[0], outer[1]) or overlapping:
        places = of("arange.start")(0, room, dtype=int64, layout=strided, device=g.device)
    if overlaps(outer[0], outer[1]):
        at = places.as_strided(outer[0], outer[1], outer[2] - low)
        values = g.reshape((-1,))
        flat = flat.index_add_(0, at.reshape((-1,)), values)
    else:
        flat.as_strided(outer[0], outer[1], outer[2] - low).copy_(g)
    if overlapping:
        count = of("zeros_like")(flat, memory_format=contiguous_format)
        at = places.as_strided(inner[0], inner[1], inner[2] - low).reshape((-1,))
        one = of("ones")((1,), dtype=g.dtype, layout=strided, device=g.device)
        count.index_add_(0, at, one.expand((numel_of(inner[0]),)))
        flat = flat.div_(count)
    return flat.as_strided(inner[0], inner[1], inner[2] - low)


def overlaps(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether two places may show one element."""
    end = 0
    for stride, size in sorted(zip(strides, shape, strict=True)):
        if size > 1:
            if stride <= end:
                return True
            end += stride * (size - 1)
    return False


op(
    "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? storage_offset=None)"
    " -> Tensor(a)",
    says="""View the storage with any shape, strides and offset.

    >>> torch.as_strided(torch.arange(5), (2, 2), (1, 2))
    tensor([[0, 2],
            [1, 3]])
    """,
    view=as_strided_view,
    inplace=True,
    grad={"self": _as_strided_grad},
    samples="as_strided",
    inverse=view_inverses.by_scatter("as_strided_scatter"),
    copies=True,
    batch="as_strided",
    node=(0, 1),
    tags=("of_storage", "loops: inplace"),
)


def _slice_inverse(self: Any, src: Any, dim: int, start: Any, end: Any, step: int) -> ViewOf:
    return as_strided_view(self, tuple(src.shape), src.stride(), src.storage_offset())


op(
    "slice_inverse(Tensor(a) self, Tensor src, int dim=0, SymInt? start=None, SymInt? end=None, "
    "SymInt step=1) -> Tensor(a)",
    says="View the storage of a slice as the tensor *src* that it is a slice of.",
    view=_slice_inverse,
    grad={
        "self": lambda g, c: of("slice.Tensor")(g, c.dim, c.start, c.end, c.step),
        "src": lambda g, c: ops.slice_scatter(g, zeros_of(c.self), c.dim, c.start, c.end, c.step),
    },
    samples="slice_inverse",
    tags=("of_storage", "real_only"),
)


def _unfold(self: Any, dimension: int, size: int, step: int) -> ViewOf:
    shape, strides = tuple(self.shape), tuple(self.stride())
    d = wrap_dim(dimension, len(shape))
    room = shape[d] if shape else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > room:
        raise RuntimeError(f"maximum size for tensor at dimension {d} is {room} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    if not shape:
        return ViewOf((size,), (1,))
    return ViewOf(
        (*shape[:d], (room - size) // step + 1, *shape[d + 1 :], size),
        (*strides[:d], strides[d] * step, *strides[d + 1 :], strides[d]),
    )


op(
    "unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)",
    says="""View windows of a size along a dimension, step apart, in a new last dimension.

    >>> torch.arange(5).unfold(0, 3, 2)
    tensor([[0, 1, 2],
            [2, 3, 4]])
    """,
    view=_unfold,
    variants="method",
    grad={"self": lambda g, c: ops.unfold_backward(g, c.self.shape, c.dimension, c.size, c.step)},
    samples="unfold",
    inverse=view_inverses.unfolded,
    copies=OutForm(meta="castable"),
    tags=("moves_mask",),
)
