"""A stream that the launching thread works for itself: nobody else comes in between.

Few numbers need no such care (see ``test_npu_streams.py``); here are those for which numpy lets
other threads run, and kernels that stand still until the test lets them go on.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import mindtorch as torch
import numpy as np
import pytest
from mindtorch.backends.pointwise import own_function, pointwise_one, pointwise_two
from mindtorch.backends.pointwise_into import into_first
from mindtorch.backends.uniform import uniform_case
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch_npu import backend, thread_state

pytestmark = pytest.mark.skipif(backend.HARDWARE, reason="hardware runs no function of Python")

F32 = np.dtype(np.float32)
NUMBERS = 5000


def _overload(name: str) -> Any:
    found = OVERLOADS[f"aten::{name}"]
    found.analyse()
    return found


def _of_one(kernel: Any, astray: bool = False) -> Callable[[Any], Any]:
    overload = _overload("exp")
    return pointwise_one(kernel, (), overload, F32, F32, torch.exp, False, astray)


def _of_two(kernel: Any, astray: bool = False, number: Any = None) -> Callable[[Any], Any]:
    overload = _overload("mul.Tensor")

    def run(x: Any, y: Any, *out: Any) -> Any:
        return kernel(x)

    call = pointwise_two(run, overload, F32, F32, number, torch.mul, False, astray)
    return lambda x: call(x, 2 if number else x)


def _of_number(kernel: Any, astray: bool = False) -> Callable[[Any], Any]:
    return _of_two(kernel, astray, {2: np.array(2, F32)}.__getitem__)


def _of_own(kernel: Any, astray: bool = False) -> Callable[[Any], Any]:
    probes = iter([np.ones((2,), F32)])
    call = own_function(
        _overload("sum"), F32, lambda x: next(probes, None) if len(x) == 2 else kernel(x), 0, astray
    )
    assert call is not None
    return lambda x: call(x, None)


def _in_place(kernel: Any) -> Callable[[Any], Any]:
    overload = _overload("mul_.Tensor")
    x = torch.ones(2, device="npu")
    case = uniform_case(overload, x._sig)
    assert case is not None
    case = case._replace(ufunc=lambda x, y, out: np.copyto(out, kernel(x)))
    call = into_first(overload, case, x._sig, torch.mul, count=True)
    return lambda x: call(x, x)


_MAKING = [_of_one, _of_two, _of_number, _of_own]
#: The second time as they are for a thread that has left its default streams.
KINDS = [
    *[pytest.param(kind, id=kind.__name__) for kind in (*_MAKING, _in_place)],
    *[pytest.param(partial(kind, astray=True), id=f"{kind.__name__}_astray") for kind in _MAKING],
]
#: Those that ask the kernel's result for its size first of all.
ALLOCATING = [
    kind
    for kind in KINDS
    if kind.id.removesuffix("_astray") in ("_of_one", "_of_two", "_of_number")
]


@pytest.fixture(params=["default", "side"])
def queue(request: pytest.FixtureRequest) -> Iterator[Any]:
    """What the current stream has, that of the device or another."""
    torch.npu.synchronize()
    side = torch.npu.Stream() if request.param == "side" else None
    with torch.npu.stream(side) if side else contextlib.nullcontext():
        yield thread_state.current_queue(0)


def _on(queue: Any, work: Callable[[], Any]) -> threading.Thread:
    """A thread whose current stream is *queue*, doing *work*."""

    def run() -> None:
        thread_state.make_current(queue)
        work()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread


@pytest.mark.parametrize("kind", KINDS)
def test_other_threads_wait_for_a_kernel_that_its_launching_thread_runs(
    kind: Any, queue: Any
) -> None:
    """They see that the stream is not idle; what they launch comes after it, and so do events."""
    inside, go_on = threading.Event(), threading.Event()

    def kernel(x: Any, *out: Any) -> Any:
        inside.set()
        assert go_on.wait(30)
        return x * 3

    call = kind(kernel)
    x = torch.ones(NUMBERS, device="npu")
    results: list[Any] = []
    thread = _on(queue, lambda: results.append(call(x)))
    assert inside.wait(30)
    stream, event = torch.npu.current_stream(), torch.npu.Event()
    assert not stream.query()
    x.add_(1)  # of what was there, or of what the kernel wrote there
    event.record()
    assert not event.query() and not results
    waiting = _on(queue, stream.synchronize)
    waiting.join(0.02)
    assert waiting.is_alive()
    go_on.set()
    stream.synchronize()
    assert event.query() and stream.query() and not queue.entries
    thread.join(30)
    waiting.join(30)
    assert results[0].cpu().sum() == NUMBERS * (4 if kind is _in_place else 3)
    assert x.cpu().sum() == NUMBERS * (4 if kind is _in_place else 2)


@pytest.mark.parametrize("kind", KINDS)
def test_a_launch_that_is_broken_off_leaves_the_stream_idle(kind: Any, queue: Any) -> None:
    """Ctrl-C in the middle: nothing is held, nothing booked."""

    def kernel(x: Any, *out: Any) -> Any:
        raise KeyboardInterrupt

    x = torch.ones(NUMBERS, device="npu")
    call = kind(kernel)
    gc.collect()
    before = torch.npu.memory_allocated()
    for _ in range(3):
        with pytest.raises(KeyboardInterrupt):
            call(x)
        assert not queue.entries
    assert torch.npu.memory_allocated() == before
    assert (x + 1).sum().item() == 2 * NUMBERS


@pytest.mark.parametrize("kind", KINDS)
def test_a_kernel_that_fails_is_told_at_the_next_synchronisation(kind: Any, queue: Any) -> None:
    """With the op and the line, as where it had to wait."""

    def kernel(x: Any, *out: Any) -> Any:
        raise FloatingPointError("of the kernel")

    call = kind(kernel)
    x = torch.ones(NUMBERS, device="npu")
    call(x)
    with pytest.raises(FloatingPointError, match="of the kernel") as caught:
        torch.npu.synchronize()
    assert any(__file__ in note for note in caught.value.__notes__), caught.value.__notes__
    torch.npu.synchronize()
    assert not queue.entries


@pytest.mark.skipif(not hasattr(signal, "SIGUSR1"), reason="needs a signal of the user's own")
@pytest.mark.parametrize("kind", KINDS)
def test_a_signals_handler_may_launch_and_synchronize_in_the_middle(kind: Any, queue: Any) -> None:
    """It comes before or after the kernel that it interrupts, and never waits for that."""
    found: list[float] = []

    def handler(*_: object) -> None:
        y = torch.ones(NUMBERS, device="npu").mul_(2)
        torch.npu.synchronize()
        found.append(y.sum().item())

    def kernel(x: Any, *out: Any) -> Any:
        signal.raise_signal(signal.SIGUSR1)
        return x * 3

    call = kind(kernel)
    before = signal.signal(signal.SIGUSR1, handler)
    try:
        x = torch.ones(NUMBERS, device="npu")
        for _ in range(2):
            assert call(x.clone()).sum().item() == 3 * NUMBERS
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert found == [2.0 * NUMBERS] * 2
    assert not queue.entries


@pytest.mark.parametrize("numbers", [100, 60_000, 200_000])
def test_no_write_of_any_thread_is_lost(numbers: int, queue: Any) -> None:
    """Kernels of one stream run one after the other, whoever launched them."""
    x, one = torch.zeros(numbers, device="npu"), torch.ones(numbers, device="npu")
    turns, together = 200, threading.Barrier(4)

    def work(write: Callable[[], Any]) -> Callable[[], None]:
        def run() -> None:
            together.wait(30)
            for _ in range(turns):
                write()

        return run

    writes: list[Callable[[], Any]] = [
        lambda: x.add_(one),
        lambda: x.add_(1),
        lambda: x.sub_(one, alpha=-1),
        lambda: x.addcmul_(one, one),
    ]
    threads = [_on(queue, work(write)) for write in writes]
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    torch.npu.current_stream().synchronize()
    assert x.unique().tolist() == [4.0 * turns]


@pytest.mark.parametrize("numbers", [60_000, 200_000])
def test_nobody_reads_what_is_half_written(numbers: int, queue: Any) -> None:
    """A kernel sees all or nothing of what another kernel of its stream writes."""
    x = torch.zeros(numbers, device="npu")
    done = threading.Event()

    def write() -> None:
        for _ in range(300):
            x.add_(1)
        done.set()

    thread = _on(queue, write)
    while not done.is_set():
        for y in (x + 0, x.clone(), torch.cat((x, x)), x.where(x >= 0, x)):
            assert y.min().item() == y.max().item()
    thread.join(30)
    assert x.min().item() == 300


@pytest.mark.parametrize("kind", ALLOCATING)
def test_a_launch_whose_kernel_is_over_waits_for_those_of_other_threads(
    kind: Any, queue: Any
) -> None:
    """It may have to, for memory; and it does not take their hold of the stream for its own."""
    inside, go_on, over = threading.Event(), threading.Event(), threading.Event()

    def other(x: Any, *out: Any) -> Any:
        inside.set()
        assert go_on.wait(30)
        over.set()
        return x * 3

    class Waiting(np.ndarray[Any, Any]):
        @property
        def nbytes(self) -> int:  # type: ignore[override]
            threads.append(_on(queue, lambda: call_other(x)))
            assert inside.wait(30)
            threading.Timer(0.02, go_on.set).start()
            torch.npu.synchronize()
            assert over.is_set()
            return x.nbytes

    threads: list[threading.Thread] = []
    x = torch.ones(NUMBERS, device="npu")
    call, call_other = kind(lambda x, *out: np.ones(NUMBERS, F32).view(Waiting)), kind(other)
    call(x)
    threads[0].join(30)
    assert not queue.entries


def test_a_programs_own_names_say_nothing_of_streams(queue: Any) -> None:
    for held in ([1], "a word", np.ones(3), torch.ones(3, device="npu"), {1: 2}, 5):
        queue.sleep(2_000_000)
        torch.npu.synchronize()
        assert held is not None and not queue.entries


def test_a_number_is_copied_behind_other_kernels(queue: Any) -> None:
    """``copy_`` takes one where it takes a tensor."""
    x, go_on = torch.ones(NUMBERS, device="npu"), threading.Event()
    queue.enqueue(go_on.wait, (30,))
    x.copy_(4)
    go_on.set()
    assert x.unique().tolist() == [4.0]


def test_what_a_loop_knows_of_one_stream_it_does_not_take_for_another() -> None:
    """Memory for use on a stream comes from its own segments, also where loops hop."""

    def results(stream: Any, count: int) -> Any:
        with torch.npu.stream(stream):
            for _ in range(count):
                result = x + x
        return result

    x = torch.ones(8, device="npu")
    one, other = torch.npu.Stream(), torch.npu.Stream()
    for turn in range(20):
        count = (200, 1, 2, 3)[turn % 4]
        kept = [results(s, n) for s, n in ((one, count), (other, count), (one, 1), (other, 1))]
        places = [t.data_ptr() for t in kept]
        streams = [
            segment["stream"]
            for place in places
            for segment in torch.npu.memory_snapshot()
            if 0 <= place - segment["address"] < segment["total_size"]
        ]
        assert streams == [s.npu_stream for s in (one, other, one, other)], turn
