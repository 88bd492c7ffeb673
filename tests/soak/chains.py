"""Random chains of steps with hooks and checkpoints, and what they should give."""

from __future__ import annotations

from typing import Any

import numpy as np

from .steps import MAKERS, OBSERVERS, Rng, Step
from .world import Array, World

#: Numbers stay below this, so that sums and products of them are exact.
_LARGEST = 2.0**20


def chain(rng: Rng, shape: tuple[int, int], start: Array, makers: list[Any]) -> list[Step]:
    """Up to eight steps from *start*."""
    steps: list[Step] = []
    value = start
    for _ in range(rng.integers(2, 9)):
        step = makers[rng.integers(len(makers))](rng, value.shape)
        after = step.value(value)
        if np.abs(after).max() > _LARGEST or after.size > 64:
            continue
        steps.append(step)
        value = after
    return steps


def values(steps: list[Step], start: Array) -> list[Array]:
    """The array before each step, and the last one."""
    found = [start]
    for step in steps:
        found.append(np.asarray(step.value(found[-1])))
    return found


def gradients(steps: list[Step], before: list[Array], gradient: Array) -> list[Array]:
    """The gradient of what comes before each step, and the given one."""
    found = [gradient]
    for step, value in zip(reversed(steps), reversed(before[:-1])):
        found.append(np.asarray(step.back(found[-1], value)))
    return found[::-1]


def run(w: World, steps: list[Step], v: Any) -> Any:
    for step in steps:
        v = step.apply(w, v)
    return v


def a_chain(w: World, rng: Rng) -> None:
    """Forward, backward once or twice, hooks all along, retained gradients, a checkpoint."""
    start = rng.integers(-3, 4, (int(rng.integers(1, 5)), int(rng.integers(1, 5)))).astype(float)
    first = chain(rng, start.shape, start, MAKERS + OBSERVERS)
    middle = values(first, start)[-1]
    inner = chain(rng, middle.shape, middle, MAKERS)
    after = values(inner, middle)[-1]
    last = chain(rng, after.shape, after, MAKERS + OBSERVERS)
    steps = first + inner + last
    before = values(steps, start)
    seed = rng.integers(-2, 3, before[-1].shape).astype(float)
    wanted = gradients(steps, before, seed)
    if max(np.abs(g).max() for g in wanted) > 2.0**45:
        return
    times = int(rng.integers(1, 3))
    reentrant = bool(rng.integers(0, 2))
    with w.running():
        x = w.tensor(start, requires_grad=True)
        called: list[Array] = []
        handle = x.register_post_accumulate_grad_hook(lambda leaf: called.append(1))
        v = run(w, first, x * 1)
        kept = v * 1
        kept.retain_grad()
        checkpoint = w.t.utils.checkpoint.checkpoint
        v = checkpoint(lambda a: run(w, inner, a), kept, use_reentrant=reentrant)
        v = run(w, last, v * 1)
        for turn in range(times):
            v.backward(w.tensor(seed), retain_graph=turn + 1 < times)
        w.same("value", v, before[-1])
        w.same("gradient", x.grad, times * wanted[0])
        w.same("retained gradient", kept.grad, times * wanted[len(first)])
        w.same("calls of a hook", len(called), times)
        handle.remove()
        if not reentrant:
            v = run(w, first, x * 1)
            v = checkpoint(lambda a: run(w, inner, a), v, use_reentrant=False)
            v = run(w, last, v)
            (again,) = w.t.autograd.grad(v, x, w.tensor(seed))
            w.same("gradient asked for", again, wanted[0])
