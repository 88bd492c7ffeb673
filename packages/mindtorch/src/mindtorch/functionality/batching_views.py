"""Views of batched tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..call.overload import Overload
from ..call.overload_entrance import call_again
from ..core import vmap_errors as errors
from ..core.constants import contiguous_format
from ..core.dims import wrap_dim
from ..core.signature import STALE
from .batching import batch, batched, call_op, front, loop, refused_in_place, wrap_results
from .batching_dimensions import counts_one_more, dimension_names, shifted


def view(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Views of whole tensors: dimensions are counted one further."""
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    depth, more = args[0]._a_.ndim, counts_one_more(overload)
    if not depth and not more:
        if overload.base == "squeeze":
            _check_squeezed(args[1])
        made = loop(overload, args, level)  # a dimension that a 0-d sample may name all the same
        return args[0] if overload.base == "transpose" else made
    ready = [front(found), *args[1:]]
    for i in dimension_names(overload):
        ready[i] = shifted(args[i], depth + more)
    return wrap_results(call_again(overload, tuple(ready)), level)


def _check_squeezed(dim: int | Sequence[int]) -> None:
    """Refuse to squeeze a dimension of a 0-d sample by another name than 0.

    Source: torch aten/src/ATen/functorch/BatchRulesViews.cpp, squeeze_dims_batch_rule.
    """
    for d in dim if isinstance(dim, (tuple, list)) else (dim,):
        if d != 0:
            raise RuntimeError(
                f"Dimension is out of range (expected to be in range of [-1, 0], but got [{d}]"
            )


def as_it_is(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Views of each element: nothing counts dimensions."""
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    return wrap_results(call_again(overload, (front(found), *args[1:])), level)


def sized_view(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """``view``, whose size gets the batch in front."""
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    whole = front(found)
    size = (whole._a_.shape[0], *_inferred(args[1], args[0]._a_.size))
    return wrap_results(call_op("view", whole, size), level)


#: Ops that exchange two dimensions: of the whole tensor in place, as in torch.
_TURNING = frozenset(("swapaxes_", "swapdims_", "t_", "transpose_"))


def in_place_view(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """The sample looks elsewhere: at what the same view out of place shows."""
    target = args[0]
    found = batched(target, level)
    if found is None:
        raise refused_in_place(overload.name, level)
    value, bdim, _ = found
    if overload.base in _TURNING:
        depth = target._a_.ndim
        if overload.base == "t_":
            if depth > 2:
                call_op("t", target)  # refuses it in the op's own words
            pair = (0, depth - 1) if depth else (0, 0)
        else:
            pair = (wrap_dim(args[1], depth), wrap_dim(args[2], depth))
        if depth > 1:
            places = [i for i in range(depth + 1) if i != bdim]
            call_op("transpose_", value, places[pair[0]], places[pair[1]])
        made = batch(value, bdim, level)
    elif overload.base == "unsqueeze_":
        at = wrap_dim(args[1], target._a_.ndim + 1)
        before = at < bdim
        call_op("unsqueeze_", value, at if before else at + 1)
        made = batch(value, bdim + 1 if before else bdim, level)
    elif overload.base == "squeeze_":
        ones = _ones(target, args[1:])
        call_op("squeeze_.dims", value, tuple([i if i < bdim else i + 1 for i in ones]))
        made = batch(value, bdim - sum(i < bdim for i in ones), level)
    else:
        base, dot, which = overload.name.removeprefix("aten::").partition(".")
        made = call_op(base.removesuffix("_") + dot + which, *args)
    target._a_, target._sig_, target._batched = made._a_, made._sig_, made._batched
    target._meta_ = STALE
    return target


def _ones(sample: Any, named: tuple[Any, ...]) -> list[int]:
    """The dimensions of size one of a sample: those that are *named*, or all."""
    depth, shape = sample._a_.ndim, sample._a_.shape
    if not named:
        return [i for i, n in enumerate(shape) if n == 1]
    if not depth:
        _check_squeezed(named[0])
        return []
    dims = named[0] if isinstance(named[0], (tuple, list)) else named
    return sorted({i for i in [wrap_dim(d, depth) for d in dims] if shape[i] == 1})


def resized(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """All samples at once, from where the first begins.

    Source: torch aten/src/ATen/functorch/BatchRulesViews.cpp, resize__batch_rule.
    """
    target, size, memory_format = args
    found = batched(target, level)
    if found is None:
        raise refused_in_place(overload.name, level)
    if memory_format is not None and memory_format is not contiguous_format:
        raise RuntimeError("resize_: batching rule only supports None or Contiguous MemoryFormat")
    if found.bdim:
        raise RuntimeError("NYI: resize_ of a sample whose batch is not the first dimension")
    whole = call_op("resize_", found.value, (found.value._a_.shape[0], *size), memory_format)
    made = batch(whole, 0, level)
    target._a_, target._sig_, target._batched = made._a_, made._sig_, made._batched
    target._meta_ = STALE
    return target


def _inferred(size: Any, numel: int) -> tuple[int, ...]:
    """Sizes without -1, which would count the batch's elements too."""
    sizes = tuple(size)
    if -1 not in sizes:
        return sizes
    known = 1
    for n in sizes:
        known *= n if n != -1 else 1
    return tuple([numel // known if n == -1 and known else n for n in sizes])


def expand(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    whole, size = front(found), tuple(args[1])
    number = whole._a_.shape[0]
    for _ in range(len(size) - (whole._a_.ndim - 1)):
        whole = call_op("unsqueeze", whole, 1)
    return wrap_results(call_op("expand", whole, (number, *size), *args[2:]), level)


def permute(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    depth = args[0]._a_.ndim
    if len(args[1]) != depth:
        return loop(overload, args, level)  # refused there, in the op's own words
    return wrap_results(call_op("permute", front(found), (0, *shifted(args[1], depth))), level)


def unsafe_view(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    whole = front(found)
    size = (whole._a_.shape[0], *_inferred(args[1], args[0]._a_.size))
    return wrap_results(call_op("reshape", whole, size), level)


def as_strided(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """The same window on each sample, inside of the memory of the first.

    Source: torch aten/src/ATen/functorch/LegacyBatchingRegistrations.cpp, as_strided_batching_rule.
    """
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    sample, size, stride, offset = args
    if len(size) != len(stride):
        raise RuntimeError(
            "Tensor.as_strided(size, stride, ...): size and stride must have the same length! "
            f"Got size {list(size)} and stride {list(stride)}"
        )
    value, bdim, _ = found
    begin = value.storage_offset()
    start = begin if offset is None else offset
    if 0 not in size:
        reached = start, _end(start, size, stride)
        own = begin, _end(begin, sample.shape, sample.stride())
        if reached[0] < own[0] or reached[1] > own[1]:
            call = f"{list(size)}, {list(stride)}, {start}"
            raise RuntimeError(errors.outside_of_sample(call, reached, own))
    whole_size = (value._a_.shape[bdim], *size)
    whole_stride = (value.stride(bdim), *stride)
    return wrap_results(call_op("as_strided", value, whole_size, whole_stride, start), level)


def _end(start: int, size: Any, stride: Any) -> int:
    """Past the last element of a window on memory."""
    if 0 in size:
        return start
    return start + 1 + sum((n - 1) * step for n, step in zip(size, stride, strict=True))


def empty_strided(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Memory for a batch: each sample has the strides that were asked for."""
    found = batched(args[0], level)
    _, size, stride, *rest = args
    if found is None:
        return loop(overload, args, level)
    if len(size) != len(stride):
        raise RuntimeError(
            f"new_empty_strided(sizes, strides): dimensionality of sizes ({len(size)}) must match "
            f"dimensionality of strides ({len(stride)})"
        )
    whole_size = (found.value._a_.shape[found.bdim], *size)
    whole_stride = (_end(0, size, stride), *stride)
    return wrap_results(call_again(overload, (found.value, whole_size, whole_stride, *rest)), level)


def transposed(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is not None and not args[0]._a_.ndim:
        return args[0]
    if found is None or args[0]._a_.ndim != 2:
        return loop(overload, args, level)
    return wrap_results(call_op("transpose.int", front(found), 1, 2), level)


def squeezed(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    whole = front(found)
    ones = tuple([i for i, n in enumerate(whole._a_.shape) if i and n == 1])
    return wrap_results(call_op("squeeze.dims", whole, ones), level)
