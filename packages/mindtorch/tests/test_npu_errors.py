"""Where the error of a queued kernel shows: at the next synchronisation, once, with op and line."""

import copy
import gc
import io
import pickle
import threading

import mindtorch as torch
import pytest
from mindtorch_npu import backend, faults

npu = torch.npu
pytestmark = pytest.mark.skipif(backend.HARDWARE, reason="faults are the simulator's")


def failing(x):
    """``exp`` of *x*, whose kernel fails when its turn comes."""
    with faults.inject("kernel=aten::exp@1"):
        return x.exp()


def told_at(call):
    """Whether *call* raises the kernel's error, with its op and the line above."""
    try:
        call()
    except torch.AcceleratorError as error:
        (note,) = error.__notes__
        assert note.startswith("raised by aten::exp on npu:0 stream ")
        assert f"{__file__}:" in note
        assert "in failing" in note
        return True
    return False


def settled():
    """Nothing is left to tell, and the devices work."""
    for device in (0, 1):
        npu.synchronize(device)
        assert (torch.ones(2, device=f"npu:{device}") + 1).tolist() == [2.0, 2.0]
    return True


#: What synchronises with the default stream, where the kernel failed, and tells of it.
TELLING = {
    "synchronize": lambda x, r, e: npu.synchronize(),
    "accelerator": lambda x, r, e: torch.accelerator.synchronize(),
    "event": lambda x, r, e: e.synchronize(),
    "stream": lambda x, r, e: npu.current_stream().synchronize(),
    "item": lambda x, r, e: r[0].item(),
    "bool": lambda x, r, e: bool(x[0]),
    "tolist": lambda x, r, e: r.tolist(),
    "cpu": lambda x, r, e: r.cpu(),
    "cpu of another": lambda x, r, e: x.cpu(),
    "print": lambda x, r, e: repr(r),
    "format": lambda x, r, e: f"{r[0]:.2f}",
    "nonzero": lambda x, r, e: x.nonzero(),
    "mask": lambda x, r, e: x[x > 0],
    "equal": lambda x, r, e: torch.equal(x, x),
    "into the host": lambda x, r, e: torch.zeros(3).copy_(r),
    "from the host": lambda x, r, e: x.copy_(torch.ones(3)),
    "save": lambda x, r, e: torch.save(r, io.BytesIO()),
    "pickle": lambda x, r, e: pickle.dumps(r),
    "storage": lambda x, r, e: r.untyped_storage().tolist(),
    "copy": lambda x, r, e: copy.deepcopy(r).cpu(),
    "other device": lambda x, r, e: r.to("npu:1").cpu(),
}
#: What does not wait, and so says nothing.
SILENT = {
    "query": lambda x, r, e: (e.query(), npu.current_stream().query()),
    "empty_cache": lambda x, r, e: npu.empty_cache(),
    "stats": lambda x, r, e: npu.memory_stats(),
    "info": lambda x, r, e: npu.mem_get_info(),
    "kernel": lambda x, r, e: x + 1,
    "memory": lambda x, r, e: torch.empty(3, device="npu"),
    "collection": lambda x, r, e: gc.collect(),
    "device": lambda x, r, e: npu.set_device(0),
    "other device": lambda x, r, e: npu.synchronize(1),
    "other tensor": lambda x, r, e: torch.ones(1, device="npu:1").item(),
}


def test_what_synchronises_tells_of_the_error():
    """Once; what follows works. What does not wait says nothing, and loses nothing."""
    x = torch.ones(3, device="npu")
    wrong = []
    for calls, telling in ((TELLING, True), (SILENT, False)):
        for name, call in calls.items():
            result = failing(x)
            event = npu.current_stream().record_event()
            if told_at(lambda: call(x, result, event)) != telling:
                wrong.append(name)
            if not telling and not told_at(npu.synchronize):
                wrong.append(f"{name} lost it")
            settled()
    assert not wrong


def by_event(side, **how):
    event = npu.Event(**how)
    event.record(side)
    npu.current_stream().wait_event(event)


def by_chain(side):
    for device in (0, 1):
        other = npu.Stream(device)
        other.wait_stream(side)
        side = other
    npu.current_stream().wait_stream(side)


def by_copy(side):
    with npu.stream(side):
        return torch.ones(3, device="npu").to("npu:1")


#: How the default stream, or the one of another device, comes to wait for a stream that failed.
WAYS = {
    "wait_stream": lambda side: npu.current_stream().wait_stream(side),
    "event": by_event,
    "timed event": lambda side: by_event(side, enable_timing=True),
    "chain": by_chain,
    "copy": by_copy,
}


@pytest.mark.parametrize("busy", [False, True])
def test_who_waits_for_a_stream_hears_of_its_error(busy):
    """However it comes to wait, and whether or not the kernel has failed by then."""
    x = torch.ones(3, device="npu")
    for name, wait in WAYS.items():
        side, gate = npu.Stream(), threading.Event()
        side.wait_stream(npu.current_stream())
        with npu.stream(side):
            if busy:
                backend.launch(0, "gate", gate.wait)
            result = failing(x)
        made = wait(side)
        gate.set()
        assert told_at((result if made is None else made).cpu), name
        assert settled()


def test_who_does_not_wait_for_a_stream_hears_nothing():
    """Its own synchronisation tells."""
    x = torch.ones(3, device="npu")
    side = npu.Stream()
    with npu.stream(side):
        failing(x)
    assert x.cpu().tolist() == [1.0] * 3
    assert told_at(side.synchronize)
    assert settled()


def test_a_backward_hands_on_errors_of_its_streams():
    """The gradient was made on the forward's stream, and is read on the caller's."""

    class Fails(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            failing(g)
            return g

    side = npu.Stream()
    with npu.stream(side):
        x = torch.ones(3, device="npu", requires_grad=True)
        y = Fails.apply(x)
    npu.current_stream().wait_stream(side)
    y.sum().backward()
    assert told_at(x.grad.cpu)
    assert settled()


def test_two_streams_that_fail_tell_each_its_own():
    """What one hears of another takes the place of none of its own."""
    first, second = npu.Stream(), npu.Stream()
    x = torch.ones(3, device="npu")
    npu.synchronize()
    for stream in (first, second):
        with npu.stream(stream):
            failing(x)
    second.wait_stream(first)
    assert told_at(second.synchronize)
    assert told_at(first.synchronize)
    assert settled()


def test_what_was_queued_before_a_wait_tells_its_own_error():
    """Also if the other stream has failed already, and this one has yet to come to its kernel."""
    first, second = npu.Stream(), npu.Stream()
    x = torch.ones(3, device="npu")
    npu.synchronize()
    with npu.stream(first):
        failing(x)
    while not first.query():
        pass
    with npu.stream(second):
        npu._sleep(50_000_000)
        failing(x)
    second.wait_stream(first)
    assert told_at(second.synchronize)
    assert told_at(first.synchronize)
    assert settled()
