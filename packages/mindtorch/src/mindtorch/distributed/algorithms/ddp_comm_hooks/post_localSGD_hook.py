"""Averaging of all processes at first, later of those of a subgroup."""

from __future__ import annotations

import logging
from typing import Any

from ....futures import Future
from ..._c10d.buckets import GradBucket
from . import default_hooks as default

__all__ = ["PostLocalSGDState", "post_localSGD_hook"]

logger = logging.getLogger(__name__)


class PostLocalSGDState:
    """What ``post_localSGD_hook`` knows."""

    __slots__ = [
        "iter",
        "post_local_gradient_allreduce",
        "process_group",
        "start_localSGD_iter",
        "subgroup",
    ]

    def __init__(
        self,
        process_group: Any,
        subgroup: Any,
        start_localSGD_iter: int,
        post_local_gradient_allreduce: bool = True,
    ) -> None:
        self.process_group = process_group
        self.subgroup = subgroup
        self.start_localSGD_iter = start_localSGD_iter
        self.post_local_gradient_allreduce = post_local_gradient_allreduce
        self.iter = 0

    def maybe_increase_iter(self, bucket: GradBucket) -> None:
        """Count an iteration at the end of its last bucket."""
        if bucket.is_last():
            self.iter += 1


def post_localSGD_hook(state: PostLocalSGDState, bucket: GradBucket) -> Any:
    """Average gradients of all, and of a subgroup after some iterations."""
    buffer = bucket.buffer()
    if state.iter < state.start_localSGD_iter:
        state.maybe_increase_iter(bucket)
        return default._allreduce_fut(state.process_group, buffer)
    if not state.post_local_gradient_allreduce:
        fut: Any = Future()
        fut.set_result(buffer)
        return fut
    return default._allreduce_fut(state.subgroup, buffer)
