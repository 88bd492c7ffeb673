"""What nodes keep and what their results are like, as their attributes tell: for every row."""

from __future__ import annotations

import mindtorch
import pytest
import torch
from mindtorch.ops.row import ROWS

from .rows import NAMES, forms, samples, tensors_in, writes_self

#: Kept by torch's formulas and not by ours: nodes whose formula needs another of its arguments.
OTHER_FORMULA = {
    "ExpandBackward0": {"self_sym_sizes"},
    "ExpandBackward0_copy": {"self_sym_sizes"},
    "GatherBackward0": {"self", "sparse_grad"},
    "IndexAddBackward0": {"source", "source_dim"},
    "IndexCopyBackward0": {"source", "source_dim"},
    "PutBackward0": {"source"},
}


#: Facts of arguments that only torch's formulas ask for.
ASKED_BY_TORCH = ("_sym_argsize_", "_sym_sizes_opt")


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
        return type(error).__name__


def node_of(function, call):
    """The node of the first result that has one."""
    found = tensors_in(function(*call.args, **call.kwargs))
    return next((t.grad_fn for t in found if t.grad_fn is not None), None)


def differences(name):
    """How the attributes of the nodes of a row differ, and how many nodes there were."""
    lines, count = [], 0
    form = next(iter(forms(ROWS[name])), None)
    for sample in samples(ROWS[name], "float64", grad=True)[:1] if form else ():
        try:
            want, got = node_of(form.oracle, sample.oracle), node_of(form.ours, sample.ours)
        except (RuntimeError, TypeError, AttributeError):  # told by the tests of values
            continue
        if want is None or got is None or want.name() != got.name():
            continue
        count += 1
        other = OTHER_FORMULA.get(want.name(), ())
        shown = [
            n
            for n in dir(want)
            if n.startswith("_saved_")
            and n[7:] not in other
            and not any(fact in n for fact in ASKED_BY_TORCH)
        ]
        for attribute in shown:
            mine, theirs = told(got, attribute), told(want, attribute)
            if mine != theirs:
                lines.append(f"{want.name()}.{attribute}: {mine}, torch {theirs}")
        mine, theirs = (
            [(tuple(m.shape), str(m.dtype)) for m in node._input_metadata] for node in (got, want)
        )
        if mine != theirs:
            lines.append(f"{want.name()}._input_metadata: {mine}, torch {theirs}")
    return lines, count


@pytest.mark.parametrize("part", range(4))
def test_nodes_tell_what_torchs_tell(part):
    """``_saved_…`` of what torch's node has, and ``_input_metadata``, for every row."""
    lines, nodes = [], 0
    for name in [n for n in NAMES if not writes_self(ROWS[n])][part::4]:
        found, count = differences(name)
        lines += found
        nodes += count
    assert not lines, "\n".join(lines)
    assert nodes > 60
