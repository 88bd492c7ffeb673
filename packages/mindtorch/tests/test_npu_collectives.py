"""Collectives on tensors of an NPU are work of a stream: here of a group of one, or of two threads.

The engine below carries tensors of the host only, as one of several processes does.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import mindtorch as torch
import mindtorch.distributed as dist
import pytest
from mindtorch.distributed._c10d.single_process import SingleProcess
from mindtorch.distributed._c10d.streams import OnStreams
from mindtorch.utils.memory_sanitizer import sanitized
from mindtorch_npu import backend

pytestmark = pytest.mark.skipif(
    backend.HARDWARE, reason="hardware runs no function of Python on a stream"
)


class OfTheHost(SingleProcess):
    """Doubles what it reduces, once its gate is open."""

    def __init__(self) -> None:
        super().__init__("gloo")
        self.devices = ("cpu",)  # type: ignore[assignment]  # of fewer kinds
        self.gate = threading.Event()

    def all_reduce(self, tensor: Any, op: Any) -> None:
        assert tensor.device.type == "cpu"
        assert self.gate.wait(20)
        tensor.mul_(2)


@pytest.fixture
def engine() -> OfTheHost:
    return OfTheHost()


@pytest.fixture
def group(engine: OfTheHost) -> Any:
    made = dist.ProcessGroup(dist.HashStore(), 0, 1, engine=OnStreams(engine))
    yield made
    engine.gate.set()
    made.shutdown()


def ones(n: int = 3) -> Any:
    return torch.ones(n, device="npu")


def test_neither_the_call_nor_wait_holds_the_program_up(group: Any, engine: OfTheHost) -> None:
    """What uses the result after ``wait`` comes after it all the same."""
    x = ones()
    x += 1
    work = group.allreduce([x])
    assert not work.is_completed()
    other = ones() * 5  # the current stream goes on
    assert other.tolist() == [5.0, 5.0, 5.0]
    work.wait()
    y = x + 1
    engine.gate.set()
    assert y.tolist() == [5.0, 5.0, 5.0]
    assert work.is_completed() and work.is_success()


def test_a_call_starts_after_what_the_current_stream_was_given(
    group: Any, engine: OfTheHost
) -> None:
    engine.gate.set()
    gate = threading.Event()
    x = ones()
    backend.launch(0, "gate", gate.wait)
    x += 2
    work = group.allreduce([x])
    gate.set()
    work.wait()
    assert x.tolist() == [6.0, 6.0, 6.0]


def test_what_a_future_calls_comes_after_the_end(group: Any, engine: OfTheHost) -> None:
    x = ones()
    halved = group.allreduce([x]).get_future().then(lambda done: done.value()[0] / 4)
    engine.gate.set()
    assert halved.wait().tolist() == [0.5, 0.5, 0.5]


def test_tensors_live_until_the_work_was_waited_for(group: Any, engine: OfTheHost) -> None:
    torch.npu.synchronize()
    before = torch.npu.memory_allocated()
    group.allreduce([ones(4096)])
    assert torch.npu.memory_allocated() == before + 4 * 4096  # nobody has the work
    group.allreduce([ones(4096)]).wait()
    assert torch.npu.memory_allocated() == before + 4 * 4096
    engine.gate.set()


def test_an_error_is_told_by_the_next_to_wait_for_the_stream(
    group: Any, engine: OfTheHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(tensor: Any, op: Any) -> None:
        raise RuntimeError("Connection closed by peer: rank 1 has ended")

    monkeypatch.setattr(engine, "all_reduce", fails)
    work = group.allreduce([ones()])
    work.wait()
    with pytest.raises(RuntimeError, match="rank 1 has ended"):
        torch.npu.synchronize()
    with pytest.raises(RuntimeError, match="rank 1 has ended"):
        work.wait()
    assert not work.is_success()


def test_tensors_of_the_host_come_after_those_of_streams(
    group: Any, engine: OfTheHost, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In all processes alike: the engine's calls have one order."""
    calls = []
    reduce = engine.all_reduce

    def counting(tensor: Any, op: Any) -> None:
        reduce(tensor, op)
        calls.append(tensor.numel())

    monkeypatch.setattr(engine, "all_reduce", counting)
    x, y = ones(2), torch.ones(3)
    first = group.allreduce([x])
    threading.Timer(0.02, engine.gate.set).start()
    group.allreduce([y])
    assert calls == [2, 3]
    first.wait()
    assert (x.tolist(), y.tolist()) == ([2.0, 2.0], [2.0, 2.0, 2.0])


def test_a_buffer_that_is_used_before_wait_is_a_race(group: Any, engine: OfTheHost) -> None:
    engine.gate.set()
    x, y = ones(), ones()
    with sanitized() as races:
        work = group.allreduce([x])
        x + 1
        work.wait()
        x + 1
        group.allreduce([y]).wait()
        y + 1
    assert {race.kind for race in races.found} == {"race"}
    assert {race.address for race in races.found} == {x.data_ptr()}


def test_the_sanitizer_stops_a_program_that_does_not_wait(group: Any, engine: OfTheHost) -> None:
    sanitizer: Any = importlib.import_module("mindtorch.utils.stream_sanitizer")
    engine.gate.set()
    watching = sanitizer.NPUSanitizer()
    watching.enable()
    try:
        x, y = ones(), ones()
        group.allreduce([y]).wait()
        y + 1
        work = group.allreduce([x])
        with pytest.raises(sanitizer.NPUSanitizerErrors):
            x + 1
        work.wait()
    finally:
        watching.disable()


def test_barrier_waits_for_the_work_of_streams(group: Any, engine: OfTheHost) -> None:
    engine.gate.set()
    x = ones()
    group.allreduce([x]).wait()
    done = torch.npu.current_stream().record_event()
    group.barrier().wait()
    assert done.query()


def of_two_threads(program: Callable[[int], Any]) -> list[Any]:
    """What *program* returns for each of two ranks, which have a device each."""
    threaded = pytest.importorskip("mindtorch.testing._internal.distributed.multi_threaded_pg")

    class OfTheHostToo(threaded.ThreadedRanks):  # type: ignore[misc]  # imported here
        devices = ("cpu",)

    def create(store: Any, rank: int, size: int, timeout: timedelta) -> Any:
        while isinstance(store, dist.PrefixStore):
            store = store.underlying_store
        ranks = OfTheHostToo(threaded._meeting(store, "of the host", size), rank, size)
        return threaded.ProcessLocalGroup(store, rank, size, engine=OnStreams(ranks))

    results: list[Any] = [None, None]
    store = dist.HashStore()
    threaded._install_threaded_pg()

    def run(rank: int) -> None:
        try:
            torch.npu.set_device(rank)
            group = create(store, rank, 2, timedelta(seconds=30))
            results[rank] = program(group)
        except BaseException as error:
            results[rank] = error
            threaded.ProcessLocalGroup.exception_handle(error)

    ranks = [threading.Thread(target=run, args=(rank,)) for rank in range(2)]
    try:
        for each in ranks:
            each.start()
        for each in ranks:
            each.join()
    finally:
        threaded._uninstall_threaded_pg()
        threaded.ProcessLocalGroup.reset()
    return results


def test_all_calls_between_two_devices() -> None:
    def program(group: Any) -> Any:
        rank = group.rank()
        x = ones(2) * (rank + 1)
        parts = [torch.zeros(2, device="npu") for _ in range(2)]
        group.allgather([parts], [x]).wait()
        summed = x.clone()
        group.allreduce([summed]).wait()
        first = x.clone()
        group.broadcast([first], 0).wait()
        mine = torch.zeros(2, device="npu")
        group.reduce_scatter([mine], [[x, x * 10]]).wait()
        swapped = [torch.zeros(2, device="npu") for _ in range(2)]
        group.alltoall(swapped, [x, x * 10]).wait()
        scattered = torch.zeros(2, device="npu")
        group.scatter([scattered], [[x, x * 3]] if rank == 0 else [], 0).wait()
        every = [*parts, summed, first, mine, *swapped, scattered]
        return [t[0].item() for t in every]

    zero, one = of_two_threads(program)
    assert zero == [1.0, 2.0, 3.0, 1.0, 3.0, 1.0, 2.0, 1.0]
    assert one == [1.0, 2.0, 3.0, 1.0, 30.0, 10.0, 20.0, 3.0]


def test_receiving_holds_up_neither_sending_nor_collectives() -> None:
    """Both wait first for what the other sends last."""

    def program(group: Any) -> Any:
        other = 1 - group.rank()
        x, got = ones(2) * (group.rank() + 1), torch.zeros(2, device="npu")
        receiving = group.recv([got], other, 0)
        group.allreduce([ones()]).wait()
        sending = group.send([x], other, 0)
        receiving.wait()
        sending.wait()
        return got.tolist(), receiving.source_rank()

    assert of_two_threads(program) == [([2.0, 2.0], 1), ([1.0, 1.0], 0)]
