"""Which device and which streams are current in a backward: what user code in it sees, and leaves.

Source: torch csrc/autograd/engine.cpp and input_buffer.cpp: a worker thread per device, whose
streams are the default ones, goes to the stream of each node; the host's nodes run in the thread
that called.
"""

import sys
import threading
import warnings

import mindtorch as torch
import pytest
from mindtorch.functionality import backward_streams
from mindtorch_autograd import streams
from mindtorch_npu import backend, thread_state

npu = torch.npu


def here():
    """The current device, and the current stream of each."""
    return npu.current_device(), npu.current_stream(0).stream_id, npu.current_stream(1).stream_id


class Where(torch.autograd.Function):
    """Notes where its backward runs."""

    @staticmethod
    def forward(ctx, x, seen):
        ctx.seen = seen
        return x * 2

    @staticmethod
    def backward(ctx, g):
        ctx.seen.append(here())
        return None if g is None else g * 2, None


def leaf(device):
    return torch.ones(3, device=device, requires_grad=True)


@pytest.fixture(autouse=True, params=["the first to leave", "after others"])
def nothing_is_left(request):
    """Whatever a backward did, its caller's device and streams are as before.

    Also where nobody in the process has left the default streams, or used the other device.
    """
    strayed, used = backward_streams.strayed, set(thread_state.in_use)
    if request.param == "the first to leave":
        npu.synchronize()
        npu.empty_cache()
        streams.source, backward_streams.strayed = None, False
        thread_state.in_use -= {i for i in (0, 1) if not npu.memory_reserved(i)}
    before = here(), thread_state.tls.left
    yield
    assert (here(), thread_state.tls.left) == before == ((0, 0, 0), before[1])
    backward_streams.strayed |= strayed
    thread_state.in_use |= used


@pytest.mark.parametrize("caller", [0, 1])
def test_a_node_runs_with_its_device_current(caller):
    """Also where nobody left the default streams; the host's nodes keep the caller's device."""
    seen = []
    with npu.device(caller):
        x = leaf("npu:0")
        y = Where.apply(x, seen).to("npu:1")
        z = Where.apply(y, seen).to("cpu")
        Where.apply(z, seen).sum().backward()
        assert npu.current_device() == caller
    assert seen == [(caller, 0, 0), (1, 0, 0), (0, 0, 0)]
    assert x.grad.tolist() == [8.0] * 3


def test_hooks_see_the_device_of_the_gradient():
    """Of tensors, of nodes, of leaves, and of what is only captured."""
    seen = []

    def hook(*_):
        seen.append(npu.current_device())

    x = leaf("npu:1")
    y = x * 2
    for register in (
        *(y.register_hook, y.grad_fn.register_hook, y.grad_fn.register_prehook),
        *(x.register_hook, x.register_post_accumulate_grad_hook),
    ):
        register(hook)
    y.sum().backward(retain_graph=True)
    assert seen == [1] * 5
    seen.clear()
    torch.autograd.grad(y.sum(), y)
    assert seen == [1]


def test_a_node_without_a_gradient_has_a_device_too():
    """What it is follows from what its forward gave."""
    seen = []

    class Drops(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            return None

    Drops.apply(Where.apply(leaf("npu:1"), seen)).sum().backward()
    assert seen == [(1, 0, 0)]


def test_streams_of_nodes_of_both_devices_and_of_the_host():
    """The stream of the device that the results lie on counts, whichever device is current."""
    streams = npu.Stream(0), npu.Stream(1)
    ids = [each.stream_id for each in streams]
    on_host, on_other, on_own, on_leaf = [], [], [], []
    with npu.stream(streams[0]):
        with npu.stream(streams[1]):
            x = leaf("cpu")
            y = Where.apply(x, on_host).to("npu:0")
        z = Where.apply(y, on_own)
        w = Where.apply(leaf("npu:1"), on_other)
        last = leaf("npu:0")
        last.register_post_accumulate_grad_hook(lambda t: on_leaf.append(here()))
        end = last * 2
    npu.synchronize(0)
    npu.synchronize(1)
    outside = npu.Stream(1)
    with npu.stream(outside):
        torch.autograd.backward([z.sum(), end.sum()])
        w.sum().backward()
        assert here() == (1, 0, outside.stream_id)
    assert on_host == [(1, 0, outside.stream_id)]
    assert on_own == on_leaf == [(0, ids[0], 0)]
    assert on_other == [(1, 0, 0)]
    assert x.grad.tolist() == [4.0] * 3


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, None])
def test_what_a_node_makes_current_ends_with_it(error):
    """Neither the nodes after it nor the caller see it; nor after an error or Ctrl-C."""
    seen = []

    class Sets(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            npu.set_stream(npu.Stream(0))
            npu.set_stream(npu.Stream(1))
            if error is not None:
                raise error("no")
            return g

    out = Sets.apply(Where.apply(leaf("npu:0"), seen)).sum()
    if error is None:
        out.backward()
    else:
        with pytest.raises(error):
            out.backward()
    assert seen == ([] if error else [(0, 0, 0)])
    assert here() == (0, 0, 0)


_HOOKS = {
    "a tensor's": lambda x, y, hook: y.register_hook(hook),
    "a node's": lambda x, y, hook: y.grad_fn.register_hook(hook),
    "before a node": lambda x, y, hook: y.grad_fn.register_prehook(hook),
    "a leaf's": lambda x, y, hook: x.register_hook(hook),
    "after a leaf": lambda x, y, hook: x.register_post_accumulate_grad_hook(hook),
}


@pytest.mark.parametrize("caller", [0, 1])
@pytest.mark.parametrize("register", _HOOKS.values(), ids=_HOOKS)
@pytest.mark.parametrize(
    "leave",
    [
        lambda device: npu.set_device(1 - device),
        lambda device: npu.set_stream(npu.Stream(device)),
        lambda device: npu.set_stream(npu.default_stream(1 - device)),
    ],
    ids=["device", "stream", "default stream"],
)
@pytest.mark.parametrize("how", ["backward", "grad"])
def test_a_hook_may_leave(caller, register, leave, how):
    """What runs after it does not see it, nor does the caller, however often it is run."""
    seen = []
    with npu.device(caller):
        x = leaf(f"npu:{caller}")
        w = Where.apply(x, seen)
        y = w * 2
        register(x, y, lambda *_: leave(caller))
        for _ in range(2):
            if how == "backward":
                y.sum().backward(retain_graph=True)
            else:
                torch.autograd.grad(y.sum(), (x, w), retain_graph=True)
            assert here() == (caller, 0, 0)
        assert seen == [(caller, 0, 0)] * 2
    assert not streams.astray


#: Where a backward comes and goes: points at which Ctrl-C is tried.
_STEPS = {
    *("enter", "_go", "_place", "leave", "gather", "finish", "replace_queues", "_left"),
    *("come_back", "make_current", "_came_back", "left_default_streams", "used_another_device"),
}


def interrupted(run, point):
    """*run* with Ctrl-C at this point of the steps above; whether there is such a point."""
    left = point

    def look(frame, event, _):
        nonlocal left
        if event in ("call", "c_return") and frame.f_code.co_name in _STEPS:
            left -= 1
            if not left:
                sys.setprofile(None)
                raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        run()
    except KeyboardInterrupt:
        return True
    finally:
        sys.setprofile(None)
    return False


def test_ctrl_c_leaves_device_and_streams_as_they_were():
    """Wherever it comes while a backward goes to its streams and back."""
    streams = npu.Stream(0), npu.Stream(1)
    x = leaf("npu:0")
    with npu.stream(streams[0]):
        y = x * 2
    with npu.stream(streams[1]):
        z = y.to("npu:1") * 3
    out = (z.to("npu:0") + y).sum()
    before = thread_state.tls.left
    point = 0
    while interrupted(lambda: out.backward(retain_graph=True), point := point + 1):
        assert here() == (0, 0, 0), point
        assert not thread_state.tls.left, point
        x.grad = None
    assert point > 60
    npu.synchronize()
    x.grad = None
    out.backward()
    assert x.grad.tolist() == [8.0] * 3
    assert thread_state.tls.left == before


def test_ctrl_c_where_a_hook_left():
    """Wherever it comes after that, in a backward that needed no streams."""
    point, left = 0, thread_state.tls.left
    found = True
    while found:
        # Drawn in another backward's hook the stream would tell that streams are used.
        backward_streams.strayed, streams.source = False, None
        x = leaf("npu:0")
        y = x * 2
        y.register_hook(lambda _: npu.set_stream(npu.Stream(0)))
        point += 1
        found = interrupted(lambda y=y: y.sum().backward(), point)
        assert here() == (0, 0, 0), point
        assert not streams.astray, point
    assert point > 10
    assert thread_state.tls.left == left


@pytest.mark.parametrize("depth", [1, 61])  # from some depth on a backward has a thread of its own
def test_a_backward_in_a_backward(depth):
    """It starts from where the outer one is, and its streams are waited for there."""
    stream = npu.Stream(1)
    own = (1, 0, stream.stream_id)

    class Reenter(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, left):
            ctx.save_for_backward(x)
            ctx.left = left
            return x * 2

        @staticmethod
        def backward(ctx, g):
            assert here() == own
            (x,) = ctx.saved_tensors
            if ctx.left:
                with torch.enable_grad():
                    t = x.detach().requires_grad_()
                    Reenter.apply(t, ctx.left - 1).sum().backward()
                assert here() == own
                g = g * t.grad
            npu._sleep(10_000)
            return g * 2, None

    with npu.stream(stream):
        x = leaf("npu:1")
        y = Reenter.apply(x, depth).sum()
    y.backward()
    assert x.grad.tolist() == [2.0 ** (depth + 1)] * 3


def test_threads_do_not_see_each_others():
    """Four threads, each with a device and a stream, run one graph again and again."""
    found = {}

    def run(number):
        device = number % 2
        stream = npu.Stream(device)
        seen = []
        with npu.stream(stream):
            y = Where.apply(leaf(f"npu:{device}"), seen).sum()
        for _ in range(20):
            y.backward(retain_graph=True)
        ids = [0, 0]
        ids[device] = stream.stream_id
        found[number] = set(seen) == {(device, *ids)}, here()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert found == {i: (True, (0, 0, 0)) for i in range(4)}


def test_callbacks_run_on_the_callers_streams():
    """Those that are queued for the end."""
    seen = []

    class Queues(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 1

        @staticmethod
        def backward(ctx, g):
            engine = torch.autograd.Variable._execution_engine
            engine.queue_callback(lambda: seen.append(here()[1:]))
            return g

    outside = npu.Stream(0)
    out = Queues.apply(leaf("npu:1")).sum()
    with npu.stream(outside):
        out.backward()
    assert seen == [(outside.stream_id, 0)]


@pytest.mark.skipif(backend.HARDWARE, reason="hardware runs no function of Python on a stream")
@pytest.mark.parametrize("side_first", [True, False])
def test_two_branches_overlap(side_first):
    """One waits for what made its gradient, not for what that stream was given afterwards."""
    gate, ran = threading.Event(), threading.Event()

    class Runs(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, kernel):
            ctx.kernel = kernel
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            backend.launch(0, "kernel", ctx.kernel)
            return g.clone(), None

    main, side = npu.Stream(), npu.Stream()
    with npu.stream(main):
        x = leaf("npu")
        y = x.clone()
        side.wait_stream(main)
        branches = [(side, ran.set), (main, gate.wait)]
        made = {}
        for stream, kernel in branches if side_first else branches[::-1]:
            with npu.stream(stream):
                made[stream] = Runs.apply(y, kernel)
        main.wait_stream(side)
        (made[main] + made[side]).sum().backward()
        assert ran.wait(10)
        gate.set()
        assert x.grad.tolist() == [2.0] * 3


def test_a_leaf_of_another_stream_warns_once():
    """Where its node lives on from before; not where there is one stream, or the warning is off."""

    def warned(keep):
        first, second = npu.Stream(), npu.Stream()
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            with first:
                x = leaf("npu")
                kept = x.clone() if keep else None
            second.wait_stream(first)
            with second:
                x.sum().backward()
                x.grad.tolist()
            del kept
        return ["AccumulateGrad node's stream does not match" in str(w.message) for w in told]

    switch = torch.autograd.graph.set_warn_on_accumulate_grad_stream_mismatch
    before = torch.is_warn_always_enabled()
    torch.set_warn_always(True)
    try:
        switch(False)
        assert not torch._C._warn_on_accumulate_grad_stream_mismatch()
        assert warned(True) == []
        switch(True)
        assert torch._C._warn_on_accumulate_grad_stream_mismatch()
        assert warned(False) == []
        assert warned(True) == [True]
    finally:
        switch(True)
        torch.set_warn_always(before)
