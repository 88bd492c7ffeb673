"""``torch.distributed`` in a group of one: the same as torch's with gloo."""

from __future__ import annotations

import importlib
import inspect
import os
import pickle
import subprocess
import sys
import warnings
from datetime import timedelta

import pytest

from tests.workspace import run_python

from .both_frameworks import agree, ours, refuse, same, torch
from .one_process_groups import begin, end, groups_of_one, x
from .rows import report

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def group():
    """A group of one process in both frameworks."""
    with groups_of_one():
        yield


@pytest.fixture
def bare(monkeypatch):
    """No variable of the environment that a group is made by."""
    for name in ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "LOCAL_RANK"):
        monkeypatch.delenv(name, raising=False)
    yield monkeypatch
    end()


def written(name, *args, **kwargs):
    """Calls of collective *name* on ``x``: what it gives and what it wrote."""

    def run(t):
        d, mine = t.distributed, x(t)
        given = [a(t, mine) if callable(a) else a for a in args]
        named = {k: v(t, mine) if callable(v) else v for k, v in kwargs.items()}
        return (
            getattr(d, name)(*given, **named),
            mine,
            [plain_op(g) for g in given if g is not mine],
        )

    return run


def me(t, mine):
    return mine


def blank(t, mine):
    return t.zeros(4)


def blanks(t, mine):
    return [t.zeros(4)]


def mine_listed(t, mine):
    return [mine]


def op(name):
    return lambda t, mine: getattr(t.distributed.ReduceOp, name)


def plain_op(value):
    return value.name if hasattr(value, "__members__") or hasattr(value, "name") else value


WORKING = {
    "all_reduce": written("all_reduce", me),
    "all_reduce avg": written("all_reduce", me, op("AVG")),
    "all_reduce max": written("all_reduce", me, op("MAX")),
    "broadcast": written("broadcast", me, 0),
    "broadcast group_src": written("broadcast", me, group_src=0),
    "reduce": written("reduce", me, 0),
    "all_gather": written("all_gather", blanks, me),
    "all_gather_single": written("all_gather_single", blank, me),
    "all_gather_into_tensor": written("all_gather_into_tensor", blank, me),
    "gather": written("gather", me, blanks, 0),
    "scatter": written("scatter", blank, mine_listed, 0),
    "reduce_scatter": written("reduce_scatter", blank, mine_listed),
    "reduce_scatter_single": written("reduce_scatter_single", blank, me),
    "reduce_scatter_tensor": written("reduce_scatter_tensor", blank, me),
    "all_to_all": written("all_to_all", blanks, mine_listed),
    "all_to_all_single": written("all_to_all_single", blank, me),
    "all_to_all_single split": written("all_to_all_single", blank, me, [4], [4]),
    "barrier": written("barrier"),
    "monitored_barrier": written("monitored_barrier"),
    "all_reduce_coalesced": written("all_reduce_coalesced", mine_listed),
    "all_gather_coalesced": written(
        "all_gather_coalesced", lambda t, m: [[t.zeros(4)]], mine_listed
    ),
    "all_gather_object": written("all_gather_object", lambda t, m: [None], {"a": [1, "b"]}),
    "gather_object": written("gather_object", 3, lambda t, m: [None], 0),
    "broadcast_object_list": written("broadcast_object_list", lambda t, m: [1, "x"], 0),
    "scatter_object_list": written("scatter_object_list", lambda t, m: [None], lambda t, m: [5], 0),
    "all_reduce complex": written("all_reduce", lambda t, m: t.ones(2, dtype=t.complex64)),
    "all_reduce bool": written("all_reduce", lambda t, m: t.ones(2, dtype=t.bool)),
}
REFUSED = {
    "all_reduce list": written("all_reduce", mine_listed),
    "all_reduce band": written("all_reduce", me, op("BAND")),
    "all_reduce complex max": written(
        "all_reduce", lambda t, m: t.ones(2, dtype=t.complex64), op("MAX")
    ),
    "all_reduce group": written("all_reduce", me, group=3),
    "broadcast no source": written("broadcast", me),
    "broadcast source": written("broadcast", me, 1),
    "broadcast both sources": written("broadcast", me, 0, group_src=0),
    "broadcast int": written("broadcast", 3, 0),
    "reduce root": written("reduce", me, 1),
    "all_gather none": written("all_gather", lambda t, m: [], me),
    "all_gather tensor": written("all_gather", blank, me),
    "all_gather size": written("all_gather", lambda t, m: [t.zeros(3)], me),
    "all_gather dtype": written("all_gather", lambda t, m: [t.zeros(4, dtype=t.int32)], me),
    "all_gather_single size": written("all_gather_single", lambda t, m: t.zeros(5), me),
    "all_gather_single dtype": written(
        "all_gather_single", lambda t, m: t.zeros(4, dtype=t.int64), me
    ),
    "gather no list": written("gather", me),
    "gather other root": written("gather", me, blanks, 1),
    "gather too many": written("gather", me, lambda t, m: [t.zeros(4)] * 2),
    "scatter no list": written("scatter", blank),
    "scatter too many": written("scatter", blank, lambda t, m: [m, m]),
    "scatter size": written("scatter", lambda t, m: t.zeros(3), mine_listed),
    "reduce_scatter too many": written("reduce_scatter", blank, lambda t, m: [m, m]),
    "all_to_all too many": written("all_to_all", blanks, lambda t, m: [m, m]),
    "all_to_all_single sizes": written("all_to_all_single", blank, me, [3], [4]),
    "all_to_all_single parts": written("all_to_all_single", blank, me, [2, 2], [4]),
    "send self": written("send", me, 0),
    "send text": written("isend", "a", 0),
    "isend nobody": written("isend", me),
    "send_object_list self": written("send_object_list", lambda t, m: [1], 0),
    "batch of none": written("batch_isend_irecv", lambda t, m: []),
    "batch of numbers": written("batch_isend_irecv", lambda t, m: [3]),
    "P2POp of broadcast": lambda t: t.distributed.P2POp(t.distributed.broadcast, x(t), 1),
    "all_gather_object none": written("all_gather_object", lambda t, m: [], 1),
    "gather_object none": written("gather_object", 3),
    "scatter_object_list none": written(
        "scatter_object_list", lambda t, m: [], lambda t, m: [5], 0
    ),
    "twice": lambda t: t.distributed.init_process_group(
        "gloo", store=t.distributed.HashStore(), rank=0, world_size=1
    ),
    "destroy a number": lambda t: t.distributed.destroy_process_group(3),
    "rank of a number": lambda t: t.distributed.get_rank(3),
    "backend of a stranger": lambda t: t.distributed.get_backend(
        t.distributed.GroupMember.NON_GROUP_MEMBER
    ),
    "group too large": lambda t: t.distributed.new_group([0, 1]),
    "group twice": lambda t: t.distributed.new_group([0, 0]),
    "group of others": lambda t: t.distributed.new_group([1]),
    "subgroups of two": lambda t: t.distributed.new_subgroups(2),
    "subgroups of none": lambda t: t.distributed.new_subgroups(0),
    "subgroups unsaid": lambda t: t.distributed.new_subgroups(),
    "subgroups listed twice": lambda t: t.distributed.new_subgroups_by_enumeration([[0], [0]]),
    "split": lambda t: t.distributed.split_group(None, [[0]]),
    "shrink": lambda t: t.distributed.shrink_group([0]),
    "local rank": lambda t: t.distributed.get_node_local_rank(),
}


@pytest.mark.parametrize("case", WORKING)
def test_collectives_write_what_torchs_write(group, case):
    agree(WORKING[case])


@pytest.mark.parametrize("case", REFUSED)
def test_arguments_are_refused_as_torch_refuses_them(group, bare, case):
    refuse(REFUSED[case])


@pytest.mark.parametrize(
    "case", ["get_rank", "get_world_size", "get_backend", "barrier", "destroy_process_group"]
)
def test_without_a_group_torch_says_so(bare, case):
    refuse(lambda t: getattr(t.distributed, case)())


def facts(t):
    d, g = t.distributed, t.distributed.group.WORLD
    return [
        d.is_available(),
        d.is_initialized(),
        d.get_rank(),
        d.get_world_size(),
        str(d.get_backend()),
        d.get_backend_config(),
        d.get_process_group_ranks(None),
        d.get_global_rank(g, 0),
        d.get_group_rank(g, 0),
        d.get_node_local_rank(0),
        g.rank(),
        g.size(),
        g.name(),
        g.group_desc,
        [str(k) for k in g._device_types],
        d.get_rank(d.GroupMember.NON_GROUP_MEMBER),
        d.new_group(group_desc="hey").group_desc,
        d.get_world_size(d.new_subgroups(1)[0]),
        str(d.get_default_backend_for_device("cpu")),
        [d.is_backend_available(b) for b in ("gloo", "nccl", "mpi", "foo", "GLOO")],
        [d.is_mpi_available(), d.is_nccl_available(), d.is_gloo_available()],
        d.supports_complex(d.ReduceOp.MAX),
    ]


def test_a_group_tells_of_itself_as_torchs(group, bare):
    agree(facts)


def test_a_work_is_waited_for_and_has_a_future(group):
    def run(t):
        mine = x(t)
        work = t.distributed.all_reduce(mine, async_op=True)
        return [work.wait(), work.is_completed(), work.get_future().wait(), type(work).__name__]

    agree(run)


def test_coalesced_calls_end_with_their_manager(group):
    def run(t):
        d, out = t.distributed, t.zeros(4)
        with d._coalescing_manager(async_ops=True) as manager:
            d.all_reduce(x(t))
        manager.wait()
        return out

    agree(run)


MISSING = ["", "RANK", "RANK WORLD_SIZE", "RANK WORLD_SIZE MASTER_ADDR"]


@pytest.mark.parametrize("there", MISSING)
def test_the_variable_that_lacks_is_named(bare, there):
    for name in there.split():
        bare.setenv(name, "localhost" if name == "MASTER_ADDR" else "0")
    refuse(lambda t: t.distributed.init_process_group("gloo"))


INITS = {
    "no handler": {"init_method": "foo://x", "rank": 0, "world_size": 1},
    "no rank": {"init_method": "tcp://127.0.0.1:0", "world_size": 1},
    "no path": {"init_method": "file://", "rank": 0, "world_size": 1},
    "no file rank": {"init_method": "file:///nowhere/x", "world_size": 1},
}


@pytest.mark.parametrize("case", INITS)
def test_what_an_address_lacks_is_named(bare, case):
    refuse(lambda t: t.distributed.init_process_group("gloo", **INITS[case]))


def test_a_store_needs_a_world_and_a_time(bare):
    def start(**given):
        return lambda t: t.distributed.init_process_group(
            "gloo", store=t.distributed.HashStore(), **given
        )

    refuse(start(rank=0))
    refuse(start(rank=0, world_size=1, timeout=3))
    refuse(start(rank=0, world_size=1, init_method="env://"))


@pytest.mark.parametrize("method", ["env://", "tcp://127.0.0.1:{port}", "file://{file}"])
def test_groups_begin_by_any_address(bare, tmp_path, method):
    def run(t):
        d = t.distributed
        probe = d.TCPStore("127.0.0.1", 0, 1, True, timedelta(seconds=5))
        port = probe.port
        del probe
        for k, v in {
            "RANK": 0,
            "WORLD_SIZE": 1,
            "MASTER_ADDR": "localhost",
            "MASTER_PORT": port,
        }.items():
            bare.setenv(k, str(v))
        url = method.format(port=port, file=tmp_path / t.__name__)
        own = {} if url == "env://" else {"rank": 0, "world_size": 1}
        d.init_process_group("gloo", init_method=url, **own)
        mine = x(t)
        d.all_reduce(mine)
        d.destroy_process_group()
        return mine, d.is_initialized()

    agree(run)


@pytest.mark.parametrize("name", ["mpi", "ucc", "fake", "cpu:gloo,cuda:mpi"])
def test_one_process_may_name_any_backend_of_the_host(bare, name):
    """torch needs MPI for MPI; in a group of one no transport is needed."""
    d = begin(ours, name)
    mine = x(ours)
    d.all_reduce(mine)
    objects = [None]
    d.all_gather_object(objects, {"a": 1})
    assert d.get_backend() == name and mine.tolist() == [0, 1, 2, 3] and objects == [{"a": 1}]


def test_backends_of_users_take_the_calls(bare):
    def run(t):
        d = t.distributed

        class Mine(d.ProcessGroup):
            def getBackendName(self):
                return "mine"

            def allreduce(self, tensors, opts=None):
                tensors[0].fill_(7)
                return d.Work()

        class Done(d.Work):
            def wait(self, timeout=None):
                return True

        Mine.allreduce = lambda self, tensors, opts=None: (tensors[0].fill_(7), Done())[1]
        d.Backend.register_backend("mine", lambda s, r, n, timeout: Mine(r, n), devices=["cpu"])
        begin(t, "mine")
        mine = x(t)
        d.all_reduce(mine)
        found = [mine, d.get_backend(), d.get_backend_config(), type(d.group.WORLD).__name__]
        d.destroy_process_group()
        return [found[0], *map(str, found[1:])]

    agree(run)


BACKENDS = [
    "gloo",
    "nccl",
    "fake",
    "cpu:gloo,cuda:nccl",
    "cpu:gloo",
    "cpu:gloo,cpu:gloo",
    "cpu:gloo:x",
]


@pytest.mark.parametrize("name", [*BACKENDS, "GLOO", None, 3])
def test_backend_names_and_their_devices(name):
    def run(t):
        d = t.distributed
        config = d.BackendConfig(d.Backend(name))
        return [str(d.Backend(name)), repr(config), config.get_device_backend_map()]

    same(run)


def test_reductions_are_bound_enumerations():
    def run(t):
        R = t.distributed.ReduceOp
        premul = t._C._distributed_c10d._make_nccl_premul_sum(2.0)
        return [
            [
                (n, repr(m), str(m), int(m), m.name, hash(m) == hash(getattr(R, n)))
                for n, m in R.RedOpType.__members__.items()
            ],
            [
                R.SUM == R.AVG,
                R(R.MAX) == R.MAX,
                R.MAX == R(R.MAX),
                isinstance(R.SUM, R),
                isinstance(3, R),
            ],
            repr(R(R.MAX).op),
            repr(R.RedOpType(42)),
            premul.factor,
            premul == R.PREMUL_SUM,
            repr(pickle.loads(pickle.dumps(R.SUM))),
        ]

    agree(run)
    refuse(lambda t: t.distributed.ReduceOp("x"))
    refuse(lambda t: t.distributed.ReduceOp(t.distributed.ReduceOp.MAX).factor)


def test_debug_levels(monkeypatch):
    def run(t):
        d = t.distributed
        found = [repr(d.get_debug_level())]
        for said in ("INFO", "DETAIL", "OFF"):
            monkeypatch.setenv("TORCH_DISTRIBUTED_DEBUG", said)
            d.set_debug_level_from_env()
            found.append(repr(d.get_debug_level()))
        d.set_debug_level(d.DebugLevel.OFF)
        return found

    agree(run)
    monkeypatch.setenv("TORCH_DISTRIBUTED_DEBUG", "xx")
    refuse(lambda t: t.distributed.set_debug_level_from_env())


# Programs and names


def test_torchrun_runs_a_program_in_one_process(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import os, sys, mindtorch as torch\n"
        "torch.distributed.init_process_group('gloo')\n"
        "print(torch.distributed.get_world_size(), os.environ['LOCAL_RANK'], sys.argv[1:])\n"
        "torch.distributed.destroy_process_group()\n"
    )
    run = [sys.executable, "-m", "mindtorch.distributed.run", "--standalone"]
    env = {**os.environ, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [*run, "--nproc-per-node", "1", str(program), "--x", "2"],
        capture_output=True,
        text=True,
        env=env,
    )
    assert done.stdout == "1 0 ['--x', '2']\n", done.stderr


NAMESPACES = """
 algorithms algorithms.ddp_comm_hooks algorithms.ddp_comm_hooks.default_hooks
algorithms.ddp_comm_hooks.powerSGD_hook algorithms.ddp_comm_hooks.post_localSGD_hook
algorithms.ddp_comm_hooks.quantization_hooks algorithms.join algorithms.model_averaging.averagers
autograd checkpoint.api checkpoint.default_planner checkpoint.filesystem checkpoint.format_utils
checkpoint.metadata checkpoint.optimizer checkpoint.planner checkpoint.state_dict
checkpoint.state_dict_loader checkpoint.stateful checkpoint.storage collective_utils config
constants device_mesh distributed_c10d fsdp fsdp.api fsdp.fully_sharded_data_parallel fsdp.wrap
fsdp.sharded_grad_scaler optim.zero_redundancy_optimizer rendezvous tensor
tensor.parallel tensor.placement_types
""".split()


def test_names_and_parameters_are_those_of_torch():
    lines = []
    for path in NAMESPACES:
        theirs = importlib.import_module(f"torch.distributed.{path}")
        mine = importlib.import_module(f"mindtorch.distributed.{path}")
        for name in getattr(theirs, "__all__", ()):
            if not hasattr(mine, name):
                lines.append(f"{path}.{name} is missing")
                continue
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                want, have = getattr(theirs, name), getattr(mine, name)
            if not inspect.isfunction(want):
                continue
            expected, got = (list(inspect.signature(f).parameters) for f in (want, have))
            if sorted(expected) != sorted(got):
                lines.append(f"{path}.{name}{expected}: {got}")
    report(lines)


def test_the_package_shows_what_torchs_shows():
    skip = {"torch", "typing", "sys", "log", "logging", "traceback", "logging_handlers", "RankType"}
    # In a process of its own: an import of a submodule, which any test may do, adds it for good.
    program = (
        "import mindtorch, torch\n"
        "theirs = [n for n in dir(torch.distributed) if n[0] != '_']\n"
        "print(len(theirs), *[n for n in theirs if not hasattr(mindtorch.distributed, n)])"
    )
    done = run_python("-c", program)
    assert done.returncode == 0, done.stderr
    shown, *missing = done.stdout.split()
    assert int(shown) > 100
    report(f"{n} is missing" for n in missing if n not in skip)


def test_a_module_is_where_torch_has_it():
    lines = []
    for name in torch.distributed.distributed_c10d.__all__:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            want = getattr(getattr(torch.distributed.distributed_c10d, name), "__module__", None)
            have = getattr(getattr(ours.distributed.distributed_c10d, name), "__module__", None)
        if want and want.startswith("torch") and have != f"mind{want}":
            lines.append(f"{name}: {have}, not {want}")
    report(lines)
