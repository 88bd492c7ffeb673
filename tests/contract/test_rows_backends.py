"""One row, every backend: meta infers, the NPU computes, and a pipeline defers the same result."""

from __future__ import annotations

from functools import cache
from itertools import islice

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .batches import every
from .known import check_all_differ, expected
from .rows import (
    FEW,
    NAMES,
    compare,
    forms,
    mapped,
    outcome,
    own_self,
    report,
    samples,
    show,
    tensors_in,
)
from .test_rows_gradient import differentiable, gradients, leaves
from .test_rows_inplace import IN_PLACE, in_place_name, method
from .test_rows_inplace import calls as in_place_calls


def moved(call, device):
    """The call with its tensors, or where it has none its result, on *device*."""
    there = mapped(call, lambda t: placed(t, device))
    there = there._replace(args=tuple([placed_storage(a, device) for a in there.args]))
    if "source" in there.kwargs:
        source = placed_storage(there.kwargs["source"], device)
        there = there._replace(kwargs={**there.kwargs, "source": source})
    if not tensors_in(call):
        there = there._replace(kwargs={**there.kwargs, "device": device})
    return there


def placed(t, device):
    """*t* on *device*, where it lies in its memory: gaps and what is before it included."""
    if (t.is_contiguous() and not t.storage_offset()) or 0 in t.stride():
        return t.to(device)
    count = t.untyped_storage().nbytes() // t.element_size()
    whole = t.detach().as_strided((count,), (1,), 0).to(device)
    return whole.as_strided(tuple(t.shape), t.stride(), t.storage_offset())


def placed_storage(value, device):
    """*value*, if it is a storage of either framework, on *device*."""
    for framework in (mindtorch, torch):
        if isinstance(value, framework.UntypedStorage):
            made = framework.UntypedStorage(value.nbytes(), device=device)
            return made if device == "meta" else made.copy_(value)
    return value


def takes_device(row):
    """Whether the row makes tensors where its ``device`` argument says."""
    return "Device? device" in row.schema


def usable(row, sample):
    """Whether the call can be moved to another device as it is."""
    if "generator" in sample.ours.kwargs or "device" in sample.ours.kwargs:
        return False
    return bool(tensors_in(sample.ours)) or takes_device(row)


def runs(row, most=None, dtypes=("float32", "int64")):
    """(sample, what it gives on the CPU), for *most* samples of each dtype that run there."""
    for dtype in dtypes:
        found, others = ran(row.name, dtype)
        found += others if most is None else islice(others, max(0, most - len(found)))
        for sample, here in found[:most]:
            # An op that writes its argument must not write that of the next call.
            yield sample._replace(ours=own_self(row, sample.ours)), here


@cache
def ran(name, dtype):
    """The same of one dtype, run once for all tests: what has been run, and the others."""
    row = ROWS[name]
    form = forms(row)[0]

    def others():
        for sample in samples(row, dtype):
            if usable(row, sample):
                here = outcome(form.ours, own_self(row, sample.ours), seed=row.random)
                if here.error is None:
                    yield sample, here

    return [], others()


@every("name", NAMES)
def test_meta_infers_what_the_kernel_gives(name):
    """On ``meta``: dtype, shape and strides of the CPU's result, without its numbers."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    for sample, here in runs(row):
        there = outcome(form.ours, moved(sample.ours, "meta"), seed=row.random)
        found = compare(there, here, device=False)
        if not found:
            found += [
                f"device {t.device}" for t in tensors_in(there.value) if t.device.type != "meta"
            ]
        if found:
            # Some kernels lay results out as their meta functions do not: then those count.
            theirs = outcome(form.oracle, moved(sample.oracle, "meta"), seed=row.random)
            found = compare(there, theirs) if theirs.error is None or there.error else found
        if there.error is not None and type(there.error) is NotImplementedError:
            found = [] if theirs.error is not None else found
        lines += [f"{sample!r}: {d}" for d in found]
    report(expected("meta", name, lines))


@every("name", NAMES)
def test_npu_gives_the_same_on_its_own_device(name):
    """On ``npu``: the CPU's result bit by bit, twice, and it stays there."""
    if ROWS[name].random:
        pytest.skip("the NPU has a generator of its own")
    report(expected("npu", name, differs_on(name, "npu")))


def differs_on(name, device, most=None):
    """How the row's results on *device* differ from the CPU's, the first time and the second."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    for sample, here in runs(row, most):
        for _ in range(2):
            there = outcome(form.ours, moved(own_self(row, sample.ours), device))
            found = compare(there, here, device=False)
            if there.error is None:
                found += [
                    f"device {t.device}" for t in tensors_in(there.value) if t.device.type != device
                ]
            lines += [f"{sample!r}: {d}" for d in found]
    return lines


#: A tensor with gaps is moved as a view, which may not be detached.
IN_PLACE_ELSEWHERE = [n for n in IN_PLACE if not ROWS[n].random and n != "detach"]


@every("name", IN_PLACE_ELSEWHERE)
def test_in_place_form_writes_the_same_on_an_npu(name):
    """On ``npu``, the first time and once the layout is known: numbers and version of the host."""
    report(expected("npu", name, writes_otherwise_on(name, "npu")))


def writes_otherwise_on(name, device, most=None):
    """How what the row's in-place form leaves on *device* differs from what it leaves here."""
    row, lines = ROWS[name], []
    call_it = method(in_place_name(row))
    for dtype in ("float32", "int64"):
        for sample in islice(in_place_calls(row, dtype), most):
            there = [moved(sample.ours, device) for _ in range(2)]
            here = outcome(call_it, sample.ours)
            if here.error is not None:
                continue
            for call in there:
                found = compare(outcome(call_it, call), here, device=False)
                versions = call.args[0]._version, sample.ours.args[0]._version
                if versions[0] != versions[1]:
                    found.append(f"version {versions[0]}, the host has {versions[1]}")
                lines += [f"{sample!r}: {d}" for d in found]
    return lines


#: Rows whose calls an NPU takes though the host does not, or refuses otherwise, and why (as it does
#: those that torch has on accelerators alone).
REFUSED_OTHERWISE = {
    "_assert_async": "asserts without a wait: it tells at the next synchronisation",
    "_assert_async.msg": "asserts without a wait: it tells at the next synchronisation",
    "_functional_assert_async.msg": "asserts without a wait: it tells at the next synchronisation",
    "_lazy_clone": "refused of memory that numpy allocated; what is moved has the NPU's",
    "remainder.Scalar_Tensor": "the zero it may not divide by is among the numbers",
}


REFUSING = [
    n
    for n in NAMES
    if not (ROWS[n].random or n in REFUSED_OTHERWISE or "not_on_cpu" in ROWS[n].tags)
]


@every("name", REFUSING)
def test_npu_refuses_at_the_call_what_the_host_refuses(name):
    """On ``npu``: what is refused is refused before it is launched, not at a synchronisation."""
    report(takes_on(name, "npu"))


def takes_on(name, device):
    """The calls that the host refuses and *device* does not, or otherwise."""
    row, lines = ROWS[name], []
    dtypes = ("bool", "int8") if "Scalar" in row.schema else ("bool",)
    calls = [(forms(row)[0].ours, s) for d in dtypes for s in samples(row, d)]
    if name in IN_PLACE:
        in_place = method(in_place_name(row))
        calls += [(in_place, s) for s in in_place_calls(row, "bool")]
    for run, sample in calls:
        if not usable(row, sample):
            continue
        here = outcome(run, own_self(row, sample.ours))
        if here.error is None:
            continue
        there = outcome(run, moved(own_self(row, sample.ours), device))
        if type(there.error) is not type(here.error):
            lines.append(f"{sample!r}: {there.error!r}, the host says {here.error!r}")
    return lines


@every("name", NAMES)
@every("device", ["cpu", "npu"])
def test_pipeline_defers_the_same_result(name, device):
    """In ``pipeline()`` results are pending until the flush, and then the eager ones."""
    row, lines = ROWS[name], []
    form = forms(row)[0]
    if row.random and device == "npu":
        pytest.skip("the NPU has a generator of its own")
    for sample, here in runs(row, FEW):
        call = sample.ours if device == "cpu" else moved(sample.ours, device)
        waits = []

        def deferred(*args, waits=waits, **kwargs):
            with mindtorch.pipeline():
                result = form.ours(*args, **kwargs)
                waits += [t._pending for t in tensors_in(result)]
            return result

        there = outcome(deferred, call, seed=row.random)
        found = compare(there, here, device=False)
        if must_wait(row) and not all(waits):
            found.append("not pending inside the block")
        if there.error is None and any(t._pending for t in tensors_in(there.value)):
            found.append("pending after the block")
        lines += [f"{sample!r}: {d}" for d in found]
    report(expected("pipeline", name, lines))


def must_wait(row):
    """Rows with a kernel whose result's shape is known before it runs."""
    return (row.kernel is not None or row.ufunc is not None) and not {
        "data_dependent_output",
        "dynamic_output_shape",
        "transfer",
    } & set(row.tags)


@every("name", NAMES)
def test_gradient_goes_through_a_pipeline(name):
    """Recorded while pending, the gradient is the eager one, in and after the block."""
    row, lines = ROWS[name], []
    form = forms(row)[0]

    def eager(call):
        def run(*args, **kwargs):
            outs = differentiable(form.ours(*args, **kwargs))
            return tuple(gradients(outs, leaves(call))) if outs and leaves(call) else ()

        return run

    def inside(call):
        def run(*args, **kwargs):
            with mindtorch.pipeline():
                return eager(call)(*args, **kwargs)

        return run

    def after(call):
        def run(*args, **kwargs):
            with mindtorch.pipeline():
                outs = differentiable(form.ours(*args, **kwargs))
            return tuple(gradients(outs, leaves(call))) if outs and leaves(call) else ()

        return run

    for sample in samples(row, grad=True, most=FEW):
        call = sample.ours
        want = outcome(eager(call), own_self(row, call), seed=row.random)
        if want.error is not None or not want.value:
            continue
        for how in (inside, after):
            got = outcome(how(call), own_self(row, call), seed=row.random)
            found = compare(got, want, warnings=False)
            lines += [f"{how.__name__} {show(sample.oracle)}: {d}" for d in found]
    report(expected("pipeline", name, lines))


@every("name", NAMES)
def test_gradient_is_the_same_on_the_npu(name):
    """Gradients on ``npu`` are the CPU's, and stay there."""
    if ROWS[name].random:
        pytest.skip("the NPU has a generator of its own")
    report(expected("npu", name, gradients_differ_on(name, "npu")))


def gradients_differ_on(name, device, most=FEW):
    """How the row's gradients on *device* differ from the CPU's."""
    row, lines = ROWS[name], []
    form = forms(row)[0]

    def run(*args, **kwargs):
        inputs = [t for t in args_tensors(args, kwargs) if t.requires_grad]
        outs = differentiable(form.ours(*args, **kwargs))
        if not outs or not inputs:
            return ()
        return tuple(gradients(outs, inputs))

    def args_tensors(args, kwargs):
        return [*tensors_in(list(args)), *tensors_in(kwargs)]

    for sample in samples(row, grad=True, most=most):
        if not usable(row, sample):
            continue
        here = outcome(run, own_self(row, sample.ours))
        if here.error is not None or not here.value:
            continue
        there_call = mapped(
            sample.ours, lambda t: placed(t.detach(), device).requires_grad_(t.requires_grad)
        )
        there = outcome(run, there_call)
        found = compare(there, here, device=False, warnings=False)
        if there.error is None:
            found += [
                f"device {t.device}" for t in tensors_in(there.value) if t.device.type != device
            ]
        lines += [f"{sample!r}: {d}" for d in found]
    return lines


def test_known_differences_still_differ():
    """An entry that explains nothing any more is to be deleted."""
    check_all_differ(__file__)
