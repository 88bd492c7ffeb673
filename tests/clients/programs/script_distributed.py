"""Distributed training as its examples write it, in a group of one process."""

import os
import tempfile
from contextlib import contextmanager

import torch
import torch.distributed as dist
from torch import nn
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")


@contextmanager
def _group(backend="gloo"):
    with tempfile.NamedTemporaryFile() as file:
        dist.init_process_group(backend, init_method=f"file://{file.name}x", rank=0, world_size=1)
        try:
            yield
        finally:
            dist.destroy_process_group()


def _message(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except Exception as error:
        return [type(error).__name__, str(error)]
    return ["none", ""]


class Toy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net1, self.relu, self.net2 = nn.Linear(10, 10), nn.ReLU(), nn.Linear(10, 5)

    def forward(self, x):
        return self.net2(self.relu(self.net1(x)))


def step_before_init():
    return [
        dist.is_available(),
        dist.is_initialized(),
        dist.is_torchelastic_launched(),
        dist.is_gloo_available(),
        _message(dist.get_rank),
        _message(dist.all_reduce, torch.ones(1)),
        _message(DDP, Toy())[0],
    ]


def step_ddp():
    with _group():
        model = DDP(Toy())
        optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
        losses = []
        for _ in range(3):
            optimizer.zero_grad()
            loss = F.mse_loss(model(torch.randn(20, 10)), torch.randn(20, 5))
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        with model.no_sync():
            model(torch.randn(2, 10)).sum().backward()
        return [losses, list(model.state_dict()), type(model.module).__name__, repr(model)]


def step_ddp_checkpoint():
    with _group(), tempfile.TemporaryDirectory() as folder:
        model = DDP(Toy(), find_unused_parameters=True, gradient_as_bucket_view=True)
        path = os.path.join(folder, "model.checkpoint")
        if dist.get_rank() == 0:
            torch.save(model.state_dict(), path)
        dist.barrier()
        model.load_state_dict(torch.load(path, map_location={"cuda:0": "cpu"}, weights_only=True))
        return model(torch.ones(1, 10))


def step_ddp_hooks():
    with _group():
        model = DDP(Toy())

        def halve(state, bucket):
            fut = torch.futures.Future()
            fut.set_result(bucket.buffer() / 2)
            return fut

        model.register_comm_hook(None, halve)
        model(torch.ones(2, 10)).sum().backward()
        return model.module.net2.bias.grad


def step_sampler_and_epochs():
    with _group():
        data = TensorDataset(torch.arange(10.0))
        sampler = DistributedSampler(data, shuffle=True, drop_last=False)
        loader = DataLoader(data, batch_size=4, sampler=sampler)
        found = []
        for epoch in range(2):
            sampler.set_epoch(epoch)
            found.append([batch[0] for batch in loader])
        other = DistributedSampler(data, num_replicas=3, rank=1, shuffle=False)
        return [found, list(other), len(other)]


def step_collectives():
    with _group():
        t = torch.arange(4.0)
        dist.all_reduce(t, op=dist.ReduceOp.SUM)
        gathered = [torch.zeros(4)]
        dist.all_gather(gathered, t)
        out = torch.zeros(4)
        dist.all_gather_into_tensor(out, t)
        scattered = torch.zeros(4)
        dist.scatter(scattered, [t * 2], src=0)
        reduced = torch.zeros(4)
        dist.reduce_scatter(reduced, [t * 3])
        dist.broadcast(t, src=0)
        objects = [None]
        dist.all_gather_object(objects, {"rank": dist.get_rank()})
        said = [3, "text"]
        dist.broadcast_object_list(said, src=0)
        work = dist.all_reduce(t, async_op=True)
        done = work.wait()
        exchanged = torch.zeros(4)
        dist.all_to_all_single(exchanged, t)
        return [
            t,
            gathered,
            out,
            scattered,
            reduced,
            objects,
            said,
            done,
            work.is_completed(),
            exchanged,
            dist.get_world_size(),
            dist.get_backend(),
            dist.get_process_group_ranks(dist.group.WORLD),
        ]


def step_groups():
    with _group():
        group = dist.new_group([0], backend="gloo")
        t = torch.ones(2)
        dist.all_reduce(t, group=group)
        return [
            t,
            group.size(),
            group.rank(),
            dist.get_rank(group),
            dist.get_global_rank(group, 0),
            dist.get_group_rank(group, 0),
        ]


def step_stores():
    from datetime import timedelta

    store = dist.HashStore()
    store.set("a", "1")
    found = [
        store.get("a"),
        store.add("n", 2),
        store.add("n", 3),
        store.num_keys(),
        store.check(["a"]),
    ]
    with tempfile.TemporaryDirectory() as folder:
        file = dist.FileStore(os.path.join(folder, "store"), 1)
        file.set("k", "v")
        found.append(file.get("k"))
        prefixed = dist.PrefixStore("p", file)
        prefixed.set("x", "y")
        found.append(prefixed.get("x"))
    server = dist.TCPStore("localhost", 0, 1, True, timedelta(seconds=10))
    server.set("t", "u")
    found += [server.get("t"), server.compare_set("t", "u", "w"), server.delete_key("t")]
    return [str(f) for f in found]


def step_environment_init():
    os.environ.update(
        MASTER_ADDR="localhost", MASTER_PORT="29512", RANK="0", WORLD_SIZE="1", LOCAL_RANK="0"
    )
    dist.init_process_group("gloo")
    try:
        return [dist.get_rank(), dist.get_world_size(), _message(dist.init_process_group, "gloo")]
    finally:
        dist.destroy_process_group()
        for name in ("MASTER_ADDR", "MASTER_PORT", "RANK", "WORLD_SIZE", "LOCAL_RANK"):
            del os.environ[name]


def step_fully_shard():
    from torch.distributed.fsdp import FSDPModule, fully_shard

    with _group():
        model = nn.Sequential(Toy(), nn.Linear(5, 2))
        for child in model:
            fully_shard(child)
        fully_shard(model)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        losses = []
        for _ in range(3):
            loss = model(torch.randn(4, 10)).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()
            losses.append(loss.item())
        return [
            losses,
            isinstance(model, FSDPModule),
            type(model).__name__,
            {type(p).__name__ for p in model.parameters()},
            [str(p.placements) for p in model.parameters()][:2],
            [p.full_tensor().shape for p in model.parameters()],
        ]


def step_fsdp_wrapper():
    from torch.distributed.fsdp import FullyShardedDataParallel as FSDP
    from torch.distributed.fsdp import ShardingStrategy

    with _group():
        model = FSDP(
            Toy(), sharding_strategy=ShardingStrategy.NO_SHARD, device_id=torch.device("cpu")
        )
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
        loss = model(torch.randn(4, 10)).square().mean()
        loss.backward()
        optimizer.step()
        return [loss, list(model.state_dict())]


def step_tensor_parallel():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor.parallel import (
        ColwiseParallel,
        RowwiseParallel,
        parallelize_module,
    )

    with _group():
        mesh = init_device_mesh("cpu", (1,))
        model = parallelize_module(
            Toy(), mesh, {"net1": ColwiseParallel(), "net2": RowwiseParallel()}
        )
        optimizer = torch.optim.AdamW(model.parameters(), lr=0.25, foreach=True)
        losses = []
        for _ in range(2):
            loss = model(torch.rand(4, 10)).sum()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        return [losses, [str(p.placements) for p in model.parameters()]]


def step_dtensor():
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor, zeros

    with _group():
        mesh = init_device_mesh("cpu", (1,), mesh_dim_names=("dp",))
        t = distribute_tensor(torch.arange(8.0).reshape(4, 2), mesh, [Shard(0)])
        again = t.redistribute(mesh, [Replicate()])
        product = t @ again.t()
        return [
            t.to_local(),
            str(t.placements),
            isinstance(t, DTensor),
            again.full_tensor(),
            product.full_tensor(),
            str(product.placements),
            zeros(2, 2, device_mesh=mesh).to_local(),
            mesh.size(),
            mesh.mesh_dim_names,
            mesh.get_local_rank("dp"),
            str(mesh["dp"].shape),
            (t + 1).sum().full_tensor(),
        ]


def step_checkpoint():
    import torch.distributed.checkpoint as dcp
    from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict

    with tempfile.TemporaryDirectory() as folder:
        model = Toy()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
        model(torch.ones(1, 10)).sum().backward()
        optimizer.step()
        states = dict(zip(("model", "optimizer"), get_state_dict(model, optimizer), strict=True))
        dcp.save(states, checkpoint_id=folder)
        names = sorted(os.listdir(folder))
        other = Toy()
        other_optimizer = torch.optim.Adam(other.parameters(), lr=0.5)
        parts = dict(
            zip(("model", "optimizer"), get_state_dict(other, other_optimizer), strict=True)
        )
        dcp.load(parts, checkpoint_id=folder)
        set_state_dict(
            other,
            other_optimizer,
            model_state_dict=parts["model"],
            optim_state_dict=parts["optimizer"],
        )
        return [
            names,
            all(
                torch.equal(a, b)
                for a, b in zip(model.parameters(), other.parameters(), strict=True)
            ),
            other_optimizer.param_groups[0]["lr"],
            sorted(parts["optimizer"]),
        ]


def step_zero_redundancy():
    from torch.distributed.optim import ZeroRedundancyOptimizer

    with _group():
        model = DDP(Toy())
        optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=0.01)
        loss = model(torch.ones(2, 10)).square().sum()
        loss.backward()
        optimizer.step()
        optimizer.consolidate_state_dict(to=0)
        return [loss, len(optimizer.state_dict()["state"]), model.module.net2.bias]


def step_elastic_names():
    from torch.distributed.elastic.multiprocessing.errors import record
    from torch.distributed.launcher import LaunchConfig

    @record
    def main():
        return "ran"

    config = LaunchConfig(min_nodes=1, max_nodes=1, nproc_per_node=1)
    return [main(), config.nproc_per_node, config.max_restarts, config.rdzv_backend]


def step_functional_collectives():
    import torch.distributed._functional_collectives as funcol
    import torch.distributed.nn.functional as dnn

    with _group():
        x = torch.ones(3, requires_grad=True)
        y = funcol.all_reduce(torch.ones(2), "sum", dist.group.WORLD)
        z = dnn.all_reduce(x * 2)
        z.sum().backward()
        return [funcol.wait_tensor(y), z, x.grad]
