"""Watching a backward."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import pytest
from mindtorch_autograd import backward, detect_anomaly, node_watcher
from mindtorch_autograd.testing import Var


class Notes:
    """Notes what begins and ends."""

    def __init__(self) -> None:
        self.seen: list[str] = []

    @contextmanager
    def span(self, kind: str, name: str) -> Iterator[None]:
        self.seen.append(f"{kind} {name}")
        try:
            yield
        finally:
            self.seen.append("end")

    def node(self, name: str, node: object, grad: object) -> AbstractContextManager[None]:
        return self.span("node", name)


@pytest.fixture
def notes() -> Iterator[Notes]:
    """What this test's backwards tell."""
    made = Notes()
    before = node_watcher._source
    node_watcher.set_source(lambda: made)
    yield made
    node_watcher.set_source(before)


def test_backward_and_each_node_are_told(notes: Notes) -> None:
    """Nodes lie inside the backward, the leaf's too, in the order in which they run."""
    x = Var(3.0, True)
    backward(x * x)
    assert x.grad is not None and x.grad.value == 6.0
    begun = [s for s in notes.seen if s != "end"]
    assert begun[0].startswith("backward Mul")
    assert begun[1].startswith("node Mul") and "AccumulateGrad" in begun[-1]
    assert notes.seen.count("end") == len(begun) and notes.seen[-1] == "end"


def test_watching_beside_anomaly_mode(notes: Notes) -> None:
    """Both see the node that fails, and the blocks are left."""
    x = Var(3.0, True)
    with pytest.warns(UserWarning), detect_anomaly():
        y = x * float("nan")
        with pytest.raises(RuntimeError, match="nan values"):
            backward(y)
    assert notes.seen.count("end") * 2 == len(notes.seen)


def test_nobody_watches_by_default() -> None:
    """Without a source nothing is asked."""
    before = node_watcher._source
    node_watcher.set_source(None)
    assert node_watcher.current() is None
    node_watcher.set_source(before)
