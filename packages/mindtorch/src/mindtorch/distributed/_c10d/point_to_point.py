"""Sending to one process and receiving from one, and several calls together."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from ...tensor import Tensor
from .collective_checks import _check_single_tensor, _warn_not_in_group
from .collectives import _give, _public, _real, _with_root
from .process_group import ProcessGroup
from .work import Work
from .world import (
    _canonicalize_group_rank,
    _check_not_self_rank,
    _group_or_default_group,
    _rank_not_in_group,
    _world,
    get_global_rank,
    get_rank,
)


@_public
def isend(
    tensor: Tensor,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_dst: int | None = None,
) -> Work | None:
    """Begin to send a tensor to one process."""
    group, group_dst = _with_root(tensor, group, dst, group_dst)
    if _rank_not_in_group(group):
        _warn_not_in_group("isend")
        return None
    return _give(group.send([_real(tensor)], group_dst, tag), async_op=True)


@_public
def irecv(
    tensor: Tensor,
    src: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_src: int | None = None,
) -> Work | None:
    """Begin to receive a tensor."""
    _check_single_tensor(tensor, "tensor")
    if _rank_not_in_group(group):
        _warn_not_in_group("irecv")
        return None
    group = _group_or_default_group(group)
    if src is None and group_src is None:
        return _give(group.recv_anysource([_real(tensor)], tag), async_op=True)
    group_src = _canonicalize_group_rank(group, src, group_src)
    return _give(group.recv([_real(tensor)], group_src, tag), async_op=True)


@_public
def send(
    tensor: Tensor,
    dst: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_dst: int | None = None,
) -> None:
    """Send a tensor to one process."""
    group = _group_or_default_group(group)
    receiver = _canonicalize_group_rank(group, dst, group_dst)
    _check_not_self_rank(group, receiver, "destination")
    _give(isend(tensor, None, group, tag, receiver), async_op=False)


@_public
def recv(
    tensor: Tensor,
    src: int | None = None,
    group: ProcessGroup | None = None,
    tag: int = 0,
    group_src: int | None = None,
) -> int:
    """Receive a tensor; who sent it."""
    work = irecv(tensor, src=src, group=group, tag=tag, group_src=group_src)
    if work is None:
        return -1
    work.wait()
    pg = _group_or_default_group(group)
    if src is not None:
        return src
    return get_global_rank(pg, work._source_rank() if group_src is None else group_src)


def _check_op(op: Any) -> None:
    if op not in (isend, irecv):
        raise ValueError(
            "Invalid ``op``. Expected ``op`` to be of type ``torch.distributed.isend`` or "
            "``torch.distributed.irecv``."
        )


def _check_p2p_op_list(p2p_op_list: Any) -> None:
    if not isinstance(p2p_op_list, list) or not all(isinstance(p, P2POp) for p in p2p_op_list):
        raise ValueError(
            "Invalid ``p2p_op_list``. Each op is expected to to be of type "
            "``torch.distributed.P2POp``."
        )
    group = p2p_op_list[0].group
    if any(p.group != group for p in p2p_op_list):
        raise ValueError("All ops need to use the same group.")


class _CollOp:
    """One collective of several that run as one."""

    def __init__(
        self,
        op: Callable[..., Any],
        tensor: Tensor,
        dst_tensor: Tensor | None = None,
        redop: Any = None,
        root: int | None = None,
    ) -> None:
        self.op = op
        self.tensor = tensor
        self.dst_tensor = dst_tensor
        self.redop = redop
        self.root = root


class P2POp:
    """One sending or receiving for ``batch_isend_irecv``."""

    def __init__(
        self,
        op: Any,
        tensor: Any,
        peer: int | None = None,
        group: ProcessGroup | None = None,
        tag: int = 0,
        group_peer: int | None = None,
    ) -> None:
        self.op = op
        self.tensor = tensor
        self.group = _group_or_default_group(group)
        self.peer = _canonicalize_group_rank(self.group, peer, group_peer, return_global=True)
        self.tag = tag
        self.group_peer = _canonicalize_group_rank(self.group, peer, group_peer)

    def __new__(
        cls,
        op: Any,
        tensor: Any,
        peer: int | None = None,
        group: ProcessGroup | None = None,
        tag: int = 0,
        group_peer: int | None = None,
    ) -> Any:
        _check_op(op)
        _check_single_tensor(tensor, "tensor")
        return object.__new__(cls)

    def __repr__(self) -> str:
        me, name = get_rank(self.group), self.op.__name__
        src, dst = (me, self.group_peer) if name == "isend" else (self.group_peer, me)
        return (
            f"P2POp({name} pg={self.group.group_name}, group_src={src}, group_dst={dst},  "
            f"{self.tensor.shape}, {self.tensor.dtype})"
        )


@_public
def batch_isend_irecv(p2p_op_list: list[P2POp]) -> list[Any]:
    """Begin several sendings and receivings."""
    _check_p2p_op_list(p2p_op_list)
    works = []
    for op in p2p_op_list:
        key = "group_dst" if op.op is isend else "group_src"
        works.append(op.op(op.tensor, group=op.group, tag=op.tag, **{key: op.group_peer}))
    return [work for work in works if work]


class _CoalescingManager:
    """The works of the calls inside of a ``with``."""

    def __init__(self) -> None:
        self.works: list[Any] = []

    def append(self, work: Any = None) -> None:
        """Note *work*."""
        if work:
            self.works.append(work)

    def wait(self) -> None:
        """Wait for all."""
        for work in self.works:
            work.wait()


@contextlib.contextmanager
def _coalescing_manager(
    group: ProcessGroup | None = None, device: Any = None, async_ops: bool = False
) -> Iterator[_CoalescingManager]:
    group = _group_or_default_group(group)
    inside = _world.pg_coalesce_state.setdefault(group, [])
    if inside:
        raise ValueError("ProcessGroup has non-empty op list at the start of coalescing")
    manager = _CoalescingManager()
    try:
        yield manager
    finally:
        works = _world.pg_coalesce_state.pop(group)
    for work in works:
        manager.append(work)
    if not async_ops:
        manager.wait()


for _class in (P2POp, _CoalescingManager):
    _class.__module__ = "mindtorch.distributed.distributed_c10d"
