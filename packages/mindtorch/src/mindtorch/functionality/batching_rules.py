"""How ops run over a batch: by family, read off the row; what fits no family runs in a loop.

A rule gets the overload, all arguments and the level; it returns results with the batch dimension
first. Names and conventions of dimensions are those of the schemas, so one rule serves all ops
that count dimensions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage.layout import wrap_dim

from .. import batching_errors as errors
from .. import signature as S
from ..calls import run
from ..ops.overload import INPLACE, Overload
from ..tensor import Tensor
from .batching import Rule, batched, call_op, front, loop, wrap_results


def rule_of(overload: Overload) -> Rule:
    """The rule of an overload."""
    row = overload.row
    name = overload.name.removeprefix("aten::")
    special = _SPECIAL.get(name)
    if special is not None:
        return special
    if name in _LOOP or row.base.endswith("_backward"):
        return _whole_loop
    if row.promote is not None or "pointwise" in row.tags:
        return in_place_pointwise if overload.kind == INPLACE else pointwise
    if row.view is not None and overload.kind == INPLACE:
        return in_place_view
    if overload.kind == INPLACE:
        return _whole_loop
    if row.view is not None:
        return view if name in _SIZES or name in _AS_IT_IS or dimension_names(overload) else loop
    return dimensions if dimension_names(overload) else _whole_loop


def _whole_loop(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    if overload.kind == INPLACE and not batched(args[overload.mutable_position], level):
        raise RuntimeError(errors.IN_PLACE)
    return loop(overload, args, level)


#: Ops with an argument named like a dimension that they do not treat sample by sample.
_LOOP = frozenset(
    ("renorm", "unfold_backward", "cdist", "diag_embed", "tensordot", "roll",
     "_cdist_forward", "nll_loss_forward", "repeat_interleave.self_Tensor", "index_put_",
     "histc", "multinomial", "trace", "tril", "triu", "take", "put_", "put", "searchsorted.Tensor")
)  # fmt: skip

# Elementwise ops ----------------------------------------------------------------------------------


def aligned(args: tuple[Any, ...], overload: Overload, level: int) -> list[Any]:
    """Arguments that broadcast as the samples would: batch first, then dimensions of size one."""
    tensors = [args[i] for i in overload.tensor_positions if isinstance(args[i], Tensor)]
    depth = max(t._a.ndim for t in tensors)
    ready = list(args)
    for i in overload.tensor_positions:
        t = args[i]
        found = batched(t, level)
        if found is None:
            continue
        value = front(found)
        logical = t._a.ndim
        if not logical and depth:  # a 0-d sample is the weaker party; its batch would not be
            value = _as_strong(value, t, tensors)
        if logical < depth:
            shape = value._a.shape
            value = call_op("view", _dense(value), (shape[0], *[1] * (depth - logical), *shape[1:]))
        ready[i] = value
    return ready


def _as_strong(value: Tensor, t: Tensor, tensors: list[Tensor]) -> Tensor:
    bits = 0
    for other in tensors:
        bits |= other._sig
    strong = S.dtypes_in(bits, S.DIM_SHIFT)
    own = value.dtype
    for dtype in strong:
        if dtype.is_complex or (dtype.is_floating_point and not own.is_complex):
            return value.to(dtype)  # type: ignore[no-any-return]
        if not own.is_floating_point and not own.is_complex and dtype.name != "bool":
            return value.to(dtype)  # type: ignore[no-any-return]
    return value


def _dense(value: Tensor) -> Tensor:
    return value.contiguous() if value._sig & S.STRIDED else value  # type: ignore[no-any-return]


def pointwise(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Broadcasting does the rest."""
    return wrap_results(run(overload, tuple(aligned(args, overload, level))), level)


def in_place_pointwise(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """The same in place; the target must have the batch."""
    target = args[overload.mutable_position]
    if batched(target, level) is None:
        raise RuntimeError(errors.IN_PLACE)
    for i in overload.tensor_positions:
        other = args[i]
        if isinstance(other, Tensor) and other._a.ndim > target._a.ndim:
            return loop(overload, args, level)  # refused there, in the op's own words
    run(overload, tuple(aligned(args, overload, level)))
    return target


# Ops that count dimensions ------------------------------------------------------------------------

_NAMES = frozenset(("dim", "dims", "dim0", "dim1", "dim2", "dimension", "start_dim", "end_dim"))
#: Results of these have one dimension more, which ``dim`` counts.
_ONE_MORE = frozenset(("unsqueeze", "stack"))
#: Arguments that belong to all samples alike; batched, the op runs in a loop.
_SHARED = {
    "index_select": (2,),
    "index_fill.int_Scalar": (2,),
    "index_fill.int_Tensor": (2, 3),
    "index_add": (2,),
    "index_copy": (2,),
    "index_reduce": (2,),
}


def dimension_names(overload: Overload) -> list[int]:
    """The positions of arguments that name dimensions."""
    overload.schema  # noqa: B018  (analyses on first use)
    return [i for i, name in enumerate(overload.names) if name in _NAMES]


def shifted(value: Any, depth: int) -> Any:
    """A dimension, or several, counted with the batch in front. Raises IndexError as the op."""
    if isinstance(value, (tuple, list)):
        return tuple([wrap_dim(d, depth) + 1 for d in value])
    return wrap_dim(value, depth) + 1


def dimensions(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Reductions, sorts, scans, gathers, joins: dimensions are counted one further."""
    name = overload.name.removeprefix("aten::")
    shared = _SHARED.get(name, ())
    if any(batched(args[i], level) for i in shared):
        return loop(overload, args, level)
    depth = _depth(overload, args, level)
    if any(t._a.ndim != depth for i in overload.list_positions for t in args[i] or ()):
        return loop(overload, args, level)
    if depth == 0 and name not in _ONE_MORE:
        return loop(overload, args, level)
    ready = _with_batches(overload, args, level, shared)
    flat = False
    for i in dimension_names(overload):
        value = args[i]
        if value is None or (not isinstance(value, int) and not value):
            if name == "flip":  # along none
                continue
            if str(overload.schema.arguments[i].type).startswith(("List", "Optional[List")):
                ready[i] = tuple(range(1, depth + 1))
            else:
                flat = True
        else:
            ready[i] = shifted(value, depth + (name in _ONE_MORE))
    if flat:
        return loop(overload, args, level)
    return wrap_results(run(overload, tuple(ready)), level)


def _depth(overload: Overload, args: tuple[Any, ...], level: int) -> int:
    """The number of dimensions of a sample."""
    for i in overload.tensor_positions:
        if isinstance(args[i], Tensor):
            return int(args[i]._a.ndim)
    return max(int(t._a.ndim) for i in overload.list_positions for t in args[i] or ())


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
            size = found.value._a.shape[found.bdim]

    def whole(t: Any) -> Any:
        if not isinstance(t, Tensor):
            return t
        found = batched(t, level)
        if found is not None:
            return front(found)
        return call_op("expand", t, (size, *t._a.shape), False)

    for i in overload.tensor_positions:
        if i not in shared:
            ready[i] = whole(args[i])
    for i in overload.list_positions:
        if args[i] is not None:
            ready[i] = type(args[i])([whole(t) for t in args[i]])
    return ready


# Views --------------------------------------------------------------------------------------------

#: Views whose ``size`` gets the batch in front.
_SIZES = frozenset(("view",))
#: Views of each element: nothing counts dimensions.
_AS_IT_IS = frozenset(
    ("alias", "detach", "_conj", "_neg_view", "view_as_real", "view_as_complex", "view.dtype")
)


def view(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Views of whole tensors."""
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    name = overload.name.removeprefix("aten::")
    whole = front(found)
    depth = args[0]._a.ndim
    ready = [whole, *args[1:]]
    if not depth and name not in _ONE_MORE and name not in _AS_IT_IS and name not in _SIZES:
        return loop(overload, args, level)  # a dimension that a 0-d sample may name all the same
    if name in _SIZES:
        size = (whole._a.shape[0], *_inferred(args[1], args[0]._a.size))
        return wrap_results(call_op("view", whole, size), level)
    else:
        for i in dimension_names(overload):
            ready[i] = shifted(args[i], depth + (name in _ONE_MORE))
    return wrap_results(run(overload, tuple(ready)), level)


#: Where the overload's name is another out of place.
_OUT_OF_PLACE = {"transpose": "transpose.int"}


def in_place_view(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """The sample looks elsewhere: at what the same view out of place shows."""
    target = args[0]
    if batched(target, level) is None:
        raise RuntimeError(errors.IN_PLACE)
    base, dot, which = overload.name.removeprefix("aten::").partition(".")
    name = base.removesuffix("_") + dot + which
    made = call_op(_OUT_OF_PLACE.get(name, name), *args)
    target._a, target._sig, target._batched = made._a, made._sig, made._batched
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


def _expand(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    whole, size = front(found), tuple(args[1])
    shape = whole._a.shape
    extra = len(size) - (len(shape) - 1)
    if extra > 0:
        whole = call_op("view", _dense(whole), (shape[0], *[1] * extra, *shape[1:]))
    return wrap_results(call_op("expand", whole, (shape[0], *size), *args[2:]), level)


def _permute(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    depth = args[0]._a.ndim
    if len(args[1]) != depth:
        return loop(overload, args, level)  # refused there, in the op's own words
    return wrap_results(call_op("permute", front(found), (0, *shifted(args[1], depth))), level)


def _unsafe_view(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    whole = front(found)
    size = (whole._a.shape[0], *_inferred(args[1], args[0]._a.size))
    return wrap_results(call_op("reshape", whole, size), level)


def _as_strided(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    _, size, stride, offset = args
    value, bdim, _ = found
    whole_size = (value._a.shape[bdim], *size)
    whole_stride = (value.stride(bdim), *stride)
    start = value.storage_offset() + (offset or 0)
    return wrap_results(call_op("as_strided", value, whole_size, whole_stride, start), level)


def _t(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None or args[0]._a.ndim != 2:
        return loop(overload, args, level)
    return wrap_results(call_op("transpose.int", front(found), 1, 2), level)


def _squeeze(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    found = batched(args[0], level)
    if found is None:
        return loop(overload, args, level)
    whole = front(found)
    ones = tuple([i for i, n in enumerate(whole._a.shape) if i and n == 1])
    return wrap_results(call_op("squeeze.dims", whole, ones), level)


# Whole reductions and products --------------------------------------------------------------------


def _reduced_by(name: str, *rest: Any) -> Rule:
    """A reduction of all elements, as the same over all dimensions of a sample."""

    def rule(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
        found = batched(args[0], level)
        if found is None:
            return loop(overload, args, level)
        whole = front(found)
        depth = args[0]._a.ndim
        if not whole._a.size or not depth:
            return loop(overload, args, level)
        dims: Any = tuple(range(1, depth + 1))
        if name in _ONE_DIM:
            dims = 1
            whole = call_op("reshape", whole, (whole._a.shape[0], -1))
        more = rest if rest else (False, *args[1:])
        return wrap_results(call_op(name, whole, dims, *more), level)

    return rule


_ONE_DIM = frozenset(("prod.dim_int", "any.dim", "all.dim"))


def _matmul(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    a, b = batched(args[0], level), batched(args[1], level)
    if _ranks(overload) != (args[0]._a.ndim, args[1]._a.ndim):
        return loop(overload, args, level)  # refused there, in the op's own words
    left = args[0] if a is None else front(a)
    right = args[1] if b is None else front(b)
    kind = overload.row.base
    if kind == "dot":
        return wrap_results((left * right).sum(-1), level)
    if kind == "mv":
        if b is None:
            return wrap_results(call_op("matmul", left, right), level)
        product = call_op("matmul", left, right.unsqueeze(-1))
        return wrap_results(product.squeeze(-1), level)
    return wrap_results(call_op("matmul", left, right), level)


_RANKS = {"mm": (2, 2), "bmm": (3, 3), "mv": (2, 1), "dot": (1, 1)}


def _ranks(overload: Overload) -> tuple[int, int]:
    return _RANKS[overload.row.base]


def _added_product(product: str) -> Rule:
    def rule(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
        self, left, right, beta, alpha = args
        made = call_op(product, left, right)
        if alpha != 1:
            made = made * alpha
        if beta == 0:
            return made
        return self * beta + made if beta != 1 else self + made

    return rule


# Layers -------------------------------------------------------------------------------------------


def _folded(*only_first: int) -> Rule:
    """The batch joined with the op's own batch dimension, where the other tensors are shared."""

    def rule(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
        found = batched(args[0], level)
        if found is None or any(batched(args[i], level) for i in only_first):
            return loop(overload, args, level)
        whole = front(found)
        size, first = whole._a.shape[0], whole._a.shape[1]
        joined = call_op("reshape", whole, (size * first, *whole._a.shape[2:]))
        result = run(overload, (joined, *args[1:]))
        many = isinstance(result, tuple)
        parts = [
            call_op("reshape", r, (size, first, *r._a.shape[1:]))
            for r in (result if many else (result,))
        ]
        return wrap_results(tuple(parts) if many else parts[0], level)

    return rule


def _index(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    for index in args[1]:
        if index is not None and index.dtype.name in ("bool", "uint8"):
            if batched(index, level) is not None:
                raise RuntimeError(errors.BOOLEAN_MASK)
    found = batched(args[0], level)
    if found is None or any(batched(i, level) for i in args[1] if i is not None):
        return loop(overload, args, level)
    given = [i is not None for i in args[1]]
    first = given.index(True)
    if given[first:].count(True) != len(given) - first and False in given[first:]:
        last = len(given) - 1 - given[::-1].index(True)
        if False in given[first:last]:  # separated indices go to the front of a sample
            return loop(overload, args, level)
    return wrap_results(call_op("index.Tensor", front(found), [None, *args[1]]), level)


def _convolution(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    return _folded(1, 2)(overload, args, level)


_SPECIAL: dict[str, Callable[[Overload, tuple[Any, ...], int], Any]] = {
    "expand": _expand,
    "permute": _permute,
    "t": _t,
    "_unsafe_view": _unsafe_view,
    "_reshape_alias": _unsafe_view,
    "as_strided": _as_strided,
    "squeeze": _squeeze,
    "sum": _reduced_by("sum.dim_IntList"),
    "mean": _reduced_by("mean.dim"),
    "prod": _reduced_by("prod.dim_int"),
    "any": _reduced_by("any.dim"),
    "all": _reduced_by("all.dim"),
    "max": _reduced_by("amax", False),
    "min": _reduced_by("amin", False),
    "mm": _matmul,
    "bmm": _matmul,
    "mv": _matmul,
    "dot": _matmul,
    "addmm": _added_product("mm"),
    "baddbmm": _added_product("bmm"),
    "addmv": _added_product("mv"),
    "convolution": _convolution,
    "max_pool2d_with_indices": _folded(),
    "avg_pool2d": _folded(),
    "_adaptive_avg_pool2d": _folded(),
    "index.Tensor": _index,
}
