"""Shape arithmetic that several families of rows share: reduced shapes, layouts of results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import prod as numel_of
from typing import Any

import numpy as np
from mindtorch_storage import layout
from mindtorch_storage.layout import is_contiguous, wrap_dim
from mindtorch_storage.layout import wrap_dims as unique_dims
from mindtorch_storage.output_layout import empty_like_strides as preserved_strides

__all__ = [
    "all_dims",
    "channels_last",
    "channels_last_3d",
    "contiguous",
    "element_strides",
    "expect_sizes",
    "is_contiguous",
    "laid_out",
    "numel_of",
    "preserved_strides",
    "reduced_shape",
    "same_place",
    "scalar_name",
    "size_at",
    "type_string",
    "unique_dims",
    "with_ones",
    "wrap_dim",
]


def channels_last(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of ``torch.channels_last`` for *shape*."""
    if len(shape) != 4:
        raise RuntimeError("required rank 4 tensor to use channels_last format")
    return layout.channels_last_strides(shape)


def channels_last_3d(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of ``torch.channels_last_3d`` for *shape*."""
    return layout.channels_last_3d_strides(shape)


def with_ones(g: Any, dims: Iterable[int]) -> Any:
    """*g* with dimensions of size one at *dims*, the places in the result."""
    for d in sorted(dims):
        g = g.unsqueeze(d)
    return g


def scalar_name(dtype: Any) -> str:
    """``Float`` for ``torch.float32``: the name that torch's messages use."""
    return dtype.scalar_type


#: The dtypes that have a tensor class of their own: ``torch.FloatTensor``.
_LEGACY = frozenset(("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64"))


def type_string(t: Any) -> str:
    """The type of a tensor in messages: ``torch.FloatTensor``, but ``CPUBoolType``.

    Source: torch csrc/utils/tensor_types.cpp, aten/src/ATen/core/DeprecatedTypeProperties.h.
    """
    name, kind = scalar_name(t.dtype), t.device.type
    if t.dtype.name in _LEGACY:
        return f"torch.{name}Tensor" if kind == "cpu" else f"torch.{kind}.{name}Tensor"
    return f"{'Meta' if kind == 'meta' else kind.upper()}{name}Type"


def same_place(self: Any, out: Any, what: str, name: str) -> None:
    """Refuse an ``out=`` on another device than *self*. Source: torch TensorUtils, checkSameGPU."""
    if out.device != self.device:
        raise RuntimeError(
            f"Expected tensor to have {self.device} {what}, but got tensor with {out.device} "
            f"{what} (while checking arguments for {name})"
        )


def size_at(t: Any, dim: int) -> int:
    """``t.size(dim)``. Raises IndexError as that does."""
    if not len(t.shape):
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return t.shape[wrap_dim(dim, len(t.shape))]


def expect_sizes(t: Any, ndim: int, first: int, sizes: Sequence[int]) -> None:
    """Raise a ``RuntimeError`` unless *t* has *ndim* dimensions, and *sizes* from *first* on.

    Source: torch aten/src/ATen/TensorUtils.cpp, check_dim_size.
    """
    for dim, size in enumerate(sizes, first):
        found = size_at(t, dim)
        if t.dim() != ndim or found != size:
            raise RuntimeError(
                f"Expected a tensor of dimension {ndim} and tensor.size[{dim}] == {size} but got: "
                f"dimension {t.dim()} and tensor.size[{dim}] = {found}"
            )


def all_dims(dims: Sequence[int] | int | None, ndim: int) -> tuple[int, ...]:
    """The dims a reduction runs over: none given or an empty list means all of them."""
    if dims is None:
        return tuple(range(ndim))
    return _wrapped((dims,) if isinstance(dims, int) else tuple(dims), ndim)


@lru_cache(4096)
def _wrapped(dims: tuple[int, ...], ndim: int) -> tuple[int, ...]:
    """:func:`all_dims`, remembered: a reduction asks for its result's sizes and for its kernel."""
    if not dims:
        return tuple(range(ndim))
    out = unique_dims(dims, ndim)
    return out if ndim else ()


def reduced_shape(shape: Sequence[int], dims: Sequence[int], keepdim: bool) -> tuple[int, ...]:
    """*shape* without *dims*, or with them of size one."""
    if keepdim:
        return tuple([1 if i in dims else s for i, s in enumerate(shape)])
    return tuple([s for i, s in enumerate(shape) if i not in dims])


def contiguous(a: Any) -> Any:
    """*a* with C order: reductions and ufuncs of numpy keep the order of their input."""
    return a if a.flags.c_contiguous else a.copy("C")


def element_strides(a: Any) -> tuple[int, ...]:
    """Strides of an ndarray, in elements."""
    item = a.itemsize
    return tuple([s // item for s in a.strides])


def laying(shape: Sequence[int], strides: Sequence[int] | None, dtype: Any) -> Callable[[Any], Any]:
    """What :func:`laid_out` does, for arrays of one shape and dtype: asked once for all of them."""
    if strides is None:
        return lambda a: a.copy()
    count, ndarray, empty, everything = numel_of(shape), np.ndarray, np.empty, ...
    steps = [s * dtype.itemsize for s in strides]

    def laid(a: Any) -> Any:
        out = ndarray(shape, dtype, empty(count, dtype), 0, steps)
        if count:
            out[everything] = a
        return out

    return laid


def laid_out(a: Any, strides: Sequence[int] | None) -> Any:
    """A copy of *a* with *strides* (in elements; None means contiguous), which must be dense.

    They are exactly these, also of sizes of 1 and without elements: numpy would make up others.
    """
    return a.copy("C") if strides is None else laying(a.shape, strides, a.dtype)(a)
