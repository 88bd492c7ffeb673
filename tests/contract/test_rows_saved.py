"""What nodes keep and what their results are like, as their attributes tell: for every row."""

from __future__ import annotations

import mindtorch
import pytest
import torch
from mindtorch.ops.row import ROWS

from .rows import NAMES, forms, samples, tensors_in, writes_self

#: What differs, and why.
#: Sizes of matrices: noted by ours only with what it keeps, since every product would pay for more.
PRODUCTS = {
    "AddmmBackward0": ("mat1_sym_sizes", "mat1_sym_strides", "mat2_sym_sizes", "mat2_sym_strides"),
    "MmBackward0": ("self_sym_sizes", "self_sym_strides", "mat2_sym_sizes", "mat2_sym_strides"),
}
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


def differences(name):
    """How the attributes of the nodes of a row differ, and how many nodes there were."""
    lines, count = [], 0
    form = next(iter(forms(ROWS[name])), None)
    for sample in samples(ROWS[name], "float64", grad=True)[:1] if form else ():
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
        freed = PRODUCTS.get(want.name(), ())
        lines += compared(want, got, [n for n in names if n[7:] not in freed])
    return lines, count


@pytest.mark.parametrize("part", range(4))
def test_nodes_tell_what_torchs_tell(part):
    """``_saved_…`` before and after a backward, and ``_input_metadata``, for every row."""
    lines, nodes = [], 0
    for name in [n for n in NAMES if not writes_self(ROWS[n])][part::4]:
        found, count = differences(name)
        lines += found
        nodes += count
    assert not lines, "\n".join(lines)
    assert nodes > 60
