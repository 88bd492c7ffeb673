"""Integer arithmetic on shapes and strides, as torch does it.

Everything here is a pure function of tuples of ints. Strides count elements, not bytes.
Where torch picks one of several possible layouts, see ``output_layout.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import prod
from typing import Final, TypeAlias

from . import errors

Shape: TypeAlias = tuple[int, ...]

_MAX_INT64: Final = 2**63 - 1

# ------------------------------------------------------------------------ fixed layouts


def numel(shape: Sequence[int]) -> int:
    """The number of elements; 1 for a scalar."""
    return prod(shape)


def numel_checked(shape: Sequence[int]) -> int:
    """The number of elements. Raises RuntimeError past 63 bits, counted in unsigned sizes."""
    if 0 in shape:
        return 0
    n = prod(shape)
    if n > _MAX_INT64 or min(shape, default=1) < 0:
        raise errors.numel_overflow()
    return n


def contiguous_strides(shape: Sequence[int]) -> Shape:
    """Row-major strides. A size of 0 counts as 1, as in torch."""
    n = len(shape)
    if n == 1:
        return (1,)
    if n == 2:
        return (shape[1] or 1, 1)
    strides = [1] * n
    step = 1
    for i in range(n - 1, 0, -1):
        step *= shape[i] or 1
        strides[i - 1] = step
    return tuple(strides)


def channels_last_strides(shape: Sequence[int]) -> Shape:
    """Strides with the channels innermost: NHWC for 4 dimensions, NDHWC for 5.

    Raises RuntimeError for another number of dimensions.
    """
    if len(shape) == 5:
        return dense_in_order(shape, (1, 4, 3, 2, 0))
    if len(shape) != 4:
        raise errors.channels_last_rank()
    return dense_in_order(shape, (1, 3, 2, 0))


def channels_last_3d_strides(shape: Sequence[int]) -> Shape:
    """NDHWC strides. Raises RuntimeError unless there are 5 dimensions."""
    if len(shape) != 5:
        raise errors.channels_last_3d_rank()
    return dense_in_order(shape, (1, 4, 3, 2, 0))


def dense_in_order(shape: Sequence[int], order: Iterable[int]) -> Shape:
    """Dense strides, the first dimension of *order* innermost. After a size of 0 they are 0."""
    strides = [1] * len(shape)
    step = 1
    for d in order:
        strides[d] = step
        step *= shape[d]
    return tuple(strides)


# ----------------------------------------------------------------- questions on a layout


def is_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether elements lie in row-major order without gaps; strides of size-1 dims are free."""
    expected = 1
    for i in range(len(shape) - 1, -1, -1):
        size = shape[i]
        if size != 1:
            if strides[i] != expected:
                return 0 in shape
            expected *= size
    return True


def is_in_order(shape: Shape, strides: Shape) -> bool:
    """Whether each dimension steps over those behind it: they lie as contiguous ones do, or apart.

    Dimensions that are not stepped along (of size 1, or broadcast) lie nowhere.
    """
    inner = 0
    for size, step in zip(shape[::-1], strides[::-1], strict=True):
        if size != 1 and step:
            if step <= inner:
                return False
            inner = step
    return True


def is_channels_last_contiguous(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """``is_contiguous(memory_format=channels_last)``; with 5 dimensions, channels_last_3d.

    Source: torch c10/core/Contiguity.h.
    """
    n = len(shape)
    if n != 4 and n != 5:
        return False
    expected = 1
    for d in (1, 3, 2, 0) if n == 4 else (1, 4, 3, 2, 0):
        size = shape[d]
        if size != 1:
            if strides[d] != expected:
                return False
            expected *= size
    return True


def is_channels_last(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether the strides *suggest* channels_last (4 dims) or channels_last_3d (5 dims).

    Gaps are allowed; ambiguous strides count as the default layout.
    Source: torch c10/core/MemoryFormat.h, is_channels_last_strides_2d_s4.
    """
    n = len(shape)
    if (n != 4 and n != 5) or strides[1] == 0:
        return False
    least = 0
    for d in (1, 3, 2, 0) if n == 4 else (1, 4, 3, 2, 0):
        if shape[d] == 0 or strides[d] < least:
            return False
        if d == 0 and least == strides[1]:
            return False  # N111, or N11W sliced along W: could be either
        least = strides[d]
        if shape[d] > 1:
            least *= shape[d]
    return True


def is_non_overlapping_and_dense(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether some permutation of the dimensions is contiguous."""
    if is_contiguous(shape, strides) or is_channels_last_contiguous(shape, strides):
        return True
    expected = 1
    for stride, size in sorted(
        (stride, size) for stride, size in zip(strides, shape, strict=True) if size > 1
    ):
        if stride != expected:
            return False
        expected *= size
    return True


def storage_nbytes_needed(
    shape: Sequence[int], strides: Sequence[int], offset: int, itemsize: int
) -> int:
    """How many bytes of storage a tensor of this geometry reaches; 0 if it is empty.

    Raises RuntimeError past the range of torch's sizes, and if the lengths differ.
    """
    if len(shape) != len(strides):
        raise errors.strides_length_mismatch(shape, strides)
    last = 0
    for size, stride in zip(shape, strides, strict=True):
        if size == 0:
            return 0
        if stride < 0 and size > 1:  # torch counts in unsigned numbers
            raise errors.storage_size_overflow(shape, strides)
        last += (size - 1) * stride
    needed = (offset + last + 1) * itemsize
    if not 0 <= needed <= _MAX_INT64:
        raise errors.storage_size_overflow(shape, strides)
    return needed


def checked_shape(shape: Sequence[int], itemsize: int) -> Shape:
    """*shape* as a tuple, after the checks that torch's factories make.

    Raises RuntimeError for a negative size, and where the bytes would not fit 63 bits.
    """
    n = 1
    for size in shape:
        if size < 0:
            raise errors.size_negative(size, shape)
        n *= size
    if n * itemsize > _MAX_INT64:
        raise errors.storage_size_overflow(shape, None)
    return tuple(shape)


# ---------------------------------------------------------------------------- dimensions


def wrap_dim(dim: int, ndim: int, wrap_scalar: bool = True) -> int:
    """*dim* counted from the front. A scalar has one dimension here if *wrap_scalar*.

    Raises IndexError if there is no such dimension.
    """
    if -ndim <= dim < ndim:
        return dim if dim >= 0 else dim + ndim
    if ndim == 0:
        if not wrap_scalar:
            raise errors.dimension_of_scalar(dim)
        ndim = 1
        if -1 <= dim <= 0:
            return 0
    raise errors.dimension_out_of_range(dim, ndim)


def wrap_dims(dims: Iterable[int], ndim: int, wrap_scalar: bool = True) -> Shape:
    """Every one of *dims* wrapped, in the given order.

    Raises IndexError as `wrap_dim` does, RuntimeError if a dimension is named twice.
    """
    wrapped: list[int] = []
    for dim in dims:
        wrapped_dim = wrap_dim(dim, ndim, wrap_scalar)
        if wrapped_dim in wrapped:
            raise errors.dimension_repeated(wrapped_dim)
        wrapped.append(wrapped_dim)
    return tuple(wrapped)


# -------------------------------------------------------------------------- broadcasting


def broadcast_shapes(*shapes: Shape) -> Shape:
    """The shape that operands of these shapes have together.

    Raises RuntimeError with the text of torch's operators; `broadcast_shapes_checked` has that
    of ``torch.broadcast_shapes``.
    """
    result: Shape | None = None
    for shape in shapes:
        if result is None or result == shape:
            result = shape
        else:
            result = _broadcast_two(result, shape)
    return () if result is None else result


def _broadcast_two(a: Shape, b: Shape) -> Shape:
    if not b:
        return a
    if not a:
        return b
    more = len(a) - len(b)
    if more > 0:
        b = (1,) * more + b
    elif more < 0:
        a = (1,) * -more + a
    result = list(a)
    for i in range(len(a) - 1, -1, -1):
        x, y = a[i], b[i]
        if x != y:
            if x == 1:
                result[i] = y
            elif y != 1:
                raise errors.size_mismatch(x, y, i)
    return tuple(result)


def broadcast_shapes_checked(*shapes: int | Sequence[int]) -> Shape:
    """``torch.broadcast_shapes``: ints count as one-dimensional, negative sizes are refused.

    Source: torch/_refs/__init__.py, _broadcast_shapes.
    """
    given = [(shape,) if isinstance(shape, int) else shape for shape in shapes]
    common = [1] * max(map(len, given), default=0)
    for argument, shape in enumerate(given):
        for i in range(-1, -1 - len(shape), -1):
            size = shape[i]
            if common[i] == 1:
                if size < 0:
                    raise errors.broadcast_negative()
                common[i] = size
            elif size != 1 and size != common[i]:
                raise errors.broadcast_mismatch(size, i, argument, shape, common)
    return tuple(common)


def broadcast_strides(shape: Shape, strides: Shape, target: Shape) -> Shape:
    """The strides with which an operand is read as *target*, which it is known to broadcast to."""
    if shape == target:
        return strides
    more = len(target) - len(shape)
    return (0,) * more + tuple(
        0 if shape[i] == 1 and target[i + more] != 1 else strides[i] for i in range(len(shape))
    )


def expand_strides(
    shape: Shape,
    strides: Shape,
    target: Sequence[int],
    tensor_type: Callable[[], str] = lambda: "torch.FloatTensor",
    copies: bool = False,
) -> tuple[Shape, Shape]:
    """Shape and strides of ``tensor.expand(target)``; -1 keeps a size.

    Raises RuntimeError where torch does; *tensor_type* gives what its text says the tensor is
    (``tensor.type()``).
    With *copies*, a negative size beside one of 0 passes, as it does in torch: it is for whoever
    makes the copy to refuse it. A view of it would be a broken tensor.
    Source: torch aten/src/ATen/ExpandUtils.cpp, inferExpandGeometryImpl.
    """
    n, wanted = len(shape), len(target)
    if wanted < n:
        raise errors.expand_too_few(tensor_type(), shape, target)
    sizes, steps = list(target), [0] * wanted
    if n:
        for i in range(wanted - 1, -1, -1):
            old = i - (wanted - n)
            size = shape[old] if old >= 0 else 1
            step = strides[old] if old >= 0 else sizes[i + 1] * steps[i + 1]
            new = target[i]
            if new == -1:
                if old < 0:
                    raise errors.expand_leading(i)
                new = size
            if size != new:
                if size != 1:
                    raise errors.expand_mismatch(new, size, i, target, shape)
                step = 0
            sizes[i], steps[i] = new, step
    if wanted and min(sizes) < 0 and not (copies and 0 in sizes):
        raise errors.numel_overflow()
    return tuple(sizes), tuple(steps)


# --------------------------------------------------------------------------------- views


def infer_size(shape: Sequence[int], numel: int) -> Shape:
    """*shape* with its one ``-1`` filled in so that it holds *numel* elements.

    Raises RuntimeError if that is impossible or ambiguous.
    Source: torch aten/src/ATen/InferSize.h.
    """
    known, inferred = 1, -1
    for i, size in enumerate(shape):
        if size >= 0:
            known *= size
        elif size != -1:
            raise errors.reshape_negative(size, i, shape)
        elif inferred >= 0:
            raise errors.reshape_infers_twice()
        else:
            inferred = i
    if inferred < 0:
        if known != numel:
            raise errors.reshape_mismatch(shape, numel)
        return tuple(shape)
    if known == 0:
        if numel == 0:
            raise errors.reshape_ambiguous(shape)
        raise errors.reshape_mismatch(shape, numel)
    if numel % known:
        raise errors.reshape_mismatch(shape, numel)
    filled = list(shape)
    filled[inferred] = numel // known
    return tuple(filled)


def view_strides(old_shape: Shape, old_strides: Shape, new_shape: Shape) -> Shape | None:
    """The strides with which *new_shape* reads the same elements, or None if it needs a copy.

    Source: torch aten/src/ATen/TensorUtils.cpp, computeStride_impl.
    """
    # Items of plain tuples are read much faster than those of a Size.
    old_shape, new_shape = tuple(old_shape), tuple(new_shape)
    if not old_shape:
        return (1,) * len(new_shape)
    if 0 in old_shape:
        return old_strides if old_shape == new_shape else contiguous_strides(new_shape)
    strides = [0] * len(new_shape)
    view_d = len(new_shape) - 1
    # A chunk is a run of old dimensions that lie in memory as one. Each must be tiled exactly.
    base = old_strides[-1]
    tensor_numel = view_numel = 1
    for d in range(len(old_shape) - 1, -1, -1):
        tensor_numel *= old_shape[d]
        if d == 0 or (old_shape[d - 1] != 1 and old_strides[d - 1] != tensor_numel * base):
            while view_d >= 0 and (view_numel < tensor_numel or new_shape[view_d] == 1):
                strides[view_d] = view_numel * base
                view_numel *= new_shape[view_d]
                view_d -= 1
            if view_numel != tensor_numel:
                return None
            if d:
                base = old_strides[d - 1]
                tensor_numel = view_numel = 1
    return tuple(strides) if view_d == -1 else None


def view_geometry(
    old_shape: Shape, old_strides: Shape, new_shape: Sequence[int]
) -> tuple[Shape, Shape]:
    """Shape and strides of ``tensor.view(new_shape)``, one ``-1`` filled in.

    Raises RuntimeError if the sizes do not fit, or if a copy would be needed.
    """
    shape = infer_size(new_shape, prod(old_shape))
    strides = view_strides(old_shape, old_strides, shape)
    if strides is None:
        raise errors.view_incompatible()
    return shape, strides
