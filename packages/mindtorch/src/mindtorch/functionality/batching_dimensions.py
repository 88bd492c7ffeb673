"""Batched ops that count dimensions: reductions, sorts, scans, gathers, joins."""

from __future__ import annotations

from typing import Any

from mindtorch_storage.layout import wrap_dim

from ..call.overload import Overload
from ..call.overload_entrance import call_again
from ..tensor import Tensor
from .batching import Rule, batched, call_op, front, loop, wrap_results

_NAMES = frozenset(("dim", "dims", "dim0", "dim1", "dim2", "dimension", "start_dim", "end_dim"))


def counts_one_more(overload: Overload) -> bool:
    """Whether the result has one dimension more, which ``dim`` counts."""
    return "one_more_dim" in overload.row.tags


def dimension_names(overload: Overload) -> list[int]:
    """The positions of arguments that name dimensions."""
    overload.analyse()
    return [i for i, name in enumerate(overload.names) if name in _NAMES]


def shifted(value: Any, depth: int) -> Any:
    """A dimension, or several, counted with the batch in front. Raises IndexError as the op."""
    if isinstance(value, (tuple, list)):
        return tuple([wrap_dim(d, depth) + 1 for d in value])
    return wrap_dim(value, depth) + 1


def dimensions_sharing(*names: str) -> Rule:
    """The same, of which the arguments *names* belong to all samples alike.

    Where one of them is batched the op runs in a loop.
    """

    def rule(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
        shared = tuple([overload.names.index(name) for name in names])
        return dimensions(overload, args, level, shared)

    return rule


def dimensions(
    overload: Overload, args: tuple[Any, ...], level: int, shared: tuple[int, ...] = ()
) -> Any:
    """Reductions, sorts, scans, gathers, joins: dimensions are counted one further."""
    more = counts_one_more(overload)
    if any(batched(args[i], level) for i in shared):
        return loop(overload, args, level)
    depth = _depth(overload, args, level)
    if any(t._a_.ndim != depth for i in overload.list_positions for t in args[i] or ()):
        return loop(overload, args, level)
    if depth == 0 and not more:
        return loop(overload, args, level)
    ready = _with_batches(overload, args, level, shared)
    flat = False
    for i in dimension_names(overload):
        value = args[i]
        if value is None or (not isinstance(value, int) and not value):
            if overload.base == "flip":  # along none
                continue
            if str(overload.schema.arguments[i].type).startswith(("List", "Optional[List")):
                ready[i] = tuple(range(1, depth + 1))
            else:
                flat = True
        else:
            ready[i] = shifted(value, depth + more)
    if flat:
        return loop(overload, args, level)
    return wrap_results(call_again(overload, tuple(ready)), level)


def _depth(overload: Overload, args: tuple[Any, ...], level: int) -> int:
    """The number of dimensions of a sample."""
    for i in overload.tensor_positions:
        if isinstance(args[i], Tensor):
            return int(args[i]._a_.ndim)
    return max(int(t._a_.ndim) for i in overload.list_positions for t in args[i] or ())


def _with_batches(
    overload: Overload, args: tuple[Any, ...], level: int, shared: tuple[int, ...]
) -> list[Any]:
    """Whole tensors, those without the batch repeated along it."""
    ready = list(args)
    size = 0
    tensors = [args[i] for i in overload.tensor_positions]
    for i in overload.list_positions:
        tensors += args[i] or ()
    for t in tensors:
        found = batched(t, level)
        if found is not None:
            size = found.value._a_.shape[found.bdim]

    def whole(t: Any) -> Any:
        if not isinstance(t, Tensor):
            return t
        found = batched(t, level)
        if found is not None:
            return front(found)
        return call_op("expand", t, (size, *t._a_.shape), False)

    for i in overload.tensor_positions:
        if i not in shared:
            ready[i] = whole(args[i])
    for i in overload.list_positions:
        if args[i] is not None:
            ready[i] = type(args[i])([whole(t) for t in args[i]])
    return ready
