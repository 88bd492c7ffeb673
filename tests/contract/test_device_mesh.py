"""Meshes of one process, and tensors on them."""

from __future__ import annotations

import copy
import importlib
import pickle

import pytest

from .both_frameworks import BOTH, outcome, refuse, torch

pytestmark = pytest.mark.filterwarnings("ignore")
assert torch


@pytest.fixture(autouse=True)
def group():
    """A group of one process in both frameworks."""
    for t in BOTH:
        importlib.import_module(f"{t.__name__}.distributed.tensor.parallel")
        d = t.distributed
        if not d.is_initialized():
            d.init_process_group("gloo", store=d.HashStore(), rank=0, world_size=1)
    yield
    for t in BOTH:
        t.distributed.destroy_process_group()


def agree(fn):
    """Both frameworks return the same; what is deprecated is not compared."""
    got, want = (outcome(fn, t)[0] for t in BOTH)
    assert got == want
    assert want[0] == "value", want
    return want[1]


def mesh2(t):
    return t.distributed.init_device_mesh("cpu", (1, 1), mesh_dim_names=("dp", "tp"))


MESH = {
    "repr": lambda m: repr(m),
    "slice": lambda m: [repr(m["dp"]), repr(m["tp", "dp"]), m["dp", "tp"] is m],
    "sizes": lambda m: [m.shape, m.size(), m.size(0), m.ndim, m.device_type, m.mesh_dim_names],
    "ranks": lambda m: [
        m.get_coordinate(),
        m.get_local_rank("tp"),
        m.get_rank(),
        m["dp"].get_local_rank(),
    ],
    "tensor": lambda m: [m.mesh.tolist(), str(m.mesh.dtype), m["dp"].mesh.tolist()],
    "groups": lambda m: [
        m.get_group("dp").size(),
        len(m.get_all_groups()),
        m.get_group(0).group_desc,
    ],
    "equal": lambda m: [m == m["dp", "tp"], m["dp"] == m["tp"], hash(m) == hash(copy.copy(m))],
    "flatten": lambda m: [repr(m._flatten("w")), repr(m["w"]), m.mesh_dim_names],
    "flatten unnamed": lambda m: repr(m._flatten()),
    "unflatten": lambda m: repr(m._unflatten(0, (1, 1), ("a", "b"))),
    "concatenate": lambda m: repr(type(m)._concatenate([m["dp"], m["tp"]])),
    "root": lambda m: repr(m["dp"]._get_root_mesh()),
}
MESH_REFUSED = {
    "local rank": lambda m: m.get_local_rank(),
    "group": lambda m: m.get_group(),
    "group of a name": lambda m: m.get_group("z"),
    "slice of a name": lambda m: m["x"],
    "slice of a number": lambda m: m[0],
    "size of a dim": lambda m: m.size(5),
}


@pytest.mark.parametrize("case", MESH)
def test_meshes_of_one(case):
    agree(lambda t: MESH[case](mesh2(t)))


@pytest.mark.parametrize("case", MESH_REFUSED)
def test_meshes_refuse_as_torchs(case):
    refuse(lambda t: MESH_REFUSED[case](mesh2(t)))


MADE = [
    (("cpu", (2,)), {}),
    (("cpu", (1, 1)), {"mesh_dim_names": ("dp", "dp")}),
    (("cpu", (1, 1)), {"mesh_dim_names": ("dp",)}),
    (("cpu:0", (1,)), {}),
]


@pytest.mark.parametrize("args,kwargs", MADE)
def test_meshes_that_cannot_be_made(args, kwargs):
    refuse(lambda t: t.distributed.init_device_mesh(*args, **kwargs))


def test_a_current_mesh():
    def run(t):
        resources = t.distributed.device_mesh._mesh_resources
        with mesh2(t):
            found = repr(resources.get_current_mesh())
        return found, repr(type(mesh2(t)).from_group(t.distributed.group.WORLD, "cpu"))

    agree(run)
    refuse(lambda t: t.distributed.device_mesh._mesh_resources.get_current_mesh())
    refuse(lambda t: t.distributed.DeviceMesh("cpu", [0])["a"])
    refuse(lambda t: t.distributed.DeviceMesh("cpu"))


# Tensors


def place(t, mesh=None):
    dt = t.distributed.tensor
    mesh = mesh or t.distributed.init_device_mesh("cpu", (1,), mesh_dim_names=("x",))
    return dt.distribute_tensor(t.arange(4.0).reshape(2, 2), mesh, [dt.Shard(0)])


def whole(d):
    """What a distributed tensor has, and how it lies."""
    return [repr(d), repr(d.placements), str(d.dtype), tuple(d.shape), d.stride()]


TENSORS = {
    "itself": lambda t, x: whole(x),
    "add": lambda t, x: whole(x + 1),
    "multiply": lambda t, x: whole(x * x),
    "matmul": lambda t, x: whole(x @ x),
    "compare": lambda t, x: whole(x == x),
    "sum": lambda t, x: whole(x.sum()),
    "mean of a dim": lambda t, x: whole(x.mean(0)),
    "sum of the other dim": lambda t, x: whole(x.sum(1)),
    "transpose": lambda t, x: whole(x.t()),
    "in place": lambda t, x: (x.add_(1), whole(x))[1],
    "relu": lambda t, x: whole(x.relu()),
    "item": lambda t, x: x.sum().item(),
    "redistribute": lambda t, x: whole(
        x.redistribute(placements=[t.distributed.tensor.Replicate()])
    ),
    "whole tensor": lambda t, x: x.full_tensor(),
    "local": lambda t, x: x.to_local(),
    "factories": lambda t, x: [
        whole(getattr(t.distributed.tensor, n)(2, 2, device_mesh=x.device_mesh))
        for n in ("zeros", "ones")
    ],
    "full": lambda t, x: whole(t.distributed.tensor.full((2,), 3.0, device_mesh=x.device_mesh)),
    "spec": lambda t, x: str(x._spec),
    "deepcopy": lambda t, x: whole(copy.deepcopy(x)),
}


@pytest.mark.parametrize("case", TENSORS)
def test_tensors_on_a_mesh(case):
    agree(lambda t: TENSORS[case](t, place(t)))


def dtensor(t):
    return t.distributed.tensor


TENSORS_REFUSED = {
    "a plain tensor beside": lambda t, x: x + t.ones(2, 2),
    "to partial": lambda t, x: x.redistribute(placements=[dtensor(t).Partial()]),
    "two placements": lambda t, x: dtensor(t).distribute_tensor(
        t.ones(2), x.device_mesh, [dtensor(t).Shard(0)] * 2
    ),
    "a dim too far": lambda t, x: dtensor(t).distribute_tensor(
        t.ones(2), x.device_mesh, [dtensor(t).Shard(3)]
    ),
}


@pytest.mark.parametrize("case", TENSORS_REFUSED)
def test_tensors_on_a_mesh_refuse_as_torchs(case):
    refuse(lambda t: TENSORS_REFUSED[case](t, place(t)))


def test_placements_are_values():
    def run(t):
        S, R, P = (getattr(dtensor(t), n) for n in ("Shard", "Replicate", "Partial"))
        return [
            repr((S(0), R(), P(), P("avg"))),
            [str(p) for p in (S(1), R(), P("avg"))],
            [S(0) == S(0), S(0) == S(1), R() == R(), P() == P("avg"), hash(S(0)) == hash(S(0))],
            [
                S(0).is_shard(),
                S(0).is_shard(1),
                R().is_replicate(),
                P().is_partial(),
                P().reduce_op,
            ],
        ]

    agree(run)


def test_gradients_flow_through_the_borders():
    def run(t):
        mesh = t.distributed.init_device_mesh("cpu", (1,))
        local = t.ones(2, 2, requires_grad=True)
        placed = dtensor(t).DTensor.from_local(local, mesh, [dtensor(t).Shard(0)])
        (placed * 3).redistribute(placements=[dtensor(t).Replicate()]).to_local().sum().backward()
        leaf = dtensor(t).distribute_tensor(t.ones(2, requires_grad=True), mesh)
        (leaf * 2).sum().full_tensor().backward()
        return local.grad, leaf.is_leaf, repr(leaf.grad)

    agree(run)


def linear(t):
    made = t.nn.Sequential(t.nn.Linear(2, 3), t.nn.ReLU(), t.nn.Linear(3, 2))
    with t.no_grad():
        for p in made.parameters():
            p.copy_(t.arange(p.numel(), dtype=t.float32).view(p.shape))
    return made


def test_styles_lay_modules_on_a_mesh():
    def run(t):
        tp = t.distributed.tensor.parallel
        mesh = t.distributed.init_device_mesh("cpu", (1,))
        plan = {"0": tp.ColwiseParallel(), "2": tp.RowwiseParallel()}
        model = tp.parallelize_module(linear(t), mesh, plan)
        out = model(t.ones(1, 2))
        out.sum().backward()
        return [
            [(n, repr(p.placements)) for n, p in model.named_parameters()],
            out,
            [p.grad.to_local() for p in model.parameters()],
            list(map(repr, plan.values())),
            [repr(tp.SequenceParallel()), list(model.state_dict())],
        ]

    agree(run)


def test_a_module_is_distributed_once():
    def run(t):
        mesh = t.distributed.init_device_mesh("cpu", (1,))
        model = dtensor(t).distribute_module(linear(t), mesh)
        given = dtensor(t).distribute_tensor(t.ones(1, 2), mesh)
        return [type(p).__name__ for p in model.parameters()], whole(model(given))

    agree(run)


def test_tensors_are_pickled():
    from .both_frameworks import ours

    x = place(ours)
    back = pickle.loads(pickle.dumps(x))
    assert repr(back) == repr(x) and back.placements == x.placements
