"""Reading and writing elements by index tensors and masks: ``index``, ``index_put``, ``index_*``.

Kernels raise what depends on the numbers (an index out of range), metas all the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch.ops.call import ops
from mindtorch.ops.dims import element_strides, laid_out, scalar_name, wrap_dim
from mindtorch.ops.row import Out, op
from mindtorch.ops.scalars import cast
from mindtorch_storage import layout

__all__ = ["add_at", "cloned"]

_MASKS = ("bool", "uint8")
_INDEX_NAMES = ("int64", "int32", *_MASKS)


def cloned(a: Any) -> Any:
    """A copy of *a* in the layout that ``clone`` gives."""
    if a.flags.c_contiguous:
        return a.copy()
    return laid_out(a, layout.empty_like_strides(a.shape, element_strides(a)))


def _like(self: Any, *rest: Any) -> Out:
    shape = tuple(self.shape)
    return Out(shape, self.dtype, layout.empty_like_strides(shape, tuple(self.stride())))


# -- tensors as indices -------------------------------------------------------------------------


def _too_many(ndim: int, got: int) -> IndexError:
    """torch aten/src/ATen/native/TensorAdvancedIndexingUtils.h."""
    return IndexError(f"too many indices for tensor of dimension {ndim} (got {got})")


def _check_indices(shape: Sequence[int], indices: Sequence[Any]) -> None:
    """What ``index`` refuses by shape and dtype alone."""
    place = 0
    for index in indices:
        if index is not None:
            if index.dtype.name not in _INDEX_NAMES:
                raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
            if index.dtype.name in _MASKS:
                for j, size in enumerate(index.shape):
                    at = place + j
                    if at >= len(shape) or shape[at] != size:
                        raise IndexError(
                            f"The shape of the mask {list(index.shape)} at index {j} does not "
                            f"match the shape of the indexed tensor {list(shape)} at index {at}"
                        )
                place += len(index.shape)
                continue
        place += 1
    if place > len(shape):
        raise _too_many(len(shape), place)


def _expanded(indices: Sequence[Any]) -> list[Any]:
    """Masks as the indices of their true elements; None stays."""
    out: list[Any] = []
    for index in indices:
        if index is None or index.dtype.kind != "b" and index.dtype.char != "B":
            out.append(index)
        elif index.ndim == 0:
            out.append(index.astype(bool))
        else:
            out.extend(np.nonzero(index))
    return out


def _plan(a: Any, indices: Sequence[Any]) -> tuple[Any, ...]:
    """*indices* as numpy takes them, checked against the shape of *a*."""
    shape = a.shape
    if not indices:
        raise IndexError("at least one index must be provided")
    plan: list[Any] = []
    dim = 0
    given = []
    for index in _expanded(indices):
        if index is None:
            plan.append(slice(None))
            dim += 1
            continue
        plan.append(index)
        given.append(index.shape)
        if index.dtype.kind != "b":
            dim += 1
    if dim > len(shape):
        raise _too_many(len(shape), dim)
    try:
        common = np.broadcast_shapes(*given)
    except ValueError:
        shapes = ", ".join(str(list(s)) for s in given)
        raise IndexError(
            f"shape mismatch: indexing tensors could not be broadcast together with shapes {shapes}"
        ) from None
    if 0 not in common:
        rest = [n for n, p in zip(shape, plan, strict=False) if isinstance(p, slice)]
        order = -1  # torch's text counts the index tensors, not the dims
        for d, index in enumerate(plan):
            if isinstance(index, slice) or index.dtype.kind == "b":
                continue
            order += 1
            size = shape[d]
            if size == 0 and 0 not in rest + list(shape[len(plan) :]):
                raise IndexError("index is out of bounds for dimension with size 0")
            if 0 not in shape:
                _check_range(index, size, order)
            elif size == 0 or 0 in rest + list(shape[len(plan) :]):
                # Nothing is read, and torch does not look at the indices.
                plan[d] = np.zeros_like(index)
                if size == 0:
                    raise IndexError("index is out of bounds for dimension with size 0")
    return tuple(plan)


def _check_range(index: Any, size: int, dim: int) -> None:
    if index.size and (index.min() < -size or index.max() >= size):
        bad = index[(index < -size) | (index >= size)].reshape(-1)[0]
        raise IndexError(f"index {bad} is out of bounds for dimension {dim} with size {size}")


def _index(self: Any, indices: Sequence[Any]) -> Any:
    if 0 in self.shape and indices:
        return _index_of_nothing(self, indices)
    plan = _plan(self, indices)
    arrays = [p for p in plan if not isinstance(p, slice)]
    if not arrays:
        return cloned(self)
    if all(p.ndim == 0 for p in arrays):  # numpy would take these for plain integers
        plan = tuple(
            p if isinstance(p, slice) or p.dtype.kind == "b" else p.reshape(1) for p in plan
        )
        got = self[plan]
        place = _index_place(plan)
        out = got.reshape(got.shape[:place] + got.shape[place + 1 :])
    else:
        out = self[plan]
    strides = _index_strides(self.shape, element_strides(self), plan, out.shape)
    if strides != element_strides(out):
        return laid_out(out, strides)
    return out


def _index_place(plan: Sequence[Any]) -> int:
    """The dim of the result where the indices' common dims begin."""
    places = [i for i, p in enumerate(plan) if not isinstance(p, slice)]
    adjacent = places[-1] - places[0] + 1 == len(places)
    return places[0] if adjacent else 0


def _index_of_nothing(self: Any, indices: Sequence[Any]) -> Any:
    plan = _plan(self, indices)
    kept = tuple(
        p if isinstance(p, slice) or p.dtype.kind == "b" else np.zeros_like(p) for p in plan
    )
    stand_in = np.empty([max(n, 1) for n in self.shape], self.dtype)
    shape = list(stand_in[kept].shape)
    shown = [n for n, p in zip(self.shape, plan, strict=False) if isinstance(p, slice)]
    shown += list(self.shape[len(plan) :])
    place = _index_place(plan) if any(not isinstance(p, slice) for p in plan) else 0
    common = len(shape) - len(shown)
    at = [i for i in range(len(shape)) if not place <= i < place + common]
    for i, n in zip(at, shown, strict=True):
        shape[i] = n
    return np.empty(shape, self.dtype)


def _index_strides(
    shape: Sequence[int], strides: Sequence[int], plan: Sequence[Any], out: tuple[int, ...]
) -> tuple[int, ...]:
    """Strides of an indexing result: an elementwise op over the restrided source and indices.

    Source: torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, make_info, restride_src.
    """
    arrays = [p for p in plan if not isinstance(p, slice)]
    dims = [s for s, p in zip(strides, plan, strict=False) if isinstance(p, slice)]
    before = _index_place(plan)
    rest = dims + list(strides[len([p for p in plan if not _is_flag(p)]) :])
    common = len(out) - len(rest)
    source = (*rest[:before], *([0] * common), *rest[before:])
    operands = [(out, source)]
    for array in arrays:
        item = array.itemsize
        own = [s // item for s in array.strides]
        own = [0 if n == 1 else s for n, s in zip(array.shape, own, strict=True)]
        own = [0] * (common - len(own)) + own
        operands.append((out, (*([0] * before), *own, *([0] * (len(out) - before - common)))))
    if not common:
        return layout.contiguous_strides(out) if not rest else _of_source(out, source)
    return layout.elementwise_strides(out, operands)


def _of_source(out: tuple[int, ...], source: tuple[int, ...]) -> tuple[int, ...]:
    return layout.elementwise_strides(out, [(out, source)])


def _is_flag(p: Any) -> bool:
    return not isinstance(p, slice) and p.dtype.kind == "b"


def _index_check(self: Any, indices: Sequence[Any]) -> None:
    if not indices:
        raise IndexError("at least one index must be provided")
    _check_indices(self.shape, indices)


def _index_kernel(self: Any, indices: Sequence[Any]) -> Any:
    _check_indices(self.shape, [_Named(i) if i is not None else None for i in indices])
    return _index(self, indices)


class _Named:
    """Shape and dtype name of an ndarray, as a meta sees them of a tensor."""

    __slots__ = ("dtype", "shape")

    def __init__(self, a: Any) -> None:
        self.shape = a.shape
        self.dtype = _Kind(a.dtype.name)


class _Kind:
    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name


def _direct(name: str, *args: Any) -> Any:
    """Call an overload without the parser, which (like torch's) takes no None among indices."""
    from mindtorch.calls import OVERLOADS, run

    return run(OVERLOADS[f"aten::{name}"], args)


def _index_grad(g: Any, c: Any) -> Any:
    return _direct("index_put", g.new_zeros(c.self.shape), c.indices, g, True)


def _index_put_self_grad(g: Any, c: Any) -> Any:
    if c.accumulate:
        return g
    return _direct("index_put", g, c.indices, g.new_zeros(c.values.shape), False)


op(
    "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
    kernel=_index_kernel,
    half=False,
    variants="",
    grad={"self": _index_grad},
    out="Tensor_out",
    samples="index",
    tags=("data_dependent_output",),
)


def add_at(out: Any, plan: Any, values: Any) -> None:
    """``out[plan] += values`` where an element may be named several times."""
    if (
        isinstance(plan, tuple)
        and len(plan) == 1
        and out.ndim > 1
        and out.dtype.kind != "b"
        and plan[0].size > 32
        and out.flags.c_contiguous
    ):
        # Whole rows: numpy's add.at walks over elements. Sorted, equal rows are added at once.
        index = plan[0].reshape(-1)
        rows = np.broadcast_to(values, (*plan[0].shape, *out.shape[1:]))
        rows = rows.reshape(index.size, *out.shape[1:])
        index = np.where(index < 0, index + out.shape[0], index)
        order = np.argsort(index, kind="stable")
        sorted_index = index[order]
        starts = np.flatnonzero(np.r_[True, sorted_index[1:] != sorted_index[:-1]])
        out[sorted_index[starts]] += np.add.reduceat(rows[order], starts, axis=0)
        return
    if out.dtype.kind == "b":
        np.logical_or.at(out, plan, values)
    else:
        np.add.at(out, plan, values)


def _index_put_meta(self: Any, indices: Sequence[Any], values: Any, accumulate: bool) -> Out:
    if self.dtype != values.dtype:
        raise RuntimeError(
            "Index put requires the source and destination dtypes match, "
            f"got {scalar_name(self.dtype)} for the destination and "
            f"{scalar_name(values.dtype)} for the source."
        )
    _index_check(self, indices)
    return _like(self)


def _index_put(self: Any, indices: Sequence[Any], values: Any, accumulate: bool) -> Any:
    out = cloned(self)
    plan = _plan(self, indices)
    arrays = [p for p in plan if not isinstance(p, slice)]
    common = np.broadcast_shapes(*[p.shape for p in arrays if p.dtype.kind != "b"])
    if any(_is_flag(p) for p in arrays):
        target = out[plan].shape
    else:
        place = _index_place(plan)
        shown = [n for n, p in zip(self.shape, plan, strict=False) if isinstance(p, slice)]
        shown += list(self.shape[len(plan) :])
        target = (*shown[:place], *common, *shown[place:])
    if not _expandable(values.shape, target):
        raise RuntimeError(
            f"shape mismatch: value tensor of shape {list(values.shape)} cannot be broadcast to "
            f"indexing result of shape {list(target)}"
        )
    if accumulate:
        add_at(out, plan, values)
    else:
        out[plan] = values
    return out


def _expandable(shape: Sequence[int], target: Sequence[int]) -> bool:
    if len(shape) > len(target):
        return False
    return all(a == b or a == 1 for a, b in zip(reversed(shape), reversed(target), strict=False))


op(
    "index_put(Tensor self, Tensor?[] indices, Tensor values, bool accumulate=False) -> Tensor",
    meta=_index_put_meta,
    kernel=_index_put,
    inplace=True,
    out=True,
    grad={
        "self": _index_put_self_grad,
        "values": lambda g, c: _direct("index.Tensor", g, c.indices),
    },
    samples="index_put",
)


# -- along one dim ------------------------------------------------------------------------------


def _rows(dim: int, index: Any) -> tuple[Any, ...]:
    return (slice(None),) * dim + (index,)


def _index_select_meta(self: Any, dim: int, index: Any) -> Out:
    shape = tuple(self.shape)
    d = wrap_dim(dim, len(shape))
    if len(index.shape) > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index.dtype.name not in ("int32", "int64"):
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    count = index.numel()
    if not shape:
        if count != 1:
            raise RuntimeError(
                f"index_select(): Index to scalar can have only 1 value, got {count} value(s)"
            )
        return Out((), self.dtype)
    return Out((*shape[:d], count, *shape[d + 1 :]), self.dtype)


def _index_select(self: Any, dim: int, index: Any) -> Any:
    size = self.shape[dim] if self.ndim else 1
    if index.size and (index.min() < 0 or index.max() >= size):
        raise IndexError("index out of range in self")
    if not self.ndim:
        return self.copy()
    return np.take(self, index.reshape(-1), dim)


op(
    "index_select(Tensor self, int dim, Tensor index) -> Tensor",
    meta=_index_select_meta,
    kernel=_index_select,
    half=False,
    out=True,
    grad={"self": lambda g, c: g.new_zeros(c.self.shape).index_add(c.dim, c.index, g)},
    samples="index_select",
)


def _index_add_meta(self: Any, dim: int, index: Any, source: Any, alpha: Any) -> Out:
    name = "index_add_()"
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
    rows = source.shape[d] if len(source.shape) else 1
    if count != rows:
        raise RuntimeError(
            f"{name}: Number of indices ({count}) should be equal to source.size(dim): "
            f"({rows}), for dim: {d}"
        )
    mine, other = list(self.shape), list(source.shape)
    if mine[:d] + mine[d + 1 :] != other[:d] + other[d + 1 :]:
        raise RuntimeError(
            "source tensor shape must match self tensor shape, excluding the specified dimension. "
            f"Got self.shape = {mine} source.shape = {other}"
        )
    return Out(tuple(self.shape), self.dtype)


def _index_add(self: Any, dim: int, index: Any, source: Any, alpha: Any) -> Any:
    out = self.copy("C")
    if alpha != 1:
        source = source * np.asarray(cast(alpha, source.dtype))
    size = self.shape[dim] if self.ndim else 1
    bad = (index < 0) | (index >= size)
    if bad.any():
        raise _row_out_of_range(index, bad, size)
    if not self.ndim:
        return np.asarray(out + source.sum(dtype=out.dtype), out.dtype)
    d = wrap_dim(dim, self.ndim)
    index = index.reshape(-1)
    if d == 0:
        add_at(out, (index,), source)
    else:
        add_at(np.moveaxis(out, d, 0), (index,), np.moveaxis(source, d, 0))
    return out


def _row_out_of_range(index: Any, bad: Any, size: int) -> RuntimeError:
    found = np.asarray(index)[bad].reshape(-1)[0]
    return RuntimeError(f"index {found} is out of bounds for dimension 0 with size {size}")


op(
    "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar alpha=1) -> Tensor",
    meta=_index_add_meta,
    kernel=_index_add,
    inplace=True,
    out=True,
    grad={
        "self": lambda g, c: g,
        "source": lambda g, c: g.index_select(c.dim, c.index).reshape(c.source.shape) * c.alpha,
    },
    samples="index_add",
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


def _index_copy(self: Any, dim: int, index: Any, source: Any) -> Any:
    out = self.copy("C")
    size = self.shape[dim] if self.ndim else 1
    flat = index.reshape(-1)
    bad = (flat < 0) | (flat >= size)
    if bad.any():
        raise IndexError(
            f"index_copy_(): index {flat[bad][0]} is out of bounds for dimension "
            f"{wrap_dim(dim, self.ndim)} with size {size}"
        )
    if not self.ndim:
        out[...] = source.reshape(-1)[-1] if source.size else out
    else:
        out[_rows(wrap_dim(dim, self.ndim), flat)] = source
    return out


op(
    "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
    meta=_index_copy_meta,
    kernel=_index_copy,
    half=False,
    inplace=True,
    out=True,
    grad={
        "self": lambda g, c: g.index_fill(c.dim, c.index, 0),
        "source": lambda g, c: g.index_select(c.dim, c.index).reshape(c.source.shape),
    },
    samples="index_copy",
)


def _index_fill_meta(self: Any, dim: int, index: Any, value: Any) -> Out:
    if hasattr(value, "shape"):
        if len(value.shape):
            raise RuntimeError(
                "index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                f"{len(value.shape)} dimension(s)."
            )
    elif isinstance(value, complex) and not self.dtype.is_complex:
        raise RuntimeError(
            "index_fill_(): Converting complex Scalar to non-complex type is not supported"
        )
    if index.dtype.name != "int64":
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    wrap_dim(dim, len(self.shape))
    if len(index.shape) > 1:
        raise RuntimeError("Index has to be a vector/scalar")
    return _like(self)


def _index_fill(self: Any, dim: int, index: Any, value: Any) -> Any:
    out = cloned(self)
    size = self.shape[dim] if self.ndim else 1
    flat = index.reshape(-1)
    _check_range(flat, size, wrap_dim(dim, self.ndim))
    number = (
        cast(value, out.dtype) if not isinstance(value, np.ndarray) else value.astype(out.dtype)
    )
    if not self.ndim:
        if flat.size:
            out[...] = number
    else:
        out[_rows(wrap_dim(dim, self.ndim), flat)] = number
    return out


op(
    "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
    meta=_index_fill_meta,
    kernel=_index_fill,
    half=False,
    inplace=True,
    out="int_Scalar_out",
    grad={"self": lambda g, c: g.index_fill(c.dim, c.index, 0)},
    samples="index_fill",
)
op(
    "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> Tensor",
    meta=_index_fill_meta,
    kernel=_index_fill,
    half=False,
    inplace=True,
    out="int_Tensor_out",
    grad={
        "self": lambda g, c: g.index_fill(c.dim, c.index, 0),
        "value": lambda g, c: g.index_select(c.dim, ops._unique2(c.index)[0]).sum(),
    },
    samples="index_fill_tensor",
)
