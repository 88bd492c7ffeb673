"""Functions that can be called in several ways: who takes a call over sees which of them."""

from __future__ import annotations

import subprocess
import sys

import pytest

from .logs import assert_same_log
from .overriding_programs import function_mode, logging_class


def _shape(value):
    """Which of the arguments are lists, and of what length."""
    return type(value).__name__ + (str(len(value)) if isinstance(value, (list, tuple)) else "")


def _einsums(t, x):
    t.einsum("ij,jk", x, x)
    t.einsum("ij,jk", [x, x])
    t.einsum("ij,jk->ik", (x, x))
    t.einsum(x, [0, 1], x, [1, 2], [0, 2])
    t.einsum("ij->ji", x)


def einsum_of_a_class(t, log):
    _einsums(t, t.ones(2, 2).as_subclass(logging_class(t, log)))


def einsum_in_a_mode(t, log):
    with function_mode(t, log):
        _einsums(t, t.ones(2, 2))


def einsum_of_an_object(t, log):
    class Duck:
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            log(func.__name__, types, [_shape(a) for a in args], kwargs)
            return cls()

    t.einsum("ij,jk", Duck(), Duck())
    t.einsum("ij,jk", [Duck(), t.ones(2)])
    t.einsum("ij,jk", (t.ones(2), Duck()))


def einsum_of_proxies(t, log):
    def product(a, b):
        return t.einsum("ij,jk->ik", (a, b))

    log([str(n.args) for n in t.fx.symbolic_trace(product).graph.nodes])


@pytest.mark.parametrize(
    "program",
    [einsum_of_a_class, einsum_in_a_mode, einsum_of_an_object, einsum_of_proxies],
    ids=lambda p: p.__name__,
)
def test_a_handler_sees_the_spelling_that_it_sees_in_torch(program):
    assert_same_log(program)


def test_tracing_loads_no_namespace_that_it_does_not_use():
    program = (
        "import sys, mindtorch as torch, mindtorch.fx\n"
        "torch.fx.symbolic_trace(lambda x: torch.relu(x) + torch.cat([x, x.sin()]))\n"
        "print([n for n in ('fft', 'special', 'signal') if f'mindtorch.{n}' in sys.modules])\n"
    )
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
