"""Programs in a pipeline give what the same programs give without one, and what torch gives.

``eager`` below is torch itself: each program runs there as it is, and here inside a pipeline, on
the cpu and on the NPU, over operands that are tiny (computed while recorded) and large (queued).
"""

from __future__ import annotations

import copy
import gc
import pickle
import threading
import weakref

import mindtorch
import numpy as np
import pytest
import torch as oracle
from mindtorch_dispatch import DispatchKey, current_pipeline, exclude_keys, registry, tls

from tests.contract.helpers import assert_same_value, differences
from tests.contract.pipeline_programs import LARGE, PROGRAMS, SMALL, ramp


@pytest.fixture(params=["cpu", "npu"])
def device(request):
    return request.param


@pytest.fixture(params=[SMALL, LARGE], ids=["tiny", "large"])
def n(request):
    return request.param


@pytest.fixture(autouse=True)
def no_state_left():
    """Whatever happens in a test, the thread is as before."""
    yield
    assert current_pipeline() is None and tls.state.get() == 0


#: Where our eager code differs from torch's in the last place.
TOLERANCE = {"composite": 1e-6}


def same_program(program, n, device):
    """*program(torch, make)* in a pipeline and on the oracle."""

    def ours():
        with mindtorch.pipeline():
            return program(mindtorch, lambda **k: ramp(mindtorch, n, device, **k))

    def theirs():
        return program(oracle, lambda **k: ramp(oracle, n, **k))

    rtol = TOLERANCE.get(program.__name__, 0.0)
    assert_same_value(ours, theirs, rtol=rtol, device=device == "cpu")


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_program_gives_what_eager_torch_gives(program, n, device):
    """Values bit by bit, dtypes, strides, history."""
    same_program(program, n, device)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_program_in_nested_pipelines(program):
    """Each operand is made in the outer pipeline, the program runs in the inner one."""
    with mindtorch.pipeline():
        with mindtorch.pipeline():
            ours = program(mindtorch, lambda **k: ramp(mindtorch, LARGE, **k))
    theirs = program(oracle, lambda **k: ramp(oracle, LARGE, **k))
    assert not differences(ours, theirs, rtol=TOLERANCE.get(program.__name__, 0.0))


# Random numbers -----------------------------------------------------------------------------------


def draw(torch, device):
    torch.manual_seed(3)
    a = torch.rand(5, device=device)
    b = torch.randn(5, device=device) + a
    torch.manual_seed(5)
    c = torch.zeros(5, device=device).uniform_()
    state = torch.get_rng_state()
    d = torch.nn.functional.dropout(torch.ones(64, device=device), 0.5)
    torch.set_rng_state(state)
    e = torch.nn.functional.dropout(torch.ones(64, device=device), 0.5)
    return a, b, c, d, e


def test_random_ops_draw_in_program_order():
    """Seeding and reading the generator's state are part of the order."""
    with mindtorch.pipeline():
        ours = draw(mindtorch, "cpu")
    assert not differences(ours, draw(oracle, "cpu"))


# What flushes, and what does not ------------------------------------------------------------------

READS = {
    "item": lambda t: t[0].item(),
    "tolist": lambda t: t.tolist(),
    "bool": lambda t: bool(t[0]),
    "float": lambda t: float(t[0]),
    "int": lambda t: int(t[0]),
    "repr": repr,
    "str": str,
    "format": lambda t: f"{t[0]:.2f}",
    "data_ptr": lambda t: t.data_ptr(),
    "pickle": pickle.dumps,
    "deepcopy": copy.deepcopy,
    "storage": lambda t: t.untyped_storage().tolist(),
    "contains": lambda t: 2.0 in t,
    "equal": lambda t: mindtorch.equal(t, t),
    "other device": lambda t: t.to("npu" if t.device.type == "cpu" else "cpu"),
    "nonzero": lambda t: t.nonzero(),
}
HOST_READS = {
    "numpy": lambda t: t.numpy(),
    "asarray": np.asarray,
    "dlpack": lambda t: np.from_dlpack(t),
}
NO_READS = {
    "shape": lambda t: t.shape,
    "len": len,
    "dtype": lambda t: t.dtype,
    "stride": lambda t: t.stride(),
    "numel": lambda t: t.numel(),
    "device": lambda t: t.device,
    "view": lambda t: t.view(-1)[1:],
    "arithmetic": lambda t: (t + 1).sum(),
    "in place": lambda t: t.add_(1),
    "iteration": list,
    "detach": lambda t: t.detach(),
    "is_contiguous": lambda t: t.is_contiguous(),
    "dispatch keys": lambda t: mindtorch._C._dispatch_keys(t),
}


@pytest.mark.parametrize("read", READS)
def test_reading_flushes(read, n, device):
    """Every access to data settles the tensor, and with it what was recorded before."""
    with mindtorch.pipeline():
        earlier = ramp(mindtorch, n, device) - 1
        t = ramp(mindtorch, n, device) + 2
        assert t._pending
        READS[read](t)
        assert not t._pending and not earlier._pending


@pytest.mark.parametrize("read", HOST_READS)
def test_handing_memory_out_flushes(read, n):
    """The array holds numbers, and what is queued has read the memory before it can change."""
    with mindtorch.pipeline():
        t = ramp(mindtorch, n) + 2
        assert t._pending
        HOST_READS[read](t)
        assert not t._pending


@pytest.mark.parametrize("look", NO_READS)
def test_looking_at_facts_does_not_flush(look, device):
    """Shapes, views, arithmetic and history need no numbers."""
    with mindtorch.pipeline():
        t = ramp(mindtorch, LARGE, device) + 2
        if look == "iteration":
            t = t[:3]
        NO_READS[look](t)
        assert t._pending


def test_memory_that_the_queue_reads_is_settled_before_it_is_handed_out(n):
    """A write through numpy comes after what was recorded, as in eager code."""
    with mindtorch.pipeline():
        a = mindtorch.ones(n)
        a.tolist()
        b = a + 1
        total = b.sum()
        a.numpy()[0] = 100
        c = a + 1
    assert b[0].item() == 2 and total.item() == 2 * n and c[0].item() == 101


def test_storage_writes_come_after_what_was_recorded():
    """``untyped_storage`` hands memory out too."""
    a = mindtorch.ones(LARGE)
    with mindtorch.pipeline():
        b = a + 1
        a.untyped_storage().fill_(0)
        c = a + 1
    assert (b[0].item(), c[0].item()) == (2.0, 1.0)


def test_default_dtype_is_that_of_the_recording():
    """Python numbers become what they would have become at once."""
    try:
        with mindtorch.pipeline():
            a = mindtorch.arange(LARGE) * 0.1
            mindtorch.set_default_dtype(mindtorch.float64)
            b = mindtorch.arange(LARGE) * 0.1
    finally:
        mindtorch.set_default_dtype(mindtorch.float32)
    want = oracle.arange(LARGE) * 0.1
    assert a.dtype is mindtorch.float32 and b.dtype is mindtorch.float64
    assert a.tolist() == want.tolist()


# Contexts and threads -----------------------------------------------------------------------------


def test_leaving_an_inner_pipeline_flushes_what_came_before():
    """And leaves the outer one recording."""
    with mindtorch.pipeline() as outer:
        a = mindtorch.ones(LARGE) + 1
        with mindtorch.pipeline() as inner:
            b = a * 3
            assert current_pipeline() is inner and a._pending and b._pending
        assert not a._pending and not b._pending and current_pipeline() is outer
        c = b + a
        assert c._pending
    assert c[0].item() == 8.0


def test_pipeline_decorates_a_function():
    """Every call has a pipeline of its own, flushed when it returns."""

    @mindtorch.pipeline()
    def double(x):
        y = x * 2
        assert y._pending
        return y

    first, second = double(mindtorch.ones(LARGE)), double(mindtorch.ones(3))
    assert not first._pending and not second._pending and second.tolist() == [2.0, 2.0, 2.0]


def in_thread(function):
    """What *function* returns or raises in another thread."""
    got = []

    def run():
        try:
            got.append(function())
        except BaseException as error:
            got.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(20)
    return got[0]


@pytest.mark.parametrize(
    "use",
    [
        lambda t: t[1].item(),
        lambda t: (t * 2)[1].item() / 2,
        lambda t: t[1:].tolist()[0],
        lambda t: (t.sum() * 0 + t[1]).item(),
    ],
    ids=["read", "op", "view", "several"],
)
def test_tensor_used_in_another_thread_is_flushed_with_its_pipeline(use, n, device):
    """Whatever thread or context asks."""
    with mindtorch.pipeline():
        t = mindtorch.ones(n, device=device) + 1
        t.add_(1)
        assert t._pending
        assert in_thread(lambda: use(t)) == 3.0
        assert not t._pending


def test_other_threads_do_not_record():
    """A pipeline belongs to the thread that entered it."""
    with mindtorch.pipeline():
        assert in_thread(lambda: (mindtorch.ones(3) + 1)._pending) is False


def test_tensor_of_another_pipeline_is_settled_where_it_is_used():
    """Its numbers come from the pipeline that recorded it."""
    made = threading.Event()
    done = threading.Event()
    box = []

    def maker():
        with mindtorch.pipeline():
            box.append(mindtorch.full((LARGE,), 2.0) * 3)
            made.set()
            done.wait(20)

    thread = threading.Thread(target=maker)
    thread.start()
    made.wait(20)
    t = box[0]
    assert t._pending
    with mindtorch.pipeline():
        u = t + 1
        t.mul_(2)
        v = t + 1
    done.set()
    thread.join(20)
    assert (u[0].item(), v[0].item()) == (7.0, 13.0)


def test_excluded_pipeline_key_computes_now(n):
    """What was recorded before comes first."""
    a = mindtorch.ones(n)
    with mindtorch.pipeline():
        a.add_(1)
        b = a * 2
        with exclude_keys(DispatchKey.Pipeline):
            c = a + b
            assert not c._pending and not b._pending
        assert (c + 1)._pending
    assert c[0].item() == 6.0


def test_full_queue_flushes_itself():
    """No more than ``max_pending`` ops wait, in the queue or computed early."""
    from mindtorch_dispatch import Pipeline

    with mindtorch.pipeline(Pipeline(max_pending=8)) as pipe:
        t = mindtorch.ones(LARGE)
        for _ in range(50):
            t = t + 1
            assert pipe.pending <= 8
    assert t[0].item() == 51.0
    with mindtorch.pipeline() as pipe:
        t = mindtorch.ones(2)
        for _ in range(pipe.max_pending + 10):
            t = t + 1
        assert pipe.pending <= pipe.max_pending
    assert t[0].item() == pipe.max_pending + 11


def test_flushed_pipeline_keeps_nothing_alive(n):
    """Neither results nor operands."""
    with mindtorch.pipeline() as pipe:
        a = mindtorch.ones(n) * 2
        b = a + 1
        dead = weakref.ref(b)
        pipe.flush()
        del b
        gc.collect()
        assert dead() is None


# Training -----------------------------------------------------------------------------------------


def train(torch, device, deferred, make_optimizer):
    import contextlib

    nn = torch.nn
    model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.LayerNorm(8), nn.Linear(8, 3))
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape).sin() + i / 10)
    model.to(device)
    optimizer = make_optimizer(torch, model.parameters())
    criterion = nn.CrossEntropyLoss()
    x = torch.arange(24, dtype=torch.float32).reshape(4, 6).cos().to(device)
    y = torch.tensor([0, 2, 1, 0]).to(device)
    losses = []
    for _ in range(4):
        with torch.pipeline() if deferred else contextlib.nullcontext():
            optimizer.zero_grad()
            loss = criterion(model(x), y)
            loss.backward()
            optimizer.step()
        losses.append(loss.item())
    return losses, [p.detach().cpu() for p in model.parameters()]


OPTIMIZERS = {
    "SGD": lambda torch, p: torch.optim.SGD(p, lr=0.1, momentum=0.9),
    "AdamW": lambda torch, p: torch.optim.AdamW(p, lr=0.01),
}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_training_in_a_pipeline_is_bit_identical(optimizer, device):
    """Module, loss, backward and optimizer over several steps, each in a pipeline of its own."""
    eager = train(mindtorch, device, False, OPTIMIZERS[optimizer])
    deferred = train(mindtorch, device, True, OPTIMIZERS[optimizer])
    assert eager[0] == deferred[0]
    assert not differences(deferred[1], eager[1])
    want = train(oracle, "cpu", False, OPTIMIZERS[optimizer])
    assert not differences(deferred, want, rtol=1e-4, atol=1e-5)


# Ops of one's own ---------------------------------------------------------------------------------


@pytest.fixture
def custom():
    """An op with a CPU, an NPU and a Meta kernel, and one that is composite."""
    lib = mindtorch.library.Library("pipeline_test", "FRAGMENT")
    ran = []

    def twice(x, *, times=2):
        ran.append(x._pending)
        return mindtorch.from_numpy(x.cpu().numpy() * times).to(x.device)

    lib.define("twice(Tensor x, *, int times=2) -> Tensor")
    lib.impl("twice", twice, "CPU")
    lib.impl("twice", twice, "PrivateUse1")
    lib.impl("twice", lambda x, *, times=2: mindtorch.empty_like(x), "Meta")
    lib.define("thrice(Tensor x) -> Tensor")
    lib.impl("thrice", lambda x: x + x + x)
    lib.define("clobber(Tensor(a!) x) -> ()")
    lib.impl("clobber", lambda x: [x.fill_(5)] and None, "CPU")
    lib.impl("clobber", lambda x: None, "Meta")
    yield ran
    lib._destroy()
    registry.find("pipeline_test::twice")


def test_op_from_the_library_is_deferred_as_a_whole(custom, device):
    """Its kernel runs at the flush, with numbers in its arguments."""
    my = mindtorch.ops.pipeline_test
    with mindtorch.pipeline():
        x = mindtorch.ones(LARGE, device=device) + 1
        y = my.twice(x, times=4) + 1
        assert custom == [] and y._pending and y.shape == (LARGE,) and y.device.type == device
    assert custom == [False] and y[0].item() == 9.0


def test_composite_and_mutating_ops_from_the_library(custom):
    """The ops inside a composite one are recorded; a mutating one runs after a flush."""
    my = mindtorch.ops.pipeline_test
    with mindtorch.pipeline():
        x = mindtorch.ones(LARGE) + 1
        y = my.thrice(x)
        assert y._pending
        before = x * 1
        my.clobber(x)
        after = x * 1
    assert [t[0].item() for t in (y, before, after)] == [6.0, 2.0, 5.0]
