"""What ``fully_shard`` and its composable kin refuse, keep and count, in a group of one."""

from __future__ import annotations

import contextlib
import copy
import importlib

import pytest

from .both_frameworks import BOTH, agree, outcome, refuse, same
from .one_process_groups import groups_of_one

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def group():
    """A group of one process in both frameworks."""
    with groups_of_one():
        yield


def module(t, name):
    return importlib.import_module(f"{t.__name__}.{name}")


def mesh(t, *shape, **kwargs):
    return module(t, "distributed.device_mesh").init_device_mesh("cpu", shape or (1,), **kwargs)


def split(t, what, **kwargs):
    kwargs.setdefault("mesh", mesh(t))
    return module(t, "distributed.fsdp").fully_shard(what, **kwargs)


def layers(t, count=2, width=4):
    made = t.nn.Sequential(*[t.nn.Linear(width, width) for _ in range(count)])
    with t.no_grad():
        for i, p in enumerate(made.parameters()):
            p.copy_(t.arange(p.numel(), dtype=t.float32).view(p.shape) / 8 - i)
    return made


def with_scalar(t):
    made = layers(t)
    made.register_parameter("scale", t.nn.Parameter(t.tensor(1.0)))
    return made


def strided(t):
    return t.nn.Conv2d(2, 2, 3).to(memory_format=t.channels_last)


def tied(t):
    made = layers(t)
    made[1].weight = made[0].weight
    return made


def on_meta(t):
    with t.device("meta"):
        made = t.nn.Sequential(t.nn.Linear(2, 2), t.nn.Linear(2, 2))
    return split(t, made)


def forward(t, made, width=4):
    return made(t.ones(2, width))


def inner_first(t):
    made = layers(t)
    split(t, made[0])
    split(t, made)
    forward(t, made[0])
    forward(t, made)


def no_single_root(t):
    made = layers(t)
    split(t, [made[0], made[1]])
    forward(t, made[0])


def separately_tied(t):
    made = tied(t)
    for each in (made[0], made[1], made):
        split(t, each)
    forward(t, made)


def replaced(t):
    """A split layer of which a program has put a whole weight back."""
    layer = split(t, t.nn.Linear(2, 2))
    layer.weight = t.nn.Parameter(t.ones(2, 2))
    return layer


def test_an_older_name_of_the_divisor_warns():
    result, heard = same(
        lambda t: split(t, t.nn.Linear(2, 2)).set_reduce_scatter_divide_factor(2.0)
    )
    assert heard[0][1] == "DeprecationWarning", (result, heard)


REFUSED = {
    "a container": lambda t: split(t, t.nn.ModuleList([t.nn.Linear(2, 2)])),
    "three dimensions": lambda t: split(t, layers(t), mesh=mesh(t, 1, 1, 1)),
    "a mesh without names": lambda t: split(t, layers(t), mesh=mesh(t, 1, 1)),
    "twice": lambda t: split(t, split(t, layers(t))),
    "a scalar": lambda t: split(t, with_scalar(t)),
    "strides": lambda t: split(t, strided(t)),
    "a dimension": lambda t: split(
        t, layers(t), shard_placement_fn=lambda p: module(t, "distributed.tensor").Shard(1)
    ),
    "a placement": lambda t: split(t, layers(t), shard_placement_fn=lambda p: 0),
    "a number of processes": lambda t: split(t, layers(t), reshard_after_forward=2),
    "no number of processes": lambda t: split(t, layers(t), reshard_after_forward="all"),
    "a copy": lambda t: copy.deepcopy(split(t, layers(t))),
    "meta": lambda t: forward(t, on_meta(t), 2),
    "a whole parameter in its place": lambda t: forward(t, replaced(t), 2),
    "an inner module first": inner_first,
    "several roots": no_single_root,
    "parameters of two groups": separately_tied,
    "no bool": lambda t: split(t, layers(t)).set_reshard_after_forward(1),
    "prefetching of plain modules": lambda t: split(t, layers(t)).set_modules_to_forward_prefetch(
        [t.nn.Linear(1, 1)]
    ),
    "no buffers": lambda t: split(t, layers(t)).set_reduce_scatter_max_input_buffers(0),
    "half a buffer": lambda t: split(t, layers(t)).set_reduce_scatter_max_input_buffers(0.5),
    "true buffers": lambda t: split(t, layers(t)).set_reduce_scatter_max_input_buffers(True),
    "no such method": lambda t: module(t, "distributed.fsdp").register_fsdp_forward_method(
        split(t, layers(t)), "encode"
    ),
    "no dimensions": lambda t: module(t, "distributed.fsdp").DataParallelMeshDims(),
    "replicas of a split module": lambda t: module(t, "distributed._composable").replicate(
        split(t, layers(t))
    ),
    "a device of replicas": lambda t: module(t, "distributed._composable").replicate(
        layers(t), device_id="cpu"
    ),
    "a reentrant checkpoint": lambda t: module(t, "distributed._composable").checkpoint(
        layers(t), use_reentrant=True
    ),
    "an unknown argument": lambda t: module(t, "distributed._composable").checkpoint(
        layers(t), more=1
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_split_is_refused(case):
    refuse(REFUSED[case])


@pytest.mark.parametrize("how", [{}, {"reshard_after_forward": False}])
def test_the_states_of_a_root_know_their_names(how):
    def run(t):
        made = layers(t, 3)
        split(t, made[0], **how)
        split(t, [made[1]], **how)
        split(t, made, **how)
        state = module(t, "distributed.fsdp").fully_shard.state(made)
        state._lazy_init()
        groups = [s._fsdp_param_group for s in state._state_ctx.all_states]
        names = [[p._param_fqn for p in g.fsdp_params] for g in groups]
        return (
            [s._is_root for s in state._state_ctx.all_states],
            names,
            [g._module_fqn for g in groups],
        )

    agree(run)


def test_gradients_that_are_not_reduced_add_up_in_the_dtype_of_the_reduction():
    def run(t):
        policy = module(t, "distributed.fsdp").MixedPrecisionPolicy(t.bfloat16, t.float32)
        made = layers(t)
        split(t, made, mp_policy=policy, reshard_after_forward=False)
        found = []
        for last in (False, False, True):
            made.set_requires_gradient_sync(last)
            made.set_is_last_backward(last)
            forward(t, made).sum().backward()
            group = module(t, "distributed.fsdp").fully_shard.state(made)._fsdp_param_group
            kept = [p.unsharded_accumulated_grad for p in group.fsdp_params]
            found.append([None if g is None else str(g.dtype) for g in kept])
        grads = [p.grad.to_local() for p in made.parameters()]
        return found, grads

    agree(run)


def test_a_checkpointed_module_runs_again_in_backward():
    def run(t):
        made, runs = layers(t), []
        made.register_forward_hook(lambda *args: runs.append(t.is_grad_enabled()))
        same = module(t, "distributed._composable").checkpoint(made) is made
        forward(t, made).square().sum().backward()
        return same, len(runs), [p.grad for p in made.parameters()], list(made.state_dict())

    agree(run)


def test_a_replicated_module_is_of_a_class_of_its_own():
    def run(t):
        made = module(t, "distributed._composable").replicate(layers(t))
        made.set_requires_gradient_sync(False)
        forward(t, made).sum().backward()
        return type(made).__name__, type(made[:1]).__name__, [p.grad for p in made.parameters()]

    agree(run)


@pytest.mark.parametrize("changes", ["names", "order", "nothing"])
def test_a_contract_holds_the_names_of_a_module(changes):
    def run(t):
        contract = module(t, "distributed._composable.contract").contract

        @contract()
        def mark(made):
            mark.state(made).seen = True
            if changes == "names":
                made.more = t.nn.Linear(1, 1)
            if changes == "order":
                made._modules = dict(reversed(made._modules.items()))
            return made

        made = layers(t)
        mark(made)
        return mark.state(made).seen

    (agree if changes == "nothing" else refuse)(run)


def test_exchanges_are_counted():
    def run(t):
        mode = module(t, "distributed.tensor.debug").CommDebugMode()
        with mode:
            t.distributed.all_reduce(t.ones(2))
            t.distributed.broadcast(t.ones(2), 0)
            t.ones(2) + 1
        return mode.get_total_counts(), sorted(str(k) for k in mode.get_comm_counts())

    agree(run)


def test_a_module_of_one_process_exchanges_nothing():
    def run(t):
        made = split(t, layers(t))
        mode = module(t, "distributed.tensor.debug").CommDebugMode()
        with mode:
            forward(t, made).sum().backward()
        return mode.get_total_counts(), [p.grad.to_local() for p in made.parameters()]

    got, want = (outcome(run, t)[0] for t in BOTH)  # torch's mode warns of views that it makes
    assert got == want
    assert want[0] == "value"


def wrapping(t, **kwargs):
    kwargs.setdefault("device_id", t.device("cpu"))
    return module(t, "distributed.fsdp").FullyShardedDataParallel(layers(t), **kwargs)


def summoned(t, times, **kwargs):
    wrapper = module(t, "distributed.fsdp").FullyShardedDataParallel
    made = wrapping(t)
    with contextlib.ExitStack() as stack:
        for _ in range(times):
            stack.enter_context(wrapper.summon_full_params(made, **kwargs))


WRONGLY_WRAPPED = {
    "both kinds of ignored": lambda t: wrapping(t, ignored_modules=[], ignored_states=[]),
    "mixed states": lambda t: wrapping(
        t, ignored_states=[t.nn.Linear(1, 1), t.nn.Parameter(t.ones(1))]
    ),
    "parameters for modules": lambda t: wrapping(t, ignored_modules=[t.nn.Parameter(t.ones(1))]),
    "wrappers": lambda t: wrapping(t, ignored_modules=[wrapping(t)]),
    "written back by one": lambda t: summoned(t, 1, rank0_only=True),
    "summoned twice": lambda t: summoned(t, 2),
}


@pytest.mark.parametrize("case", WRONGLY_WRAPPED)
def test_wrappers_refuse_what_torchs_do(case):
    refuse(WRONGLY_WRAPPED[case])
