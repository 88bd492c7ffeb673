"""Views as windows on the memory: ``as_strided`` and ``unfold``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch.ops.call import ops
from mindtorch.ops.dims import numel_of
from mindtorch.ops.row import ViewOf, op
from mindtorch_storage import layout

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
        raise RuntimeError(
            f"Storage size calculation overflowed with sizes={list(size)} "
            f"and strides={list(stride)}"
        )
    if 0 not in size:
        item = self.dtype.itemsize
        last = start + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
        room = self.untyped_storage().nbytes()
        if (last + 1) * item > room:
            raise RuntimeError(
                f"setStorage: sizes {list(size)}, strides {list(stride)}, storage offset {start}, "
                f"and itemsize {item} requiring a storage size of {(last + 1) * item} are out of "
                f"bounds for storage of size {room}"
            )
    return ViewOf(tuple(size), tuple(stride), start - base)


def _as_strided_grad(g: Any, c: Any) -> Any:
    start = c.self.storage_offset()
    return as_strided_backward(
        g,
        (tuple(c.self.shape), tuple(c.self.stride()), start),
        (tuple(c.size), tuple(c.stride), start if c.storage_offset is None else c.storage_offset),
    )


def as_strided_backward(g: Any, inner: Any, outer: Any) -> Any:
    """Gradient of a view of any geometry: sum into the storage, then read the input's elements.

    Written with index ops on a flat stand-in of the storage, so elements that the view shows
    twice are summed, and an input that shows one twice gets the mean, as in torch.
    """
    if 0 in inner[0]:
        return g.new_zeros(inner[0])
    low = min(inner[2], outer[2])

    def span(shape: Any, strides: Any, offset: int) -> int:
        if 0 in shape:
            return 0
        return offset - low + 1 + sum((n - 1) * s for n, s in zip(shape, strides, strict=True))

    room = max(span(*inner), span(*outer))
    places = ops.arange(room, device=g.device)

    def where(shape: Any, strides: Any, offset: int) -> Any:
        return places.as_strided(shape, strides, offset - low).reshape((-1,))

    flat = g.new_zeros((room,))
    if 0 not in outer[0]:
        flat = flat.index_add(0, where(*outer), g.reshape((-1,)))
    at = where(*inner)
    if overlaps(inner[0], inner[1]):
        ones = g.new_ones((numel_of(inner[0]),))
        count = g.new_zeros((room,)).index_add(0, at, ones)
        flat = flat / count.clamp(min=1)
    return flat.index_select(0, at).reshape(inner[0])


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
    view=as_strided_view,
    inplace=True,
    grad={"self": _as_strided_grad},
    samples="as_strided",
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
    view=_unfold,
    variants="method",
    grad={"self": lambda g, c: ops.unfold_backward(g, c.self.shape, c.dimension, c.size, c.step)},
    samples="unfold",
)
