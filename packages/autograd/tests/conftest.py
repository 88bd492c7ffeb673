"""Every test runs on plain floats."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mindtorch_autograd import grad_mode, hooks, set_space
from mindtorch_autograd.testing import FloatSpace


@pytest.fixture(autouse=True)
def float_space() -> Iterator[FloatSpace]:
    """Install the space of floats, and leave no state behind."""
    space = FloatSpace()
    before = set_space(space)
    word = grad_mode.state.get()
    yield space
    assert grad_mode.state.get() == word, "a test left the thread in another grad mode"
    hooks.watched_nodes.clear()
    if before is not None:
        set_space(before)
