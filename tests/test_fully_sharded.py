"""Modules whose parameters are split over ranks learn as one process does of the whole batch."""

from __future__ import annotations

import copy
import math

import mindtorch as torch
import mindtorch.distributed as dist
import pytest
from mindtorch import nn
from mindtorch.distributed.fsdp import FSDPModule, MixedPrecisionPolicy, fully_shard
from mindtorch.distributed.tensor import DTensor, Replicate, Shard
from mindtorch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)

from .threads_as_ranks import on_ranks


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down, self.scale = nn.Linear(6, 10), nn.Linear(10, 6), nn.LayerNorm(6)

    def forward(self, x):
        return x + self.down(torch.relu(self.up(self.scale(x))))


class Model(nn.Module):
    """Five layers' worth of parameters, some of which do not split evenly; one is not used."""

    def __init__(self):
        super().__init__()
        self.enter = nn.Linear(5, 6)
        self.layers = nn.ModuleList([Layer(), Layer(), Layer()])
        self.leave = nn.Linear(6, 3)
        self.unused = nn.Parameter(torch.ones(3))

    def forward(self, x):
        x = self.enter(x)
        for layer in self.layers:
            x = layer(x)
        return self.leave(x)


def data(step):
    return torch.linspace(-1, 1 + step, 40).reshape(8, 5).sin()


def whole(x):
    return x.full_tensor() if isinstance(x, DTensor) else x


def learn(model, batch, steps=2, clip=None):
    """The parameters after some steps of Adam, and the norms of gradients."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
    norms = []
    for step in range(steps):
        optimizer.zero_grad()
        model(batch(data(step))).square().mean().backward()
        if clip is not None:
            norms.append(whole(nn.utils.clip_grad_norm_(model.parameters(), clip)).detach())
        optimizer.step()
    return {n: whole(p.detach()) for n, p in model.named_parameters()}, norms


@pytest.fixture(scope="module")
def untouched():
    torch.manual_seed(0)
    return Model()


def split_model(untouched, mesh, **kwargs):
    model = copy.deepcopy(untouched)
    for layer in model.layers:
        fully_shard(layer, mesh=mesh, **kwargs)
    return fully_shard(model, mesh=mesh, **kwargs)


def check(got, want, **bounds):
    assert got.keys() == want.keys()
    for name, p in want.items():
        torch.testing.assert_close(got[name], p, msg=name, **bounds)


@pytest.mark.parametrize("size,reshards", [(4, None), (4, 2), (2, False), (2, True)])
def test_parameters_learn_as_those_of_one_process(untouched, size, reshards):
    want, norms = learn(copy.deepcopy(untouched), lambda x: x, clip=0.1)

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (size,))
        model = split_model(untouched, mesh, reshard_after_forward=reshards)
        parts = [tuple(p.to_local().shape) for p in model.enter.parameters()]
        got = learn(model, lambda x: x.chunk(size)[rank], clip=0.1)
        return got, parts, [type(p).__name__ for p in model.parameters()]

    answers = on_ranks(size, run)
    for (got, got_norms), _, kinds in answers:
        check(got, want)
        torch.testing.assert_close(got_norms, norms)
        assert set(kinds) == {"DTensor"}
    rows = [parts[0][0] for _, parts, _ in answers]
    assert rows == [len(c) for c in torch.arange(6).chunk(size)] + [0] * (
        size - len(torch.arange(6).chunk(size))
    )


@pytest.mark.parametrize("near", [2, 4])
def test_neighbours_may_keep_what_backward_needs(untouched, near):
    """Parameters of a mesh of two dimensions, of a forward that is run twice, and of one alone."""
    want, _ = learn(copy.deepcopy(untouched), lambda x: x)
    plain = copy.deepcopy(untouched)
    (plain(data(0)).square().mean() + plain(data(1)).square().mean()).backward()
    grads = {n: p.grad for n, p in plain.named_parameters() if p.grad is not None}

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2, 4), mesh_dim_names=("same", "parts"))
        model = split_model(untouched, mesh, reshard_after_forward=near)
        twice = split_model(untouched, mesh, reshard_after_forward=near)
        mine = [data(step).chunk(8)[rank] for step in range(2)]
        sum(twice(x).square().mean() for x in mine).backward()
        found = {n: whole(p.grad) for n, p in twice.named_parameters() if p.grad is not None}
        with torch.no_grad():
            model(mine[1])
        for module in model.modules():  # else its parameters are those among neighbours
            if isinstance(module, FSDPModule):
                module.reshard()
        kept = [p.shape for p in model.layers[0].parameters()]
        return learn(model, lambda x: x.chunk(8)[rank])[0], found, kept

    for got, found, kept in on_ranks(8, run):
        check(got, want)
        check(found, grads)
        assert kept == [p.shape for p in untouched.layers[0].parameters()]


def test_the_mesh_may_have_processes_with_the_same_parts(untouched):
    want, _ = learn(copy.deepcopy(untouched), lambda x: x)

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2, 2), mesh_dim_names=("same", "parts"))
        model = split_model(untouched, mesh)
        assert model.enter.weight.placements == (Replicate(), Shard(0))
        return learn(model, lambda x: x.chunk(4)[rank])[0]

    for got in on_ranks(4, run):
        check(got, want)


def test_parameters_may_be_split_by_tensor_too():
    torch.manual_seed(1)
    plain = Layer()
    untouched = copy.deepcopy(plain)
    x = torch.linspace(-2, 2, 48).reshape(8, 6)

    def steps(model, mine):
        optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
        for _ in range(2):
            optimizer.zero_grad()
            model(mine).square().mean().backward()
            optimizer.step()
        return {n: whole(p.detach()) for n, p in model.named_parameters()}

    want = steps(plain, x)

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2, 2), mesh_dim_names=("dp", "tp"))
        model = copy.deepcopy(untouched)
        plan = {"up": ColwiseParallel(), "down": RowwiseParallel()}
        parallelize_module(model, mesh["tp"], plan)
        fully_shard(model, mesh=mesh["dp"])
        placed = str(model.up.weight.placements)
        return steps(model, x.chunk(2)[mesh.get_local_rank("dp")]), placed

    for got, placed in on_ranks(4, run):
        assert placed == "(_StridedShard(dim=0, sf=2), Shard(dim=0))"
        check(got, want)


def test_gradients_may_be_gathered_before_they_are_reduced(untouched):
    def grads(model, batches, between=None):
        for k, batch in enumerate(batches):
            if between is not None:
                between(model, k == len(batches) - 1)
            (model(batch).square().mean() / len(batches)).backward()
        return {n: whole(p.grad) for n, p in model.named_parameters() if p.grad is not None}

    want = grads(copy.deepcopy(untouched), [data(0), data(1)])

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        model = split_model(untouched, mesh)
        mine = [data(step).chunk(2)[rank] for step in range(2)]
        return grads(model, mine, lambda m, last: m.set_requires_gradient_sync(last))

    for got in on_ranks(2, run):
        check(got, want)

    def with_replicas(rank):
        mesh = dist.init_device_mesh("cpu", (2, 2), mesh_dim_names=("same", "parts"))
        model = split_model(untouched, mesh)
        mine = [data(step).chunk(4)[rank] for step in range(2)]
        return grads(model, mine, lambda m, last: m.set_requires_all_reduce(last))

    for got in on_ranks(4, with_replicas):
        check(got, want)


def test_parameters_may_be_used_and_reduced_in_other_dtypes(untouched):
    want, _ = learn(copy.deepcopy(untouched), lambda x: x)
    inner = MixedPrecisionPolicy(torch.bfloat16, torch.float32)
    outer = MixedPrecisionPolicy(torch.bfloat16, torch.float32, output_dtype=torch.float32)

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        model = copy.deepcopy(untouched)
        for layer in model.layers:
            fully_shard(layer, mesh=mesh, mp_policy=inner)
        fully_shard(model, mesh=mesh, mp_policy=outer)
        seen = []
        model.enter.register_forward_hook(
            lambda m, args, out: seen.append((m.weight.dtype, out.dtype))
        )
        got, _ = learn(model, lambda x: x.chunk(2)[rank])
        return got, seen, {p.dtype for p in model.parameters()}

    for got, seen, dtypes in on_ranks(2, run):
        assert seen == [(torch.bfloat16, torch.bfloat16)] * 2
        assert dtypes == {torch.float32}
        check(got, want, rtol=0.2, atol=0.12)


def test_states_are_split_and_load_again(untouched):
    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        model = split_model(untouched, mesh)
        model(data(0))  # the root's parameters stay whole
        state = model.state_dict()
        kinds = {type(v).__name__ for v in state.values()}
        full = {k: whole(v) for k, v in state.items()}
        other = split_model(Model(), mesh)
        other.load_state_dict(state)
        same = all(
            torch.equal(a.to_local(), b.to_local())
            for a, b in zip(model.parameters(), other.parameters(), strict=True)
        )
        return kinds, full, same

    for kinds, full, same in on_ranks(2, run):
        assert kinds == {"DTensor"} and same
        check(full, untouched.state_dict())


def test_parameters_are_whole_on_demand(untouched):
    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        model = split_model(untouched, mesh)
        model.set_modules_to_forward_prefetch([model.layers[0]])
        model.layers[2].set_modules_to_backward_prefetch([model.layers[1], model.layers[0]])
        model.unshard(async_op=True).wait()
        whole_shape = tuple(model.enter.weight.shape), type(model.enter.weight).__name__
        model.reshard()
        model(data(0).chunk(2)[rank]).square().mean().backward()
        return whole_shape, {
            n: whole(p.grad) for n, p in model.named_parameters() if p.grad is not None
        }

    plain = copy.deepcopy(untouched)
    plain(data(0)).square().mean().backward()
    want = {n: p.grad for n, p in plain.named_parameters() if p.grad is not None}
    for shape, got in on_ranks(2, run):
        assert shape == ((6, 5), "Parameter")
        check(got, want)
    assert math.isfinite(want["enter.weight"].sum().item())


def test_parameters_may_be_split_over_fewer_processes_between_forward_and_backward(untouched):
    want, _ = learn(copy.deepcopy(untouched), lambda x: x)

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (4,))
        model = split_model(untouched, mesh, reshard_after_forward=2)
        model(data(0))
        parts = model.leave.weight.placements, model.leave.weight.device_mesh.size(1)
        full = whole(model.leave.weight.detach())
        for module in model.modules():
            if isinstance(module, FSDPModule):
                module.reshard()
        return parts, full, learn(model, lambda x: x.chunk(4)[rank])[0]

    for parts, full, got in on_ranks(4, run):
        assert parts == ((Replicate(), Shard(0)), 2)
        assert torch.equal(full, untouched.leave.weight)
        check(got, want)


class Headed(nn.Module):
    """A model whose head may run by itself, on parts of what comes before it."""

    def __init__(self):
        super().__init__()
        self.body, self.scale, self.head = nn.Linear(5, 6), nn.LayerNorm(6), nn.Linear(6, 3)

    def forward(self, x, head=True):
        x = self.scale(self.body(x))
        return self.head(x) if head else x


def test_modules_of_one_group_may_run_by_themselves():
    torch.manual_seed(2)
    plain = Headed()

    def grads(model):
        for _ in range(2):
            middle = model(data(0), head=False)
            parts = [part.detach().requires_grad_() for part in middle.chunk(2)]
            for part in parts:
                model.head(part).square().mean().backward()
            middle.backward(torch.cat([part.grad for part in parts]))
        return {n: whole(p.grad) for n, p in model.named_parameters()}

    want = grads(copy.deepcopy(plain))

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        model = copy.deepcopy(plain)
        fully_shard(model.body, mesh=mesh)
        fully_shard([model.scale, model.head], mesh=mesh)
        return grads(fully_shard(model, mesh=mesh))

    for got in on_ranks(2, run):
        check(got, want)


def test_a_group_exchanges_once_in_each_direction(untouched):
    from mindtorch.distributed.tensor.debug import CommDebugMode

    gather, reduce = torch.ops.c10d._allgather_base_, torch.ops.c10d._reduce_scatter_base_

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        model = split_model(untouched, mesh)
        with CommDebugMode() as forth:
            loss = model(data(0)).sum()
        first = dict(forth.get_comm_counts())
        with CommDebugMode() as back:
            loss.backward()
        return first, dict(back.get_comm_counts())

    for forth, back in on_ranks(2, run):
        assert forth == {gather: 4}
        assert back == {gather: 3, reduce: 4}  # those of the root are whole still


def test_an_iteration_that_failed_is_forgotten(untouched):
    want, _ = learn(copy.deepcopy(untouched), lambda x: x)

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        model = split_model(untouched, mesh)

        def fail(module, args):
            raise ValueError("no")

        hook = model.layers[1].register_forward_pre_hook(fail)
        with pytest.raises(ValueError, match="no"):
            model(data(0))
        hook.remove()
        model.reset_iter_state()
        return learn(model, lambda x: x.chunk(2)[rank])[0]

    for got in on_ranks(2, run):
        check(got, want)


def test_a_gradient_that_is_not_finite_anywhere_skips_the_step_everywhere(untouched):
    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2,))
        model = split_model(untouched, mesh)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        scaler = torch.amp.GradScaler("cpu", init_scale=4.0)
        scaler.scale(model(data(0)).sum()).backward()
        if rank == 1:
            model.enter.weight.grad.to_local()[0].fill_(math.inf)
        scaler.step(optimizer)
        scaler.update()
        return scaler.get_scale(), whole(model.enter.weight.detach())

    for scale, weight in on_ranks(2, run):
        assert scale == 2.0
        assert torch.equal(weight, untouched.enter.weight)


def wrapped(untouched, **kwargs):
    from mindtorch.distributed.fsdp import FullyShardedDataParallel as Fsdp

    model = copy.deepcopy(untouched)
    for i, layer in enumerate(model.layers):
        model.layers[i] = Fsdp(layer, **kwargs)
    return Fsdp(model, **kwargs)


def bare(named):
    return {n.replace("_fsdp_wrapped_module.", ""): p for n, p in named.items()}


@pytest.mark.parametrize("strategy", ["FULL_SHARD", "SHARD_GRAD_OP", "NO_SHARD", "HYBRID_SHARD"])
def test_wrapped_modules_learn_as_those_of_one_process(untouched, strategy):
    from mindtorch.distributed.fsdp import ShardingStrategy

    want, norms = learn(copy.deepcopy(untouched), lambda x: x, clip=0.1)
    size = 4 if strategy == "HYBRID_SHARD" else 2

    def run(rank):
        mesh = dist.init_device_mesh("cpu", (2, 2)) if size == 4 else None
        kind = ShardingStrategy[strategy]
        model = wrapped(untouched, sharding_strategy=kind, device_mesh=mesh)
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.05)
        found = []
        for step in range(2):
            optimizer.zero_grad()
            model(data(step).chunk(size)[rank]).square().mean().backward()
            found.append(model.clip_grad_norm_(0.1))
            optimizer.step()
        state = model.state_dict()
        with type(model).summon_full_params(model):
            summoned = {n: p.detach().clone() for n, p in model.named_parameters()}
        return state, summoned, found

    for state, summoned, found in on_ranks(size, run):
        check(state, want)
        check(summoned, want)
        torch.testing.assert_close(found, norms)


def test_wrapped_modules_load_whole_states_and_gather_gradients(untouched):
    from mindtorch.distributed.fsdp import FullyShardedDataParallel as Fsdp

    plain = copy.deepcopy(untouched)
    for step in range(2):
        (plain(data(step)).square().mean() / 2).backward()
    want = {n: p.grad for n, p in plain.named_parameters() if p.grad is not None}

    def run(rank):
        model = wrapped(Model(), sync_module_states=True)
        model.load_state_dict(untouched.state_dict())
        with model.no_sync():
            (model(data(0).chunk(2)[rank]).square().mean() / 2).backward()
        (model(data(1).chunk(2)[rank]).square().mean() / 2).backward()
        named = model.named_parameters()
        grads = bare({n: whole(p.grad) for n, p in named if p.grad is not None})
        optimizer = torch.optim.Adam(model.parameters())
        optimizer.step()
        state = Fsdp.optim_state_dict(model, optimizer)
        given = Fsdp.full_optim_state_dict(model, optimizer) if rank == 0 else None
        if rank:
            Fsdp.full_optim_state_dict(model, optimizer)  # all take part in it
        again = Fsdp.scatter_full_optim_state_dict(given, model, optim=optimizer)
        optimizer.load_state_dict(again)
        kinds = {type(v["exp_avg"]).__name__ for v in optimizer.state.values()}
        return grads, {n: v["exp_avg"] for n, v in state["state"].items()}, kinds

    for grads, moments, kinds in on_ranks(2, run):
        check(grads, want)
        check(moments, {n: g * 0.1 for n, g in want.items()})
        assert kinds == {"DTensor"}
