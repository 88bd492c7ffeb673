"""What a dispatch mode sees of every row: the operators that torch's mode sees, in its order.

One generator over rows: each sample's call, and the backward pass from its results, run under a
mode that writes down the operators and what they are called with: dtypes, shapes and strides of
tensors, all other arguments as they are. ``op_sequences.txt`` lists the rows where our composite
structure or a formula is not torch's, and those where the operators are torch's but the arguments
are not.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import mindtorch
import mindtorch.utils._python_dispatch
import torch
import torch.utils._python_dispatch
from mindtorch.call.row import ROWS

from ..samples import Call
from .batches import every
from .rows import (
    NAMES,
    cotangent,
    error_text,
    forms,
    is_internal,
    outcome,
    report,
    samples,
    show,
    tensors_in,
)

#: Calls of one row: the first ones are the plainest.
CALLS = 3
#: What shows where it lies in memory, or its bytes.
_OBJECT = re.compile(r"(?:<[\w.]*?(Generator)[^>]*>|(?:\s+\d+)+\s+\[torch.storage.(\w+)[^\]]*\])")
LISTED = Path(__file__).with_name("op_sequences.txt")


def listed(phase: str) -> set[str]:
    """The rows whose sequences are known to differ in this phase."""
    lines = LISTED.read_text("utf-8").splitlines()
    pairs = (line.split() for line in lines if line and not line.startswith("#"))
    return {pair[1] for pair in pairs if pair[0] == phase}


def recorder(home):
    """A mode of one framework that writes down what it sees."""

    class Recorder(home.utils._python_dispatch.TorchDispatchMode):
        def __init__(self):
            super().__init__()
            self.seen = []

        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            # Before the call, which may change what it writes.
            self.seen.append(f"{func}{arguments(args, kwargs or {})}")
            return func(*args, **(kwargs or {}))

    return Recorder()


def arguments(args, kwargs):
    """The arguments of an operator, short; the same text for the same in both frameworks."""
    return _OBJECT.sub(r"\1", show(Call(args, kwargs)))


def operators(seen):
    """The names in what a mode has seen."""
    return [line.partition("(")[0] for line in seen]


def forward(home, function, call):
    """The operators of a call, and its results."""
    with recorder(home) as mode:
        result = outcome(function, call)
    return mode.seen, result


def inputs_of(call):
    """The arguments of which a gradient can be asked."""
    return [t for t in tensors_in(call) if t.requires_grad and t.is_leaf]


def backward(home, result, inputs):
    """The operators of the backward pass from *result* to *inputs*."""
    outs = [t for t in tensors_in(result) if t.requires_grad]
    if not outs or not inputs:
        return []
    grads = [cotangent(t.detach(), i) for i, t in enumerate(outs)]
    with recorder(home) as mode:
        try:
            home.autograd.grad(outs, inputs, grads, allow_unused=True, retain_graph=True)
        except RuntimeError as error:  # no derivative: both sides say so
            mode.seen.append(error_text(error))
    return mode.seen


def sequences(row, phase):
    """Pairs of sequences, ours and the oracle's, of the row's first calls."""
    form = forms(row)[0]
    for sample in samples(row, "float32", grad=True, most=CALLS):
        theirs, result = forward(torch, form.oracle, sample.oracle)
        if result.error is not None:
            continue
        mine, own = forward(mindtorch, form.ours, sample.ours)
        if own.error is not None:
            yield sample, f"raised {own.error!r}", theirs
        elif phase == "forward":
            yield sample, mine, theirs
        elif phase == "backward":
            expected = backward(torch, result.value, inputs_of(sample.oracle))
            yield sample, backward(mindtorch, own.value, inputs_of(sample.ours)), expected
        else:
            pairs = list(zip(inputs_of(sample.ours), inputs_of(sample.oracle), strict=True))
            for ours, oracle in pairs if len(pairs) > 1 else ():
                expected = backward(torch, result.value, [oracle])
                yield sample, backward(mindtorch, own.value, [ours]), expected


def compared(name, phase):
    """The lines by which the sequences of a row differ."""
    return [
        f"{sample}: ours {operators(mine)}, torch {operators(theirs)}"
        for sample, mine, theirs in recorded(name, phase)
        if operators(mine) != operators(theirs)
    ]


def compared_arguments(name, phase):
    """The calls of torch's operators that are made with other arguments than torch's."""
    return [
        f"{sample}: ours {a}, torch {b}"
        for sample, mine, theirs in recorded(name, phase)
        if operators(mine) == operators(theirs)
        for a, b in zip(mine, theirs, strict=True)
        if a != b
    ]


@cache
def recorded(name, phase):
    """The sequences of a row, each sample as its text."""
    return [
        (repr(sample), [mine] if isinstance(mine, str) else mine, theirs)
        for sample, mine, theirs in sequences(ROWS[name], phase)
    ]


PUBLIC = [n for n in NAMES if not is_internal(ROWS[n])]


@every("name", PUBLIC)
@every("phase", ["forward", "backward"])
def test_a_mode_sees_the_oracles_operators(name, phase):
    """The same operators in the same order, unless the row is listed."""
    lines = compared(name, phase)
    if name in listed(phase):
        assert lines, f"{phase} {name} no longer differs: take it off op_sequences.txt"
    else:
        report(lines)


@every("name", PUBLIC)
@every("phase", ["forward", "backward"])
def test_operators_get_the_oracles_arguments(name, phase):
    """Tensors of the same dtype, shape and strides, and the same numbers, unless listed."""
    lines = compared_arguments(name, phase)
    if name in listed(f"{phase}-arguments"):
        assert lines, f"{phase}-arguments {name} no longer differs: take it off op_sequences.txt"
    else:
        report(lines)


@every("name", PUBLIC)
def test_a_gradient_that_nobody_asks_for_is_not_computed(name):
    """``autograd.grad`` of one argument runs the operators of its formula, none of others'."""
    report(compared(name, "alone") if name not in listed("backward") else [])


if __name__ == "__main__":  # python -m tests.contract.test_python_dispatch_rows: the lines to list
    for _phase in ("forward", "backward"):
        for _name in PUBLIC:
            if compared(_name, _phase):
                print(_phase, _name)
            if compared_arguments(_name, _phase):
                print(f"{_phase}-arguments", _name)
