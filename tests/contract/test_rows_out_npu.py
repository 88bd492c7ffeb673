"""On an NPU, ``out=`` is written and memory is shared as on the host."""

from __future__ import annotations

import gc
from itertools import islice

import mindtorch
import pytest
import torch
from mindtorch.backends.npu import UNWRITTEN
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.overload import OUT
from mindtorch.call.row import ROWS

from .bad_calls import KINDS
from .batches import every
from .rows import compare, forms, mapped, outcome, report, samples, tensors_in
from .test_rows_backends import moved, placed, usable
from .test_rows_out import WITH_OUT, empty, fitting, fresh, strided
from .test_rows_unchanged import WRITING, state, targeted

#: Takes lengths on the host alone.
ON_HOST = ("_pack_padded_sequence",)
#: Rows that write ``out=`` in a way of their own; all others have one way.
OWN_WAYS = [
    n
    for n in WITH_OUT
    if not (ROWS[n].random or ROWS[n].base in UNWRITTEN or n in ON_HOST)
    and (ROWS[n].composite or ROWS[n].out_kernel or not ROWS[n].meta)
]


@every("name", OWN_WAYS)
def test_out_is_written_on_an_npu_as_on_the_host(name):
    """The same numbers, strides, version and warnings for each kind of target, or a refusal."""
    report(out_differs_on(name, "npu"))


def out_differs_on(name, elsewhere):
    """How targets on the device *elsewhere* differ from those of the host."""
    row, lines = ROWS[name], []
    run = forms(row)[0].ours
    for sample in samples(row, most=1):
        here = outcome(run, sample.ours)
        if here.error is not None or not usable(row, sample):
            continue
        results = here.value if isinstance(here.value, (tuple, list)) else (here.value,)
        for target in (empty, fitting, strided):
            targets, outcomes = [], []
            for device in ("cpu", elsewhere):
                call = sample.ours if device == "cpu" else moved(sample.ours, device)
                out = fresh(mindtorch, results, lambda h, r, t=target, d=device: placed(t(h, r), d))
                targets.append(out)
                outcomes.append(outcome(run, call._replace(kwargs={**call.kwargs, "out": out})))
            host, there = outcomes
            if host.error is not None:
                found = [] if type(host.error) is type(there.error) else [repr(there.error)]
            else:
                found = compare(there, host, device=False)
                found += [
                    f"version {got._version}, the host has {want._version}"
                    for want, got in zip(*map(tensors_in, targets), strict=True)
                    if got._version != want._version
                ]
            lines += [f"{target.__name__} {sample!r}: {d}" for d in found]
    return lines


def test_a_refused_call_leaves_its_target_on_the_npu():
    """Whichever device, dtype and layout the target has.

    There is no oracle: what torch may change is the shape, and the memory that it takes.
    """

    lines, refused = [], 0
    for name in WRITING:
        row = ROWS[name]
        kinds = {o.kind for o in OVERLOADS.values() if o.row is row}
        public = OUT in kinds and row.module != "nn"
        with_out = getattr(mindtorch, row.base, None) if public else None
        if with_out is None:
            continue
        given = [*samples(row, most=1), *islice(KINDS["shape"](row), 1)]
        for sample in given:
            there = mapped(sample.ours, lambda t: t.detach().to("npu"))
            for target in (
                mindtorch.ones(7, 1, 2, device="npu", dtype=mindtorch.int32),
                mindtorch.ones(7, 1, 2),
                mindtorch.ones(1, device="npu").expand(7),
            ):
                wrong = targeted(there, target)
                before = state(target)
                refusal = outcome(with_out, wrong).error
                try:
                    mindtorch.npu.synchronize()
                except (RuntimeError, IndexError):
                    continue  # what only the numbers tell is found when the kernel runs
                if refusal is None:
                    continue
                refused += 1
                after = state(target)
                kept = before.keys() - {"shape", "storage"}
                lines += [f"{name} {wrong!r}: {k}" for k in kept if before[k] != after[k]]
    report(lines)
    assert refused > 500


@pytest.mark.parametrize("device", ["cpu", "npu", "meta"])
def test_an_unsafe_view_takes_no_memory_and_counts_its_own_changes(device):
    base = mindtorch.zeros(2, 3, device=device)
    found = mindtorch.ops.aten._unsafe_view(base, (6,))
    assert not found._is_view()
    if device == "npu":
        assert found.data_ptr() == base.data_ptr()
        assert found.untyped_storage()._cdata == base.untyped_storage()._cdata
    found.add_(1)
    assert (base._version, found._version) == (0, 1)
    if device != "meta":
        assert base.tolist() == [[1] * 3] * 2


PRODUCTS = [
    lambda a, b: a @ b,
    lambda a, b: a.expand(24, 32, 32) @ b,
    lambda a, b: mindtorch.bmm(a.expand(24, 32, 32), b),
    lambda a, b: b.reshape(24 * 32, 1),
    lambda a, b: b.mT @ a[0],
    lambda a, b: a.expand(24, 32, 32).reshape(-1),
]
#: Bytes: the batches are multiplied without a copy, the last is copied once.
TAKEN = [24 * 32 * 4] * 3 + [0, 24 * 32 * 4, 24 * 32 * 32 * 4]


def test_shapes_are_changed_without_a_copy():
    """What calls take at their peak is the result, as on CUDA."""
    npu = mindtorch.npu
    gc.collect()  # what tests before left must not be given back in between
    a = mindtorch.ones(1, 32, 32, device="npu")
    b = mindtorch.ones(24, 32, 1, device="npu")
    found = []
    for product in PRODUCTS:
        npu.synchronize()
        npu.reset_peak_memory_stats()
        before = npu.memory_allocated()
        product(a, b)
        found.append(npu.max_memory_allocated() - before)
    assert found == TAKEN


def resized(t, device, which):
    """A tensor and an unsafe view of it, of which one is resized or loses its memory."""
    base = t.arange(4.0, device=device)
    view = t.ops.aten._unsafe_view(base, (2, 2))
    one = (base, view)[which]
    one.resize_(40)
    one[0] = 5
    grown = [x.flatten()[:4].tolist() for x in (base, view)]
    one.untyped_storage().resize_(8)
    small = [x.untyped_storage().nbytes() for x in (base, view)]
    view.data = t.zeros(2, device=device)
    alone = t.ones(3, 4, device=device).t().reshape(-1)
    alone.resize_(20)
    gradient = t.ones(2, 3, device=device, requires_grad=True)
    gradient.t().reshape(-1).backward(t.arange(6.0, device=device))
    return grown, small, view.tolist(), base._version, alone[:12].tolist(), gradient.grad.tolist()


@pytest.mark.parametrize("which", [0, 1])
def test_memory_that_moves_moves_for_unsafe_views(which):
    assert resized(mindtorch, "npu", which) == resized(torch, "cpu", which)
