"""Blocks that were freed while other streams still used them."""

from types import SimpleNamespace

import pytest
from mindtorch_npu.pending import PendingFrees


def test_an_interrupted_wait_forgets_no_pending_block():
    """Neither the one that was waited for nor those behind it."""
    released = []
    pending = PendingFrees(released.append)
    nodes = [SimpleNamespace(events=0) for _ in range(3)]
    queue = SimpleNamespace(last=lambda: [len, (), "", None, None])
    for node in nodes:
        pending.add(node, {1: queue, 2: queue})
    waited = []

    def wait(ticket):
        waited.append(ticket)
        if len(waited) in (2, 5):
            raise KeyboardInterrupt

    for _ in range(2):
        with pytest.raises(KeyboardInterrupt):
            pending.wait_all(wait)
    pending.wait_all(wait)
    assert released == nodes
    assert not pending.by_stream
    assert len(waited) == 2 * 3 + 2
