"""Tensors between processes: one that sends and compares, and workers that change what they get."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np

from .steps import Rng
from .world import Difference

#: Seconds after which a worker that does not answer is an error.
PATIENCE = 60


def work(framework: str, strategy: str, inbox: Any, outbox: Any) -> None:
    """What a worker does until it is sent None."""
    t = importlib.import_module(framework)
    mp = importlib.import_module(framework + ".multiprocessing")
    mp.set_sharing_strategy(strategy)
    kept: list[Any] = []  # what was sent back lives until the other side has it
    while True:
        message = inbox.get(timeout=PATIENCE)
        if message is None:
            return
        kind, value = message
        kept.clear()
        outbox.put(_ANSWERS[kind](t, value, kept))
        del message, value


def _add(t: Any, value: Any, kept: list[Any]) -> Any:
    for x in value:
        x.add_(1)
    return len(value)


def _make(t: Any, value: Any, kept: list[Any]) -> Any:
    made = t.full(tuple(value), 3.0).t()
    kept.append(made)
    return made, made[1:]


def _return(t: Any, value: Any, kept: list[Any]) -> Any:
    kept.append(value)
    return value


def _step(t: Any, value: Any, kept: list[Any]) -> Any:
    """A step of training on shared weights."""
    weight, batch = value
    weight.grad = None
    (weight * batch).sum().backward()
    with t.no_grad():
        weight.sub_(weight.grad)
    return weight.grad.sum().item()


_ANSWERS: dict[str, Callable[[Any, Any, list[Any]], Any]] = {
    "add": _add,
    "make": _make,
    "return": _return,
    "step": _step,
}


class Partner:
    """A worker process of *framework* and the way to it and back."""

    pids: ClassVar[set[int]] = set()  # of all that were started

    def __init__(self, t: Any, strategy: str) -> None:
        self.t = t
        self.mp = importlib.import_module(t.__name__ + ".multiprocessing")
        self.mp.set_sharing_strategy(strategy)
        # Not forked: other threads run here, and their locks would go along.
        context = self.mp.get_context("spawn")
        self.there, self.back = context.Queue(), context.Queue()
        self.process = context.Process(
            target=work, args=(t.__name__, strategy, self.there, self.back), daemon=True
        )
        self.process.start()
        self.pids.add(self.process.pid)

    def ask(self, kind: str, value: Any) -> Any:
        self.there.put((kind, value))
        return self.back.get(timeout=PATIENCE)

    def close(self) -> None:
        """End the worker; raises Difference if it did not end well."""
        self.there.put(None)
        self.process.join(PATIENCE)
        code = self.process.exitcode
        for queue in (self.there, self.back):
            queue.close()
            queue.join_thread()
        self.process.close()
        if code != 0:
            raise Difference(f"a worker ended with {code}")


def exchange(partner: Partner, rng: Rng) -> None:
    """One round of each kind; raises Difference where memory is not what it should be."""
    t = partner.t
    shape = (int(rng.integers(1, 6)), int(rng.integers(1, 6)))
    a = rng.integers(-3, 4, shape).astype(np.float32)
    base = t.tensor(a.tolist())
    views = [base, base[1:], base.t()]
    wanted = a + 2
    wanted[1:] += 1
    if partner.ask("add", views) != 3:
        raise Difference("a worker answers something else")
    _same("changed by a worker", base, wanted)
    made, part = partner.ask("make", shape)
    part.add_(1)
    wanted = np.full(shape[::-1], 3.0, np.float32)
    wanted[1:] += 1
    _same("made by a worker", made, wanted)
    del made, part
    for dtype in ("bfloat16", "bool", "int64", "complex64"):
        x = t.tensor([0, 1, 1]).to(getattr(t, dtype))
        y = partner.ask("return", x)
        if y.dtype != x.dtype or y.data_ptr() != x.data_ptr():
            raise Difference(f"a tensor of {dtype} came back as another one")
    weight = t.ones(4).share_memory_().requires_grad_()
    batch = t.tensor(rng.integers(1, 4, 4).astype(float).tolist())
    total = sum(partner.ask("step", (weight, batch)) for _ in range(3))
    _same("shared weights", weight.detach(), 1 - 3 * batch.numpy())
    if total != 3 * batch.sum().item():
        raise Difference("gradients of a worker are others")


def _same(what: str, got: Any, want: Any) -> None:
    if not np.array_equal(got.numpy(), want):
        raise Difference(f"{what}: got\n{got}\nand not\n{want}")
