"""Cases of ``autograd.Function``: what both frameworks did and said, put side by side.

A case is a function of a :class:`Side`: the module, and makers of Functions and tensors. What it
gives back is described with all that a Function decides (history, views, versions), its errors and
warnings by their text, and both frameworks must have said the same::

    CASES, case, test_function_does_what_torchs_does = suite()
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.contract.hearing import hearing

__all__ = ["Case", "Side", "keeping", "needs", "suite", "times"]

Case = Callable[["Side"], Any]


def suite() -> tuple[dict[str, Case], Callable[[Case], Case], Callable[[str], None]]:
    """A file's cases by name, the decorator that enters a function, and the test of every case."""
    cases: dict[str, Case] = {}

    def case(function: Case) -> Case:
        cases[function.__name__] = function
        return function

    @pytest.mark.parametrize("name", cases)
    def test_function_does_what_torchs_does(name: str) -> None:
        """Results, notes, errors and warnings of a case are the same on both sides."""
        want = Side(importlib.import_module("torch")).run(cases[name])
        got = Side(importlib.import_module("mindtorch")).run(cases[name])
        assert got == want

    return cases, case, test_function_does_what_torchs_does


class Side:
    """One framework."""

    def __init__(self, torch):
        self.torch = torch
        self.notes = []
        self.x = torch.tensor([1.0, 2.0], requires_grad=True)
        self.y = torch.tensor([3.0, 4.0], requires_grad=True)
        self.c = torch.tensor([5.0, 6.0])

    def mid(self):
        """A result: no leaf."""
        return self.x * 1

    def fn(self, forward=None, backward=None, **more):
        """A Function of these methods."""
        body = {}
        if forward is not None:
            body["forward"] = staticmethod(forward)
        if backward is not None:
            body["backward"] = staticmethod(backward)
        for name, value in more.items():
            body[name] = staticmethod(value) if callable(value) else value
        return type("Fn", (self.torch.autograd.Function,), body)

    def note(self, *what):
        """Write something down, for the comparison."""
        self.notes.append(self.described(what))

    def described(self, value):
        """*value* as text."""
        if isinstance(value, self.torch.Tensor):
            edge = value.grad_fn.name() if value.grad_fn is not None else ""
            which = "x" if value is self.x else ""
            base = "of x" if value._base is self.x else ""
            facts = (value.requires_grad, edge, value.output_nr, value._is_view(), value._version)
            return f"{value.detach().tolist()} {value.dtype} {facts} {which}{base}"
        if isinstance(value, (list, tuple)):
            inner = ", ".join(map(self.described, value))
            return f"{type(value).__name__}({inner})"
        return repr(value)

    def run(self, function):
        """What *function* gives, says and notes."""
        with hearing() as heard:
            try:
                text = self.described(function(self))
            except Exception as error:
                text = f"{type(error).__name__}: {error}"
        said = [f"{w.category.__name__}: {w.message}" for w in heard]
        lines = [*self.notes, text, *said]
        return [clean(line) for line in lines if "torch.jit.script" not in line]


def clean(line):
    """*line* without what differs between two runs."""
    line = re.sub(r"0x[0-9a-f]+", "0x", line)
    line = re.sub(r" \(Triggered internally at [^)]*\)", "", line)
    return line.replace("mindtorch", "torch")


def needs(s):
    """A backward that notes what it is asked for."""

    def backward(ctx, *grads):
        s.note(ctx.needs_input_grad, len(ctx.next_functions))
        return (grads[0],) * len(ctx.needs_input_grad)

    return backward


def times(ctx, a, b=1, c=2):
    return a * b


def keeping(*more):
    """A forward that saves its argument."""

    def forward(ctx, a):
        ctx.save_for_backward(a, *more)
        return a * 2

    return forward
