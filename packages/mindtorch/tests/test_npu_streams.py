"""Tensors on streams: backward on the forward's stream, copies, pinned memory, threads."""

import gc
import random
import threading
import time
import warnings

import mindtorch as torch
import pytest
from mindtorch_npu import backend, runtime, thread_state

MS = 1_000_000  # cycles


@pytest.mark.skipif(backend.HARDWARE, reason="hardware runs no function of Python on a stream")
def test_memory_alone_is_no_work_on_a_stream():
    """``empty`` runs no kernel: nothing that comes late overwrites what another stream wrote.

    And it touches no page: more fits on a device than in this machine.
    """
    like = torch.ones(3, device="npu")
    stream = torch.npu.Stream()
    stream.wait_stream(torch.npu.current_stream())
    gate = threading.Event()
    backend.launch(0, "gate", gate.wait)
    mark = torch.npu.current_stream().record_event()
    made = [
        torch.empty(3, device="npu"),
        torch.empty_like(like),
        like.new_empty(3),
        torch.empty_strided((3,), (1,), device="npu"),
        like.new_empty_strided((3,), (2,)),
    ]
    with torch.npu.stream(stream):
        for each in made:
            each.fill_(5)
    assert not mark.query()
    gate.set()
    torch.npu.synchronize()
    assert [each.tolist() for each in made] == [[5.0] * 3] * 5
    large = torch.empty(20 << 30, dtype=torch.int8, device="npu")
    assert torch.npu.current_stream().query()
    del large
    torch.npu.empty_cache()


def put(x, index, value):
    x[index] = value


@pytest.mark.skipif(backend.HARDWARE, reason="torch sees its own waits, on a device of its own")
def test_what_the_host_waits_for_is_what_it_waits_for_on_cuda():
    """Only where numbers of the device decide what comes next, or go to the host at once."""
    x, y, one = (torch.rand(n, device="npu") for n in (4, 4, 1))
    index = torch.tensor([0, 3, 1], device="npu")
    mask = torch.tensor([True, False, True, True], device="npu")
    host_mask = mask.cpu()
    twice = torch.full((1,), 2, device="npu")
    one_hot, repeat = torch.nn.functional.one_hot, torch.repeat_interleave
    without = [
        lambda: put(x, mask, 1.0),
        lambda: put(x, index, y[:3]),
        lambda: put(x, 0, 3.0),
        lambda: put(x, slice(1, 3), 2),
        lambda: put(x, host_mask, one),
        lambda: put(x, host_mask, y[:3]),
        lambda: x[host_mask],
        lambda: x[None, host_mask],
        lambda: x[index],
        lambda: x[None, index],
        lambda: one_hot(index, num_classes=4),
        lambda: torch.randperm(20000, device="npu"),
        lambda: repeat(x, 2, output_size=8),
        lambda: repeat(x, twice, output_size=8),
        lambda: torch.any(y),
        lambda: torch.ones(4).pin_memory().to("npu", non_blocking=True),
        lambda: torch.npu.Event().synchronize(),
    ]
    waiting = [
        lambda: put(x, mask, y[:3]),
        lambda: put(x, mask, one),
        lambda: put(x, index.cpu(), y[:3]),
        lambda: x[mask],
        lambda: x[torch.tensor([0, 2])],
        lambda: x.nonzero(),
        lambda: bool(one),
        lambda: one_hot(index),
        lambda: repeat(x, twice),
        lambda: torch.npu.current_stream().synchronize(),
        lambda: torch.ones(4).to("npu"),
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.npu.set_sync_debug_mode(0)  # says once what kind of feature it is
    wrong = []
    for expected, functions in ((False, without), (True, waiting)):
        for number, function in enumerate(functions):
            for mode in (1, 2):
                with warnings.catch_warnings(record=True) as seen:
                    warnings.simplefilter("always")
                    torch.npu.set_sync_debug_mode(mode)
                    try:
                        function()
                        waited = any("called a synchronizing NPU" in str(w.message) for w in seen)
                    except RuntimeError as error:
                        assert str(error) == "called a synchronizing NPU operation"
                        waited = mode == 2
                    finally:
                        torch.npu.set_sync_debug_mode(0)
                if waited != expected:
                    wrong.append((expected, number, mode))
    assert not wrong


def test_nodes_of_ops_remember_their_stream():
    """What ran on the default stream says nothing."""
    stream = torch.npu.Stream()
    x = torch.ones(3, device="npu", requires_grad=True)
    stream.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(stream):
        inside = (x * 2).relu()
    stream.synchronize()
    outside = x * 2
    assert inside.grad_fn._extra_.stream is stream._queue
    assert inside.grad_fn.next_functions[0][0]._extra_.stream is stream._queue
    assert outside.grad_fn._extra_ is None or outside.grad_fn._extra_.stream is None


def test_gradients_are_there_for_the_callers_stream():
    """The forward's stream is slow; who called backward need not know of it."""
    slow = torch.npu.Stream()
    x = torch.ones(4, device="npu", requires_grad=True)
    with torch.npu.stream(slow):
        slow.wait_stream(torch.npu.default_stream())
        y = x * 3
        torch.npu._sleep(20 * MS)
        z = y * 2
    torch.npu.current_stream().wait_stream(slow)
    z.sum().backward()
    assert x.grad.tolist() == [6.0] * 4
    assert not slow._queue.error


def test_a_thread_starts_on_default_streams():
    """What one thread made current, another does not see."""
    stream = torch.npu.Stream()
    seen = []
    with torch.npu.stream(stream):
        thread = threading.Thread(target=lambda: seen.append(torch.npu.current_stream()))
        thread.start()
        thread.join()
    assert seen == [torch.npu.default_stream()]
    assert not thread_state.tls.left


def test_copies_from_pageable_memory_may_be_overwritten_at_once():
    """The numbers are taken before the call returns, whatever waits on the stream."""
    for non_blocking in (False, True):
        x = torch.zeros(100, device="npu")
        torch.npu._sleep(10 * MS)
        host = torch.ones(100)
        x.copy_(host, non_blocking=non_blocking)
        moved = host.to("npu", non_blocking=non_blocking)
        host.zero_()
        assert (x.sum().item(), moved.sum().item()) == (100.0, 100.0)


@pytest.mark.skipif(backend.HARDWARE, reason="hardware runs no function of Python on a stream")
def test_copies_from_pinned_memory_are_queued():
    """A missing wait shows, in both directions; the memory is not given away meanwhile."""
    x = torch.zeros(100, device="npu")
    host = torch.ones(100).pin_memory()
    assert host.is_pinned()
    gate = threading.Event()
    backend.launch(0, "gate", gate.wait)
    x.copy_(host, non_blocking=True)
    host.zero_()
    gate.set()
    assert x.sum().item() == 0.0
    gate.clear()
    backend.launch(0, "gate", gate.wait)
    x.fill_(7)
    back = x.to("cpu", non_blocking=True)
    assert back.is_pinned()
    address = back.data_ptr()
    view = back[:3]
    event = torch.npu.current_stream().record_event()
    del back, view
    gc.collect()
    assert not event.query()
    assert torch.empty(100).pin_memory().data_ptr() != address
    gate.set()
    event.synchronize()
    assert torch.empty(100).pin_memory().data_ptr() == address


def test_copies_between_devices_are_ordered_on_both():
    """The source's pending work comes first; the destination's next work comes after."""
    a = torch.ones(10, device="npu:0")
    b = torch.zeros(10, device="npu:1")
    torch.npu._sleep(20 * MS)
    a.fill_(5)
    b.copy_(a)
    c = a.to("npu:1")
    d = b + c
    a.fill_(9)
    assert d.tolist() == [10.0] * 10


def test_gradients_of_copies_come_back_to_their_device():
    """Through ``to`` and ``copy_``, also between two NPUs."""
    for source, target in (("cpu", "npu:0"), ("npu:0", "cpu"), ("npu:0", "npu:1")):
        x = torch.ones(3, device=source, requires_grad=True)
        y = torch.zeros(3, device=target)
        (x.to(target) * 2 + y.copy_(x)).sum().backward()
        assert str(x.grad.device) == source
        assert x.grad.tolist() == [3.0] * 3


@pytest.mark.skipif(backend.HARDWARE, reason="torch sees its own waits, on a device of its own")
def test_debug_mode_names_waits():
    """Reading waits, so it is refused; work on the device is not."""
    x = torch.ones(3, device="npu")
    torch.npu.synchronize()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that it is a prototype, said once
        torch.npu.set_sync_debug_mode("error")
    try:
        y = x + 1
        for read in (y.sum().item, y.cpu, y.tolist, lambda: print(y), y.nonzero):
            with pytest.raises(RuntimeError, match="called a synchronizing NPU operation"):
                read()
    finally:
        torch.npu.set_sync_debug_mode(0)
    assert y.tolist() == [2.0] * 3


@pytest.mark.skipif(backend.HARDWARE, reason="faults are the simulator's")
def test_kernel_error_names_op_and_line():
    """The failure shows at the next wait; the stream is usable again."""
    from mindtorch_npu import faults

    x = torch.ones(3, device="npu")
    with faults.inject("kernel=aten::exp@1"):
        x.exp()
    with pytest.raises(torch.AcceleratorError) as raised:
        torch.npu.synchronize()
    assert "raised by aten::exp" in raised.value.__notes__[0]
    assert f"{__file__}:" in raised.value.__notes__[0]
    assert (x + 1).tolist() == [2.0] * 3


@pytest.mark.skipif(backend.HARDWARE, reason="hardware runs no function of Python on a stream")
@pytest.mark.parametrize("non_blocking", [False, True])
def test_a_copy_that_blocks_waits_for_its_stream(non_blocking):
    """In all four directions; from CUDA's own test of ``to``."""
    x, host = torch.arange(100.0, device="npu"), torch.arange(100.0).pin_memory()
    stream = torch.npu.current_stream()
    for copy in (
        lambda: x.to("cpu", non_blocking=non_blocking),
        lambda: host.to("npu", non_blocking=non_blocking),
        lambda: x.copy_(host, non_blocking=non_blocking),
        lambda: host.copy_(x, non_blocking=non_blocking),
    ):
        torch.npu.synchronize()
        gate = threading.Event()
        if non_blocking:
            backend.launch(0, "gate", gate.wait)
        else:
            torch.npu._sleep(30 * MS)
        made = copy()
        assert stream.query() == (not non_blocking)
        gate.set()
        stream.synchronize()
        assert made.tolist() == x.tolist()


#: A copy of each kind -> whether the host waits for it, and which device it is.
SLOW_COPIES = {
    "to a device": (lambda x, h, p: h.npu(), True, 0),
    "into a device": (lambda x, h, p: x.copy_(h), True, 0),
    "from a device": (lambda x, h, p: x.cpu(), True, 0),
    "into the host": (lambda x, h, p: h.copy_(x), True, 0),
    "to the other device": (lambda x, h, p: h.npu(1), True, 1),
    "pinned to a device": (lambda x, h, p: p.to("npu", non_blocking=True), False, 0),
    "pinned into a device": (lambda x, h, p: x.copy_(p, non_blocking=True), False, 0),
    "to pinned": (lambda x, h, p: x.to("cpu", non_blocking=True), False, 0),
    "into pinned": (lambda x, h, p: p.copy_(x, non_blocking=True), False, 0),
}


@pytest.mark.skipif(backend.HARDWARE, reason="faults are the simulator's")
@pytest.mark.parametrize("name", SLOW_COPIES)
def test_slow_copies_take_their_time(name):
    """On the host where it waits, else on the stream; and on the device that is named only."""
    from mindtorch_npu import faults

    copy, waits, device = SLOW_COPIES[name]
    x = torch.arange(100.0, device="npu")
    host, pinned = torch.arange(100.0), torch.arange(100.0).pin_memory()
    for which in (device, 1 - device):
        # Nothing can be early; a loaded machine may make it late, but not each time.
        for _ in range(20):
            torch.npu.synchronize(device)
            start, end = (torch.npu.Event(enable_timing=True) for _ in range(2))
            with faults.inject(f"npu:{which}/slow=40ms"), torch.npu.device(device):
                began = time.perf_counter()
                start.record()
                made = copy(x, host, pinned)
                end.record()
                called = time.perf_counter() - began
                end.synchronize()
                took = time.perf_counter() - began
            assert made.tolist() == x.tolist()
            if which == device:
                assert took >= 0.04
                assert called >= 0.04 if waits else start.elapsed_time(end) >= 39
                quick = waits or called < 0.04
            else:
                quick = took < 0.04
            if quick:
                break
        else:
            pytest.fail("it waits though it need not")


@pytest.mark.skipif(backend.HARDWARE, reason="hardware runs no function of Python on a stream")
def test_record_stream_keeps_memory_from_being_given_away():
    """Used on another stream and freed: not handed out before that work is done."""
    side = torch.npu.Stream()
    x = torch.ones(1000, device="npu")
    address = x.untyped_storage().block.data_ptr
    side.wait_stream(torch.npu.current_stream())
    gate = threading.Event()
    with torch.npu.stream(side):
        backend.launch(0, "gate", gate.wait)
        y = x + 1
    x.record_stream(side)
    del x
    assert torch.empty(1000, device="npu").untyped_storage().block.data_ptr != address
    gate.set()
    side.synchronize()
    assert y[0].item() == 2.0
    with pytest.raises(RuntimeError, match="unknown parameter type"):
        y.record_stream(None)


def test_storm_of_streams_events_copies_and_frees():
    """Threads with streams of their own pass tensors on by events; no number is lost.

    Each worker adds 1 to what it gets, on its own stream and device, and hands it to the next
    with an event. Blocks die anywhere, so the allocators end where they began.
    """
    torch.npu.synchronize(0)
    torch.npu.synchronize(1)
    gc.collect()
    before = [torch.npu.memory_allocated(i) for i in range(2)]
    rounds, workers = 60, 4
    inbox = [[] for _ in range(workers)]
    turn = [threading.Semaphore(0) for _ in range(workers)]
    errors = []
    finished = []

    def work(number):
        try:
            rng = random.Random(number)
            device = number % 2
            torch.npu.set_device(device)
            stream = torch.npu.Stream(device)
            with torch.npu.stream(stream):
                for _ in range(rounds):
                    assert turn[number].acquire(timeout=60)
                    tensor, event, expected = inbox[number].pop(0)
                    stream.wait_event(event)
                    if tensor.device.index == device:
                        tensor.record_stream(stream)
                    else:  # the copy runs on the current stream of the other device
                        there = torch.npu.current_stream(tensor.device)
                        there.wait_event(event)
                        tensor.record_stream(there)
                        tensor = tensor.to(f"npu:{device}", non_blocking=True)
                    if rng.random() < 0.3:
                        torch.npu._sleep(200_000)
                    result = tensor + 1
                    waste = [torch.full((rng.randrange(1, 5000),), 1.0, device="npu")]
                    del waste
                    if rng.random() < 0.2:
                        assert result[0].item() == expected + 1
                    entry = (result, stream.record_event(), expected + 1)
                    if expected + 1 == 2 * rounds:
                        finished.append(result.tolist())
                        return
                    inbox[(number + 1) % workers].append(entry)
                    turn[(number + 1) % workers].release()
                    del tensor, event, result, entry
        except BaseException as error:
            errors.append(error)
            raise

    for number in range(2):  # two tensors go round at once
        start = torch.zeros(64, device="npu")
        inbox[2 * number].append((start, torch.npu.current_stream().record_event(), 0))
        turn[2 * number].release()
    del start
    threads = [threading.Thread(target=work, args=(n,), daemon=True) for n in range(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(90)
    assert not errors
    assert finished and all(values == [2.0 * rounds] * 64 for values in finished)
    for entries in inbox:
        entries.clear()
    torch.npu.synchronize(0)
    torch.npu.synchronize(1)
    del threads
    gc.collect()
    for index in range(2):
        torch.empty(1, device=f"npu:{index}")  # notices what streams have finished with
    assert [torch.npu.memory_allocated(i) for i in range(2)] == before


#: Tiny kernels of every kind: with a list, with several results, in place, in order.
TINY = {
    "cat": lambda x: torch.cat((x, x + 1)),
    "sigmoid": lambda x: x.sigmoid(),
    "matmul": lambda x: x @ x,
    "mean": lambda x: x.mean(0),
    "max": lambda x: x.max(0).values,
    "softmax": lambda x: x.softmax(1),
    "clamp_": lambda x: x.clone().clamp_(0, 3),
    "zero": lambda x: x[0, 0] + x[1, 1],
    "broadcast": lambda x: x[:1] + x[:, :1],
    "where": lambda x: torch.where(x > 1, x, x[0]),
}


@pytest.mark.skipif(backend.HARDWARE, reason="hardware runs no function of Python on a stream")
def test_tiny_kernels_run_at_once_or_wait_their_turn():
    """On an idle stream nothing is left when the call returns; on a busy one nothing overtakes."""
    host = torch.arange(16.0).reshape(4, 4)
    queue = runtime.driver().queue(0, 0)
    for turn in range(5):  # other ways are taken from the second time on
        for name, op in TINY.items():
            torch.npu.synchronize()
            x = host.to("npu")
            torch.npu.synchronize()
            idle = op(x)
            assert not queue.entries, (name, turn)
            gate = threading.Event()
            queue.enqueue(gate.wait)
            x.mul_(2)
            busy = op(x)
            x.zero_()
            assert queue.entries, (name, turn)
            gate.set()
            assert torch.equal(idle.cpu(), op(host)), (name, turn)
            assert torch.equal(busy.cpu(), op(host * 2)), (name, turn)
