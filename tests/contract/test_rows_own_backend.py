"""One row, a backend of one's own: what ``examples/own_backend.py`` gets for its one value.

Every row runs on its devices and gives what the host gives: numbers, dtypes, strides, memory that
is shared, versions, gradients, refusals; no launch writes past the memory of its results.
"""

from __future__ import annotations

import copy
import pickle
from importlib.util import module_from_spec, spec_from_file_location

import mindtorch
import pytest
from mindtorch.backends.backend import BACKENDS, Backend
from mindtorch.call.row import ROWS
from mindtorch.tensor.array_memory import same_storage
from mindtorch.utils.backend_registration import register_backend, unregister_backend
from mindtorch.utils.checkpoint import checkpoint
from mindtorch_dispatch import DispatchKey
from mindtorch_storage import HostAllocator

from tests.workspace import ROOT

from .batches import every
from .known import expected
from .rows import NAMES, compare, forms, outcome, own_self, report, tensors_in
from .test_rows_backends import (
    IN_PLACE_ELSEWHERE,
    REFUSING,
    differs_on,
    gradients_differ_on,
    moved,
    must_wait,
    runs,
    takes_on,
    writes_otherwise_on,
)
from .test_rows_out import WITH_OUT
from .test_rows_out_npu import out_differs_on

_SPEC = spec_from_file_location("own_backend", ROOT / "examples" / "own_backend.py")
assert _SPEC is not None and _SPEC.loader is not None
example = module_from_spec(_SPEC)
_SPEC.loader.exec_module(example)
NAME = example.DEMO.name
#: So many samples of a row and dtype are run: the NPU runs all.
SAMPLES = 1
#: Rows that take one of their tensors on the host alone, beside any device.
PARTLY_ON_HOST = ("_to_cpu", "_pack_padded_sequence", "_pad_packed_sequence", "randint_like.Tensor")


class Poisoned(HostAllocator):
    """Memory of the host that has numbers in it which nobody wrote."""

    def allocate(self, nbytes):
        """A block of bytes that are no zeros."""
        block = super().allocate(nbytes)
        block.array[:] = 0x5A
        return block


#: What was launched on the device ``late`` and did not run yet.
QUEUE = []


def run_queue(device):
    """Run all of it."""
    while QUEUE:
        QUEUE.pop(0)()


#: A device that runs nothing before the host waits for it; its fresh memory has no zeros in it.
LATE = Backend(
    name="late",
    key=DispatchKey.PrivateUse3,
    allocator=lambda device: Poisoned(),
    run=lambda launch, device: QUEUE.append(launch),
    wait=run_queue,
)


@pytest.fixture(scope="module", autouse=True)
def registered():
    """The backends are there for these tests, and gone for others."""
    for backend in (example.DEMO, LATE):
        register_backend(backend)
    yield
    for backend in (example.DEMO, LATE):
        unregister_backend(backend)


@every("name", [n for n in NAMES if n not in PARTLY_ON_HOST])
def test_a_row_gives_the_same(name):
    """The host's result, or for rows that draw its shape, dtype and strides; and it stays there."""
    row = ROWS[name]
    if row.random:
        report(laid_out_otherwise(name))
    else:
        lines = differs_on(name, NAME, SAMPLES) + shares_otherwise(name)
        report(expected("npu", name, lines))


def laid_out_otherwise(name):
    """How results differ from the host's, whose numbers are others."""
    row, lines = ROWS[name], []
    for sample, here in runs(row, SAMPLES):
        there = outcome(forms(row)[0].ours, moved(own_self(row, sample.ours), NAME), seed=True)
        if there.error is not None:
            lines.append(f"{sample!r}: {there.error!r}")
            continue
        looks = [
            [(t.dtype, t.shape, t.stride(), t._version) for t in tensors_in(found.value)]
            for found in (there, here)
        ]
        if looks[0] != looks[1]:
            lines.append(f"{sample!r}: {looks[0]}, the host has {looks[1]}")
    return lines


def shares_otherwise(name):
    """The calls whose results share memory with arguments where the host's do not, or do not."""
    row, lines = ROWS[name], []
    for sample, _ in runs(row, SAMPLES):
        calls = [own_self(row, sample.ours), moved(own_self(row, sample.ours), NAME)]
        here, there = [shared(c, outcome(forms(row)[0].ours, c).value) for c in calls]
        if here != there:
            lines.append(f"{sample!r}: shares {there}, the host's shares {here}")
    return lines


def shared(call, value):
    """Of each new result and each argument: whether they share memory, and whether by a view."""
    return [
        (same_storage(r, t), r._base is not None)
        for r in tensors_in(value)
        if not any(r is t for t in tensors_in(call))
        for t in tensors_in(call)
    ]


@every("name", IN_PLACE_ELSEWHERE)
def test_an_in_place_form_writes_the_same(name):
    """Numbers and version of the host."""
    report(expected("npu", name, writes_otherwise_on(name, NAME, SAMPLES)))


@every("name", [n for n in WITH_OUT if not ROWS[n].random and n not in PARTLY_ON_HOST])
def test_out_is_written_as_on_the_host(name):
    """The same numbers, strides, version and warnings for each kind of target, or a refusal."""
    report(expected("npu", name, out_differs_on(name, NAME)))


@every("name", REFUSING)
def test_what_the_host_refuses_is_refused(name):
    """With an error of the same type."""
    report(takes_on(name, NAME))


@every("name", [n for n in NAMES if not ROWS[n].random and n not in PARTLY_ON_HOST])
def test_a_gradient_is_the_same(name):
    """Gradients are the host's, and stay on the device."""
    report(expected("npu", name, gradients_differ_on(name, NAME, SAMPLES)))


@every("name", [n for n in NAMES if not ROWS[n].random and n not in PARTLY_ON_HOST])
def test_a_pipeline_defers_the_same_result(name):
    """In ``pipeline()`` results are pending until the flush, and then the eager ones."""
    row, lines = ROWS[name], []
    for sample, here in runs(row, SAMPLES):
        waits = []

        def deferred(*args, waits=waits, **kwargs):
            with mindtorch.pipeline():
                result = forms(row)[0].ours(*args, **kwargs)
                waits += [t._pending for t in tensors_in(result)]
            return result

        there = outcome(deferred, moved(own_self(row, sample.ours), NAME))
        found = compare(there, here, device=False)
        if must_wait(row) and not all(waits):
            found.append("not pending inside the block")
        lines += [f"{sample!r}: {d}" for d in found]
    report(expected("pipeline", name, lines))


@every("name", [n for n in NAMES if not ROWS[n].random and n not in PARTLY_ON_HOST])
def test_a_device_that_runs_later_gives_the_same(name):
    """Nothing looks at numbers on a device before it has waited for them."""
    report(expected("npu", name, differs_on(name, LATE.name, SAMPLES)))


@every("name", IN_PLACE_ELSEWHERE)
def test_a_device_that_runs_later_is_written_in_order(name):
    """In-place forms are launched in their turn, too."""
    report(expected("npu", name, writes_otherwise_on(name, LATE.name, SAMPLES)))


def test_numbers_are_waited_for_wherever_the_host_looks():
    """Printing, conversions, comparisons, copies, storages, files; and nothing runs before."""
    x = mindtorch.ones(2, device="late")
    for look in (repr, len, bool):
        y = x.sum() * 2 if look is bool else x * 2
        assert QUEUE
        look(y)
        assert bool(QUEUE) == (look is len)
    run_queue(None)
    for look in (
        lambda t: t.tolist() == [2, 2],
        lambda t: t.cpu().tolist() == [2, 2],
        lambda t: t.npu().tolist() == [2, 2],
        lambda t: t.demo().tolist() == [2, 2],
        lambda t: t.equal(x + x),
        lambda t: t.untyped_storage().tolist()[3::4] == [0x40, 0x40],
        lambda t: mindtorch.zeros(2).copy_(t).tolist() == [2, 2],
        lambda t: t.nonzero().tolist() == [[0], [1]],
        lambda t: t[t > 1].tolist() == [2, 2],
        lambda t: pickle.loads(pickle.dumps(t)).tolist() == [2, 2],
        lambda t: copy.deepcopy(t).tolist() == [2, 2],
    ):
        y = x * 2
        assert QUEUE and look(y)


def test_three_kinds_of_devices_live_side_by_side():
    """A step of training is the host's on each; numbers travel between all of them."""
    weights = []
    for device in ("cpu", "npu", "demo:1", "late"):
        mindtorch.manual_seed(0)
        model = mindtorch.nn.Sequential(
            mindtorch.nn.Linear(3, 8), mindtorch.nn.GELU(), mindtorch.nn.Linear(8, 1)
        ).to(device)
        optimizer = mindtorch.optim.AdamW(model.parameters(), lr=0.1)
        x = mindtorch.arange(12.0).view(4, 3).to(device)
        for _ in range(3):
            optimizer.zero_grad()
            model(x).square().mean().backward()
            optimizer.step()
        weights.append([p.detach() for p in model.parameters()])
        state = model.state_dict()
        assert {v.device for v in state.values()} == {x.device}
    host, *others = weights
    for found in others:
        for ours, want in zip(found, host, strict=True):
            assert mindtorch.allclose(ours.cpu(), want, rtol=1e-5)
            for other in others:
                assert ours.to(other[0].device).device == other[0].device


@pytest.mark.parametrize(
    ("name", "key", "says"),
    [
        ("demo", DispatchKey.HPU, "has the name or the key"),
        ("other", DispatchKey.PrivateUse2, "has the name or the key"),
        ("xpu", DispatchKey.XPU, "torch has devices that are called 'xpu'"),
    ],
)
def test_a_name_or_key_that_is_taken_is_refused(name, key, says):
    """And nothing is left of the attempt."""
    before = dict(BACKENDS)
    with pytest.raises(RuntimeError, match=says):
        register_backend(Backend(name=name, key=key))
    assert before == BACKENDS


def test_a_signature_has_bits_for_three_more_backends():
    """The fourth is refused; one that goes makes room."""
    third = Backend(name="third", key=DispatchKey.HPU)
    register_backend(third)
    with pytest.raises(RuntimeError, match="6 backends are all"):
        register_backend(Backend(name="fourth", key=DispatchKey.MTIA))
    unregister_backend(third)
    with pytest.raises(RuntimeError, match="device type at start of device string: third"):
        mindtorch.device("third")
    fourth = Backend(name="fourth", key=DispatchKey.MTIA, allocator=lambda device: HostAllocator())
    register_backend(fourth)
    assert (mindtorch.ones(2, device="fourth") + 1).tolist() == [2, 2]
    unregister_backend(fourth)


def test_a_kernel_at_its_key_takes_the_place_of_a_rows():
    """As in torch, for one op, as long as the library lives."""
    library = mindtorch.library.Library("aten", "IMPL")
    with pytest.warns(UserWarning, match="Overriding a previously registered kernel"):
        library.impl("neg", lambda t: t * 3, "PrivateUse2")
    x = mindtorch.ones(2, device="demo")
    assert x.neg().tolist() == [3, 3] and mindtorch.ones(2, device="late").neg().tolist() == [
        -1,
        -1,
    ]
    library._destroy()
    assert x.neg().tolist() == [-1, -1]


def test_generators_of_a_device_are_its_own():
    """Seeded with all others; no other device's may be given."""
    mindtorch.manual_seed(5)
    first = mindtorch.rand(3, device="demo")
    mindtorch.rand(3)
    with mindtorch.random.fork_rng(device_type="demo"):
        mindtorch.rand(3, device="demo")
    second = mindtorch.rand(3, device="demo")
    mindtorch.manual_seed(5)
    assert mindtorch.rand(6, device="demo").tolist() != mindtorch.rand(6).tolist()
    mindtorch.manual_seed(5)
    assert mindtorch.rand(3, device="demo").equal(first)
    assert mindtorch.rand(3, device="demo").equal(second)
    generator = mindtorch.Generator("demo:1").manual_seed(2)
    assert mindtorch.rand(3, device="demo:1", generator=generator).device.index == 1
    with pytest.raises(RuntimeError, match="Expected a 'late' device type for generator"):
        mindtorch.rand(3, device="late", generator=generator)
    with pytest.raises(RuntimeError, match="device_index is invalid"):
        mindtorch.Generator("demo:2")


def test_a_checkpoint_draws_the_same_numbers_again():
    """It keeps the state of the generator of the tensors' device."""
    x = mindtorch.ones(64, device="demo", requires_grad=True)
    y = checkpoint(lambda a: mindtorch.nn.functional.dropout(a), x, use_reentrant=False)
    mindtorch.rand(5, device="demo")
    y.sum().backward()
    assert x.grad.equal(y.detach())


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda x: mindtorch.empty(2, device="demo:2"), "demo error: invalid device ordinal"),
        (lambda x: mindtorch.zeros(2, device="meta").demo(), "Cannot copy out of meta tensor"),
        (lambda x: x + mindtorch.ones(2), "at least two devices, demo:0 and cpu"),
        (lambda x: mindtorch.ones(2, device="npu") + x, "at least two devices, npu:0 and demo:0"),
        (
            lambda x: mindtorch.cat([x, x.cpu()]),
            "on cpu, different .* wrapper_DEMO_cat",
        ),
        (lambda x: x.add_(mindtorch.ones(2)), "at least two devices, demo:0 and cpu"),
        (lambda x: mindtorch.neg(x, out=x.cpu()), "tensors to be on the same device"),
        (lambda x: x.numpy(), "can't convert demo:0 device type tensor to numpy"),
        (lambda x: x.pin_memory(), r"cannot pin 'torch.demo.FloatTensor' only dense CPU"),
        (lambda x: x.demo("npu"), "Invalid device, must be demo device"),
    ],
)
def test_a_refusal_names_the_device(call, says):
    """In torch's words for a device of its own."""
    with pytest.raises((RuntimeError, TypeError, NotImplementedError), match=says):
        call(mindtorch.ones(2, device="demo"))
