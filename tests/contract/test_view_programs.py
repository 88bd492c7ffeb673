"""Random programs of views, in-place ops, hooks and backward do the same as under the oracle."""

from __future__ import annotations

import mindtorch
import torch

from .batches import every
from .view_programs import Runner, program


@every("seed", range(240))
def test_program_leaves_the_oracles_state(seed):
    """After every step all tensors, gradients, nodes, versions and errors are the oracle's."""
    steps = program(seed)
    want, got = Runner(torch).run(steps), Runner(mindtorch).run(steps)
    for i, (w, g) in enumerate(zip(want, got, strict=True)):
        assert g == w, f"step {i} of {steps[: i + 1]}"


@every("seed", range(120))
def test_rarer_program_leaves_the_oracles_state(seed):
    """The same of complex parts, Functions, ``set_``, ``data``, indices and layouts in place."""
    steps = program(seed, rare=True)
    want, got = Runner(torch).run(steps), Runner(mindtorch).run(steps)
    for i, (w, g) in enumerate(zip(want, got, strict=True)):
        assert g == w, f"step {i} of {steps[: i + 1]}"


@every("seed", range(60))
def test_no_program_ends_the_interpreter(seed):
    """Whatever a program does, every step gives a value or an error that torch could give."""
    for note in Runner(mindtorch).run(program(seed, length=30, wild=True)):
        for wrong in ("AttributeError", "NameError", "AssertionError", "UnboundLocalError"):
            assert wrong not in note, note
