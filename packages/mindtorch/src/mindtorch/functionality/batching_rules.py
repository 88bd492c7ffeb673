"""How ops run over a batch: by family, read off the row; what fits no family runs in a loop.

A rule gets the overload, all arguments and the level; it returns results with the batch dimension
first. Names and conventions of dimensions are those of the schemas, so one rule serves all ops
that count dimensions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..call.dispatch_entry import OVERLOADS
from ..call.overload import INPLACE, Overload
from ..call.overload_entrance import call_again
from ..core import signature as S
from ..core import vmap_errors as errors
from ..core.constants import contiguous_format, preserve_format
from ..tensor import Tensor
from .batching import Rule, batched, call_op, front, loop, refused_in_place, wrap_results
from .batching_dimensions import dimension_names, dimensions, dimensions_sharing
from .batching_samples import added_product, batch_norm, folded, indexed, matmul, reduced_by
from .batching_views import (
    as_it_is,
    as_strided,
    empty_strided,
    expand,
    in_place_view,
    permute,
    resized,
    sized_view,
    squeezed,
    transposed,
    unsafe_view,
    view,
)


def rule_of(overload: Overload) -> Rule:
    """The rule of an overload."""
    row = overload.row
    if row.batch and overload.name == "aten::" + row.name:
        if isinstance(row.batch, str):
            return _RULES[row.batch]
        name, *parameters = row.batch
        return _RULES[name](*parameters)
    if row.base.endswith("_backward"):
        return whole_loop
    if row.promote is not None or "pointwise" in row.tags:
        return in_place_pointwise if overload.kind == INPLACE else pointwise
    if row.view is not None and overload.kind == INPLACE:
        return in_place_view
    if overload.kind == INPLACE:
        return whole_loop
    if row.view is not None:
        return view if dimension_names(overload) else loop
    return dimensions if dimension_names(overload) else whole_loop


def copy_of(name: str) -> Rule:
    """The copying form of the view *name*: the view, and a copy of it."""

    def rule(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
        made = call_again(OVERLOADS["aten::" + name], args)
        if isinstance(made, Tensor):
            return call_op("clone", made, contiguous_format)
        return type(made)([call_op("clone", m, contiguous_format) for m in made])

    return rule


#: Ops that a boolean mask may tell which elements to replace.
_PUTTING = frozenset(("index_put", "index_put_", "_index_put_impl_", "_unsafe_index_put"))


def whole_loop(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    if overload.kind == INPLACE and not batched(args[overload.mutable_position], level):
        raise refused_in_place(overload.name, level)
    if overload.base in _PUTTING:
        for index in args[1]:
            if index is not None and index.dtype.name in ("bool", "uint8"):
                if batched(index, level) is not None:
                    raise RuntimeError(errors.BOOLEAN_MASK)
    return loop(overload, args, level)


# Ops that torch does not run over a batch ---------------------------------------------------------


def _refused(text: Callable[[str], str]) -> Rule:
    def rule(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
        raise RuntimeError(text(overload.name))

    rule.__name__ = text.__name__
    return rule


# Elementwise ops ----------------------------------------------------------------------------------


def aligned(args: tuple[Any, ...], overload: Overload, level: int) -> list[Any]:
    """Arguments that broadcast as the samples would: batch first, then dimensions of size one."""
    tensors = [args[i] for i in overload.tensor_positions if isinstance(args[i], Tensor)]
    depth = max(t._a_.ndim for t in tensors)
    ready = list(args)
    for i in overload.tensor_positions:
        t = args[i]
        found = batched(t, level)
        if found is None:
            continue
        value = front(found)
        logical = t._a_.ndim
        if not logical and depth and len(tensors) < 3:
            # A 0-d sample is the weaker party; its batch would not be.
            value = _as_strong(value, t, tensors)
        for _ in range(depth - logical):
            value = call_op("unsqueeze", value, 1)
        ready[i] = value
    return ready


def _as_strong(value: Tensor, t: Tensor, tensors: list[Tensor]) -> Tensor:
    bits = 0
    for other in tensors:
        bits |= other._sig_
    strong = S.dtypes_in(bits, S.DIM_SHIFT)
    own = value.dtype
    for dtype in strong:
        if dtype.is_complex or (dtype.is_floating_point and not own.is_complex):
            return value.to(dtype)
        if not own.is_floating_point and not own.is_complex and dtype.name != "bool":
            return value.to(dtype)
    return value


def pointwise(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Broadcasting does the rest."""
    return wrap_results(call_again(overload, tuple(aligned(args, overload, level))), level)


def in_place_pointwise(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """The same in place; the target must have the batch."""
    target = args[overload.mutable_position]
    if batched(target, level) is None:
        if overload.base in ("add_", "atan2_"):  # torch finds out when it adds
            call_again(overload, tuple(aligned(args, overload, level)))
        raise refused_in_place(overload.name, level)
    for i in overload.tensor_positions:
        other = args[i]
        if isinstance(other, Tensor) and other._a_.ndim > target._a_.ndim:
            return loop(overload, args, level)  # refused there, in the op's own words
    call_again(overload, tuple(aligned(args, overload, level)))
    return target


# Ops that take their layout from the first argument -----------------------------------------------


def on_whole(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """The op on the whole of its first argument, whose strides the result has."""
    found = batched(args[0], level)
    if found is None or any(batched(args[i], level) for i in overload.tensor_positions[1:]):
        return loop(overload, args, level)
    return wrap_results(call_again(overload, (front(found), *args[1:])), level)


def clone(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """A copy of the whole; its samples have no layout of their own."""
    wanted = args[1]
    if wanted is not None and wanted not in (contiguous_format, preserve_format):
        name = "".join(w.capitalize() for w in str(wanted).removeprefix("torch.").split("_"))
        raise RuntimeError(errors.clone_format(name))
    return on_whole(overload, args, level)


def in_pieces(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Pieces along a dimension (the last argument), of all samples at once."""
    found, n, dim = batched(args[0], level), args[0]._a_.ndim, args[2]
    if found is None or not -n <= dim < n:
        return loop(overload, args, level)  # refused there, in the op's own words
    return wrap_results(call_again(overload, (front(found), args[1], dim % n + 1)), level)


# By name ------------------------------------------------------------------------------------------

#: Rules that rows name, and those that make one of the parameters that a row names after it.
_RULES: dict[str, Callable[..., Any]] = {
    rule.__name__: rule
    for rule in (
        *(as_it_is, as_strided, empty_strided, expand, permute, resized, sized_view, squeezed),
        *(transposed, unsafe_view, batch_norm, indexed, matmul, clone, in_pieces, on_whole),
        *(whole_loop, added_product, copy_of, dimensions_sharing, folded, reduced_by),
        *map(_refused, (errors.needs_a_rule, errors.no_fallback, errors.no_rule)),
    )
}
