"""What nodes keep and what their results are like, as their attributes tell: for every row."""

from __future__ import annotations

import itertools

import mindtorch
import pytest
import torch
from mindtorch.call.row import ROWS

from .batches import unlisted
from .rows import NAMES, forms, mapped, samples, tensors_in, writes_self

#: torch tells apart a bias that was not given to ``convolution`` and to ``conv2d``.
BIAS = "_saved_bias_sym_sizes_opt"


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
    """How the attributes of the nodes of a row differ, and how many nodes there were."""
    lines, count = [], 0
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
        count += 1
        names = [n for n in dir(want) if "_saved_" in n]
        if sorted(names) != sorted([n for n in dir(got) if "_saved_" in n]):
            lines.append(f"{want.name()}: {sorted(set(names) ^ set(dir(got)))}")
        names = [n for n in names if n[:4] != "_raw" and n != BIAS]
        lines += compared(want, got, names)
        mine, theirs = (
            [(tuple(m.shape), str(m.dtype)) for m in node._input_metadata] for node in (got, want)
        )
        if mine != theirs:
            lines.append(f"{want.name()}._input_metadata: {mine}, torch {theirs}")
        try:
            oracle.sum().backward()
            ours.sum().backward()
        except (RuntimeError, NotImplementedError):  # no gradient of this dtype, or none at all
            continue
        lines += compared(want, got, names)
    return [f"{name}: {line}" for line in lines], count


@pytest.mark.parametrize("part", range(4))
def test_nodes_tell_what_torchs_tell(part):
    """``_saved_…`` before and after a backward, and ``_input_metadata``, for every row.

    With gradients for all arguments, and for each alone: what is saved depends on it.
    """
    lines, nodes = [], 0
    for name in [n for n in NAMES if not writes_self(ROWS[n])][part::4]:
        found, count = differences(name)
        lines += unlisted(f"test_rows_saved.py::test_nodes_tell_what_torchs_tell[{name}]", found)
        nodes += count
    assert not lines, "\n".join(lines)
    assert nodes > 150
