"""Messages that are sent and received together."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from .. import distributed_c10d as dist

__all__: list[str] = []


def _batch_p2p(p2p_ops: list[Any], desc: str | None = None) -> list[Any]:
    """Begin to send and to receive; what only sends, or only receives, needs no batch.

    :param desc: what the messages are, for logs.
    """
    ways = {op.op for op in p2p_ops}
    if len(ways) > 1:
        return dist.batch_isend_irecv(p2p_ops)
    peer = "group_dst" if dist.isend in ways else "group_src"
    return [op.op(op.tensor, group=op.group, tag=op.tag, **{peer: op.group_peer}) for op in p2p_ops]


def _sorted_batch_p2p(p2p_ops: list[Any], desc: str | None = None) -> dict[int, list[Any]]:
    """Begin with the messages of each peer in turn, the lowest rank first, so that no two wait.

    Needed where a stage exchanges with others than its neighbours.
    """
    by_peer: dict[int, list[Any]] = defaultdict(list)
    for op in p2p_ops:
        by_peer[op.peer].append(op)
    return {peer: _batch_p2p(by_peer[peer], desc=desc) for peer in sorted(by_peer)}


def _wait_batch_p2p(work: list[Any]) -> None:
    """Wait for messages."""
    for each in work:
        each.wait()
