"""Training on two processes as its tutorials write it."""

import functools
import os
import socket
import tempfile

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch import nn
from torch.distributed import checkpoint as dcp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import fully_shard
from torch.distributed.optim import ZeroRedundancyOptimizer
from torch.distributed.tensor import DTensor, Replicate, Shard, distribute_tensor
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    RowwiseParallel,
    parallelize_module,
)
from torch.nn import functional as F
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data.distributed import DistributedSampler

os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
RANKS = 2


def _rank(rank, port, programs, folder):
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    torch.set_num_threads(1)
    dist.init_process_group("gloo", rank=rank, world_size=RANKS)
    try:
        found = {program.__name__: program(rank) for program in programs}
        torch.save(found, os.path.join(folder, str(rank)))
    finally:
        dist.destroy_process_group()


def _on_ranks(*programs):
    """What each of *programs* gives on each rank, by its name."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(_rank, args=(port, programs, folder), nprocs=RANKS)
        paths = [os.path.join(folder, str(rank)) for rank in range(RANKS)]
        found = [torch.load(path, weights_only=False) for path in paths]
    return {name: [of_rank[name] for of_rank in found] for name in found[0]}


@functools.cache
def _all():
    """What all programs but the last give: two processes run them one after the other."""
    return _on_ranks(
        _collectives,
        _messages,
        _ddp,
        _ddp_accumulating,
        _zero,
        _fsdp,
        _tensor_parallel,
        _distributed_tensors,
        _checkpoint,
    )


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x):
        return self.down(F.relu(self.up(x)))


def _net():
    torch.manual_seed(0)
    return Net()


def _data():
    generator = torch.Generator().manual_seed(1)
    return TensorDataset(
        torch.randn(32, 8, generator=generator), torch.randn(32, 4, generator=generator)
    )


def _losses(model, optimizer, rank):
    """The losses of two epochs, each the mean over all ranks."""
    sampler = DistributedSampler(_data(), num_replicas=RANKS, rank=rank, seed=3)
    loader = DataLoader(_data(), batch_size=4, sampler=sampler)
    losses = []
    for epoch in range(2):
        sampler.set_epoch(epoch)
        for x, y in loader:
            optimizer.zero_grad()
            loss = F.mse_loss(model(x), y)
            loss.backward()
            optimizer.step()
            mean = loss.detach().clone()
            dist.all_reduce(mean)
            losses.append(mean.item() / RANKS)
    return losses


def _collectives(rank):
    x = torch.arange(4.0) + 10 * rank
    gathered = [torch.empty(4) for _ in range(RANKS)]
    dist.all_gather(gathered, x)
    total, largest = x.clone(), x.clone()
    dist.all_reduce(total)
    dist.all_reduce(largest, op=dist.ReduceOp.MAX)
    part = torch.empty(2)
    dist.reduce_scatter_tensor(part, x)
    swapped = torch.empty(4)
    dist.all_to_all_single(swapped, x)
    objects = [None] * RANKS
    dist.all_gather_object(objects, {"rank": rank, "of": RANKS})
    told = [rank * 7]
    dist.broadcast_object_list(told, src=1)
    dist.barrier()
    return [gathered, total, largest, part, swapped, objects, told]


def step_collectives():
    return _all()["_collectives"]


def _messages(rank):
    other = 1 - rank
    x, got = torch.full((3,), float(rank)), torch.empty(3)
    operations = [dist.P2POp(dist.isend, x, other), dist.P2POp(dist.irecv, got, other)]
    for work in dist.batch_isend_irecv(operations):
        work.wait()
    tagged = torch.zeros(1)
    if rank == 0:
        works = [dist.isend(torch.full((1,), float(tag)), 1, tag=tag) for tag in (5, 6)]
        for work in works:
            work.wait()
    else:
        dist.recv(tagged, 0, tag=6)
        dist.recv(torch.empty(1), 0, tag=5)
    return [got, tagged]


def step_messages():
    return _all()["_messages"]


def _ddp(rank):
    model = DDP(_net())
    losses = _losses(model, torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9), rank)
    return [losses, model.module.up.weight.detach()]


def step_ddp():
    return _all()["_ddp"]


def _ddp_accumulating(rank):
    model = DDP(_net())
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(4):
        x = torch.full((2, 8), float(rank + i))
        if i % 2:
            model(x).sum().backward()
            optimizer.step()
            optimizer.zero_grad()
        else:
            with model.no_sync():
                model(x).sum().backward()
    return model.module.down.bias.detach()


def step_ddp_accumulating():
    return _all()["_ddp_accumulating"]


def _zero(rank):
    model = DDP(_net())
    optimizer = ZeroRedundancyOptimizer(model.parameters(), torch.optim.Adam, lr=0.01)
    losses = _losses(model, optimizer, rank)
    optimizer.consolidate_state_dict(to=0)
    return [losses, sorted(optimizer.state_dict()["state"]) if rank == 0 else []]


def step_zero():
    return _all()["_zero"]


def _fsdp(rank):
    model = _net()
    for layer in (model.up, model.down):
        fully_shard(layer)
    fully_shard(model)
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    losses = _losses(model, optimizer, rank)
    local = {name: tuple(p.to_local().shape) for name, p in model.named_parameters()}
    return [losses, local, model.up.weight.full_tensor().detach()]


def step_fsdp():
    return _all()["_fsdp"]


def _tensor_parallel(rank):
    mesh = init_device_mesh("cpu", (RANKS,))
    model = parallelize_module(_net(), mesh, {"up": ColwiseParallel(), "down": RowwiseParallel()})
    x = torch.arange(16.0).view(2, 8) / 16
    y = model(x)
    y.sum().backward()
    grad = model.up.weight.grad
    return [y.detach(), tuple(grad.to_local().shape), grad.full_tensor()]


def step_tensor_parallel():
    return _all()["_tensor_parallel"]


def _distributed_tensors(rank):
    mesh = init_device_mesh("cpu", (RANKS,))
    x = distribute_tensor(torch.arange(20.0).view(5, 4), mesh, [Shard(0)])
    y = x @ distribute_tensor(torch.eye(4) * 2, mesh, [Replicate()])
    z = (y + x).sum(0)
    whole = y.redistribute(mesh, [Replicate()])
    return [
        x.to_local(),
        [str(p) for t in (x, y, z) for p in t.placements],
        z.full_tensor(),
        whole.to_local(),
        isinstance(whole, DTensor),
    ]


def step_distributed_tensors():
    return _all()["_distributed_tensors"]


def _checkpoint(rank):
    folder = [tempfile.mkdtemp() if rank == 0 else None]
    dist.broadcast_object_list(folder, src=0)
    model = fully_shard(_net())
    dcp.save({"model": model.state_dict()}, checkpoint_id=folder[0])
    again = fully_shard(Net())
    state = {"model": again.state_dict()}
    dcp.load(state, checkpoint_id=folder[0])
    again.load_state_dict(state["model"])
    same = torch.equal(again.up.weight.to_local(), model.up.weight.to_local())
    return [same, sorted(f.rpartition(".")[2] for f in os.listdir(folder[0]))]


def step_checkpoint():
    return _all()["_checkpoint"]


def _fails(rank):
    if rank == 1:
        raise ValueError("of rank 1")
    dist.barrier()


def step_a_rank_that_fails():
    try:
        _on_ranks(_fails)
    except Exception as error:
        return type(error).__name__
    return "none"
