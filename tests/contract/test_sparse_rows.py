"""The rows of sparse tensors: values in every dtype, refusals, gradients; and elementwise ops."""

from __future__ import annotations

import mindtorch
import pytest
import torch
from mindtorch.aten.sparse.pointwise import LINEAR, OF_ZERO_ZERO
from mindtorch.call.row import ROWS

from ..samples import Call, Maker, find
from .bounds import GRADIENT, bound
from .rows import (
    DTYPES,
    SPARSE_NAMES,
    bound_of,
    compare,
    forms,
    method_call,
    outcome,
    samples,
    tensors_in,
)


def without_warnings(lines):
    """But for warnings: where torch says that a layout is new depends on its steps."""
    return [line for line in lines if "warned" not in line]


def differing(name, dtype, bad=False):
    """One line for each sample that comes to another end."""
    row, lines = ROWS[name], []
    for form in forms(row):
        for sample in samples(row, dtype, bad=bad):
            if form.name == "method" and not method_call(sample.oracle):
                continue
            theirs = outcome(form.oracle, sample.oracle)
            mine = outcome(form.ours, sample.ours)
            tolerance = None if theirs.error else bound_of(row, dtype, theirs.value)
            found = compare(mine, theirs, tolerance=tolerance)
            lines += [f"{form.name}{sample!r}: {d}" for d in without_warnings(found)]
    return lines


@pytest.mark.parametrize("name", SPARSE_NAMES)
def test_results_are_the_oracles(name):
    assert [line for dtype in DTYPES for line in differing(name, dtype)] == []


@pytest.mark.parametrize("name", [n for n in SPARSE_NAMES if find(ROWS[n].samples, bad=True)])
def test_wrong_calls_are_refused_in_the_oracles_words(name):
    assert [line for d in ("float32", "int64") for line in differing(name, d, bad=True)] == []


def gradients(form, call):
    """The gradients of the sum of all elements, dense ones of each."""
    result = form(*call.args, **call.kwargs)
    first = next(t for t in tensors_in(result) if t.requires_grad)
    dense = first if str(first.layout) == "torch.strided" else first.to_dense()
    (dense * dense).sum().backward()
    leaves = [t for t in tensors_in(call) if t.requires_grad]
    return [t.grad.to_dense() if t.grad is not None else None for t in leaves]


_DIFFERENTIABLE = [n for n in SPARSE_NAMES if any((ROWS[n].grad or {}).values())]


@pytest.mark.parametrize("name", _DIFFERENTIABLE)
def test_gradients_are_the_oracles(name):
    row = ROWS[name]
    form = forms(row)[0]
    for ours, theirs in zip(
        find(row.samples)(Maker(mindtorch, "float64", grad=True)),
        find(row.samples)(Maker(torch, "float64", grad=True)),
        strict=True,
    ):
        if not any(t.requires_grad for t in tensors_in(theirs)):
            continue
        want = outcome(lambda *a, c=theirs, **k: gradients(form.oracle, c), theirs)
        got = outcome(lambda *a, c=ours, **k: gradients(form.ours, c), ours)
        assert without_warnings(compare(got, want, tolerance=GRADIENT)) == []


@pytest.mark.parametrize("name", [*OF_ZERO_ZERO, *LINEAR, "conj_physical"])
@pytest.mark.parametrize("layout", ("coo", "repeated", "csr"))
def test_elementwise_ops_work_on_the_elements(name, layout):
    """In each dtype: of the elements, or refused as torch refuses it."""

    def run(torch, dtype, inplace):
        values = torch.tensor([[0.5, 0, -0.25], [0, 0.75, 0]])
        t = values.to(getattr(torch, dtype)).to_sparse()
        if layout == "repeated":
            t = torch.sparse_coo_tensor([[1, 0, 1], [0, 1, 0]], t._values(), (2, 3))
        elif layout == "csr":
            t = t.to_sparse_csr()
        return getattr(torch.Tensor, f"{name}_" if inplace else name)(t)

    lines = []
    for dtype in ("float32", "float64", "int64", "complex64"):
        for inplace in (False, True):
            if inplace and not hasattr(torch.Tensor, f"{name}_"):
                continue
            want = outcome(run, _call(torch, dtype, inplace))
            got = outcome(run, _call(mindtorch, dtype, inplace))
            if want.error is not None:
                assert got.error is not None, (dtype, inplace, want.error)
                continue
            found = without_warnings(compare(got, want, tolerance=bound(ROWS["atan"], dtype)))
            lines += [f"{dtype} {inplace}: {d}" for d in found]
    assert lines == []


def _call(framework, dtype, inplace):
    return Call((framework, dtype, inplace), {})
