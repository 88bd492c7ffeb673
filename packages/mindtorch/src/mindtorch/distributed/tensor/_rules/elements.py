"""Rules of elementwise ops, reductions and joins that rows do not tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ....aten import torch
from .._lines import line_of
from .._sharding import Call, Choice, Plan, sharding_rule
from ..placement_types import Partial, Placement, Replicate, Shard, _Parts
from .families import along_dims, as_it_lies, norm_kind, pointwise, reduced

__all__: list[str] = []

_REPLICATE = Replicate()


@sharding_rule("add", "sub", "rsub")
def _sums(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """A sum of sums is a sum; a mean may have a whole tensor added to it."""
    yield from pointwise(call, mesh_dim)
    if len(call.tensors) != 2:
        for name in ("avg", "max", "min") if call.in_place else ():
            yield call.same(Partial(name))
        return
    for name in Partial.LINEAR_REDUCE_OPS:
        yield call.same(Partial(name))
    for name in ("avg", "max", "min"):
        yield call.choice([Partial(name)], [Partial(name), _REPLICATE])
    yield call.choice([Partial("avg")], [_REPLICATE, Partial("avg")])


@sharding_rule("mul")
def _products(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Linear in each factor."""
    yield from _quotients(call, mesh_dim)
    if len(call.tensors) == 2:
        for name in Partial.LINEAR_REDUCE_OPS:
            yield call.choice([Partial(name)], [_REPLICATE, Partial(name)])


@sharding_rule("div")
def _quotients(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Linear in what is divided, unless the quotient is rounded."""
    yield from pointwise(call, mesh_dim)
    if "rounding_mode" in call and call["rounding_mode"] is not None:
        return
    for name in Partial.LINEAR_REDUCE_OPS:
        others = [_REPLICATE] * (len(call.tensors) - 1)
        yield call.choice([Partial(name)], [Partial(name), *others])


@sharding_rule("_to_copy")
def _casts(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """What is to be reduced stays so, unless the cast rounds to whole numbers."""
    yield from pointwise(call, mesh_dim)
    p, dtype = call.now(mesh_dim)[0], call["dtype"]
    meta = call.tensors[0].tensor_meta
    assert meta is not None
    if not isinstance(p, Partial):
        return
    cuts = dtype is not None and dtype != meta.dtype and not dtype.is_floating_point
    if not (cuts and (str(dtype) == "torch.bool" or meta.dtype.is_floating_point)):
        yield call.same(p)


@sharding_rule("copy_")
def _copies(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """What is to be reduced is copied as it is."""
    yield from pointwise(call, mesh_dim)
    for name in ("sum", "avg", "max", "min"):
        yield call.same(Partial(name))


@sharding_rule("masked_fill", "masked_fill_")
def _masked(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Zeros in a sum are zeros in each of its parts."""
    yield from pointwise(call, mesh_dim)
    if len(call.tensors) == 2 and call["value"] == 0:
        yield call.choice([Partial()], [Partial(), _REPLICATE])


sharding_rule("log_sigmoid_backward", "_prelu_kernel_backward", "complex", "polar")(pointwise)
sharding_rule("where", "lerp", "isfinite", "isinf", "clone")(pointwise)
sharding_rule("is_pinned")(as_it_lies)  # a question about memory that each process answers


@sharding_rule("fill_", "fill")
def _filled(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """In place a number is written into what each process has, also of what is to be reduced."""
    yield from pointwise(call, mesh_dim)
    if call.in_place and len(call.tensors) == 1:
        yield call.same(call.now(mesh_dim)[0])


@sharding_rule("maximum", "minimum")
def _extremes(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """The larger one of what is to be reduced to the largest is to be reduced so."""
    yield from pointwise(call, mesh_dim)
    yield call.same(Partial("max" if "max" in call.func._opname else "min"))


@sharding_rule("view.dtype", "view_as_complex", "view_as_real")
def _bits(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Other numbers of the same bits; the last dimension may have more or fewer of them."""
    p, meta = call.now(mesh_dim)[0], call.metas[0]
    spec = call.tensors[0]
    if isinstance(p, _Parts) and meta is not None:
        if tuple(meta.shape[: p.dim + 1]) == tuple(spec.shape[: p.dim + 1]):
            yield call.same(p)


@sharding_rule("_conj", local=lambda plan, x: torch.conj_physical(x))
@sharding_rule("_neg_view", local=lambda plan, x: torch.neg(x))
def _marked(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Parts have their own numbers: the whole tensor has no mark that says to conjugate them."""
    yield call.same(call.now(mesh_dim)[0])


@sharding_rule("isin", "bucketize", "take")
def _membership(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Each element is looked for among all numbers of the other tensor."""
    name = next((n for n in ("elements", "index", "self") if n in call), "")
    elements = call.places.get(name, [])
    for dim in range(call[name].ndim if elements else 0):
        inputs: list[Placement] = [_REPLICATE] * len(call.tensors)
        inputs[elements[0]] = Shard(dim)
        yield call.choice([Shard(dim)], inputs)


@sharding_rule("mean")
def _mean(call: Call, mesh_dim: int) -> Iterable[Choice]:
    yield reduced(call, mesh_dim, call.dims() if "dim" in call else None, Partial("avg"), True)


@sharding_rule("linalg_vector_norm", "norm")
def _norm(call: Call, mesh_dim: int) -> Iterable[Choice]:
    order = call["ord"] if "ord" in call else call["p"]
    dims = call.dims() if "dim" in call else None
    yield reduced(call, mesh_dim, dims, norm_kind(2 if order is None else order))


@sharding_rule(
    "var", "std", "var_mean", "std_mean", "argmax", "argmin", "logsumexp", "median", "nanmedian"
)
def _not_joined(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Results of parts say too little of the result of the whole."""
    yield reduced(call, mesh_dim, call.dims() if "dim" in call else None, None)


def _same_window(plan: Plan, x: Any, *window: Any) -> Any:
    """The part here, if the window is the tensor itself."""
    spec, (size, stride, offset) = plan.call.tensors[0], (plan.call[n] for n in _WINDOW)
    if tuple(spec.shape) != tuple(size) or tuple(spec.stride) != tuple(stride) or offset:
        raise RuntimeError("as_strided not supported with DTensor")
    return x.view(x.shape) if plan.call.func._opname == "as_strided" else x.clone()


_WINDOW = ("size", "stride", "storage_offset")
sharding_rule("as_strided", local=_same_window)(as_it_lies)


def _lead(call: Call, mesh_dim: int) -> object:
    """The placement of the tensor that is in most parts."""
    return max(call.tensors, key=lambda spec: spec.num_shards).placements[mesh_dim]


def _joined_partial(call: Call, now: Sequence[Placement]) -> Iterable[Choice]:
    """What is to be reduced, beside tensors that are or that are whole."""
    for p in now:
        if isinstance(p, Partial) and all(q in (p, _REPLICATE) for q in now):
            yield call.same(p)
            return


@sharding_rule("flip", "roll")
def _rearranged(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Elements move along some dimensions."""
    yield from along_dims(call, mesh_dim, call.dims("dims") or range(call.tensors[0].ndim))
    p = call.now(mesh_dim)[0]
    if isinstance(p, Partial):
        yield call.same(p)


@sharding_rule("cat")
def _cat(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along any dimension but that along which tensors are joined."""
    widest = max(call.tensors, key=lambda spec: spec.ndim)
    dim = call["dim"] % max(widest.ndim, 1)
    now = call.now(mesh_dim)
    yield from _joined_partial(call, now)
    for p in now:
        if isinstance(p, _Parts) and p.dim != dim:
            yield call.same(p)


@sharding_rule("stack")
def _stack(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """The new dimension is before those that are moved by it."""
    dim = call["dim"] % (call.tensors[0].ndim + 1)
    now = call.now(mesh_dim)
    yield from _joined_partial(call, now)
    lead = _lead(call, mesh_dim)
    if isinstance(lead, _Parts):
        yield call.same(lead.at(lead.dim + (lead.dim >= dim)), lead)


@sharding_rule("repeat")
def _repeat(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along dimensions that are not repeated."""
    p, repeats = call.now(mesh_dim)[0], call["repeats"]
    if isinstance(p, Partial):
        yield call.same(p)
    elif isinstance(p, _Parts):
        dim = p.dim + len(repeats) - call.tensors[0].ndim
        if repeats[dim] == 1:
            yield call.same(p.at(dim), p)


@sharding_rule("slice_backward", "select_backward")
def _view_backward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Zeros around a gradient: along other dimensions it is cut as before."""
    p, spec = call.now(mesh_dim)[0], call.tensors[0]
    whole = len(call["input_sizes"])
    dim = call["dim"] % whole
    if isinstance(p, Partial):
        yield call.same(p)
    elif isinstance(p, _Parts):
        if whole > spec.ndim:
            yield call.same(p.at(p.dim + (p.dim >= dim)), p)
        elif p.dim != dim:
            yield call.same(p)


@sharding_rule("constant_pad_nd")
def _padding(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Cut along dimensions that are not padded."""
    spec = call.tensors[0]
    padded = range(spec.ndim - len(call["pad"]) // 2, spec.ndim)
    yield from along_dims(call, mesh_dim, padded)
    p = call.now(mesh_dim)[0]
    if isinstance(p, Partial) and p.reduce_op in Partial.LINEAR_REDUCE_OPS and not call["value"]:
        yield call.same(p)


def _all_equal(plan: Plan, *args: Any) -> bool:
    """Whether the parts here are equal, and those of all others."""
    equal = torch.tensor(int(plan.call.func(*args)), dtype=torch.int32, device=args[0].device)
    for i, p in enumerate(plan.inputs[0].placements):
        if isinstance(p, _Parts):
            equal = line_of(plan.call.mesh, i).all_reduce(equal, Partial("min"))
    return bool(equal.item())


def _same_size(plan: Plan, *args: Any) -> bool:
    first, second = plan.call.tensors
    return tuple(first.shape) == tuple(second.shape)


@sharding_rule("is_same_size", local=_same_size)
def _sizes(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """Shapes are known wherever the numbers lie."""
    yield Choice((), tuple(call.now(mesh_dim)))


@sharding_rule("slice_scatter", "select_scatter")
def _laid_over(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """One tensor is laid over a part of another: cut along any other dimension."""
    whole, laid = call.tensors
    dim = call["dim"] % whole.ndim
    for d in range(whole.ndim):
        if d != dim:
            own = d - (d > dim and laid.ndim < whole.ndim)
            yield call.choice([Shard(d)], [Shard(d), Shard(own)])


@sharding_rule("equal", local=_all_equal)
def _equal(call: Call, mesh_dim: int) -> Iterable[Choice]:
    lead = _lead(call, mesh_dim)
    if isinstance(lead, _Parts):
        yield call.same(lead)
