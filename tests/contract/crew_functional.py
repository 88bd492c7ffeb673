"""What the processes of a crew run: functional collectives, in torch and in mindtorch."""

from __future__ import annotations

import importlib
import warnings
from typing import Any

from .crew_programs import said

SIZE = 2


def _functions(t: Any) -> Any:
    return importlib.import_module(f"{t.__name__}.distributed._functional_collectives")


def _made(t: Any, *shape: int, dtype: str = "float32") -> Any:
    count = 1
    for n in shape:
        count *= n
    rank = t.distributed.get_rank()
    return (t.arange(count) % 5 + 10 * rank).to(getattr(t, dtype)).view(shape)


#: Calls of the functions, of a tensor of four rows and two columns.
FUNCTIONS = {
    "all_reduce": lambda f, x, g: f.all_reduce(x, "sum", g),
    "all_reduce in capitals": lambda f, x, g: f.all_reduce(x, "SUM", g),
    "broadcast": lambda f, x, g: f.broadcast(x, 1, g),
    "gather rows": lambda f, x, g: f.all_gather_single(x, 0, g),
    "gather columns": lambda f, x, g: f.all_gather_single(x, 1, g),
    "gather rows of one": lambda f, x, g: f.all_gather_single(x[:1], 1, g),
    "scatter rows": lambda f, x, g: f.reduce_scatter_single(x, "sum", 0, g),
    "scatter columns": lambda f, x, g: f.reduce_scatter_single(x, "sum", 1, g),
    "exchange": lambda f, x, g: f.all_to_all_single(x, None, None, g),
    "several reduced": lambda f, x, g: f.all_reduce_coalesced([x, x * 2], "sum", g)[1],
    "several gathered": lambda f, x, g: f.all_gather_single_coalesced([x, x * 2], g)[1],
    "several scattered": lambda f, x, g: f.reduce_scatter_single_coalesced(
        [x * 1, x * 2], "sum", [1, 0], g
    )[0],
}

#: Calls of the operators, whose results are waited for.
OPERATORS = {
    "mean": lambda c, x, g: c.all_reduce(x, "avg", g),
    "largest": lambda c, x, g: c.all_reduce(x, "max", g),
    "in place": lambda c, x, g: c.all_reduce_(x.clone(), "product", g),
    "broadcast in place": lambda c, x, g: c.broadcast_(x.clone(), 0, g),
    "transposed": lambda c, x, g: c.all_gather_into_tensor(x.t(), SIZE, g),
    "into a tensor": lambda c, x, g: c.all_gather_into_tensor_out(
        x, SIZE, g, out=x.new_empty(8, 2)
    ),
    "reduced into a tensor": lambda c, x, g: c.reduce_scatter_tensor_out(
        x, "sum", SIZE, g, out=x.new_empty(2, 2)
    ),
    "complex": lambda c, x, g: c.all_reduce(x + 1j, "sum", g),
    "complex gathered": lambda c, x, g: c.all_gather_into_tensor(x + 1j, SIZE, g),
    "own sizes": lambda c, x, g: c.all_to_all_single(x, [2, 2], [2, 2], g),
    "no such reduction": lambda c, x, g: c.all_reduce(x, "xyz", g),
    "no such group": lambda c, x, g: c.all_reduce(x, "sum", "nobody"),
}


def _tried(call: Any, *args: Any) -> Any:
    try:
        return call(*args)
    except Exception as e:
        return type(e).__name__, str(e).partition("\n")[0]


def function(t: Any, name: str, differentiable: bool) -> Any:
    """The result of a function before and after it is read, and the gradient of its argument."""
    x = _made(t, 4, 2).requires_grad_(differentiable)
    found = FUNCTIONS[name](_functions(t), x, t.distributed.group.WORLD)
    before = type(found).__name__, getattr(found, "completed", None), found.requires_grad
    values = found * 2
    after = getattr(found, "completed", None)
    if differentiable:
        (values * _made(t, *values.shape)).sum().backward()
    return said([before, after, values, x.grad if differentiable else None], t)


def operator(t: Any, name: str) -> Any:
    """The result of an operator once it is waited for, and its strides."""
    packet = t.ops._c10d_functional

    def call() -> Any:
        found = packet.wait_tensor(OPERATORS[name](packet, _made(t, 4, 2), "0"))
        return [t.view_as_real(found) if found.is_complex() else found, found.stride()]

    _functions(t)
    return said(_tried(call), t)


def views(t: Any) -> Any:
    """Which results of a tensor that is under way are under way."""
    f = _functions(t)
    x = f.all_reduce(_made(t, 4, 2), "sum", "0")
    seen = {
        "view": x.view(2, 4),
        "row": x[0],
        "transposed": x.t(),
        "detached": x.detach(),
    }
    kinds = [(name, type(v).__name__, v.completed) for name, v in seen.items()]
    sums = [(name, v.sum().item(), v.completed) for name, v in seen.items()]
    whole = x.completed, x.tolist(), x.completed, repr(x), type(x.wait()).__name__
    return said([kinds, sums, whole], t)


def works(t: Any) -> Any:
    """How many works are kept: of functions, and of calls in place where that is asked for."""
    f = _functions(t)
    bindings = importlib.import_module(f"{t.__name__}._C._distributed_c10d")
    count = bindings._get_work_registry_size
    packet, x, start = t.ops._c10d_functional, _made(t, 4, 2), count()
    out = packet.all_reduce(x, "sum", "0")
    counts = [count() - start]
    packet.wait_tensor(out[:2])
    counts.append(count() - start)
    for context in (f.allow_inflight_collective_as_graph_input_ctx, warnings.catch_warnings):
        with context():
            work = t.distributed.all_reduce(x, async_op=True)
        counts.append(count() - start)
        packet.wait_tensor(x)
        counts.append(count() - start)
        work.wait()
    return [*counts, x.tolist()]


def refusals(t: Any) -> Any:
    """What the functions say of groups and sizes that they do not take."""
    f, x, world = _functions(t), _made(t, 3, 2), t.distributed.group.WORLD
    calls = [
        lambda: f.all_reduce(x, "sum", None),
        lambda: f.all_reduce(x, "sum", (1, 2)),
        lambda: f.all_reduce(x, "sum", [[0, 1]]),
        lambda: f.reduce_scatter_single(x, "sum", 0, world),
        lambda: f.reduce_scatter_single_coalesced([x], "sum", [0, 1], world),
        lambda: f.reduce_scatter_single_coalesced([x], "sum", [0], world),
        lambda: f.all_to_all_single(x, [2], None, world),
        lambda: f.all_to_all_single(x, ["2"], [2], world),
        lambda: f._expand_group(3),
        lambda: f._expand_group([[0], [0, 1]]),
        lambda: f._expand_group(world, "mine"),
        lambda: f._expand_group([[0], [1]]),
        lambda: f.all_reduce(x.clone().requires_grad_(), "max", world).sum().backward(),
        lambda: f.all_reduce_inplace(x, "sum", world, async_op=True),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return said([_tried(call) for call in calls], t)


def in_place(t: Any) -> Any:
    """The functions that write into tensors they are given, and the one that permutes."""
    f, x = _functions(t), _made(t, 4, 2)
    parts = [t.empty(4, 2), t.empty(4, 2)]
    found = [
        f.all_gather_tensor_inplace(t.empty(8, 2), x),
        f.reduce_scatter_tensor_inplace(t.empty(2, 2), x),
        f.all_reduce_inplace(x.clone()),
        f.all_to_all_inplace(t.empty(4, 2), x),
        f.all_gather_inplace(parts, x),
        f.permute_tensor(x.view(-1), [1, 0], t.distributed.group.WORLD) * 1,
    ]
    return said(found, t)


def older(t: Any) -> Any:
    """The operators whose group is a tag and ranks."""
    _functions(t)
    packet, x, where = t.ops.c10d_functional, _made(t, 4, 2), ("", [0, 1], SIZE)
    found = [
        packet.all_reduce(x, "sum", *where),
        packet.broadcast(x, 1, *where),
        packet.all_gather_into_tensor(x, *where),
        packet.reduce_scatter_tensor(x, "sum", *where),
        packet.all_to_all_single(x, None, None, *where),
        *packet.all_reduce_coalesced([x], "sum", *where),
        *packet.all_gather_into_tensor_coalesced([x], *where),
        *packet.reduce_scatter_tensor_coalesced([x], "sum", *where),
    ]
    return said([packet.wait_tensor(each) for each in found], t)


def tagged(t: Any) -> Any:
    """Which groups are the same: of a tag and the same ranks, of none, and by their parts."""
    c = importlib.import_module(f"{t.__name__}.distributed.distributed_c10d")
    world, both = c.group.WORLD, [0, 1]
    blue = c._new_group_with_tag(both, pg_tag="blue")
    return [
        c._new_group_with_tag(both, pg_tag="blue") is blue,
        c._new_group_with_tag(both, pg_tag="red") is blue,
        c._new_group_with_tag(both) is blue,
        c._find_pg_by_ranks_and_tag("", both) is world,
        c._find_or_create_pg_by_ranks_and_tag("blue", both, SIZE) is blue,
        c.get_process_group_ranks(c._find_or_create_pg_by_ranks_and_tag("alone", both, 1)),
        _tried(c._find_or_create_pg_by_ranks_and_tag, "alone", both, 3),
        _tried(c._find_or_create_pg_by_ranks_and_tag, "alone", [5, 6], 1),
        _tried(c._find_or_create_pg_by_ranks_and_tag, "", both, 1),
    ]
