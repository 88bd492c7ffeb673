"""Copies of sparse tensors: clones, other dtypes, into one another; and those without elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage import Device, errors, get_default_dtype

from ...call.row import op
from ...core import constants
from ...core.layout_names import layout_name
from ...core.operators import ops
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.legacy import type_name
from ...tensor.sparse_content import BLOCKS, BY_COLUMN, become, sparse_tensor
from .construction import empty_coo
from .parts import COMPRESSED, COO, compressed_tensor, is_sparse
from .resizing import check_resize

__all__ = ["empty_compressed"]

_STRIDED, _COO = constants.strided, constants.sparse_coo
_FORMATS = {
    constants.preserve_format: "Preserve",
    constants.contiguous_format: "Contiguous",
    constants.channels_last: "ChannelsLast",
    constants.channels_last_3d: "ChannelsLast3d",
}


def _copied(t: Tensor) -> Tensor:
    return wrap(t._host_().copy())


def _clone(self: Tensor, memory_format: Any) -> Tensor:
    content = self._content_
    if memory_format is not None:
        raise RuntimeError(f"unsupported memory format option {_FORMATS[memory_format]}")
    parts = {f: _copied(v) for f, v in content._asdict().items() if isinstance(v, Tensor)}
    return sparse_tensor(content._replace(**parts), self._a_.shape)


def _same(self: Tensor) -> Tensor:
    """Another tensor of the same indices and values."""
    return sparse_tensor(self._content_, self._a_.shape)


def _to_copy(
    self: Tensor, dtype: Any, layout: Any, device: Any, pin_memory: Any, non_blocking: bool,
    memory_format: Any,
) -> Tensor:  # fmt: skip
    if device is not None and Device(device).type != "cpu":
        raise NotImplementedError(
            f"sparse tensors are on the cpu alone: there are no kernels for them on {device}"
        )
    if not is_sparse(self) or layout not in (None, self.layout):
        raise RuntimeError(
            f"to(options) doesn't support converting to a different layout, but got self.layout "
            f"being {layout_name(self.layout)} and options.layout set as {layout_name(layout)}"
        )
    content = self._content_
    parts = {f: _copied(v) for f, v in content._asdict().items() if isinstance(v, Tensor)}
    if dtype is not None:
        parts["values"] = parts["values"]._to_(None, dtype)
    return sparse_tensor(content._replace(**parts), self._a_.shape)


for _kernels in (COO, COMPRESSED):
    _kernels.register("clone", _clone)
    for _name in ("detach", "alias"):
        _kernels.register(_name, _same, forms=False)
    _kernels.register("_to_copy", _to_copy)


def _copy_coo(self: Tensor, src: Tensor, non_blocking: bool) -> Tensor:
    if not (self.is_sparse and is_sparse(src) and src.is_sparse):
        raise RuntimeError(
            "copy_() between dense and sparse Tensors is not implemented! Found self type = "
            f"{type_name(self)} and src type = {type_name(src)}"
        )
    return _taken(self, src)


def _taken(self: Tensor, src: Tensor) -> Tensor:
    """*self*, which is a copy of *src* in its own dtype from now on."""
    if self is src:
        return self
    if self.is_sparse:
        check_resize(self, src.shape, src._content_.sparse_dim, src._content_.dense_dim)
    dtype = None if src.dtype is self.dtype else self.dtype
    made = _to_copy(src, dtype, None, None, None, False, None)
    return become(self, made._content_, made._a_.shape)


def _copy_compressed(self: Tensor, src: Tensor, non_blocking: bool) -> Tensor:
    if not is_sparse(self) or self.is_sparse:
        raise RuntimeError(
            "copy_sparse_compressed_ expected sparse compressed tensor layout but got "
            f"{layout_name(self.layout)}"
        )
    if self.layout is not src.layout:
        raise RuntimeError(
            "torch.copy_: copy of sparse compressed tensors having different layouts is not "
            f"supported. self layout is {layout_name(self.layout)} and src layout is "
            f"{layout_name(src.layout)}"
        )
    if self._content_.nnz != src._content_.nnz:
        raise RuntimeError(
            "torch.copy_: only sparse compressed tensors with the same number of specified "
            "elements are supported."
        )
    return _taken(self, src)


COO.register("copy_", _copy_coo)
COMPRESSED.register("copy_", _copy_compressed)

op(
    "copy_sparse_to_sparse_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!)",
    variants="",
    samples="two_coo",
)
COO.register("copy_sparse_to_sparse_", _copy_coo)

# -- without elements ------------------------------------------------------------------------------


def empty_compressed(
    shape: Sequence[int], dtype: Any, layout: Any, blocksize: Any = None, dense_dim: int = 0
) -> Tensor:
    """A tensor of a compressed *layout* without elements, the last *dense_dim* dimensions dense.

    Raises RuntimeError for fewer than two dimensions.
    """
    if len(shape) < 2:
        raise RuntimeError(
            "torch.empty: Only batched sparse compressed (non-block) tensors are supported, but "
            f"got size {list(shape)}"
        )
    sparse = len(shape) - dense_dim
    *batch, rows, columns = shape[:sparse]
    if layout in BLOCKS:
        if blocksize is None:
            raise RuntimeError(
                "torch.empty: Only batched sparse compressed (non-block) tensors are supported, "
                f"but got size {list(shape)}"
            )
        rows, columns = rows // blocksize[0], columns // blocksize[1]
    lines = columns if layout in BY_COLUMN else rows
    inner = tuple(blocksize) if layout in BLOCKS else ()
    kind = (dtype or get_default_dtype()).np
    return compressed_tensor(
        layout, np.zeros((*batch, lines + 1), np.int64), np.empty((*batch, 0), np.int64),
        np.empty((*batch, 0, *inner, *shape[sparse:]), kind), shape,
    )  # fmt: skip


def _empty(size: Any, dtype: Any, layout: Any, *rest: Any) -> Tensor:
    if layout is _COO:
        return empty_coo(tuple(size), dtype, len(size))
    return empty_compressed(tuple(size), dtype, layout)


def _check_format(memory_format: Any, layout: Any) -> None:
    """Refuse a memory format for a tensor of a sparse *layout*. Raises RuntimeError."""
    if memory_format is None or layout is _STRIDED:
        return
    if layout is _COO:
        raise RuntimeError("memory format option is only supported by strided tensors")
    if memory_format is constants.preserve_format:
        raise RuntimeError("unsupported memory format Preserve")
    if memory_format is constants.channels_last:
        raise errors.channels_last_rank()


def _empty_like(self: Tensor, dtype: Any, layout: Any, *rest: Any) -> Tensor:
    wanted = self.layout if layout is None else layout
    if wanted is _COO and rest:
        _check_format(rest[-1], wanted)
    dtype = dtype or self.dtype
    shape = self._a_.shape
    if is_sparse(self) and not self.is_sparse:
        _check_layout(self, layout)
    if wanted is _STRIDED:
        return ops.zeros(shape, dtype=dtype)
    if not is_sparse(self) or wanted is not self.layout:
        return _empty(shape, dtype, wanted)
    content = self._content_
    if wanted is _COO:
        return empty_coo(shape, dtype, content.sparse_dim, content.dense_dim)
    return empty_compressed(shape, dtype, wanted, content.blocksize, content.dense_dim)


def _check_layout(self: Tensor, layout: Any) -> None:
    """Refuse to make of *self* what is like it in another *layout*. Raises RuntimeError."""
    if layout not in (None, self.layout):
        raise RuntimeError(
            f"empty_like with different sparse layout is not supported (self is "
            f"{layout_name(self.layout)} but you requested {layout_name(layout)})"
        )


def _new(self: Tensor, size: Any, dtype: Any, layout: Any, *rest: Any) -> Tensor:
    wanted = self.layout if layout is None else layout
    dtype = dtype or self.dtype
    return ops.zeros(size, dtype=dtype) if wanted is _STRIDED else _empty(size, dtype, wanted)


def _filled(self: Tensor, value: Any) -> Tensor:
    """A compressed tensor of the same places, all elements of which are *value*."""
    content = self._content_
    return sparse_tensor(
        content._replace(values=ops.full_like(content.values, value)), self._a_.shape
    )


@COMPRESSED("fill_.Scalar")
def _fill(self: Tensor, value: Any) -> Tensor:
    return become(self, _filled(self, value)._content_, self._a_.shape)


@COMPRESSED("full_like")
def _full_like(self: Tensor, fill_value: Any, dtype: Any, layout: Any, *rest: Any) -> Tensor:
    """A tensor of the same places. Raises RuntimeError for another layout."""
    _check_layout(self, layout)
    if rest:
        _check_format(rest[-1], self.layout)
    content = self._content_
    parts = {f: _copied(v) for f, v in content._asdict().items() if isinstance(v, Tensor)}
    parts["values"] = ops.full_like(content.values, fill_value, dtype=dtype)
    return sparse_tensor(content._replace(**parts), self._a_.shape)


@COO("full_like")
def _full_like_coo(self: Tensor, fill_value: Any, *options: Any) -> Tensor:
    """A dense tensor; a sparse one, which has no places to fill, is refused by ``fill_``."""
    dtype, layout, *_, memory_format = options
    return ops.zeros_like(self, dtype=dtype, layout=layout, memory_format=memory_format).fill_(
        fill_value
    )


COO.register("ones_like", lambda self, *options: _full_like_coo(self, 1, *options))
COMPRESSED.register("ones_like", lambda self, *options: _full_like(self, 1, *options))


@COMPRESSED("empty_like")
def _empty_like_compressed(self: Tensor, *options: Any) -> Tensor:
    """Zeros at the places of *self*; without elements where a dense tensor asks for the layout."""
    return _full_like(self, 0, *options) if is_sparse(self) else _empty_like(self, *options)


@COMPRESSED("normal_")
def _normal(self: Tensor, mean: float, std: float, generator: Any) -> Tensor:
    values = ops.empty_like(self._content_.values).normal_(mean, std, generator=generator)
    return become(self, self._content_._replace(values=values), self._a_.shape)


def _zero(self: Tensor) -> Tensor:
    made = _empty_like(self, None, None)
    return become(self, made._content_, self._a_.shape)


for _kernels in (COO, COMPRESSED):
    for _name in ("empty.memory_format", "zeros"):
        _kernels.register(_name, _empty, forms=False)
    _kernels.register("zeros_like", _empty_like)
    for _name in ("new_empty", "new_zeros"):
        _kernels.register(_name, _new)
    _kernels.register("zero_", _zero, forms=False)
COO.register("empty_like", _empty_like)
