"""What the processes of a crew train: in torch and in mindtorch, from the same numbers."""

from __future__ import annotations

import contextlib
import importlib
import random
from datetime import timedelta
from typing import Any


def filled(t: Any, module: Any, seed: int = 0) -> Any:
    """*module* with parameters that depend on their order and *seed* alone."""
    r = random.Random(seed)
    with t.no_grad():
        for p in module.parameters():
            values = [r.uniform(-0.5, 0.5) for _ in range(p.numel())]
            p.copy_(t.tensor(values, dtype=p.dtype).view(p.shape))
    return module


def batch(t: Any, step: int, rows: int, width: int = 4) -> tuple[Any, Any]:
    """Inputs and targets of one step, of all processes together."""
    r = random.Random(100 + step)
    x = [[r.uniform(-1, 1) for _ in range(width)] for _ in range(rows)]
    return t.tensor(x), t.tensor([[sum(row)] for row in x])


def share(t: Any, values: Any) -> Any:
    """The rows of this process."""
    d = t.distributed
    return values[d.get_rank() :: d.get_world_size()]


def numbers(t: Any, module: Any) -> list[Any]:
    """Parameters and their gradients."""
    return [
        (name, p.detach().flatten().tolist(), None if p.grad is None else _dense(p.grad))
        for name, p in module.named_parameters()
    ]


def _dense(grad: Any) -> Any:
    return (grad.to_dense() if grad.is_sparse else grad).flatten().tolist()


def model(t: Any, kind: str) -> Any:
    """A small network."""
    nn = t.nn

    class Halves(nn.Module):
        """Each process may use another half of it."""

        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = nn.Linear(4, 1), nn.Linear(4, 1)
            self.never = nn.Linear(4, 1)

        def forward(self, x: Any, which: int) -> Any:
            return self.first(x) if which == 0 else self.second(x) + self.first(x)

    class Words(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = nn.Embedding(6, 4, sparse=True)
            self.out = nn.Linear(4, 1)

        def forward(self, x: Any) -> Any:
            return self.out(self.table((x[:, 0].abs() * 5).long()))

    if kind == "halves":
        return Halves()
    if kind == "words":
        return Words()
    layers = [nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 1)]
    if kind == "normed":
        layers.insert(1, nn.BatchNorm1d(8))
    return nn.Sequential(*layers)


def train(t: Any, kind: str, steps: int, options: dict[str, Any], how: str = "") -> Any:
    """Losses of *steps* of data parallel training, and what parameters there are then."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    # Only those of the first process count.
    ddp = parallel.DistributedDataParallel(filled(t, model(t, kind), seed=rank), **options)
    if how == "fp16":
        hooks = importlib.import_module(
            f"{t.__name__}.distributed.algorithms.ddp_comm_hooks.default_hooks"
        )
        ddp.register_comm_hook(None, hooks.fp16_compress_hook)
    if how == "power":
        hooks = importlib.import_module(
            f"{t.__name__}.distributed.algorithms.ddp_comm_hooks.powerSGD_hook"
        )
        state = hooks.PowerSGDState(None, matrix_approximation_rank=1, start_powerSGD_iter=2)
        ddp.register_comm_hook(state, hooks.powerSGD_hook)
    optimizer = t.optim.SGD(ddp.parameters(), lr=0.1, momentum=0.5)
    losses = []
    for step in range(steps):
        x, y = (share(t, v) for v in batch(t, step, 4 * size))
        waits = how == "accumulate" and step % 2 == 0
        with ddp.no_sync() if waits else contextlib.nullcontext():
            out = ddp(x, (rank + step) % 2) if kind == "halves" else ddp(x)
            loss = t.nn.functional.mse_loss(out, y)
            loss.backward()
        if not waits:
            optimizer.step()
            optimizer.zero_grad()
        losses.append(loss.item())
    ddp(x, rank % 2).sum().backward() if kind == "halves" else ddp(x).sum().backward()
    buffers = [b.flatten().tolist() for b in ddp.buffers()]
    return losses, numbers(t, ddp.module), buffers


def on_device(t: Any, kind: str, device: str, backend: str, options: dict[str, Any]) -> Any:
    """What training on *device* makes in a group of *backend*."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    pg = d.new_group(backend=backend)
    module = filled(t, model(t, kind), seed=rank).to(device)
    ddp = parallel.DistributedDataParallel(module, process_group=pg, **options)
    optimizer = t.optim.SGD(ddp.parameters(), lr=0.1)
    for step in range(3):
        x, y = (share(t, v).to(device) for v in batch(t, step, 4 * size))
        out = ddp(x, (rank + step) % 2) if kind == "halves" else ddp(x)
        t.nn.functional.mse_loss(out, y).backward()
        optimizer.step()
        if step < 2:
            optimizer.zero_grad()
    found: list[Any] = [None] * size
    d.all_gather_object(found, rank, group=pg)
    d.barrier(pg)
    return numbers(t, module), found


def offloaded(t: Any, backend: str, device: str, precision: str) -> Any:
    """Training of split parameters that are kept on the host, and where they and gradients are."""
    fsdp = importlib.import_module(f"{t.__name__}.distributed.fsdp")
    meshes = importlib.import_module(f"{t.__name__}.distributed.device_mesh")
    d = t.distributed
    size = d.get_world_size()
    pg = d.new_group(backend=backend)
    mesh = meshes.DeviceMesh.from_group(pg, device)
    how = {"mesh": mesh, "offload_policy": fsdp.CPUOffloadPolicy(pin_memory=False)}
    if precision:
        dtype = getattr(t, precision)
        how["mp_policy"] = fsdp.MixedPrecisionPolicy(param_dtype=dtype, reduce_dtype=t.float32)
    module = filled(t, model(t, "plain"))
    for layer in module[::2]:
        fsdp.fully_shard(layer, **how)
    fsdp.fully_shard(module, **how)
    optimizer = t.optim.Adam(module.parameters(), lr=0.05)
    losses = []
    for step in range(3):
        x, y = (share(t, v).to(device) for v in batch(t, step, 4 * size))
        loss = t.nn.functional.mse_loss(module(x).float(), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        if step < 2:
            optimizer.zero_grad()
    found = [
        (name, list(p.to_local().shape), p.to_local().flatten().tolist(), _dense(p.grad.to_local()))
        for name, p in module.named_parameters()
    ]
    kept = {(p.device.type, p.grad.device.type) for p in module.parameters()}
    states = {type(v).__name__ for v in module.state_dict().values()}
    return losses, found, sorted(kept), sorted(states), loss.device.type


def exchanged_otherwise(t: Any, near: bool) -> Any:
    """Training of split parameters whose exchanges the program makes, and which there were."""
    fsdp = importlib.import_module(f"{t.__name__}.distributed.fsdp")
    api = importlib.import_module(f"{t.__name__}.distributed.fsdp._fully_shard._fsdp_api")
    d = t.distributed
    seen: list[Any] = []

    class Gather(api.AllGather):
        def allocate(self, size: Any, *, dtype: Any, device: Any) -> Any:
            seen.append(("gathered", tuple(size)))
            return t.zeros(*size, dtype=dtype, device=device)

        def __call__(self, output_tensor, input_tensor, group, async_op=False):  # type: ignore[no-untyped-def]
            d.all_gather_into_tensor(output_tensor, input_tensor, group=group)

    class Scatter(api.ReduceScatter):
        def allocate(self, size: Any, *, dtype: Any, device: Any) -> Any:
            seen.append(("reduced", tuple(size)))
            return t.zeros(*size, dtype=dtype, device=device)

        def __call__(self, output_tensor, input_tensor, group, op, async_op=False):  # type: ignore[no-untyped-def]
            return d.reduce_scatter_tensor(output_tensor, input_tensor, op, group, async_op)

    mesh = d.init_device_mesh("cpu", (d.get_world_size(),))
    module = filled(t, model(t, "plain"))
    for layer in module[::2]:
        fsdp.fully_shard(layer, mesh=mesh, reshard_after_forward=2 if near else True)
        layer.set_custom_all_gather(Gather())
        layer.set_custom_reduce_scatter(Scatter())
    fsdp.fully_shard(module, mesh=mesh)
    module.set_force_sum_reduction_for_comms(True)
    optimizer = t.optim.SGD(module.parameters(), lr=0.1)
    for step in range(2):
        x, y = (share(t, v) for v in batch(t, step, 4 * d.get_world_size()))
        t.nn.functional.mse_loss(module(x), y).backward()
        if step == 0:
            optimizer.step()
            optimizer.zero_grad()
    found = [
        (name, p.to_local().flatten().tolist(), _dense(p.grad.to_local()))
        for name, p in module.named_parameters()
    ]
    return found, seen


def alone(t: Any, steps: int, size: int) -> Any:
    """The same as ``train`` of the plain network in one process, of all rows."""
    module = filled(t, model(t, "plain"))
    optimizer = t.optim.SGD(module.parameters(), lr=0.1, momentum=0.5)
    for step in range(steps):
        x, y = batch(t, step, 4 * size)
        t.nn.functional.mse_loss(module(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
    return numbers(t, module)


def uneven(t: Any, by_all: bool) -> Any:
    """Training in which each process has another number of batches."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    rank = t.distributed.get_rank()
    ddp = parallel.DistributedDataParallel(filled(t, model(t, "normed")))
    optimizer = t.optim.SGD(ddp.parameters(), lr=0.1)
    with ddp.join(divide_by_initial_world_size=by_all):
        for step in range(2 + 2 * rank):
            x, y = batch(t, step + 10 * rank, 4)
            t.nn.functional.mse_loss(ddp(x), y).backward()
            optimizer.step()
            optimizer.zero_grad()
    return numbers(t, ddp.module), [b.flatten().tolist() for b in ddp.buffers()]


def order(t: Any) -> Any:
    """How buckets look to a hook, in the first backward and after it."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    ddp = parallel.DistributedDataParallel(filled(t, model(t, "plain")), bucket_cap_mb=0.0001)
    seen: list[Any] = []

    def hook(state, bucket):  # type: ignore[no-untyped-def]  # torch reads annotations
        shapes = [tuple(p.shape) for p in bucket.parameters()]
        seen.append((bucket.index(), bucket.is_last(), bucket.buffer().numel(), shapes))
        future = t.futures.Future()
        future.set_result(bucket.buffer())
        return future

    ddp.register_comm_hook(None, hook)
    for step in range(3):
        ddp(batch(t, step, 2)[0]).sum().backward()
    return seen


def told(t: Any, options: dict[str, Any]) -> Any:
    """What is told of training: how the module was made, and of its steps, without their times."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    ddp = parallel.DistributedDataParallel(filled(t, model(t, "plain")), **options)
    ddp._set_ddp_runtime_logging_sample_rate(3)
    found = [ddp._get_ddp_logging_data()]
    for step in range(14):
        ddp(batch(t, step, 2)[0]).sum().backward()
        if step in (0, 1, 9, 13):
            found.append(ddp._get_ddp_logging_data())
    times = [
        {k: v for k, v in each.items() if "_time" in k and "_start" not in k} for each in found
    ]
    assert all(v >= 0 for each in times for k, v in each.items())
    return [{k: k if "_time" in k else v for k, v in each.items()} for each in found]


def low_precision(t: Any, reduces_in: str) -> Any:
    """Training of doubles that forward and backward see as floats; as they are if "" is given."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    config = None
    if reduces_in:
        made = importlib.import_module(f"{t.__name__}.nn.parallel.distributed")._MixedPrecision
        config = made(t.float32, getattr(t, reduces_in), t.float32)
    module = filled(t, model(t, "plain").double())
    ddp = parallel.DistributedDataParallel(module, mixed_precision=config)
    optimizer = t.optim.SGD(ddp.parameters(), lr=0.1)
    dtypes = set()
    for step in range(3):
        out = ddp(batch(t, step, 4)[0].double() + t.distributed.get_rank())
        out.square().sum().backward()
        dtypes |= {
            str(each.dtype).partition(".")[2] for p in ddp.parameters() for each in (p, p.grad)
        }
        optimizer.step()
        optimizer.zero_grad(set_to_none=step == 0)
    with t.no_grad():
        shown = ddp(batch(t, 9, 2)[0].double())
    return numbers(t, ddp.module), shown.tolist(), sorted(dtypes)


def without_sync(t: Any) -> Any:
    """Gradients of parameters that only steps without averages have used, each in one process."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    ddp = parallel.DistributedDataParallel(
        filled(t, model(t, "halves")), find_unused_parameters=True
    )
    rank = t.distributed.get_rank()
    with ddp.no_sync():
        ddp(batch(t, 0, 2)[0], rank % 2).sum().backward()
    ddp(batch(t, 1, 2)[0], 0).sum().backward()
    return numbers(t, ddp.module)


def differing(t: Any, how: str) -> Any:
    """Modules that are not the same in all processes, in a group that is not patient."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    rank = t.distributed.get_rank()
    more = [t.nn.Linear(4, 4)] * 0 if rank == 0 else [t.nn.Linear(4, 1)]
    module = t.nn.Sequential(t.nn.Linear(4, 4 + (how == "shape") * rank), *more[: how == "count"])
    group = t.distributed.new_group(timeout=timedelta(seconds=2))
    try:
        parallel.DistributedDataParallel(module, process_group=group)
    except RuntimeError as e:
        return str(e).split("\n")[0]
    return "nothing"


def unfinished(t: Any) -> Any:
    """Parameters that a loss does not use, where nobody asked to look for them."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    ddp = parallel.DistributedDataParallel(filled(t, model(t, "halves")))
    x, _ = batch(t, 0, 2)
    try:
        for _ in range(2):
            ddp(x, 0).sum().backward()
    except RuntimeError as e:
        return str(e)
    return "nothing"


def zero(t: Any) -> Any:
    """An optimizer whose state is split over the processes, saved and loaded."""
    optim = importlib.import_module(f"{t.__name__}.distributed.optim")
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    d = t.distributed
    ddp = parallel.DistributedDataParallel(filled(t, model(t, "plain")))
    optimizer = optim.ZeroRedundancyOptimizer(ddp.parameters(), t.optim.Adam, lr=0.01)

    def step(number: int) -> None:
        x, y = (share(t, v) for v in batch(t, number, 4 * d.get_world_size()))
        t.nn.functional.mse_loss(ddp(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()

    for number in range(3):
        step(number)
    optimizer.consolidate_state_dict(to=1)
    kept = None
    if d.get_rank() == 1:
        state = optimizer.state_dict()
        kept = [(k, v["exp_avg"].flatten().tolist()) for k, v in sorted(state["state"].items())]
        kept.append(state["param_groups"][0]["params"])
    whole = [state if d.get_rank() == 1 else None]
    d.broadcast_object_list(whole, src=1)
    optimizer.load_state_dict(whole[0])
    step(3)
    return numbers(t, ddp.module), kept


def normed_alone(t: Any, steps: int, size: int) -> Any:
    """Training of the network with batch normalisation, of all rows in one process."""
    module = filled(t, model(t, "normed"))
    optimizer = t.optim.SGD(module.parameters(), lr=0.1)
    for step in range(steps):
        x, y = batch(t, step, 4 * size)
        t.nn.functional.mse_loss(module(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
    return numbers(t, module), [b.flatten().tolist() for b in module.buffers()]


def normed(t: Any, steps: int, device: str) -> Any:
    """The same, where each process has its rows and statistics are those of all."""
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    module = t.nn.SyncBatchNorm.convert_sync_batchnorm(filled(t, model(t, "normed")))
    try:
        module(t.ones(2, 4))
        said = "nothing"
    except ValueError as e:
        said = str(e)
    module = filled(t, module).to(device)
    module[1].reset_running_stats()
    ddp = parallel.DistributedDataParallel(module)
    optimizer = t.optim.SGD(ddp.parameters(), lr=0.1)
    for step in range(steps):
        x, y = (share(t, v).to(device) for v in batch(t, step, 4 * t.distributed.get_world_size()))
        t.nn.functional.mse_loss(ddp(x), y).backward()
        optimizer.step()
        optimizer.zero_grad()
    return numbers(t, module), [b.flatten().tolist() for b in module.buffers()], said
