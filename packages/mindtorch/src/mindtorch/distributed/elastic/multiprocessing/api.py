"""``torch.distributed.elastic.multiprocessing.api``: streams of processes, names that refuse."""

from __future__ import annotations

import re
from enum import IntFlag
from typing import Any

from ....core.unavailable import offer_listed

#: What a text of streams may be: one for all ranks, or one by rank.
_PATTERNS = (r"^[0123]$", r"^(\d:[0123],)*(\d:[0123])$")
_OF_ALL, _BY_RANK = map(re.compile, _PATTERNS)


class Std(IntFlag):
    """Streams of a process."""

    NONE = 0
    OUT = 1
    ERR = 2
    ALL = OUT | ERR

    @classmethod
    def from_str(cls, vm: str) -> Any:
        """What ``"0"`` to ``"3"``, or ``"0:1,1:2"`` by rank, means."""
        if _OF_ALL.fullmatch(vm):
            return cls(int(vm))
        if not _BY_RANK.fullmatch(vm):
            raise ValueError(f"{vm} does not match: <{_PATTERNS[0]}> or <{_PATTERNS[1]}>")
        pairs = (part.split(":") for part in vm.split(","))
        return {int(rank): cls(int(value)) for rank, value in pairs}


def to_map(val_or_map: Any, local_world_size: int) -> dict[int, Any]:
    """A value for each rank."""
    if isinstance(val_or_map, dict):
        return {i: val_or_map.get(i, Std.NONE) for i in range(local_world_size)}
    return dict.fromkeys(range(local_world_size), val_or_map)


class SignalException(Exception):
    """Raised in an agent that a signal ends."""

    def __init__(self, msg: str, sigval: Any) -> None:
        super().__init__(msg)
        self.sigval = sigval


offer_listed(globals())
