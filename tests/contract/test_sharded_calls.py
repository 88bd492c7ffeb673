"""What distributed tensors on several ranks say, refuse and let programs add, as torch's do."""

from __future__ import annotations

import importlib

import pytest
from mindtorch.distributed.tensor import _dispatch, _sharding

from .both_frameworks import BOTH, outcome, torch
from .fake_ranks import fake_rank

pytestmark = pytest.mark.filterwarnings("ignore")
assert torch
for _t in BOTH:
    importlib.import_module(f"{_t.__name__}.distributed.tensor.experimental")


def mesh(t, *shape):
    return t.distributed.init_device_mesh("cpu", shape or (4,))


def lay(t, x, *ways, on=None):
    """A tensor on a mesh: numbers for dimensions that are cut, R, P."""
    kinds = t.distributed.tensor
    named = {"R": kinds.Replicate(), "P": kinds.Partial(), "A": kinds.Partial("avg")}
    placements = [named[w] if isinstance(w, str) else kinds.Shard(w) for w in ways]
    return kinds.distribute_tensor(x, on or mesh(t), placements, src_data_rank=None)


def ones(t, *shape):
    return t.ones(shape)


def part(x):
    return [repr(x), str(x._spec), x.to_local(), x.stride()]


SAYS = {
    "a part": lambda t: part(lay(t, t.arange(12.0).view(6, 2), 0)),
    "an empty part": lambda t: part(lay(t, t.arange(2.0), 0)),
    "columns": lambda t: part(lay(t, t.arange(12.0).view(2, 6), -1)),
    "twice cut": lambda t: part(lay(t, t.arange(24.0), 0, 0, on=mesh(t, 2, 2))),
    "blocks": lambda t: part(lay(t, t.arange(24.0).view(4, 6), 0, 1, on=mesh(t, 2, 2))),
    "a part of a sum": lambda t: part(lay(t, ones(t, 2), "P")),
    "from local": lambda t: part(
        t.distributed.tensor.DTensor.from_local(
            ones(t, 2, 3), mesh(t), [t.distributed.tensor.Shard(-1)]
        )
    ),
    "from local of a shape": lambda t: part(
        t.distributed.tensor.DTensor.from_local(
            ones(t, 2, 3),
            mesh(t),
            [t.distributed.tensor.Shard(0)],
            shape=t.Size([7, 3]),
            stride=(3, 1),
        )
    ),
    "zeros": lambda t: part(
        t.distributed.tensor.zeros(
            7, 3, device_mesh=mesh(t), placements=[t.distributed.tensor.Shard(0)]
        )
    ),
    "full": lambda t: part(
        t.distributed.tensor.full(
            (7,), 2, device_mesh=mesh(t), placements=[t.distributed.tensor.Shard(0)]
        )
    ),
    "norm": lambda t: str(lay(t, ones(t, 4, 4), 0).norm()._spec),
    "whole of a cut one": lambda t: str(
        lay(t, ones(t, 8), 0).redistribute(placements=[t.distributed.tensor.Replicate()])._spec
    ),
    "local shapes": lambda t: [
        importlib.import_module(
            f"{t.__name__}.distributed.tensor._utils"
        ).compute_local_shape_and_global_offset(
            (7, 5), mesh(t, 2, 2), [t.distributed.tensor.Shard(0), t.distributed.tensor.Shard(d)]
        )
        for d in (0, 1)
    ],
    "parts of a size": lambda t: [
        t.distributed.tensor.Shard.local_shard_size_and_offset(10, 4, r) for r in range(4)
    ],
}


@pytest.mark.parametrize("rank", [0, 3])
@pytest.mark.parametrize("case", SAYS)
def test_what_parts_say(case, rank):
    with fake_rank(rank, 4):
        got, want = (outcome(SAYS[case], t)[0] for t in BOTH)
    assert want[0] == "value", want
    assert got == want


REFUSED = {
    "a plain tensor beside": lambda t: lay(t, ones(t, 4), 0) + ones(t, 4),
    "two meshes": lambda t: lay(t, ones(t, 4), 0) + lay(t, ones(t, 4), 0, "R", on=mesh(t, 2, 2)),
    "too few placements": lambda t: lay(t, ones(t, 4), 0, on=mesh(t, 2, 2)),
    "a dim that is not there": lambda t: lay(t, ones(t, 4), 3),
    "back to a sum": lambda t: lay(t, ones(t, 4), "R").redistribute(
        placements=[t.distributed.tensor.Partial()]
    ),
    "two reductions": lambda t: t.distributed.tensor.DTensor.from_local(
        ones(t, 4),
        mesh(t, 2, 2),
        [t.distributed.tensor.Partial("sum"), t.distributed.tensor.Partial("max")],
    ),
    "a distributed local": lambda t: t.distributed.tensor.DTensor.from_local(
        lay(t, ones(t, 4), 0), mesh(t), [t.distributed.tensor.Shard(0)]
    ),
    "a shape without strides": lambda t: t.distributed.tensor.DTensor.from_local(
        ones(t, 4), mesh(t), [t.distributed.tensor.Shard(0)], shape=t.Size([7])
    ),
    "in place of a sum": lambda t: lay(t, ones(t, 4), "P").exp_(),
    "another layout": lambda t: t.distributed.tensor.distribute_tensor(
        lay(t, ones(t, 4), 0), mesh(t), [t.distributed.tensor.Replicate()]
    ),
    "an unknown reduction": lambda t: lay(t, ones(t, 4), "R").redistribute(),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    with fake_rank(0, 4):
        got, want = (outcome(REFUSED[case], t)[0] for t in BOTH)
    assert want[0] != "value"
    first = [w.split("\n\nSharding propagation")[0] if isinstance(w, str) else w for w in want]
    mine = [g.split("\n\nSharding propagation")[0] if isinstance(g, str) else g for g in got]
    assert mine == first


def test_an_operator_without_a_rule_is_refused():
    with fake_rank(0, 4):
        t = BOTH[0]
        x = lay(t, ones(t, 4, 4), 0)
        with pytest.raises(NotImplementedError, match="does not have a sharding strategy"):
            t.ops.aten.segment_reduce.default(x, "sum", lengths=lay(t, t.tensor([4]), "R"))


def test_programs_map_local_functions():
    def run(t):
        kinds = t.distributed.tensor
        x = lay(t, ones(t, 8, 2), 0)
        local_map = kinds.experimental.local_map

        def double(x):
            return x * 2

        one = local_map(double, out_placements=[kinds.Shard(0)], in_placements=([kinds.Shard(0)],))
        other = local_map(
            double, [kinds.Replicate()], ([kinds.Replicate()],), redistribute_inputs=True
        )
        return part(one(x)), str(other(x)._spec), one(ones(t, 2))

    with fake_rank(1, 4):
        got, want = (outcome(run, t)[0] for t in BOTH)
    assert got == want and want[0] == "value", (got, want)


def test_programs_refuse_other_placements():
    def run(t):
        kinds = t.distributed.tensor
        mapped = kinds.experimental.local_map(lambda x: x, [kinds.Shard(0)], ([kinds.Replicate()],))
        return mapped(lay(t, ones(t, 8, 2), 0))

    with fake_rank(1, 4):
        got, want = (outcome(run, t)[0] for t in BOTH)
    assert got == want and want[0] != "value"


@pytest.fixture
def own_rules(monkeypatch):
    """Rules that a test registers go with it."""
    monkeypatch.setattr(_sharding, "_NAMED", dict(_sharding._NAMED))
    yield
    _dispatch.forget_plans()


@pytest.mark.usefixtures("own_rules")
def test_programs_register_rules_of_their_own():
    def run(t):
        kinds = t.distributed.tensor
        op = t.ops.aten.logcumsumexp.default

        @kinds.experimental.register_sharding(op)
        def rows_only(x, dim):
            return [
                ([kinds.Replicate()], [kinds.Replicate(), None]),
                ([kinds.Shard(0)], [kinds.Shard(0), None]),
            ]

        return [str(t.logcumsumexp(lay(t, ones(t, 8, 8), dim), 1 - dim)._spec) for dim in (0, 1)]

    with fake_rank(1, 4):
        got, want = (outcome(run, t)[0] for t in BOTH)
    assert got == want and want[0] == "value", (got, want)
