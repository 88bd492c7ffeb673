"""Factories of filled and empty tensors: zeros, full, the ``*_like`` and ``new_*`` families."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import (
    DType,
    bool_,
    from_numpy,
    get_default_complex_dtype,
    get_default_dtype,
    int64,
)

from ..call.elementwise_meta import elementwise_strides
from ..call.forms import OutForm, made
from ..call.row import Out, op
from ..core.dims import channels_last, channels_last_3d
from . import scalars
from .options import OPTIONS, check_size, dtype_or_default, negative_dimension, on_meta, unfilled

Array = np.ndarray[Any, Any]

__all__ = ["Sized", "like"]

# ------------------------------------------------------------------------- memory formats


def format_strides(shape: tuple[int, ...], memory_format: Any) -> tuple[int, ...] | None:
    """The strides of a fresh tensor in *memory_format*, None for contiguous."""
    name = str(memory_format).rpartition(".")[2]
    if name in ("None", "contiguous_format"):
        return None
    if name == "channels_last":
        return channels_last(shape)
    if name == "channels_last_3d":
        return channels_last_3d(shape)
    raise RuntimeError("unsupported memory format Preserve")


def like(self: Any, dtype: Any = None, memory_format: Any = None) -> Out:
    """Size, dtype and memory order of *self*, where nothing else is asked for."""
    shape = tuple(self.shape)
    kept = self.dtype if dtype is None else dtype_or_default(dtype)
    if memory_format is not None and not str(memory_format).endswith("preserve_format"):
        return Out(shape, kept, format_strides(shape, memory_format))
    strides = tuple(self.stride())
    if _is_dense(shape, strides) or 0 in shape:
        return Out(shape, kept, None if strides == _contiguous(shape) else strides)
    return Out(shape, kept, elementwise_strides(shape, [self]))


def _contiguous(shape: tuple[int, ...]) -> tuple[int, ...]:
    strides, step = [], 1
    for n in reversed(shape):
        strides.append(step)
        step *= max(n, 1)
    return tuple(reversed(strides))


def _is_dense(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Every element of a block of memory is used once (dimensions of size one do not count)."""
    expected = 1
    for stride, size in sorted(zip(strides, shape, strict=True)):
        if size > 1:
            if stride != expected:
                return False
            expected *= size
    return True


# ------------------------------------------------------------------------- filled tensors


def _zeros(out: Out) -> Callable[..., Array]:
    shape, dtype, zeros = out.shape, out.dtype.np, np.zeros
    if out.strides is not None:
        return _holding(out, 0)
    return lambda *args: zeros(shape, dtype)


def _ones(out: Out) -> Callable[..., Array]:
    return _holding(out, 1)


def _holding(out: Out, value: int) -> Callable[..., Array]:
    """The kernel that gives memory for *out* with one value everywhere."""
    empty, number = unfilled(out), np.array(value, out.dtype.np)

    def kernel(*args: Any) -> Array:
        array = empty()
        array.fill(number)
        return array

    return kernel


def _zeros_meta(size: Any, dtype: Any, layout: Any, device: Any, pin: Any) -> Out:
    if not on_meta(device) and any(n < 0 for n in size):
        raise RuntimeError("zeros: Dimension size must be non-negative.")
    found = dtype_or_default(dtype)
    return Out(check_size(size, found.itemsize), found)


def _filled_meta(size: Any, dtype: Any, *rest: Any) -> Out:
    found = dtype_or_default(dtype)
    return Out(check_size(size, found.itemsize), found)


op(
    f"zeros(SymInt[] size, *, {OPTIONS}) -> Tensor",
    says="""Return a tensor of zeros.
    The dtype is the default one if none is given.

    >>> torch.zeros(2, 3)
    tensor([[0., 0., 0.],
            [0., 0., 0.]])
    """,
    meta=_zeros_meta,
    prepare=lambda *args: _zeros(_zeros_meta(*args)),
    half=False,
    variants="function",
    out=made(),
    samples="sizes",
    tags=("out_has_no_formula", "moves"),
)
op(  # zeros that torch keeps without memory; here they have some
    f"_efficientzerotensor(SymInt[] size, *, {OPTIONS}) -> Tensor",
    meta=_filled_meta,
    prepare=lambda *args: _zeros(_filled_meta(*args)),
    half=False,
    variants="function",
    samples="sizes",
)
op(
    f"ones(SymInt[] size, *, {OPTIONS}) -> Tensor",
    says="""Return a tensor of ones.
    The dtype is the default one if none is given.

    >>> torch.ones(2, dtype=torch.int64)
    tensor([1, 1])
    """,
    meta=_filled_meta,
    prepare=lambda *args: _ones(_filled_meta(*args)),
    half=False,
    variants="function",
    out=made(),
    samples="sizes",
    tags=("out_has_no_formula", "moves"),
)


def _empty_meta(
    size: Any, dtype: Any, layout: Any, device: Any, pin: Any, memory_format: Any
) -> Out:
    found = dtype_or_default(dtype)
    shape = check_size(size, found.itemsize)
    return Out(shape, found, format_strides(shape, memory_format))


def _empty_onto(target: Any, size: Any, *rest: Any) -> None:
    if rest[-1] is not None:
        raise RuntimeError("'memory_format' argument is incompatible with 'out' tensor argument")
    target.resize_(check_size(size, target.element_size()))


op(
    f"empty.memory_format(SymInt[] size, *, {OPTIONS}, MemoryFormat? memory_format=None) -> Tensor",
    says="Return a tensor of uninitialised memory.",
    meta=_empty_meta,
    prepare=lambda *args: unfilled(_empty_meta(*args)),
    kinds={"out": "implicit"},
    half=False,
    variants="function",
    out=made(),
    out_kernel=_empty_onto,
    samples="sizes",
    tags=("nondeterministic_seeded", "keeps_bits", "new_memory"),
)


def fill_dtype(value: Any) -> DType:
    """The dtype of ``torch.full`` where none is given."""
    if isinstance(value, bool):
        return bool_
    if isinstance(value, int):
        return int64
    return get_default_complex_dtype() if isinstance(value, complex) else get_default_dtype()


def _full_meta(size: Any, value: Any, dtype: Any, *rest: Any) -> Out:
    found = fill_dtype(value) if dtype is None else dtype_or_default(dtype)
    return Out(check_size(size, found.itemsize), found)


def _full(out: Out, place: int) -> Callable[..., Array]:
    """The kernel that fills memory for *out* with its argument at *place*."""
    empty, shape, dtype = unfilled(out), out.shape, out.dtype
    held = scalars.held(dtype)

    def kernel(*args: Any) -> Array:
        array, value = empty(), args[place]
        bounds = held.get(type(value))
        if bounds is None or not bounds[0] <= value <= bounds[1]:
            value = scalars.filling(value, dtype, shape)
        array.fill(value)
        return array

    return kernel


def _full_onto(target: Array, size: Any, value: Any, *rest: Any) -> Array:
    found = from_numpy(target.dtype)
    if found is bool_ and isinstance(value, complex):
        value = value != 0
    return _full(Out(target.shape, found), 0)(value)


def _full_out_meta(target: Any, size: Any, value: Any, *rest: Any) -> Out:
    if not (target.dtype is bool_ and isinstance(value, complex)):
        scalars.filling(value, target.dtype, size)
    return _full_meta(size, value, target.dtype, *rest[1:])


op(
    f"full(SymInt[] size, Scalar fill_value, *, {OPTIONS}) -> Tensor",
    says="""Return a tensor filled with one value.
    The dtype follows from the value if none is given.

    >>> torch.full((2, 2), 7)
    tensor([[7, 7],
            [7, 7]])
    """,
    meta=_full_meta,
    out_meta=_full_out_meta,
    prepare=lambda *args: _full(_full_meta(*args), 1),
    half=False,
    variants="function",
    out=made(),
    out_kernel=_full_onto,
    samples="full",
    tags=("any_number", "out_has_no_formula", "moves"),
)


def _scalar_tensor(s: Any, dtype: Any, *rest: Any) -> Callable[..., Array]:
    found, array = dtype_or_default(dtype), np.array
    held = scalars.held(found)

    def kernel(s: Any, *rest: Any) -> Array:
        bounds = held.get(type(s))
        if bounds is None or not bounds[0] <= s <= bounds[1]:
            s = scalars.stored(s, found)
        return array(s, found.np)

    return kernel


op(
    f"scalar_tensor(Scalar s, *, {OPTIONS}) -> Tensor",
    says="Return a tensor without dimensions that holds one number.",
    meta=lambda s, dtype, *rest: Out((), dtype_or_default(dtype)),
    prepare=_scalar_tensor,
    half=False,
    variants="function",
    out=OutForm(dtype="any", function=False, meta="native"),
    samples="scalar_tensor",
    tags=("any_number",),
)


def _strided_meta(size: Any, stride: Any, dtype: Any, *rest: Any) -> Out:
    if any(n < 0 for n in size):
        raise negative_dimension(size)
    if len(size) != len(stride):
        raise RuntimeError(
            f"dimensionality of sizes ({len(size)}) must match dimensionality of strides "
            f"({len(stride)})"
        )
    found = dtype_or_default(dtype)
    shape = check_size(size, found.itemsize)
    if any(s < 0 for s in stride):
        raise RuntimeError(
            "Storage size calculation overflowed with "
            f"sizes=[{', '.join(map(str, size))}] and strides=[{', '.join(map(str, stride))}]"
        )
    return Out(shape, found, tuple(stride))


op(
    f"empty_strided(SymInt[] size, SymInt[] stride, *, {OPTIONS}) -> Tensor",
    says="Return a tensor of uninitialised memory with the given strides.",
    meta=_strided_meta,
    prepare=lambda *args: unfilled(_strided_meta(*args)),
    half=False,
    variants="function",
    samples="sizes_strides",
    tags=("keeps_bits", "new_memory"),
)

# ------------------------------------------------------------------------- like, new


class Sized:
    """The part of an ndarray that :func:`like` looks at."""

    __slots__ = ("_strides", "dtype", "shape")

    def __init__(self, array: Array) -> None:
        self.shape, self.dtype = array.shape, from_numpy(array.dtype)
        self._strides = tuple(s // array.itemsize for s in array.strides)

    def stride(self) -> tuple[int, ...]:
        return self._strides


def _like_meta(self: Any, dtype: Any, layout: Any, device: Any, pin: Any, fmt: Any) -> Out:
    return like(self, dtype, fmt)


def _new_meta(self: Any, size: Any, dtype: Any, *rest: Any) -> Out:
    found = self.dtype if dtype is None else dtype_or_default(dtype)
    return Out(check_size(size, found.itemsize), found)


def _like_and_new(name: str, make: Callable[[Out], Callable[..., Array]], what: str) -> None:
    """``zeros_like`` and ``new_zeros``, or those of ones or empty."""
    op(
        f"{name}_like(Tensor self, *, {OPTIONS}, MemoryFormat? memory_format=None) -> Tensor",
        says=f"Return a tensor of {what} with the shape and options of another tensor.",
        meta=_like_meta,
        prepare=lambda self, *args: make(_like_meta(Sized(self), *args)),
        half=False,
        variants="function",
        batch="on_whole",
        samples="like",
        tags=("of_geometry", *(("keeps_bits", "new_memory") if name == "empty" else ("moves",))),
    )
    op(
        f"new_{name}(Tensor self, SymInt[] size, *, {OPTIONS}) -> Tensor",
        says=f"Return a tensor of {what} with this tensor's dtype and device.",
        meta=_new_meta,
        prepare=lambda self, *args: make(_new_meta(Sized(self), *args)),
        half=False,
        variants="method",
        samples="new",
        tags=("of_geometry", "new_memory") if name == "empty" else ("of_geometry",),
    )


_like_and_new("zeros", _zeros, "zeros")
_like_and_new("ones", _ones, "ones")
_like_and_new("empty", unfilled, "uninitialised memory")


def _full_like_meta(
    self: Any, value: Any, dtype: Any, layout: Any, device: Any, pin: Any, fmt: Any
) -> Out:
    return like(self, dtype, fmt)


op(
    f"full_like(Tensor self, Scalar fill_value, *, {OPTIONS}, "
    "MemoryFormat? memory_format=None) -> Tensor",
    says="Return a tensor filled with one value, with the shape and options of another tensor.",
    meta=_full_like_meta,
    prepare=lambda self, *args: _full(_full_like_meta(Sized(self), *args), 1),
    half=False,
    variants="function",
    samples="full_like",
    tags=("any_number", "keeps_bits", "of_geometry", "moves"),
    batch="on_whole",
)


def _new_full_meta(self: Any, size: Any, value: Any, dtype: Any, *rest: Any) -> Out:
    return _new_meta(self, size, dtype)


op(
    f"new_full(Tensor self, SymInt[] size, Scalar fill_value, *, {OPTIONS}) -> Tensor",
    says="Return a tensor filled with one value, with this tensor's dtype and device.",
    meta=_new_full_meta,
    prepare=lambda self, *args: _full(_new_full_meta(Sized(self), *args), 2),
    half=False,
    variants="method",
    samples="new_full",
    tags=("any_number", "of_geometry"),
)


def _new_strided_meta(self: Any, size: Any, stride: Any, dtype: Any, *rest: Any) -> Out:
    return _strided_meta(size, stride, self.dtype if dtype is None else dtype)


op(
    f"new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, {OPTIONS}) -> Tensor",
    says="Return a tensor of uninitialised memory with the given strides and this "
    "tensor's dtype and device.",
    meta=_new_strided_meta,
    prepare=lambda self, *args: unfilled(_new_strided_meta(Sized(self), *args)),
    half=False,
    variants="method",
    samples="new_strided",
    tags=("of_geometry", "new_memory"),
    batch="empty_strided",
)

from . import linspace, ranges  # noqa: E402, F401  (the family's others: arange, eye, linspace)
