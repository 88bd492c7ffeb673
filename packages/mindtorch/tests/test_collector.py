"""Collections that come while a variable of the context is set."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import textwrap
import weakref
from contextvars import ContextVar

import mindtorch as torch
import pytest

#: Setting the variable begins a collection, which closes a generator that sets another one.
_CLOSING = """
    import gc
    from contextvars import ContextVar
    import mindtorch as torch

    def numbers():
        try:
            yield
        finally:
            with torch.no_grad():
                torch.ones(2).ravel()

    def leave_in_a_cycle():
        unread = numbers()
        next(unread)
        around = [unread]
        around.append(around)

    variable = ContextVar("variable", default=0)
    gc.set_threshold(3)
    for i in range(2000):
        leave_in_a_cycle()
        token = variable.set(i)
        assert variable.get() == i and torch.is_grad_enabled()
        variable.reset(token)
"""


@pytest.mark.parametrize("allocator", ["debug", "pymalloc"])
def test_what_the_collector_closes_may_set_what_is_being_set(allocator):
    """The debugging allocator overwrites what is freed, so that reading on fails at once."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(_CLOSING)],
        env=os.environ | {"PYTHONMALLOC": allocator},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_collection_keeps_nothing_of_a_context():
    """The values of variables go when they did before."""

    class Value:
        pass

    variable = ContextVar("variable", default=None)
    value = Value()
    gone = weakref.ref(value)
    token = variable.set(value)
    gc.collect()
    variable.reset(token)
    del value, token
    assert gone() is None


def test_the_collector_is_asked_once():
    """Installing again does not add to what a collection costs."""
    from mindtorch.core.collector import guard_contexts

    before = len(gc.callbacks)
    guard_contexts()
    assert len(gc.callbacks) == before
    assert torch.is_grad_enabled()
