"""Modules that are trained by a group of one: parallel ones, and those that are sharded."""

from __future__ import annotations

import importlib

import pytest

from .both_frameworks import BOTH, agree, ours, outcome, refuse
from .one_process_groups import groups_of_one, x

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def group():
    """A group of one process in both frameworks."""
    with groups_of_one():
        yield


def net(t):
    """A small net; its numbers are such that all sums are exact."""
    made = t.nn.Sequential(t.nn.Linear(2, 3), t.nn.ReLU(), t.nn.Linear(3, 1))
    with t.no_grad():
        for i, p in enumerate(made.parameters()):
            p.copy_(t.arange(p.numel(), dtype=t.float32).view(p.shape) + i)
    return made


def result(fn):
    """Both frameworks return the same; what torch warns of by the way is not compared."""
    got, want = (outcome(fn, t)[0] for t in BOTH)
    assert got == want
    assert want[0] == "value", want
    return want[1]


def data(t):
    return t.arange(8.0).view(4, 2)


def doubling(t, seen):
    def hook(state, bucket):
        seen.append(
            (
                state,
                bucket.index(),
                bucket.is_last(),
                len(bucket.parameters()),
                len(bucket.gradients()),
            )
        )
        future = t.futures.Future()
        future.set_result(bucket.buffer() * 2)
        return future

    return hook


def test_a_hook_makes_the_gradients_of_a_parallel_module(group):
    def run(t):
        model, seen = t.nn.parallel.DistributedDataParallel(net(t)), []
        model.register_comm_hook("state", doubling(t, seen))
        model(data(t)).sum().backward()
        return [p.grad for p in model.parameters()], seen, list(model.state_dict())

    agree(run)


def test_a_parallel_module_syncs_but_where_it_is_told_not_to(group):
    def run(t):
        model, seen = t.nn.parallel.DistributedDataParallel(net(t)), []
        model.register_comm_hook(None, doubling(t, seen))
        with model.no_sync():
            model(data(t)).sum().backward()
        count = len(seen)
        model(data(t)).sum().backward()
        with model.join():
            model(data(t)).sum().backward()
        return count, len(seen), [p.grad for p in model.parameters()]

    agree(run)


class HalfUsed:
    """A module one half of which is not used."""

    @staticmethod
    def of(t):
        class Half(t.nn.Module):
            def __init__(self):
                super().__init__()
                self.a, self.b = t.nn.Linear(2, 2), t.nn.Linear(2, 2)

            def forward(self, x):
                return self.a(x)

        return Half()


def test_unused_parameters_are_told_of(group):
    def run(t, find=False):
        model = t.nn.parallel.DistributedDataParallel(HalfUsed.of(t), find_unused_parameters=find)
        for _ in range(2):
            model(data(t)).sum().backward()
        return [p.grad is None for p in model.parameters()]

    assert refuse(run)[0] == "RuntimeError"
    agree(lambda t: run(t, True))


def compressed_to_bfloat16(t):
    hooks = importlib.import_module(
        f"{t.__name__}.distributed.algorithms.ddp_comm_hooks.default_hooks"
    )
    model = t.nn.parallel.DistributedDataParallel(net(t))
    model.register_comm_hook(None, hooks.bf16_compress_hook)


DDP_REFUSED = {
    "bfloat16 without NCCL": compressed_to_bfloat16,
    "no gradients": lambda t: t.nn.parallel.DistributedDataParallel(t.nn.ReLU()),
    "devices of a module on the host": lambda t: t.nn.parallel.DistributedDataParallel(
        net(t), device_ids=[0]
    ),
    "two devices": lambda t: t.nn.parallel.DistributedDataParallel(net(t), device_ids=[0, 1]),
    "hook is no function": lambda t: t.nn.parallel.DistributedDataParallel(
        net(t)
    ).register_comm_hook(None, 3),
}


@pytest.mark.parametrize("case", DDP_REFUSED)
def test_a_parallel_module_refuses_as_torchs(group, case):
    refuse(DDP_REFUSED[case])


@pytest.mark.parametrize(
    "name", ["default_hooks.allreduce_hook", "default_hooks.fp16_compress_hook"]
)
def test_hooks_of_the_package(group, name):
    def run(t):
        home = importlib.import_module(f"{t.__name__}.distributed.algorithms.ddp_comm_hooks")
        module, _, hook = name.partition(".")
        found = getattr(importlib.import_module(f"{home.__name__}.{module}"), hook)
        model = t.nn.parallel.DistributedDataParallel(net(t))
        model.register_comm_hook(None, found)
        model(data(t)).sum().backward()
        return [p.grad for p in model.parameters()]

    agree(run)


def test_power_sgd_keeps_gradients_of_full_rank(group):
    """A matrix of rank 1 is its approximation of rank 1."""
    hooks = importlib.import_module("mindtorch.distributed.algorithms.ddp_comm_hooks.powerSGD_hook")
    state = hooks.PowerSGDState(None, 1, start_powerSGD_iter=2, min_compression_rate=1)
    ours.manual_seed(0)
    model = ours.nn.parallel.DistributedDataParallel(ours.nn.Linear(16, 16, bias=False))
    model.register_comm_hook(state, hooks.powerSGD_hook)
    for _ in range(3):
        model.zero_grad()
        model(ours.arange(16.0).view(1, 16)).sum().backward()
    want = ours.arange(16.0).expand(16, 16)
    assert ours.allclose(model.module.weight.grad, want, atol=1e-4)
    assert state.compression_stats()[1:] == (256, 32)


def test_a_users_group_is_told_how(group):
    """Groups in Python are called with options, and their works end as their futures do."""

    def run(t):
        d, seen = t.distributed, set()

        class Told(d.Work):
            def __init__(self, tensors):
                super().__init__()
                self.future = t.futures.Future()
                self.future.set_result(tensors)

            def wait(self, timeout=None):
                return True

            def get_future(self):
                seen.add("future")
                return self.future

        class Telling(d.ProcessGroup):
            def allreduce(self, tensors, opts=None):
                seen.add((type(opts).__name__, opts.reduceOp == d.ReduceOp.SUM))
                return Told(tensors)

            def broadcast(self, tensors, opts=None):
                seen.add((type(opts).__name__, opts.rootRank))
                return Told(tensors)

            def allgather(self, outputs, tensors, opts=None):
                seen.add(type(opts).__name__)
                for output in outputs[0]:
                    output.copy_(tensors[0])
                return Told(outputs)

        model = t.nn.parallel.DistributedDataParallel(net(t), process_group=Telling(0, 2))
        model(data(t)).sum().backward()
        return sorted(map(str, seen)), [p.grad for p in model.parameters()]

    result(run)


def test_a_hook_gives_a_future(group):
    """torch's text, without what its binding says in front; torch's process may not live on."""
    model = ours.nn.parallel.DistributedDataParallel(net(ours))
    model.register_comm_hook(None, lambda state, bucket: 1)
    with pytest.raises(
        TypeError, match=r"must return a torch.futures.Future object, but got .*int"
    ):
        model(data(ours)).sum().backward()


@pytest.mark.parametrize("name", ["ALLREDUCE", "FP16_COMPRESS", "POWER_SGD", "BATCHED_POWER_SGD"])
def test_hooks_of_the_package_are_given_a_group(group, name):
    def run(t):
        hooks = importlib.import_module(f"{t.__name__}.distributed.algorithms.ddp_comm_hooks")
        model = t.nn.parallel.DistributedDataParallel(net(t))
        world = t.distributed.group.WORLD
        hooks.register_ddp_comm_hook(hooks.DDPCommHookType[name], model, world)
        model(data(t)).sum().backward()
        return [p.grad for p in model.parameters()]

    result(run)


WRONG_PARAMETERS = {
    "none": lambda t: [],
    "a tensor": lambda t: t.ones(1),
    "a number": lambda t: 1.2,
    "a number among tensors": lambda t: [t.ones(1), 42],
    "sparse": lambda t: [t.sparse_coo_tensor(size=(2, 3))],
    "two types": lambda t: [t.ones(1), t.ones(1, dtype=t.float64)],
    "one sparse": lambda t: [t.ones(1), t.sparse_coo_tensor(size=(2, 3))],
    "a group without parameters": lambda t: [{"lr": 0.1}],
}


@pytest.mark.parametrize("given", WRONG_PARAMETERS)
def test_zero_redundancy_takes_parameters_of_one_dense_type(group, given):
    def run(t):
        zero = importlib.import_module(f"{t.__name__}.distributed.optim").ZeroRedundancyOptimizer
        try:
            zero(WRONG_PARAMETERS[given](t), optimizer_class=t.optim.SGD, lr=0.1)
        except (TypeError, ValueError) as e:
            return type(e).__name__, str(e)

    result(run)


def test_objects_are_sent_with_their_tensors(group):
    def run(t):
        module = f"{t.__name__}.distributed.optim.zero_redundancy_optimizer"
        send = importlib.import_module(module)._broadcast_object
        return send({"a": t.ones(2), "b": [1, None]}, src_rank=0, group=t.distributed.group.WORLD)

    agree(run)


def test_zero_redundancy_steps_as_the_optimizer_inside(group):
    def run(t):
        model = net(t)
        zero = importlib.import_module(f"{t.__name__}.distributed.optim").ZeroRedundancyOptimizer
        optim = zero(model.parameters(), optimizer_class=t.optim.Adam, lr=0.1)
        for _ in range(2):
            optim.zero_grad()
            model(data(t)).sum().backward()
            optim.step()
        optim.consolidate_state_dict()
        return [p.detach().round(decimals=4) for p in model.parameters()], sorted(
            optim.state_dict()
        )

    result(run)


def test_gradients_flow_through_collectives(group):
    def run(t):
        F = importlib.import_module(f"{t.__name__}.distributed.nn.functional")
        found, w = [], t.distributed.group.WORLD
        for call in (
            lambda v: F.all_reduce(v, group=w),
            lambda v: F.all_gather(v, w)[0],
            lambda v: F.broadcast(v, 0, w),
            lambda v: F.gather(v, 0, w)[0],
            lambda v: F.scatter([v], 0, w),
            lambda v: F.reduce(v, 0, group=w),
            lambda v: F.reduce_scatter(t.empty(4), [v], group=w),
            lambda v: F.all_to_all([t.empty(4)], [v], w)[0],
            lambda v: F.all_to_all_single(t.empty(4), v, group=w),
        ):
            v = x(t).requires_grad_()
            (call(v) * x(t)).sum().backward()
            found.append(v.grad)
        return found

    result(run)


def test_the_host_of_a_launcher_is_the_host():
    """Launchers write ``cpu:<local rank>``; a tensor there is on ``cpu``."""

    def run(t):
        there = x(t).to("cpu:0")
        return [str(there.device), str(t.tensor([1.0], device="cpu:0").device), there + x(t)]

    agree(run)


# FSDP


def test_fsdp_shows_and_saves_original_parameters(group):
    def run(t):
        f = importlib.import_module(f"{t.__name__}.distributed.fsdp")
        policy = f.wrap.ModuleWrapPolicy({t.nn.Linear})
        model = f.FullyShardedDataParallel(
            net(t), auto_wrap_policy=policy, use_orig_params=True, device_id=t.device("cpu")
        )
        optim = t.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        model(data(t)).sum().backward()
        norm = model.clip_grad_norm_(0.5)
        optim.step()
        state = f.FullyShardedDataParallel.optim_state_dict(model, optim)
        with f.FullyShardedDataParallel.summon_full_params(model):
            names = [n for n, _ in model.named_parameters()]
        kind = f.FullyShardedDataParallel.get_state_dict_type(model).state_dict_type.name
        return [
            [n for n, _ in model.named_parameters()],
            list(model.state_dict()),
            names,
            norm.round(decimals=3),
            {k: v.round(decimals=4) for k, v in model.state_dict().items()},
            sorted(state["state"]),
            state["param_groups"][0]["params"],
            model.sharding_strategy.name,
            repr(model),
            kind,
            model.load_state_dict(model.state_dict()).missing_keys,
            isinstance(model, importlib.import_module(f"{f.__name__}._common_utils")._FSDPState),
        ]

    result(run)


def test_fully_shard_makes_parameters_distributed_tensors(group):
    def run(t):
        f = importlib.import_module(f"{t.__name__}.distributed.fsdp")
        model = t.nn.Sequential(t.nn.Linear(2, 3), t.nn.ReLU(), t.nn.Linear(3, 1))
        with t.no_grad():
            for p in model.parameters():
                p.fill_(0.5)
        f.fully_shard(model[0])
        f.fully_shard(model)
        optim = t.optim.AdamW(model.parameters(), lr=0.1)
        out = model(data(t))
        out.sum().backward()
        grads = [p.grad.to_local() for p in model.parameters()]
        optim.step()
        return [
            type(model).__name__,
            [type(p).__name__ for p in model.parameters()],
            [str(p.placements) for p in model.parameters()],
            out,
            grads,
            [p.full_tensor().detach().round(decimals=4) for p in model.parameters()],
            isinstance(model, f.FSDPModule),
            list(model.state_dict()),
        ]

    result(run)


@pytest.mark.parametrize("size", [1, 5, 100])
def test_wrap_policies_wrap_what_torchs_wrap(group, size):
    def run(t):
        f = importlib.import_module(f"{t.__name__}.distributed.fsdp")
        from functools import partial

        def wrapped(policy):
            made = f.FullyShardedDataParallel(
                t.nn.Sequential(net(t), net(t)),
                auto_wrap_policy=policy,
                use_orig_params=True,
                device_id=t.device("cpu"),
            )
            return repr(made)

        return [
            wrapped(partial(f.wrap.size_based_auto_wrap_policy, min_num_params=size)),
            wrapped(
                partial(f.wrap.transformer_auto_wrap_policy, transformer_layer_cls={t.nn.Linear})
            ),
            wrapped(f.wrap.CustomPolicy(lambda m: isinstance(m, t.nn.Sequential))),
            wrapped(
                partial(
                    f.wrap.lambda_auto_wrap_policy, lambda_fn=lambda m: isinstance(m, t.nn.ReLU)
                )
            ),
        ]

    result(run)
