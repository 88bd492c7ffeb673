"""Which operators an index is made of, read and assigned: what a mode sees and what is recorded."""

from __future__ import annotations

import importlib
import itertools
from functools import cache

import mindtorch
import torch

from .rows import report

#: Indices of one dimension, as they are written.
_PARTS = (":", "0", "-1", "0:1", "0:2", ":5", "-1:", "::1", "::2", "1:1", "...", "None")
#: One index, then two, written as a tuple; a tuple of one is another thing than what is in it.
INDICES = [
    *_PARTS,
    *(f"{part}," for part in _PARTS),
    *(f"{a}, {b}" for a, b in itertools.permutations(_PARTS[::2] + _PARTS[-2:], 2)),
    "()",
]
SHAPES = ((2, 3), (1, 3), (1, 1), (0, 2))
VALUES = ("1", "t.zeros(1)")


@cache
def logging(home):
    """A dispatch mode of a framework, and what it sees."""
    seen = []

    class Logging(importlib.import_module(f"{home}.utils._python_dispatch").TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            plain = (int, float, bool, list)
            seen.append((str(func), [a for a in args if isinstance(a, plain)]))
            return func(*args, **(kwargs or {}))

    return Logging(), seen


def facts(t):
    """Layout and history of a result."""
    node = t.grad_fn
    before = [n.name() for n, _ in node.next_functions if n is not None] if node else []
    name = node.name() if node else None
    # Of memory without elements numpy keeps no strides.
    place = (t.stride(), t.storage_offset()) if t.numel() else None
    return tuple(t.shape), place, t._is_view(), name, before


def read(t, shape, index):
    """``x[index]``: recorded, and seen by a mode."""
    x = t.ones(shape, requires_grad=True)
    code = compile(f"x[{index}]", index, "eval")
    mode, seen = logging(t.__name__)
    seen.clear()
    try:
        found = facts(eval(code, {"x": x * 1}))
        with mode:
            eval(code, {"x": t.ones(shape)})
    except (IndexError, ValueError) as error:
        return type(error).__name__, str(error)
    return found, list(seen)


def assigned(t, shape, index, value):
    """``x[index] = value`` in the same two ways."""
    x = t.ones(shape, requires_grad=True) * 1
    code = compile(f"x[{index}] = {value}", index, "exec")
    mode, seen = logging(t.__name__)
    seen.clear()
    try:
        exec(code, {"x": x, "t": t})
        with mode:
            exec(code, {"x": t.ones(shape), "t": t})
    except (IndexError, ValueError, RuntimeError) as error:
        return type(error).__name__, str(error)
    return facts(x), x._version, x.tolist(), list(seen)


def test_reading_runs_the_oracles_operators():
    """One whole slice is a slice; among several indices it is nothing."""
    lines = []
    for shape, index in itertools.product(SHAPES, INDICES):
        mine, theirs = read(mindtorch, shape, index), read(torch, shape, index)
        if mine != theirs:
            lines.append(f"{shape}[{index}]: {mine}, torch {theirs}")
    report(lines)


def test_assigning_runs_the_oracles_operators():
    """What covers all of a tensor writes the tensor itself, not a view of it."""
    lines = []
    for shape, index, value in itertools.product(SHAPES, INDICES, VALUES):
        mine = assigned(mindtorch, shape, index, value)
        theirs = assigned(torch, shape, index, value)
        if mine != theirs:
            lines.append(f"{shape}[{index}] = {value}: {mine}, torch {theirs}")
    report(lines)
