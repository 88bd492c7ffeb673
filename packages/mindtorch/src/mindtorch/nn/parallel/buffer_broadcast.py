"""The buffers of a module that is trained on several processes: those of one are sent to all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any

import mindtorch.distributed as dist

from ...aten import torch
from ...core.warning import warn

__all__ = ["BufferBroadcast", "buffers_sent"]


class _BufferCommHookLocation(Enum):
    PRE_FORWARD = auto()
    POST_FORWARD = auto()


@dataclass
class _BufferCommHook:
    buffer_comm_hook: Callable[..., Any]
    buffer_comm_hook_state: Any
    buffer_comm_hook_location: _BufferCommHookLocation


def buffers_sent(broadcast_buffers: bool | None, forward_sync: bool | None) -> tuple[bool, bool]:
    """Whether buffers are sent when a module is wrapped, and before each forward.

    Warns of *broadcast_buffers*, which torch calls deprecated, in the caller's caller.
    """
    if broadcast_buffers is None:
        return True, forward_sync is not False
    text = (
        "`broadcast_buffers` is deprecated. Use `forward_sync_buffers` instead. IMPORTANT: unlike "
        "`broadcast_buffers=False`, `forward_sync_buffers=False` still syncs buffers at init. If "
        "you rely on buffers NOT being synced at init (e.g. rank-local buffers), keep using "
        "`broadcast_buffers=False` until `init_sync_buffers` is available."
    )
    if forward_sync is not None:
        text = (
            "Both `broadcast_buffers` and `forward_sync_buffers` were specified. "
            "`broadcast_buffers` is deprecated and its value is ignored when "
            "`forward_sync_buffers` is provided."
        )
    warn(text, FutureWarning)
    if forward_sync is not None:
        return True, forward_sync
    return broadcast_buffers, broadcast_buffers


class BufferBroadcast:
    """Sends the buffers of ``module`` before or after a forward; a base of what trains it."""

    module: Any
    process_group: Any
    broadcast_buffers: Any
    broadcast_bucket_size: int
    parameters_to_ignore: set[str]
    require_forward_param_sync: bool
    named_module_buffers: dict[str, Any]
    modules_buffers: list[Any]
    buffer_hook: Any
    _join_config: Any
    _distributed_rank: Any
    _find_common_rank: Any

    def _assign_modules_buffers(self) -> None:
        self.named_module_buffers = {
            n: b for n, b in self.module.named_buffers() if n not in self.parameters_to_ignore
        }
        self.modules_buffers = list(self.named_module_buffers.values())

    def will_sync_module_buffers(self) -> bool:
        """Whether the next forward sends buffers."""
        return (
            self.require_forward_param_sync
            and self.broadcast_buffers
            and len(self.modules_buffers) > 0
        )

    def _check_sync_bufs_post_fwd(self) -> bool:
        hook = getattr(self, "buffer_hook", None)
        return (
            self.will_sync_module_buffers()
            and hook is not None
            and hook.buffer_comm_hook_location == _BufferCommHookLocation.POST_FORWARD
        )

    def _check_sync_bufs_pre_fwd(self) -> bool:
        hook = getattr(self, "buffer_hook", None)
        return self.will_sync_module_buffers() and (
            hook is None or hook.buffer_comm_hook_location == _BufferCommHookLocation.PRE_FORWARD
        )

    def _sync_buffers(self) -> None:
        with torch.no_grad():
            self._assign_modules_buffers()
            # The first process may have no more input, and old buffers.
            joined = self._join_config.enable
            rank = self._find_common_rank(self._distributed_rank, True) if joined else 0
            self._sync_module_buffers(rank)

    def _sync_module_buffers(self, authoritative_rank: int) -> None:
        hook = getattr(self, "buffer_hook", None)
        if hook is None:
            self._default_broadcast_coalesced(authoritative_rank=authoritative_rank)
            return
        futures = hook.buffer_comm_hook(hook.buffer_comm_hook_state, self.named_module_buffers)
        for each in futures or ():
            each.wait()

    def _default_broadcast_coalesced(
        self, bufs: Any = None, bucket_size: Any = None, authoritative_rank: int = 0
    ) -> None:
        size = self.broadcast_bucket_size if bucket_size is None else bucket_size
        tensors = self.modules_buffers if bufs is None else bufs
        self._distributed_broadcast_coalesced(tensors, size, authoritative_rank)

    def _distributed_broadcast_coalesced(
        self, tensors: Any, buffer_size: int, authoritative_rank: int = 0
    ) -> None:
        dist._broadcast_coalesced(self.process_group, tensors, buffer_size, authoritative_rank)

    def _register_buffer_comm_hook(
        self,
        state: Any,
        hook: Callable[..., Any],
        comm_hook_location: Any = _BufferCommHookLocation.POST_FORWARD,
    ) -> None:
        if not callable(hook):
            raise TypeError("Communication hook must be callable.")
        self.buffer_hook = _BufferCommHook(hook, state, comm_hook_location)
