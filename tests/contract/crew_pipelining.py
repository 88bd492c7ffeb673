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


def stages(t: Any, local: int, style: str = "loop", device: str = "cpu", **more: Any) -> Any:
    """The stages of this rank, and what is needed of ``pipelining``."""
    p = importlib.import_module(f"{t.__name__}.distributed.pipelining")
    utils = importlib.import_module(f"{t.__name__}.distributed.pipelining._utils")
    d = t.distributed
    rank, size = d.get_rank(), d.get_world_size()
    modules = parts(t, local * size)
    mine = utils.generate_rank_to_stage_mapping(size, local * size, style)[rank]
    device = t.device(device)
    return p, [
        p.PipelineStage(modules[i].to(device), i, len(modules), device, **more) for i in mine
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


def uncut(t: Any, n: int) -> Any:
    """Losses of the microbatches of the first step, and the gradients of all parameters."""
    model = parts(t, 1)[0]
    losses = []
    x, y = batch(t, 0, 8)
    for mine, its in zip(x.tensor_split(n), y.tensor_split(n), strict=True):
        loss = t.nn.functional.mse_loss(model(mine), its)
        loss.backward()
        losses.append(loss.item())
    # The second output of the last but one is used, that of the others too: all have gradients.
    return losses, [(p.grad / n).flatten().tolist() for p in model.parameters()]
