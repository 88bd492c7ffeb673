"""Tensors on the NPU come and go as the allocator's model says, whoever gives them back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import mindtorch as torch
import pytest
from mindtorch.backends import held
from mindtorch_npu import backend
from mindtorch_npu.allocator import CachingAllocator
from mindtorch_npu.memory import flat_stats
from mindtorch_npu.simulator import Simulator

from packages.npu.tests.allocator_model import MIB, Model

DEVICE = torch.device("npu", 0)


@pytest.fixture
def allocator(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """A fresh allocator for the tensors of device 0."""
    torch.npu.init()
    fresh = CachingAllocator(Simulator(1, 1024 * MIB), 0)
    monkeypatch.setattr(backend, "_allocators", [fresh, *backend.allocators()[1:]])
    monkeypatch.setattr(held, "_holders", {})
    yield fresh


def a_program(rng: random.Random) -> list[tuple[str, int]]:
    """Statements over eight tensors, each with the slot of its result."""
    names = ("add", "relu", "same", "empty", "view", "storage", "del", "del", "del")
    return [(rng.choice(names), rng.randrange(8)) for _ in range(rng.randrange(1, 12))]


def test_tensors_come_and_go_as_the_model_says(allocator: Any) -> None:
    """Loops of ops whose results replace others; looks, histories and streams in between."""
    rng = random.Random(7)
    model = Model(1024 * MIB)
    x = torch.empty(9, device=DEVICE)  # a size of its own: known calls keep their allocator
    model.malloc(36, 0)
    slots: dict[int, Any] = {}
    pieces: dict[int, Any] = {}
    programs = [a_program(rng) for _ in range(6)]

    def put(slot: int, tensor: Any, nbytes: int) -> None:
        piece = model.malloc(nbytes, 0)
        if slot in slots:
            model.free(pieces[slot])
        slots[slot], pieces[slot] = tensor, piece

    recorded = False
    for turn in range(600):
        for name, slot in rng.choice(programs):
            if name == "add":
                put(slot, x + x, 36)
            elif name == "relu":
                put(slot, x.relu(), 36)
            elif name == "same":
                for _ in range(slot + 1):  # from the fifth on the alias is used again
                    x + x
                    model.free(model.malloc(36, 0))
            elif name == "empty":
                n = (40, 3000, 300_000, 4_000_000)[slot % 4]
                put(slot, torch.empty(n, dtype=torch.uint8, device=DEVICE), n)
            elif slot in slots and name == "del":
                del slots[slot]
                model.free(pieces.pop(slot))
            elif slot in slots and name == "view":
                slots[slot] = slots[slot][1:]
            elif slot in slots:
                assert slots[slot].untyped_storage().data_ptr() == pieces[slot].address
        if turn % 7 == 0:
            assert flat_stats(allocator.stats()) == model.flat(), turn
        if turn % 50 == 0:
            found = allocator.trace()
            if recorded:
                said = [
                    (e["action"], e.get("addr", e.get("device_free")), e["size"], e["stream"])
                    for e in found
                ]
                assert said == model.trace
            model.trace.clear()
            recorded = turn % 100 == 0
            allocator.record_history("all" if recorded else None, None, 100_000, clear=True)
    slots.clear()
    del x
    assert allocator.stats()["allocation"]["all"]["current"] == 0


#: Loops in which tensors are dropped, kept, take turns, or are made of each other.
LOOPS = [
    "x + y",
    "r = x + y",
    "(x * y + x).relu()",
    "r = (x * y + x).relu()",
    "r = x * y; q = r + x",
    "a = x * y; b = a + x; c = a * b; r = c + b",
    "l = [x + y for _ in range(4)]",
    "r = w + x; q = w.exp()",
    "r = x.clone(); q = r.sum() * x",
    "r = torch.nn.functional.layer_norm(w, (8,))",
]


@pytest.mark.parametrize("loop", LOOPS)
def test_what_a_loop_does_again_asks_no_books(loop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly any of its requests is more than one look at what came next the last time.

    Also where it gets the same memory in turns only. And the rest are steps between known states.
    """
    names: dict[str, Any] = {"torch": torch}
    names |= {name: torch.ones(8, device=DEVICE) for name in "xy"}
    names["w"] = torch.ones(8, 8, device=DEVICE)
    exec(f"def turns(n):\n    r = q = None\n    for _ in range(n):\n        {loop}\n", names)
    backend.allocator(DEVICE.index).refresh()  # it may have no room left for what this does
    names["turns"](500)
    asked: list[int] = []
    looked: list[int] = []
    slowly, leap = CachingAllocator.take_slowly, CachingAllocator._leap

    def noting(self: CachingAllocator, nbytes: int, stream: int) -> Any:
        asked.append(nbytes)
        return slowly(self, nbytes, stream)

    def looking(self: CachingAllocator, before: Any, key: int, nbytes: int, arena: int) -> Any:
        looked.append(nbytes)
        return leap(self, before, key, nbytes, arena)

    monkeypatch.setattr(CachingAllocator, "take_slowly", noting)
    monkeypatch.setattr(CachingAllocator, "_leap", looking)
    before = torch.npu.memory_stats(DEVICE)["allocation.all.allocated"]
    names["turns"](500)
    requests = torch.npu.memory_stats(DEVICE)["allocation.all.allocated"] - before
    assert requests >= 500
    assert len(asked) < requests / 20, (loop, len(asked))
    assert len(looked) < requests / 10, (loop, len(looked))
