"""One row, a backend of one's own: what ``examples/own_backend.py`` gets for its one value.

Every row runs on its devices and gives what the host gives: numbers, dtypes, strides, memory that
is shared, versions, gradients, refusals; no launch writes past the memory of its results.
"""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location

import mindtorch
import pytest
from mindtorch.call.row import ROWS
from mindtorch.tensor.array_memory import same_storage
from mindtorch.utils.backend_registration import register_backend, unregister_backend

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
#: Rows that take one of their tensors on the host alone, beside any device.
PARTLY_ON_HOST = ("_pack_padded_sequence", "_pad_packed_sequence", "randint_like.Tensor")


@pytest.fixture(scope="module", autouse=True)
def registered():
    """The backend is there for these tests, and gone for others."""
    register_backend(example.DEMO)
    yield
    unregister_backend(example.DEMO)


@every("name", [n for n in NAMES if n not in PARTLY_ON_HOST])
def test_a_row_gives_the_same(name):
    """The host's result, or for rows that draw its shape, dtype and strides; and it stays there."""
    row = ROWS[name]
    if row.random:
        report(laid_out_otherwise(name))
    else:
        # ``_unsafe_view`` copies on the host, and is another look at the memory of a device.
        lines = [] if row.apart is not None else shares_otherwise(name)
        report(expected("npu", name, differs_on(name, NAME) + lines))


def laid_out_otherwise(name):
    """How results differ from the host's, whose numbers are others."""
    row, lines = ROWS[name], []
    for sample, here in runs(row):
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
    for sample, _ in runs(row):
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
    report(expected("npu", name, writes_otherwise_on(name, NAME)))


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
    report(expected("npu", name, gradients_differ_on(name, NAME)))


@every("name", [n for n in NAMES if not ROWS[n].random and n not in PARTLY_ON_HOST])
def test_a_pipeline_defers_the_same_result(name):
    """In ``pipeline()`` results are pending until the flush, and then the eager ones."""
    row, lines = ROWS[name], []
    for sample, here in runs(row):
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
