"""Backward on the streams of the forward."""

import threading

import mindtorch as torch
import pytest
from mindtorch_npu import thread_state

MS = 1_000_000  # cycles


class Where(torch.autograd.Function):
    """Notes the current stream of its backward."""

    @staticmethod
    def forward(ctx, x, seen):
        ctx.seen = seen
        return x * 2

    @staticmethod
    def backward(ctx, g):
        ctx.seen.append(torch.npu.current_stream())
        return g * 2, None


@pytest.mark.parametrize("again", range(20))
def test_backward_runs_on_the_streams_of_the_forward(again):
    """Each function on its own stream; the caller's is current again afterwards.

    Gradients that two streams made are summed after both, which a single run may not show.
    """
    first, second, outside = torch.npu.Stream(), torch.npu.Stream(), torch.npu.Stream()
    on_first, on_second, on_default = [], [], []
    x = torch.ones(4, device="npu", requires_grad=True)
    with torch.npu.stream(first):
        first.wait_stream(torch.npu.default_stream())
        a = Where.apply(x, on_first)
    with torch.npu.stream(second):
        second.wait_stream(torch.npu.default_stream())
        b = Where.apply(x, on_second)
    here = torch.npu.current_stream()
    here.wait_stream(first)
    here.wait_stream(second)
    c = Where.apply(a + b, on_default)
    outside.wait_stream(here)
    with torch.npu.stream(outside):
        c.sum().backward()
        assert torch.npu.current_stream() == outside
        assert x.grad.tolist() == [8.0] * 4
    assert (on_first, on_second) == ([first], [second])
    assert on_default == [torch.npu.default_stream()]


class Slow(torch.autograd.Function):
    """Its gradient comes late, on the stream that is current."""

    @staticmethod
    def forward(ctx, x, factor):
        ctx.factor = factor
        return x * factor

    @staticmethod
    def backward(ctx, g):
        torch.npu._sleep(3 * MS)
        return g * ctx.factor, None


def test_slow_gradients_of_two_streams_are_waited_for():
    """Their kernels are queued where they belong; also when a new thread runs the backward."""
    first, second = torch.npu.Stream(), torch.npu.Stream()
    left = thread_state.tls.left
    for elsewhere in (False, True):
        x = torch.ones(4, device="npu", requires_grad=True)
        made = []
        for stream, factor in ((first, 2), (second, 3)):
            stream.wait_stream(torch.npu.current_stream())
            with torch.npu.stream(stream):
                made.append(Slow.apply(x, factor))
            torch.npu.current_stream().wait_stream(stream)
        run = sum(made).sum().backward
        if elsewhere:
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()
            torch.npu.synchronize()
        else:
            run()
        assert x.grad.tolist() == [5.0] * 4
        assert not thread_state.tls.left
        assert thread_state.tls.left == left


def test_nodes_keep_the_stream_that_recorded_them():
    """An optimizer changes leaves on another stream; what is handed through keeps its node's."""
    side, seen = torch.npu.Stream(), []
    x = torch.ones(3, device="npu", requires_grad=True)
    y = Where.apply(x, seen)
    side.wait_stream(torch.npu.current_stream())
    with torch.npu.stream(side):
        assert y.to("npu") is y and y.float() is y and x.contiguous() is x
        with torch.no_grad():
            y.add_(1)
            x.mul_(3)
    torch.npu.current_stream().wait_stream(side)
    y.sum().backward()
    assert seen == [torch.npu.default_stream()]
    optimizer = torch.optim.SGD([x], lr=1.0, momentum=0.5)
    with torch.npu.stream(side):
        for _ in range(2):
            optimizer.step()
        assert x.tolist() == [3.0 - 2.0 - 3.0] * 3
