"""What nodes keep and what their results are like, as their attributes tell: for every row.

A node shows what its row's formulas read. Where torch's formulas read the same, both show it under
one name, and it is the same value.
"""

from __future__ import annotations

import itertools

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .batches import begin_anew, unlisted
from .rows import NAMES, forms, mapped, samples, tensors_in, writes_self


def plain(value):
    """A saved value in terms that both frameworks share."""
    if isinstance(value, (torch.Tensor, mindtorch.Tensor)):
        return ("tensor", tuple(value.shape), str(value.dtype))
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    return round(value, 5) if isinstance(value, float) else repr(value)


def told(node, name):
    """What an attribute says, or the kind of error."""
    try:
        return plain(getattr(node, name))
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"


def noded(function, call):
    """The first result that has a node, and the node."""
    found = tensors_in(function(*call.args, **call.kwargs))
    return next(((t, t.grad_fn) for t in found if t.grad_fn is not None), (None, None))


def compared(want, got, names):
    """How what *names* say of two nodes differs."""
    lines = []
    for attribute in names:
        mine, theirs = told(got, attribute), told(want, attribute)
        if mine != theirs:
            lines.append(f"{want.name()}.{attribute}: {mine}, torch {theirs}")
    return lines


def requiring(call, chosen):
    """*call* with a gradient for the tensor number *chosen* alone of those that take one."""
    takers = itertools.count()

    def change(t):
        return t.detach().requires_grad_(next(takers) == chosen) if t.requires_grad else t

    return mapped(call, change)


def subsets(sample):
    """A sample with gradients for all arguments, and for each of several alone."""
    yield sample
    takers = len([t for t in tensors_in(sample.oracle) if t.requires_grad])
    for chosen in range(takers if takers > 1 else 0):
        yield sample._replace(
            ours=requiring(sample.ours, chosen), oracle=requiring(sample.oracle, chosen)
        )


def differences(name):
    """How the attributes of the nodes of a row differ, and how many of them both have."""
    lines, shared = [], 0
    form = next(iter(forms(ROWS[name])), None)
    first = samples(ROWS[name], "float64", grad=True, most=1) if form else ()
    for sample in [s for f in first for s in subsets(f)]:
        try:
            oracle, want = noded(form.oracle, sample.oracle)
            ours, got = noded(form.ours, sample.ours)
        except (RuntimeError, TypeError, AttributeError):  # told by the tests of values
            continue
        if want is None or got is None or want.name() != got.name():
            continue
        names = [n for n in dir(want) if n.startswith("_saved_") and n in dir(got)]
        shared += len(names)
        lines += compared(want, got, names)
        mine, theirs = (
            [(tuple(m.shape), str(m.dtype)) for m in node._input_metadata] for node in (got, want)
        )
        if mine != theirs:
            lines.append(f"{want.name()}._input_metadata: {mine}, torch {theirs}")
    return [f"{name}: {line}" for line in lines], shared


@pytest.mark.parametrize("part", range(4))
def test_nodes_tell_what_torchs_tell(part):
    """``_saved_…`` and ``_input_metadata``, for every row.

    With gradients for all arguments, and for each alone: what is saved depends on it.
    """
    lines, values = [], 0
    for name in [n for n in NAMES if not writes_self(ROWS[n])][part::4]:
        found, shared = differences(name)
        lines += unlisted(f"test_rows_saved.py::test_nodes_tell_what_torchs_tell[{name}]", found)
        values += shared
    assert not lines, "\n".join(lines)
    assert values > 300


def packed(torch, function, call):
    """What a hook is given while *call* is recorded: sizes, dtype and values of each tensor."""
    given = []

    def pack(t):
        values = t.detach().flatten().tolist() if t.layout == torch.strided else ()
        given.append(f"{tuple(t.shape)} {str(t.dtype).rpartition('.')[2]} {values}")
        return t

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        function(*call.args, **call.kwargs)
    return given


@pytest.mark.filterwarnings("ignore")
def test_hooks_see_what_is_saved_in_torchs_order():
    """By name, the results last: for every row that is recorded as one node and saves the same."""
    wrong, alike = [], 0
    for name in NAMES:
        row = ROWS[name]
        form = next(iter(forms(row)), None)
        if form is None or row.composite is not None or writes_self(row):
            continue
        for sample in samples(row, "float64", grad=True, most=1):
            begin_anew()
            try:
                want = packed(torch, form.oracle, sample.oracle)
                got = packed(mindtorch, form.ours, sample.ours)
            except (RuntimeError, TypeError, AttributeError):  # told by the tests of values
                continue
            if len(want) > 1 and sorted(want) == sorted(got):
                alike += 1
                if want != got:
                    wrong.append(f"{name}: {got}, torch {want}")
    assert not wrong, "\n".join(wrong)
    assert alike > 100
