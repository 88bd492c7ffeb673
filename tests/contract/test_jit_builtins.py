"""Which functions are operators by themselves, and how these are called."""

from __future__ import annotations

import pytest

from .both_frameworks import agree, ours, part


def test_names_of_operators():
    def program(t):
        functional = t.nn.functional
        find = part(t, "jit._builtins")._find_builtin
        functions = [t.add, t.relu, t.split, t.ones, t.matmul, t.special.erf, t.fft.fft, t.sin]
        others = [functional.relu, t.Tensor.add, functional.softmax, t.stft, t.norm, t.nn.Linear]
        return [find(f) for f in (*functions, functional.linear, *others, len, lambda: 1, 3)]

    agree(program)


@pytest.mark.parametrize("args", [(), (1,), ("a", "b", "c")])
def test_arguments_of_operators_are_looked_at_without_a_call(args):
    with pytest.raises(RuntimeError, match="^Overloaded torch operator invoked from Python"):
        ours.ops.aten.mul._check(args, {})


def test_arguments_that_an_operator_takes():
    x = ours.ones(2)
    ours.ops.aten.mul._check((x, 2), {})
    ours.ops.aten.relu._check((), {"self": x})
