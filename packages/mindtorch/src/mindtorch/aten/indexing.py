"""Reading elements by index tensors and masks: ``index``.

Kernels raise what depends on the numbers (an index out of range), metas all the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage import layout, output_layout, uint8

from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.index_checks import (
    MASKS,
    check_arrays,
    check_indices,
    misfits,
    not_broadcastable,
    of_bad_dtype,
    too_many,
)
from mindtorch.call.overload_entrance import call_again
from mindtorch.call.row import Out, op
from mindtorch.core import signature as S
from mindtorch.core.dims import element_strides, laid_out
from mindtorch.core.scipy_extensions import extension
from mindtorch.core.warning import warn
from mindtorch.tensor.array_memory import phantom_array

from ..call.forms import DeviceRule, OutForm
from . import looks

__all__ = [
    "add_at",
    "check_given",
    "check_range",
    "cloned",
    "direct_call",
    "in_range",
    "infer_index",
    "is_flag",
    "like",
    "place_of_indices",
    "planned",
    "refuse_nothing",
    "warn_of_bytes",
]


def cloned(a: Any) -> Any:
    """A copy of *a* in the layout that ``clone`` gives."""
    if a.flags.c_contiguous:
        return a.copy()
    return laid_out(a, output_layout.empty_like_strides(a.shape, element_strides(a)))


def like(self: Any, *rest: Any) -> Out:
    """Shape, dtype and (dense) strides of *self*."""
    shape = tuple(self.shape)
    return Out(shape, self.dtype, output_layout.empty_like_strides(shape, tuple(self.stride())))


# -- tensors as indices -------------------------------------------------------------------------


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
    return in_range(a.shape, *planned(a.shape, indices))


def planned(shape: Any, indices: Sequence[Any]) -> tuple[list[Any], tuple[int, ...]]:
    """*indices* as numpy takes them, not yet looked at, and the shape they broadcast to."""
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
        raise too_many(len(shape), dim)
    try:
        common = np.broadcast_shapes(*given)
    except ValueError:
        raise not_broadcastable(given) from None
    return plan, common


def in_range(shape: Any, plan: list[Any], common: tuple[int, ...]) -> tuple[Any, ...]:
    """The plan, no index of which leaves its dim."""
    if 0 not in common:
        rest = [n for n, p in zip(shape, plan, strict=False) if isinstance(p, slice)]
        order = -1  # torch's text counts the index tensors, not the dims
        given: list[tuple[int, int, Any]] = []
        for d, index in enumerate(plan):
            if isinstance(index, slice) or index.dtype.kind == "b":
                continue
            order += 1
            size = shape[d]
            if size == 0 and 0 not in rest + list(shape[len(plan) :]):
                raise IndexError("index is out of bounds for dimension with size 0")
            if 0 not in shape:
                given.append((order, size, index))
            elif size == 0 or 0 in rest + list(shape[len(plan) :]):
                # Nothing is read, and torch does not look at the indices.
                plan[d] = np.zeros_like(index)
                if size == 0:
                    raise IndexError("index is out of bounds for dimension with size 0")
        if any(index.min() < -size or index.max() >= size for _, size, index in given):
            _refuse_first(given, common)
    return tuple(plan)


def _refuse_first(given: list[tuple[int, int, Any]], common: tuple[int, ...]) -> None:
    """Raise for the first element that lies outside: torch goes from element to element."""
    found = []
    for order, size, index in given:
        bad = np.broadcast_to((index < -size) | (index >= size), common).reshape(-1)
        if bad.any():
            found.append((int(bad.argmax()), order, size, index))
    place, order, size, index = min(found, key=lambda each: each[:2])
    check_range(np.broadcast_to(index, common).reshape(-1)[place : place + 1], size, order)


def check_range(index: Any, size: int, dim: int) -> None:
    """Raise torch's IndexError where *index* leaves a dim of *size* elements."""
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
        place = place_of_indices(plan)
        out = got.reshape(got.shape[:place] + got.shape[place + 1 :])
    else:
        out = self[plan]
    strides = _index_strides(self.shape, element_strides(self), plan, out.shape)
    if strides != element_strides(out):
        return laid_out(out, strides)
    return out


def place_of_indices(plan: Sequence[Any]) -> int:
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
    place = place_of_indices(plan) if any(not isinstance(p, slice) for p in plan) else 0
    common = len(shape) - len(shown)
    at = [i for i in range(len(shape)) if not place <= i < place + common]
    for i, n in zip(at, shown, strict=True):
        shape[i] = n
    strides = _index_strides(self.shape, element_strides(self), plan, tuple(shape))
    return laid_out(np.empty(shape, self.dtype), strides)


def _index_strides(
    shape: Sequence[int], strides: Sequence[int], plan: Sequence[Any], out: tuple[int, ...]
) -> tuple[int, ...]:
    """Strides of an indexing result: an elementwise op over the restrided source and indices.

    Source: torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, make_info, restride_src.
    """
    arrays = [p for p in plan if not isinstance(p, slice)]
    dims = [s for s, p in zip(strides, plan, strict=False) if isinstance(p, slice)]
    before = place_of_indices(plan)
    rest = dims + list(strides[len([p for p in plan if not is_flag(p)]) :])
    common = len(out) - len(rest)
    source = (*rest[:before], *([0] * common), *rest[before:])
    if not common:
        return layout.contiguous_strides(out) if not rest else _of_source(out, source)
    operands = [(out, source)]
    operands += [_index_operand(a, out[before : before + common], before, out) for a in arrays]
    return output_layout.elementwise_strides(out, operands)


def _strides_of_result(self: Any, indices: Sequence[Any], out: tuple[int, ...]) -> tuple[int, ...]:
    """:func:`_index_strides` of a read by numbers, some of which may be None."""
    given = [self, *[index for index in indices if index is not None]]
    if 1 not in out and all([layout.is_in_order(a.shape, a.strides) for a in given]):
        return layout.contiguous_strides(out)
    plan = [_WHOLE if index is None else index for index in indices]
    return _index_strides(self.shape, element_strides(self), plan, out)


def _index_operand(
    array: Any, common: tuple[int, ...], before: int, out: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """An index as the loop reads it: expanded to the *common* sizes, among dims of size 1.

    Source: torch aten/src/ATen/native/TensorAdvancedIndexing.cpp, reshape_indexer.
    """
    flag = is_flag(array)
    shape, strides = ((int(array),), (1,)) if flag else (array.shape, element_strides(array))
    _, expanded = layout.expand_strides(shape, strides, common)
    shown = ((1,) * before, common, (1,) * (len(out) - before - len(common)))
    placed = tuple(n for part in shown for n in part)
    read = layout.view_strides(common, expanded, placed)
    assert read is not None, "dims of size 1 can be put in anywhere"
    return placed, read


def _of_source(out: tuple[int, ...], source: tuple[int, ...]) -> tuple[int, ...]:
    return output_layout.elementwise_strides(out, [(out, source)])


def is_flag(p: Any) -> bool:
    return not isinstance(p, slice) and p.dtype.kind == "b"


def check_given(self: Any, indices: Sequence[Any]) -> None:
    if not indices:
        raise IndexError("at least one index must be provided")
    check_indices(self.shape, indices)


_WHOLE = slice(None)
#: What can be an index and is no mask.
_INDEX_NUMBERS = frozenset((np.dtype(np.int64).num, np.dtype(np.int32).num))


def _prepare_index(self: Any, indices: Sequence[Any]) -> Callable[..., Any]:
    """Reads by numbers: masks, and numbers that are out of range, go the long way.

    How its result lies is kept of the first call (as numpy lays it out, if by no strides).
    """
    given = [index for index in indices if index is not None]
    if not self.size or not all([i.size and i.dtype.num in _INDEX_NUMBERS for i in given]):
        return _index_kernel
    if not any([index.ndim for index in given]):
        return _index_kernel  # numpy would take these for plain integers
    places = [d for d, index in enumerate(indices) if index is not None]
    alone = places[0] if len(places) == 1 and self.flags.c_contiguous else -1
    gaps = len(given) != len(indices)
    strides: tuple[int, ...] | None = None

    def kernel(self: Any, indices: Sequence[Any]) -> Any:
        nonlocal strides
        try:
            if alone >= 0:
                got = self.take(indices[alone], alone)
            elif gaps:
                got = self[tuple([_WHOLE if index is None else index for index in indices])]
            else:
                got = self[tuple(indices)]
        except IndexError:
            return _index_kernel(self, indices)
        if strides is None:
            wanted = _strides_of_result(self, indices, got.shape)
            strides = () if wanted == element_strides(got) else wanted
        return laid_out(got, strides) if strides else got

    return kernel


def _index_kernel(self: Any, indices: Sequence[Any]) -> Any:
    if len(indices) == 1 and indices[0].dtype == bool and self.size:
        mask, dims = indices[0], indices[0].ndim
        if mask.shape == self.shape:
            return self[mask]
        if dims and mask.shape == self.shape[:dims] and self.flags.c_contiguous:
            got = self[mask]
            if 1 not in got.shape and got.size:  # strides of such dims follow from the operands'
                return got
    check_arrays(self.shape, indices)
    return _index(self, indices)


def direct_call(name: str, *args: Any) -> Any:
    """Call an overload without the parser, which (like torch's) takes no None among indices."""
    return call_again(OVERLOADS[f"aten::{name}"], args)


def _index_grad(g: Any, c: Any) -> Any:
    return direct_call("index_put", g.new_zeros(c.self.shape), c.indices, g, True)


def refuse_nothing(self: Any, indices: Sequence[Any]) -> None:
    """Raise IndexError where shapes tell that an index points into a dim of size 0.

    On a device torch says so at the call, on meta never. Source: torch ATen/native,
    TensorAdvancedIndexing.cpp, AdvancedIndex.
    """
    if self._sig_ & S.ACCELERATORS and 0 in self.shape:
        arrays = [None if index is None else index._a_ for index in indices]
        plan, common = planned(self._a_.shape, arrays)
        in_range(self._a_.shape, list(plan), common)


def infer_index(self: Any, indices: Sequence[Any]) -> Out | None:
    """What ``index`` gives on meta; None with masks, whose numbers decide."""
    check_given(self, indices)
    if any(i is not None and i.dtype.name in MASKS for i in indices):
        return None
    refuse_nothing(self, indices)
    plan: list[Any] = [
        slice(None) if i is None else phantom_array(tuple(i.shape), np.dtype("int64"), i.stride())
        for i in indices
    ]
    arrays = [p for p in plan if not isinstance(p, slice)]
    shape = tuple(self.shape)
    if not arrays:
        return like(self)
    try:
        common = np.broadcast_shapes(*[p.shape for p in arrays])
    except ValueError:
        raise not_broadcastable([p.shape for p in arrays]) from None
    place = place_of_indices(plan)
    shown = [n for n, p in zip(shape, plan, strict=False) if isinstance(p, slice)]
    shown += shape[len(plan) :]
    out = (*shown[:place], *common, *shown[place:])
    return Out(out, self.dtype, _index_strides(shape, tuple(self.stride()), plan, out))


def warn_of_bytes(self: Any, indices: Sequence[Any]) -> None:
    """Source: torch ATen/native/IndexingUtils.h, expandTensors."""
    if not any(index is not None and index._a_.dtype.char == "B" for index in indices):
        return
    if any(map(of_bad_dtype, indices)):
        return
    for i, index in enumerate(indices):
        if index is not None and index.dtype is uint8 and not misfits(self.shape, indices[:i]):
            warn(
                "indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool "
                "instead."
            )


op(
    "index.Tensor(Tensor self, Tensor?[] indices) -> Tensor",
    says="Return the elements that tensors of indices or masks select, one per dimension.",
    prepare=_prepare_index,
    infer=infer_index,
    half=False,
    variants="",
    grad={"self": _index_grad},
    out=OutForm(
        "Tensor_out",
        text="index_out: self ({result}) and result ({out}) must have the same scalar type",
        meta="native",
    ),
    samples="index",
    tags=("symbols: indexed", "data_dependent_output", "moves_mask"),
    warns=warn_of_bytes,
    warns_of=("uint8",),
    tangent="linear",
    batch="indexed",
    devices=DeviceRule(indexed=True),
    looks=looks.indexed,
)


def _add_rows(out: Any, index: Any, rows: Any) -> None:
    """Add each of *rows* to that of *out* which *index* names, one after the other.

    That is the product of a sparse matrix, which has a one in each column, and the rows; numpy's
    add.at walks over elements.
    """
    into = np.ascontiguousarray(out)
    index = np.where(index < 0, index + len(out), index).astype(np.int64, copy=False)
    rows, places = np.ascontiguousarray(rows, out.dtype), np.arange(index.size + 1)
    width, ones = into.size // max(len(into), 1), np.ones(index.size, out.dtype)
    tools = extension("sparse._sparsetools")
    tools.csc_matvecs(
        len(into), index.size, width, places, index, ones, rows.reshape(-1), into.reshape(-1)
    )
    if into is not out:
        out[...] = into


def add_at(out: Any, plan: Any, values: Any) -> None:
    """``out[plan] += values`` where an element may be named several times."""
    if (
        isinstance(plan, tuple)
        and len(plan) == 1
        and out.ndim > 1
        and out.dtype.kind in "iufc"
        and out.dtype.itemsize > 2  # half types are rounded after each addition
        and plan[0].size > 32
    ):
        _add_rows(
            out, plan[0].reshape(-1), np.broadcast_to(values, (*plan[0].shape, *out.shape[1:]))
        )
        return
    if out.dtype.kind == "b":
        np.logical_or.at(out, plan, values)
    else:
        np.add.at(out, plan, values)
