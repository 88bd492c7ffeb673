"""Reading and writing rows along one dim: ``index_select``, ``index_add``, ``index_copy`` …

Kernels raise what depends on the numbers (an index out of range), metas all the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage import layout
from mindtorch_storage.dtype import from_numpy

from mindtorch.aten.index_bounds import bounds, flat_places
from mindtorch.aten.indexing import add_at, check_range, cloned, like
from mindtorch.aten.reflected import new_zeros_in
from mindtorch.aten.scalars import cast, checked
from mindtorch.call.elementwise_meta import UNSIGNED, refuse
from mindtorch.call.forms import InplaceForm, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name, wrap_dim
from mindtorch.core.errors import window_out_of_bounds
from mindtorch.core.half_precision import widened
from mindtorch.core.operators import ops

from ..call.forms import DeviceRule
from . import device_rules, looks

__all__: list[str] = []


def _rows(dim: int, index: Any) -> tuple[Any, ...]:
    return (slice(None),) * dim + (index,)


def _index_select_meta(self: Any, dim: int, index: Any) -> Out:
    shape = tuple(self.shape)
    d = wrap_dim(dim, len(shape))
    if len(index.shape) > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    count = index.numel()
    if not shape and count != 1:
        raise RuntimeError(
            f"index_select(): Index to scalar can have only 1 value, got {count} value(s)"
        )
    if index.dtype.name not in ("int32", "int64"):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    if not shape:
        return Out((), self.dtype)
    if len(shape) == 1:  # more dims are copied row by row, of whichever dtype
        refuse(self.dtype, {"index_select": UNSIGNED}, self)
    return Out((*shape[:d], count, *shape[d + 1 :]), self.dtype)


def _prepare_index_select(self: Any, dim: int, index: Any) -> Callable[..., Any]:
    shape = self.shape
    size, find_bounds, count = shape[dim] if shape else 1, bounds(index.size), index.size
    by_column = len(shape) > 1 and (not self.size or wrap_dim(dim, len(shape)) == 1)

    def kernel(self: Any, dim: int, index: Any) -> Any:
        lowest, highest = find_bounds(index)
        if lowest < 0 or highest >= size:
            raise (
                _no_such_column(index, size)
                if by_column
                else IndexError("index out of range in self")
            )
        return self.take(index.reshape(count), dim) if shape else self.copy()

    return kernel


def _no_such_column(index: Any, size: int) -> RuntimeError:
    """torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, index_select_out_cpu_dim1_."""
    if not size:
        return RuntimeError("index_select(): self indexing axis dim should be positive")
    wrong = index[(index < 0) | (index >= size)].reshape(-1)[0]
    return RuntimeError(f"INDICES element is out of DATA bounds, id={wrong} axis_dim={size}")


op(
    "index_select(Tensor self, int dim, Tensor index) -> Tensor",
    says="""Return the slices along a dimension that an index names, as a copy.
    The result has the size of the index along dim.

    >>> torch.index_select(torch.tensor([[1, 2], [3, 4]]), 1, torch.tensor([1, 1, 0]))
    tensor([[2, 2, 1],
            [4, 4, 3]])
    """,
    meta=_index_select_meta,
    prepare=_prepare_index_select,
    half=False,
    out=OutForm(
        text="index_select(): self and result must have the same scalar type",
        overlap="first: apart",
    ),
    grad={"self": lambda g, c: new_zeros_in(g, c.self.shape).index_add(c.dim, c.index, g)},
    samples="index_select",
    tangent="linear",
    batch=("dimensions_sharing", "index"),
    looks=looks.selected,
)


def check_added_rows(name: str, self: Any, dim: int, index: Any, source: Any) -> None:
    """What *name*, which puts rows of *source* together with rows of *self*, wants of them."""
    d = wrap_dim(dim, len(self.shape))
    if len(index.shape) > 1:
        raise IndexError(
            f"{name}: Index is supposed to be a vector, but got dim: {len(index.shape)} with "
            f"type: {scalar_name(index.dtype)} and size: {list(index.shape)}"
        )
    if index.dtype.name not in ("int32", "int64"):
        raise RuntimeError(
            f"{name}: Expected dtype int32/int64 for index but got: {scalar_name(index.dtype)}"
        )
    if self.dtype != source.dtype:
        raise RuntimeError(
            f"{name}: self ({scalar_name(self.dtype)}) and source ({scalar_name(source.dtype)}) "
            "must have the same scalar type"
        )
    count = index.numel()
    if d and d >= len(source.shape):
        raise RuntimeError(
            f"{name}: Indexing dim {d} is out of bounds of the source tensor with dim "
            f"{len(source.shape)}"
        )
    rows = source.shape[d] if len(source.shape) else 1
    if count != rows:
        if not len(source.shape):
            raise IndexError(f"Dimension specified as {d} but tensor has no dimensions")
        raise RuntimeError(
            f"{name}: Number of indices ({count}) should be equal to source.size(dim): "
            f"({rows}), for dim: {d}"
        )
    mine, other = list(self.shape), list(source.shape)
    if len(mine) != len(other) or mine[:d] + mine[d + 1 :] != other[:d] + other[d + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {mine} source.shape = {other}"
        )


def _index_add_meta(self: Any, dim: int, index: Any, source: Any, alpha: Any) -> Out:
    check_added_rows("index_add_()", self, dim, index, source)
    checked(alpha, self.dtype)
    return Out(tuple(self.shape), self.dtype)


def _prepare_index_add(
    self: Any, dim: int, index: Any, source: Any, alpha: Any
) -> Callable[..., Any]:
    shape, dtype = self.shape, self.dtype
    if len(shape) > 1 and not self.size:
        return lambda self, *_: self.copy()  # torch does not look at the index either
    d, size, find_bounds = wrap_dim(dim, len(shape)), shape[dim] if shape else 1, bounds(index.size)
    factor = None if alpha == 1 else np.asarray(cast(alpha, dtype))
    # Then torch goes by way of scatter_add, which adds half types up in single precision.
    scattered = factor is None and len(shape) > 1 and d in (0, len(shape) - 1)
    in_float = scattered and dtype.itemsize == 2 and dtype.kind in "fV"
    few = shape and source.size <= _FEW
    places = flat_places(shape, source.shape, d) if few else None
    column = [-1 if i == d else 1 for i in range(len(shape))]
    add = (np.logical_or if dtype.kind == "b" else np.add).at

    def kernel(self: Any, dim: int, index: Any, source: Any, alpha: Any) -> Any:
        lowest, highest = find_bounds(index)
        if lowest < 0 or highest >= size:
            raise _no_such_row(index, d, size, scattered)
        if factor is not None:
            source = source * factor
        out = widened(self).copy() if in_float else self.copy()
        source = widened(source) if in_float else source
        if places is not None:
            at = places(index.reshape(column)).reshape(-1)
            add(out.reshape(-1), at, source.reshape(-1))
        elif shape:
            index = index.reshape(-1)
            add_at(np.moveaxis(out, d, 0), (index,), np.moveaxis(source, d, 0))
        else:
            out = np.asarray(out + source.sum(dtype=dtype), dtype)
        return out.astype(dtype) if in_float else out

    return kernel


#: So many numbers find their places one by one; of more, whole rows are added up.
_FEW = 4096


def _no_such_row(index: Any, dim: int, size: int, scattered: bool) -> Exception:
    if not scattered:
        return IndexError("index out of range in self")
    wrong = index[(index < 0) | (index >= size)].reshape(-1)[0]
    return RuntimeError(f"index {wrong} is out of bounds for dimension {dim} with size {size}")


def _rows_of_source(g: Any, dim: int, index: Any, source: Any) -> Any:
    """What of *g* belongs to the rows that were written, or to the one number.

    *source* is kept whole, as torch keeps it, which may ask whether it was changed since.
    """
    if not source.dim():
        return g.index_select(dim, index.squeeze(0))
    return g.index_select(dim, index).expand_as(source)


def _added_grad(g: Any, c: Any) -> Any:
    source = c.source
    rows = _rows_of_source(g, c.dim, c.index, source)
    return rows if c.alpha == 1 else rows * c.alpha


op(
    "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
    says="""Return a copy to whose slices along a dimension those of source, times alpha, are
    added.

    >>> torch.index_add(torch.zeros(3), 0, torch.tensor([0, 2, 2]), torch.tensor([1.,
    ...     2., 3.]))
    tensor([1., 0., 5.])
    """,
    meta=_index_add_meta,
    prepare=_prepare_index_add,
    half=False,
    inplace=InplaceForm(overlap="indexed", writes=True),
    out=OutForm(overlap="whole of self, apart"),
    grad={
        "self": lambda g, c: g,
        "source": _added_grad,
    },
    tags=("rounds",),
    samples="index_add",
    batch=("dimensions_sharing", "index"),
    devices=DeviceRule(meta=device_rules.of_index("index_add")),
)


def _index_copy_meta(self: Any, dim: int, index: Any, source: Any) -> Out:
    name = "index_copy_()"
    d = wrap_dim(dim, len(self.shape))
    n_index, n_self, n_source = len(index.shape), len(self.shape), len(source.shape)
    if n_index >= 2:
        raise IndexError(f"{name}: Index should have dimension 1 or 0 (got {n_index})")
    count = index.numel()
    if n_source == 0 and count != 1:
        raise IndexError(
            f"{name}: When source is scalar, index should have one element (got {count})"
        )
    if n_source != n_self and n_source and n_self:
        raise IndexError(
            f"{name}: When source and destination are not scalars, their dimensionality must "
            f"match. Source dimensionality ({n_source}), destination dimensionality ({n_self})"
        )
    if index.dtype.name != "int64":
        raise RuntimeError(
            f"{name}: Expected a long tensor for index, but got {scalar_name(index.dtype)}"
        )
    if self.dtype != source.dtype:
        raise RuntimeError(
            f"{name}: self and source expected to have the same dtype, but got "
            f"(self) {scalar_name(self.dtype)} and (source) {scalar_name(source.dtype)}"
        )
    mine = [*self.shape[:d], *self.shape[d + 1 :]]
    other = [*source.shape[:d], *source.shape[d + 1 :]]
    if mine != other:
        raise RuntimeError(
            f"{name}: Source/destination tensor must have same slice shapes. Destination slice "
            f"shape: {' '.join(map(str, mine))} at dimension {d} and source slice shape: "
            f"{' '.join(map(str, other))} at dimension 0."
        )
    rows = source.shape[d] if n_source else 1
    if n_source and count != rows:
        raise IndexError(
            f"{name}: Number of indices ({count}) should be equal to source.size(dim) ({rows})"
        )
    return Out(tuple(self.shape), self.dtype)


def _prepare_index_copy(self: Any, dim: int, index: Any, source: Any) -> Callable[..., Any]:
    shape, count = self.shape, index.size
    d, size, find_bounds = wrap_dim(dim, len(shape)), shape[dim] if shape else 1, bounds(count)
    before = (slice(None),) * d
    if shape and not size and count:
        _refuse_rows_of_nothing(self, d, count)
    if shape and not source.size:
        return lambda self, *_: self.copy()  # torch does not look at the index either

    def kernel(self: Any, dim: int, index: Any, source: Any) -> Any:
        flat = index.reshape(count)
        lowest, highest = find_bounds(flat)
        if lowest < 0 or highest >= size:
            bad = flat[(flat < 0) | (flat >= size)][0]
            raise IndexError(
                f"index_copy_(): index {bad} is out of bounds for dimension {d} with size {size}"
            )
        out = self.copy()
        if shape:
            out[(*before, flat)] = source
        elif source.size:
            out[...] = source.reshape(-1)[-1]
        return out

    return kernel


op(
    "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
    says="""Return a copy in which slices along a dimension are replaced by those of source.

    >>> torch.index_copy(torch.zeros(3), 0, torch.tensor([2, 0]), torch.tensor([5., 6.]))
    tensor([6., 0., 5.])
    """,
    meta=_index_copy_meta,
    prepare=_prepare_index_copy,
    half=False,
    inplace=InplaceForm(overlap="indexed first", writes=True),
    out=OutForm(overlap="whole of self, apart"),
    grad={
        "self": lambda g, c: g.index_fill(c.dim, c.index, 0),
        "source": lambda g, c: _rows_of_source(g, c.dim, c.index, c.source),
    },
    samples="index_copy",
    batch=("dimensions_sharing", "index"),
    devices=DeviceRule(meta=device_rules.of_index("index_copy")),
    autocast=("promote", ""),
    tags=("loops: inplace",),
)


def _index_fill_meta(self: Any, dim: int, index: Any, value: Any) -> Out:
    if hasattr(value, "shape"):
        if len(value.shape):
            raise RuntimeError(
                "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{len(value.shape)} dimension(s)."
            )
    kind = getattr(value, "dtype", None)
    if not self.dtype.is_complex and (
        kind.is_complex if kind is not None else isinstance(value, complex)
    ):
        raise RuntimeError(
            "index_fill_(): Converting complex Scalar to non-complex type is not supported"
        )
    if index.dtype.name != "int64":
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    wrap_dim(dim, len(self.shape))
    if len(index.shape) > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    if kind is None:
        checked(value, self.dtype)
    refuse(self.dtype, {"index_fill_cpu": UNSIGNED}, self)
    return like(self)


def _refuse_rows_of_nothing(a: Any, dim: int, count: int) -> None:
    """torch aten/src/ATen/native/cpu/IndexKernel.cpp looks at the rows as one strided window."""
    sizes, strides = list(a.shape), list(layout.contiguous_strides(a.shape))
    sizes[dim], strides[dim] = count, 0
    room = layout.storage_nbytes_needed(sizes, strides, 0, a.itemsize)
    if room:
        raise window_out_of_bounds(sizes, strides, 0, a.itemsize, room, 0)


def _prepare_index_fill(self: Any, dim: int, index: Any, value: Any) -> Callable[..., Any]:
    shape, count, dtype = self.shape, index.size, self.dtype
    d, size, find_bounds = wrap_dim(dim, len(shape)), shape[dim] if shape else 1, bounds(count)
    if shape and not size and count:
        _refuse_rows_of_nothing(self, d, count)
    before, looks, kind = (slice(None),) * d, self.size or not shape, from_numpy(dtype)
    number = None if isinstance(value, np.ndarray) else checked(value, kind)
    plain = self.flags.c_contiguous

    def kernel(self: Any, dim: int, index: Any, value: Any) -> Any:
        flat = index.reshape(count)
        if looks:  # of nothing torch does not look at the index
            lowest, highest = find_bounds(flat)
            if lowest < -size or highest >= size:
                check_range(flat, size, d)
        out = self.copy() if plain else cloned(self)
        given = checked(value.item(), kind) if number is None else number
        if shape:
            if out.size:
                out[(*before, flat)] = given
        elif count:
            out[...] = given
        return out

    return kernel


_FILLS_IN_PLACE = InplaceForm(
    reads=2,  # the value is a number by then
    writes=True,
    overlap="indexed, deprecated: This also applies to advanced indexing e.g. tensor[mask] = "
    "scalar",
)
op(
    "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    says="""Return a copy in which slices along a dimension are set to one value.

    >>> torch.index_fill(torch.zeros(3), 0, torch.tensor([0, 2]), 7)
    tensor([7., 0., 7.])
    """,
    meta=_index_fill_meta,
    prepare=_prepare_index_fill,
    half=False,
    inplace=_FILLS_IN_PLACE,
    out=OutForm("int_Scalar_out", function=False),
    grad={"self": lambda g, c: g.index_fill(c.dim, c.index, 0)},
    samples="index_fill",
    batch=("dimensions_sharing", "index"),
    devices=DeviceRule(meta=device_rules.of_index("index_copy")),
)
op(
    "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
    meta=_index_fill_meta,
    prepare=_prepare_index_fill,
    half=False,
    inplace=_FILLS_IN_PLACE,
    out=OutForm("int_Tensor_out", function=False),
    grad={
        "self": lambda g, c: g.index_fill(c.dim, c.index, 0),
        "value": lambda g, c: g.index_select(c.dim, ops._unique(c.index, False, False)[0]).sum(),
    },
    samples="index_fill_tensor",
    batch=("dimensions_sharing", "index", "value"),
    devices=DeviceRule(meta=device_rules.of_index("index_copy")),
    node=1,
)
