"""Pipelines that the processes of a crew train: in both frameworks, from the same numbers."""

from __future__ import annotations

import importlib
from typing import Any

from .crew_training import batch, filled

#: Schedules by the number of stages that each rank has.
SINGLE = ("ScheduleGPipe", "Schedule1F1B")
LOOPED = ("ScheduleLoopedBFS", "ScheduleInterleaved1F1B", "ScheduleInterleavedZeroBubble")
V = ("ScheduleZBVZeroBubble", "ScheduleDualPipeV")


def parts(t: Any, count: int) -> list[Any]:
    """A small model, cut into *count* stages; the same for each *count*."""
    nn = t.nn

    class Forked(nn.Module):
        """Two outputs from one input or two, of which the second is not always used."""

        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = nn.Linear(4, 4), nn.Linear(4, 4)

        def forward(self, x: Any, y: Any = None) -> Any:
            x = self.a(x).tanh()
            return x, self.b(x if y is None else x + y)

    class Last(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a = nn.Linear(4, 1)

        def forward(self, x: Any, y: Any) -> Any:
            return self.a(x * y)

    layers = [Forked(), Forked(), Forked(), Last()]
    for i, layer in enumerate(layers):
        filled(t, layer, seed=i)

    class Chain(nn.Module):
        def __init__(self, chosen: list[Any]) -> None:
            super().__init__()
            self.layers = nn.ModuleList(chosen)

        def forward(self, *values: Any) -> Any:
            for layer in self.layers:
                values = layer(*values)
                values = values if isinstance(values, tuple) else (values,)
            return values if len(values) > 1 else values[0]

    each = len(layers) // count
    return [Chain(layers[i * each : (i + 1) * each]) for i in range(count)]


def stages(
    t: Any,
    local: int,
    style: str = "loop",
    device: str = "cpu",
    group: Any = None,
    wrap: Any = None,
) -> Any:
    """``pipelining``, and the stages of this rank."""
    p = importlib.import_module(f"{t.__name__}.distributed.pipelining")
    utils = importlib.import_module(f"{t.__name__}.distributed.pipelining._utils")
    d = t.distributed
    rank, size = d.get_rank(group), d.get_world_size(group)
    modules = parts(t, local * size)
    mine = utils.generate_rank_to_stage_mapping(size, local * size, style)[rank]
    device = t.device(device)
    made = {i: modules[i].to(device) for i in mine}
    made = {i: wrap(module) if wrap else module for i, module in made.items()}
    return p, [
        p.PipelineStage(module, i, len(modules), device, group=group) for i, module in made.items()
    ]


def gradients(t: Any, made: list[Any]) -> Any:
    """Gradients by stage and parameter."""
    return [
        (s.stage_index, n, None if p.grad is None else p.grad.flatten().tolist())
        for s in made
        for n, p in s.submod.named_parameters()
    ]


def train(t: Any, name: str, local: int, n: int, device: str = "cpu", **options: Any) -> Any:
    """Losses, outputs and gradients of two steps and an evaluation."""
    p, made = stages(t, local, "v" if name in V else "loop", device)
    loss_fn = t.nn.functional.mse_loss
    of = made[0] if name in SINGLE else made
    schedule = getattr(p, name)(of, n, loss_fn=loss_fn, **options)
    found = []
    for step in range(2):
        x, y = (v.to(device) for v in batch(t, step, 8))
        losses: list[Any] = []
        first = any(s.is_first for s in made)
        last = any(s.is_last for s in made)
        out = schedule.step(*[x] * first, target=y if last else None, losses=losses)
        found.append((None if out is None else out.tolist(), [v.item() for v in losses]))
        found.append(gradients(t, made))
    if name not in V:  # which send nothing within a rank but in training
        out = schedule.eval(*[x] * first, target=y if last else None, losses=losses)
        found.append((None if out is None else out.tolist(), [v.item() for v in losses]))
    again = schedule.step(*[x] * first, target=y if last else None)
    found.append(None if again is None else again.requires_grad)
    return found


def everything(t: Any) -> Any:
    """What all schedules train, by name."""
    found = [(name, train(t, name, 1, 4)) for name in SINGLE]
    for name in LOOPED:
        found += [
            ((name, late), train(t, name, 2, 4, defer_pp_recv=late)) for late in (False, True)
        ]
    return found + [(name, train(t, name, 2, 4)) for name in V]


def on_device(t: Any, device: str, names: Any) -> Any:
    """The first losses and gradients of schedules on *device*, by name."""
    found = []
    for name in names:
        local = 1 if name in SINGLE else 2
        found.append((name, train(t, name, local, 8, device)[:2]))
    return found


def data_parallel(t: Any, how: str, name: str) -> Any:
    """Losses and gradients of two pipelines whose stages average gradients with each other."""
    d = t.distributed
    fsdp = importlib.import_module(f"{t.__name__}.distributed.fsdp")
    parallel = importlib.import_module(f"{t.__name__}.nn.parallel")
    meshes = importlib.import_module(f"{t.__name__}.distributed.device_mesh")
    mesh = meshes.init_device_mesh("cpu", (2, 2), mesh_dim_names=("pp", "dp"))
    group, others = mesh.get_group("pp"), mesh.get_group("dp")
    local = 1 if name in SINGLE else 2

    def wrapped(module: Any) -> Any:
        if how == "replicated":
            return parallel.DistributedDataParallel(module, process_group=others)
        for layer in module.layers:
            fsdp.fully_shard(layer, mesh=mesh["dp"])
        return fsdp.fully_shard(module, mesh=mesh["dp"])

    # What passes is told: a first run would be a forward of which others know nothing.
    two = (t.ones(2, 4, requires_grad=True),) * 2
    p, made = stages(t, local, "v" if name in V else "loop", group=group, wrap=wrapped)
    for s in made:
        ends = (t.ones(2, 4),) if s.is_first else two, (t.ones(2, 1),) if s.is_last else two
        told = p.PipelineStage(s.submod, s.stage_index, s.num_stages, s.device, *ends, group=group)
        made[made.index(s)] = told
    loss_fn = t.nn.functional.mse_loss
    schedule = getattr(p, name)(made[0] if name in SINGLE else made, 4, loss_fn=loss_fn)
    x, y = batch(t, d.get_rank(others), 8)
    losses: list[Any] = []
    first, last = any(s.is_first for s in made), any(s.is_last for s in made)
    schedule.step(*[x] * first, target=y if last else None, losses=losses)
    whole = [
        (s.stage_index, p.grad.full_tensor() if how == "sharded" else p.grad)
        for s in made
        for p in s.submod.parameters()
    ]
    return [v.item() for v in losses], [(i, g.flatten().tolist()) for i, g in whole]


def layers(t: Any) -> Any:
    """A small model in one piece."""
    nn = t.nn
    return filled(t, nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 4), nn.Linear(4, 1)))


def cut(t: Any, name: str) -> Any:
    """Losses and gradients of a traced model, which is cut into a stage for each process."""
    p = importlib.import_module(f"{t.__name__}.distributed.pipelining")
    spec = {"2": p.SplitPoint.BEGINNING}
    pipe = p.pipeline(layers(t), (t.ones(2, 4),), split_spec=spec)
    made = pipe.build_stage(t.distributed.get_rank(), t.device("cpu"))
    schedule = getattr(p, name)(made, 4, loss_fn=t.nn.functional.mse_loss)
    x, y = batch(t, 0, 8)
    losses: list[Any] = []
    schedule.step(*[x] * made.is_first, target=y if made.is_last else None, losses=losses)
    found = [v.item() for v in losses], [g for _, _, g in gradients(t, [made])]
    schedule.eval(*[x] * made.is_first, target=y if made.is_last else None)
    return found


def uncut(t: Any, n: int, step: int = 0, model: Any = None) -> Any:
    """Losses of the microbatches of a step, and the gradients of all parameters."""
    model = model or parts(t, 1)[0]
    losses = []
    x, y = batch(t, step, 8)
    for mine, its in zip(x.tensor_split(n), y.tensor_split(n), strict=True):
        loss = t.nn.functional.mse_loss(model(mine), its)
        loss.backward()
        losses.append(loss.item())
    return losses, [(p.grad / n).flatten().tolist() for p in model.parameters()]
