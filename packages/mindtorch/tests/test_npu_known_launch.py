"""What known calls launch on a stream of the simulator: in order, whole, and failures told.

The kernels here stand still, fail or are broken off in the middle.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import mindtorch as torch
import numpy as np
import pytest
from mindtorch.backends.known_launch import Layout, launched, launched_into
from mindtorch.call.fragments import Kernel, Launching, Look
from mindtorch.call.row import Out
from mindtorch.tensor.interning import meta_of
from mindtorch_npu import backend, thread_state

pytestmark = pytest.mark.skipif(backend.HARDWARE, reason="hardware runs no function of Python")

F32 = np.dtype(np.float32)
NUMBERS = 5000
DEVICE = torch.device("npu", 0)
LOOK = Look(F32, (4,), lambda value: np.ascontiguousarray(value, F32))


def _of_one(kernel: Any, cost: int = 1) -> Callable[[Any], Any]:
    """A call that gives what *kernel* makes of its operand."""
    meta = meta_of(torch.ones(NUMBERS, device=DEVICE))
    made = Kernel(kernel, (0,), (LOOK,), False, False)
    run = launched("aten::exp", DEVICE, cost, [Layout(Out((NUMBERS,), torch.float32))], made, meta)
    call = run.call("a") if isinstance(run, Launching) else run
    return lambda x: call(x._a_)


def _of_several(kernel: Any, cost: int = 1) -> Callable[[Any], Any]:
    """The same of a kernel that gives two arrays, of which the first counts."""
    meta = meta_of(torch.ones(NUMBERS, device=DEVICE))
    layouts = [Layout(Out((NUMBERS,), torch.float32))] * 2

    def both(x: Any) -> Any:
        return kernel(x), x.copy()

    made = Kernel(both, (0,), (LOOK, LOOK), True, False)
    run = launched("aten::frexp", DEVICE, cost, layouts, made, [meta, meta])
    assert not isinstance(run, Launching)
    return lambda x: run(x._a_)[0]


def _in_place(kernel: Any, cost: int = 1) -> Callable[[Any], Any]:
    """A call that writes what *kernel* makes of its operand there."""
    launching = launched_into("aten::exp_", DEVICE, cost, Kernel(kernel, (0,), (), False, True))
    run = launching.call("target", "a", result="None")

    def call(x: Any) -> Any:
        run(x._a_, x._a_)
        return x

    return call


KINDS = [pytest.param(k, id=k.__name__) for k in (_of_one, _of_several, _in_place)]


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


@pytest.mark.parametrize("kind", KINDS)
def test_what_costs_much_is_queued(kind: Any, queue: Any) -> None:
    """The launch does not wait for it."""
    go_on = threading.Event()

    def kernel(x: Any) -> Any:
        assert go_on.wait(30)
        return x * 3

    x = torch.ones(NUMBERS, device="npu")
    result = kind(kernel, cost=1 << 40)(x)
    assert queue.entries
    later = result + 1
    go_on.set()
    assert later.sum().item() == 4 * NUMBERS


@pytest.mark.parametrize("kind", KINDS)
def test_a_launch_comes_after_what_waits_though_nobody_runs_it_yet(kind: Any, queue: Any) -> None:
    """The stream's turn is free then, and still not the launch's."""
    order: list[str] = []

    def kernel(x: Any) -> Any:
        order.append("launched")
        return x * 3

    x = torch.ones(NUMBERS, device="npu")
    call = kind(kernel)
    queue._awake = True  # keep the worker out
    queue.enqueue(order.append, ("queued",))
    call(x)
    torch.npu.synchronize()
    queue._awake = False
    assert order == ["queued", "launched"]


@pytest.mark.parametrize("make", [torch.empty, torch.empty_like], ids=["empty", "empty_like"])
def test_memory_that_nothing_is_written_to_orders_nothing(make: Any, queue: Any) -> None:
    """It is taken at once on a stream that is busy, when such calls are known and before."""
    what: Any = torch.ones(5, device="npu") if make is torch.empty_like else 5
    torch.npu.synchronize()
    gc.collect()
    go_on = threading.Event()
    queue.enqueue(go_on.wait, (30,))
    before = torch.npu.memory_stats()["allocation.all.allocated"]
    kept = [make(what, device="npu") for _ in range(20)]
    assert len(queue.entries) == 1
    go_on.set()
    assert torch.npu.memory_stats()["allocation.all.allocated"] == before + 20
    assert len({t.data_ptr() for t in kept}) == 20
    assert {(t.shape, t.stride(), t.dtype) for t in kept} == {((5,), (1,), torch.float32)}
    kept[3].fill_(2)
    assert kept[3].sum().item() == 10


#: Calls with a target, of tensors of 4 x 4 numbers, and of ``i``, which changes.
WRITTEN = {
    "ufunc": lambda x, y, z, i: torch.add(x, y, out=z),
    "ufunc and number": lambda x, y, z, i: torch.mul(x, float(i), out=z),
    "number that counts": lambda x, y, z, i: torch.add(x, y, alpha=i, out=z),
    "numbers": lambda x, y, z, i: torch.clamp(x, -i / 8, i / 8, out=z),
    "product": lambda x, y, z, i: torch.mm(x, y, out=z),
    "sum": lambda x, y, z, i: torch.sum(x, 1, out=z[:, 0].contiguous()),
    "cast": lambda x, y, z, i: torch.exp(x, out=z.double()),
    "row of a target": lambda x, y, z, i: torch.sub(x[0], y[0], out=z[1]),
    "operand": lambda x, y, z, i: torch.add(z, y, out=z),
    "view of an operand": lambda x, y, z, i: torch.mul(z.view(16), 2, out=z.view(16)),
    "operand crosswise": lambda x, y, z, i: torch.mm(z.div_(4), z, out=z),
}


@pytest.mark.parametrize("busy", [False, True])
@pytest.mark.parametrize("name", WRITTEN)
def test_targets_get_what_they_get_on_the_host(name: str, busy: bool, queue: Any) -> None:
    """However often the call came, and whether the stream is idle or not."""
    torch.manual_seed(0)
    x, y, z = torch.randn(3, 4, 4)
    there = [t.to("npu") for t in (x, y, z)]
    torch.npu.synchronize()
    for i in range(1, 9):
        go_on = threading.Event()
        if busy:
            queue.enqueue(go_on.wait, (30,))
        got = WRITTEN[name](*there, i)
        assert bool(queue.entries) == busy
        if busy:
            assert len(queue.entries) > 1
        go_on.set()
        expected = WRITTEN[name](x, y, z, i)
        assert torch.equal(got.cpu(), expected), i
        assert torch.equal(there[2].cpu(), z), i
        assert there[2]._version == z._version


def test_a_target_that_is_in_part_an_operand_is_refused_each_time() -> None:
    """As on the host."""
    x = torch.arange(8.0, device="npu")
    for _ in range(8):
        torch.add(x[:4], x[4:], out=torch.empty(4, device="npu"))
        with pytest.raises(RuntimeError, match="memory"):
            torch.add(x[:4], x[4:], out=x[1:5])
    assert x.tolist() == list(range(8))


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


def test_many_threads_leave_the_books_in_order() -> None:
    """Tensors of many sizes come and go in all of them; nothing is lost or counted twice."""
    gc.collect()
    torch.npu.synchronize()
    before = torch.npu.memory_stats()
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            kept: list[Any] = []
            for i in range(400):
                n = (4, 64, 300, 5000)[(i * seed) % 4]
                kept.append(torch.ones(n, device="npu").mul_(2))
                if len(kept) > 5:
                    t = kept.pop(i % 5)
                    assert i % 50 or t.sum().item() == 2 * t.numel()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(1, 7)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not failures
    after = torch.npu.memory_stats()
    for name in ("allocation.all.current", "allocated_bytes.all.current"):
        assert after[name] == before[name]
    taken = after["allocation.all.allocated"] - before["allocation.all.allocated"]
    assert taken >= 6 * 400
    assert taken == after["allocation.all.freed"] - before["allocation.all.freed"]


def test_a_device_asked_for_by_its_kind_is_the_current_one() -> None:
    """However often the call came while another one was current."""
    if torch.npu.device_count() < 2:
        pytest.skip("needs two devices")
    try:
        for index in (0, 1, 0, 1):
            torch.npu.set_device(index)
            for _ in range(8):
                made = torch.ones(2, device="npu")
                here = (made, made + 1, torch.zeros_like(made), torch.empty(2, device="npu"))
                assert {t.device.index for t in here} == {index}
    finally:
        torch.npu.set_device(0)


@contextlib.contextmanager
def _threads_that_take_turns() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(2e-5)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def test_a_composite_that_becomes_known_sees_no_numbers() -> None:
    """What is under way on its operands is neither missed nor undone."""
    with _threads_that_take_turns():
        for n in range(2, 42):
            x, w = torch.zeros(n, n, device="npu"), torch.eye(n, device="npu")
            for k in range(1, 5):
                torch.npu._sleep(n * 10_000)
                x.add_(1)
                y = torch.nn.functional.linear(x, w)
                torch.npu.synchronize()
                assert (x[0, 0].item(), y[0, 0].item()) == (k, k), n


def test_what_is_learnt_of_calls_is_booked_nowhere() -> None:
    """Each step takes the same memory, before its calls are known and after."""
    model = torch.nn.Sequential(
        torch.nn.Linear(5, 7), torch.nn.ReLU(), torch.nn.LayerNorm(7), torch.nn.Linear(7, 3)
    ).to("npu")
    taken, peaks = [], []
    for _ in range(8):
        before = torch.npu.memory_stats()["allocation.all.allocated"]
        torch.npu.reset_peak_memory_stats()
        x = torch.randn(4, 5, device="npu")
        loss = torch.nn.functional.cross_entropy(model(x), torch.tensor([0, 1, 2, 0]).to("npu"))
        (loss + x[0, :3].mean()).backward()
        model.zero_grad()
        del loss, x
        stats = torch.npu.memory_stats()
        taken.append(stats["allocation.all.allocated"] - before)
        peaks.append(stats["allocated_bytes.all.peak"])
    assert len(set(taken)) == len(set(peaks)) == 1, (taken, peaks)
