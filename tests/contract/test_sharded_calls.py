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


def _mapped(t, spec):
    """A spec, and what it is made of in terms of dimensions."""
    return spec, (spec.mesh, spec.dim_map, spec.sums, spec.tensor_meta)


def _collectives(t):
    return importlib.import_module(f"{t.__name__}.distributed.collective_utils")


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
    "split and padded": lambda t: [
        t.distributed.tensor.Shard(0)._split_tensor(t.arange(5.0), 4, with_padding=padded)
        for padded in (True, False)
    ],
    "an order of cuts": lambda t: [
        tuple(entry) for entry in lay(t, ones(t, 8, 8), 1, 1, on=mesh(t, 2, 2))._spec.shard_order
    ],
    "into a tensor": lambda t: part(
        t.add(lay(t, ones(t, 8, 2), 0), 3, out=lay(t, ones(t, 8, 2), 0))
    ),
    "a part laid over": lambda t: part(
        t.slice_scatter(lay(t, ones(t, 8, 4), 1), lay(t, ones(t, 2, 4) * 2, 1), 0, 0, 2)
    ),
    "buckets": lambda t: part(t.bucketize(lay(t, ones(t, 8), 0), lay(t, t.arange(3.0), "R"))),
    "matrices": lambda t: part(t.linalg.inv(lay(t, t.eye(2).expand(4, 2, 2), 0))),
    "a filled sum": lambda t: part(lay(t, ones(t, 4), "P").fill_(3)),
    "the same window": lambda t: part(lay(t, ones(t, 4, 4), 0).as_strided((4, 4), (4, 1))),
    "a dim less in place": lambda t: part(lay(t, ones(t, 4, 1, 8), 2).squeeze_(1)),
    "truth": lambda t: str(lay(t, ones(t, 4) > 0, 0)._spec),
    "dims and parts": lambda t: [
        [spec.dim_map, spec.num_shards_map, spec.sums, str(spec.from_dim_map(*known))]
        for spec, known in (
            _mapped(t, lay(t, ones(t, 4, 8), 1, 0, on=mesh(t, 2, 2))._spec),
            _mapped(t, lay(t, ones(t, 4, 8), "P", 1, on=mesh(t, 2, 2))._spec),
        )
    ],
    "nothing known": lambda t: str(
        type(lay(t, ones(t, 4), 0)._spec)(mesh(t), (t.distributed.tensor.Shard(0),))
    ),
    "sizes": lambda t: lay(t, ones(t, 4), 0).is_same_size(lay(t, ones(t, 4), "R")),
    "a converted module": lambda t: part(
        t.distributed.tensor.distribute_module(t.nn.Linear(2, 2), mesh(t))
        .to(t.float64)
        .weight.detach()
        .zero_()
    ),
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


#: What is called within the counts.
COUNTED = {
    "rows made whole": lambda t: lay(t, ones(t, 8, 4), 0).full_tensor(),
    "a sum made whole": lambda t: lay(t, ones(t, 8, 4), "P").full_tensor(),
    "a sum cut": lambda t: lay(t, ones(t, 8, 4), "P").redistribute(
        placements=[t.distributed.tensor.Shard(1)]
    ),
    "rows made columns": lambda t: lay(t, ones(t, 8, 4), 0).redistribute(
        placements=[t.distributed.tensor.Shard(1)]
    ),
    "a whole tensor cut": lambda t: lay(t, ones(t, 8, 4), "R").redistribute(
        placements=[t.distributed.tensor.Shard(0)]
    ),
    "a tensor sent": lambda t: t.distributed.tensor.distribute_tensor(
        ones(t, 8), mesh(t), [t.distributed.tensor.Shard(0)]
    ),
    "a group's call": lambda t: t.distributed.all_reduce(ones(t, 4)),
    "functional ones": lambda t: _functional(t).wait_tensor(
        _functional(t).reduce_scatter_tensor(
            _functional(t).all_gather_tensor(ones(t, 4), 0, mesh(t)), "sum", 0, mesh(t)
        )
    ),
    "a gradient": lambda t: (
        _functional(t)
        .all_gather_tensor(ones(t, 4, 2).requires_grad_(), 1, mesh(t))
        .sum()
        .backward()
    ),
    "maxima of maxima": lambda t: t.maximum(_largest(t), _largest(t)),
}


def _functional(t):
    return importlib.import_module(f"{t.__name__}.distributed._functional_collectives")


def _largest(t):
    kinds = t.distributed.tensor
    return kinds.DTensor.from_local(ones(t, 4), mesh(t), [kinds.Partial("max")])


@pytest.mark.parametrize("case", COUNTED)
def test_collectives_are_counted(case):
    def run(t):
        debug = importlib.import_module(f"{t.__name__}.distributed.tensor.debug")
        with debug.CommDebugMode() as counts:
            COUNTED[case](t)
        found = {str(op): n for op, n in counts.get_comm_counts().items()}
        return found, counts.get_total_counts(), repr(counts)

    with fake_rank(0, 4):
        got, want = (run(t) for t in BOTH)
    assert got == want


def test_collectives_are_counted_by_module():
    def run(t):
        debug = importlib.import_module(f"{t.__name__}.distributed.tensor.debug")
        parallel = t.distributed.tensor.parallel
        plan = {"0": parallel.ColwiseParallel(), "1": parallel.RowwiseParallel()}
        model = t.nn.Sequential(t.nn.Linear(4, 8), t.nn.Linear(8, 4))
        model = parallel.parallelize_module(model, mesh(t), plan)
        with debug.CommDebugMode() as counts:
            model(ones(t, 2, 4)).sum().backward()
        assert not model[0]._forward_hooks or len(model[0]._forward_hooks) == 1
        return (
            {
                module: {str(op): n for op, n in ways["forward"].items()}
                for module, ways in counts.comm_module_counts.items()
                if ways["forward"]
            },
            {name: list(own) for name, own in counts.get_parameter_info().items()},
            {name: str(own) for name, own in counts.get_sharding_info().items()},
        )

    with fake_rank(0, 4):
        got, want = (run(t) for t in BOTH)
    assert got == want


def test_programs_see_functional_operators():
    schemas = []
    for t in BOTH:
        packets = (t.ops._c10d_functional, t.ops.c10d_functional)
        names = ("all_reduce", "all_gather_into_tensor", "reduce_scatter_tensor", "broadcast")
        schemas.append([str(getattr(p, n).default._schema) for p in packets for n in names])
    assert schemas[0] == schemas[1]


REFUSED = {
    "a gradient of a mean": lambda t: (
        _functional(t).all_reduce(ones(t, 4).requires_grad_(), "avg", mesh(t)).sum().backward()
    ),
    "an unknown reduction of all": lambda t: _functional(t).all_reduce(ones(t, 4), "mode", mesh(t)),
    "parts that are uneven": lambda t: _functional(t).reduce_scatter_tensor(
        ones(t, 5), "sum", 0, mesh(t)
    ),
    "a function of one argument": lambda t: t.distributed.tensor.distribute_module(
        t.nn.Linear(2, 2), mesh(t), input_fn=lambda x: x
    ),
    "a plain tensor beside": lambda t: lay(t, ones(t, 4), 0) + ones(t, 4),
    "two meshes": lambda t: lay(t, ones(t, 4), 0) + lay(t, ones(t, 4), 0, "R", on=mesh(t, 2, 2)),
    "too few placements": lambda t: lay(t, ones(t, 4), 0, on=mesh(t, 2, 2)),
    "a dim that is not there": lambda t: lay(t, ones(t, 4), 3),
    "a dim before the first": lambda t: lay(t, ones(t, 4, 4), -3),
    "a dim before the first, moved": lambda t: lay(t, ones(t, 4, 4), 0).redistribute(
        placements=[t.distributed.tensor.Shard(-3)]
    ),
    "a dim of a number": lambda t: lay(t, t.tensor(1.0), 0),
    "a dim that parts do not have": lambda t: t.distributed.tensor.DTensor.from_local(
        ones(t, 4), mesh(t), [t.distributed.tensor.Shard(1)]
    ),
    "a dim of the mesh twice": lambda t: type(lay(t, ones(t, 4), 0)._spec).from_dim_map(
        mesh(t, 2, 2), [0, 0], []
    ),
    "a dim of the mesh for two things": lambda t: type(lay(t, ones(t, 4), 0)._spec).from_dim_map(
        mesh(t, 2, 2), [0], [0]
    ),
    "two cuts of a dim": lambda t: lay(t, ones(t, 4), 0, 0, on=mesh(t, 2, 2))._spec.dim_map,
    "what a step raised": lambda t: _collectives(t).broadcast(lambda: 1 // 0, stage_name="first"),
    "what steps raised": lambda t: _collectives(t).all_gather(lambda: 1 // 0),
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
    "a window": lambda t: lay(t, ones(t, 4, 4), 0).as_strided((2, 2), (4, 1)),
    "sizes that numbers decide": lambda t: lay(t, ones(t, 4), 0).nonzero(),
    "distinct numbers": lambda t: t.unique(lay(t, ones(t, 4), 0)),
    "a dim of parts in place": lambda t: lay(t, ones(t, 1, 4), 0).squeeze_(0),
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


@pytest.mark.parametrize("path", ["nope", "0.x*", "*.0", "0..0", "0.0", "0.0."])
def test_plans_warn_of_submodules_that_are_not_there(path):
    def run(t):
        model = t.nn.Sequential(t.nn.Sequential(t.nn.Linear(4, 8)), t.nn.ReLU())
        parallel = t.distributed.tensor.parallel
        parallel.parallelize_module(model, mesh(t), {path: parallel.ColwiseParallel()})
        return [type(p.data).__name__ for p in model.parameters()]

    with fake_rank(0, 4):
        got, want = (outcome(run, t) for t in BOTH)
    assert got == want and want[0][0] == "value"


def test_styles_say_their_layouts():
    def run(t):
        kinds = t.distributed.tensor
        return repr(
            kinds.parallel.PrepareModuleInputOutput(
                input_layouts=kinds.Shard(0),
                desired_input_layouts=kinds.Replicate(),
                output_layouts=kinds.Shard(1),
                desired_output_layouts=kinds.Replicate(),
            )
        )

    assert run(BOTH[0]) == run(BOTH[1])


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
    _dispatch.propagator.forget()


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


def test_helpers_of_rules_answer_alike():
    def run(t):
        def load(name):
            return importlib.import_module(f"{t.__name__}.distributed.{name}")

        utils, exchanges = load("tensor._ops.utils"), load("tensor._collective_utils")
        local, inside = load("_local_tensor"), load("tensor._utils")
        parts = lay(t, ones(t, 8, 4), 0), lay(t, ones(t, 8, 4), "P")
        seeded = []
        with pytest.warns(UserWarning, match="may not have complete support") as warned:
            load("tensor._random").manual_seed(0, mesh(t))
            seeded.append(str(warned[0].message))
        return (
            [utils.is_tensor_partial(x._spec) for x in parts],
            [utils.normalize_dim(-1, 3), utils.normalize_dims((-1, 0), 3)],
            exchanges.pad_tensor(ones(t, 2, 2), 0, 2).tolist(),
            exchanges.unpad_tensor(ones(t, 2, 4), 1, 2).tolist(),
            tuple(
                exchanges.shard_dim_alltoall(t.ones(12, 4, device="meta"), 0, 1, mesh(t), 0).shape
            ),
            inside.compute_local_tensor_info(ones(t, 8, 4), mesh(t), parts[0].placements),
            local.local_tensor_mode(),
            local.maybe_run_for_local_tensor(len)([1, 2]),
            seeded,
        )

    with fake_rank(0, 4):
        got, want = (run(t) for t in BOTH)
    assert got == want
