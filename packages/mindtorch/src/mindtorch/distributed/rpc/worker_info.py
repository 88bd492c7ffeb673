"""A worker by name and number."""

from __future__ import annotations

import re

from ...core.module_names import living_in

__all__ = ["WorkerInfo"]

_NAME = re.compile(r"[A-Za-z0-9\-_:]{1,127}\Z")


class WorkerInfo:
    """A process by name and number. Raises RuntimeError for what is no name."""

    def __init__(self, name: str, id: int) -> None:
        if not _NAME.match(name):
            raise RuntimeError(
                "Worker name must match ^[A-Za-z0-9-_:]*$, and must be non-empty and shorter than "
                f"128 chars, but got {name}"
            )
        self.name, self.id = name, id

    def __repr__(self) -> str:
        return f"WorkerInfo(id={self.id}, name={self.name})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WorkerInfo) and (self.name, self.id) == (other.name, other.id)

    def __hash__(self) -> int:
        return hash((self.name, self.id))


living_in("mindtorch._C._distributed_rpc", WorkerInfo)
