"""The workers of a group: who they are, where they listen, when they come and go."""

from __future__ import annotations

import secrets
from typing import Any

from .worker_info import WorkerInfo

__all__ = ["Membership"]


class Membership:
    """The place of the worker *info*, this process, among the workers that *store* connects.

    :param world_size: how many workers there are; None: they come and go.
    """

    def __init__(self, store: Any, info: WorkerInfo, world_size: int | None) -> None:
        self.store, self.info, self.world_size = store, info, world_size
        #: What all workers of the group know and nobody else.
        self.secret: bytes = store.compare_set("secret", "", secrets.token_hex(16))
        self._workers: dict[int, WorkerInfo] = {}
        self._addresses: dict[int, str] = {}

    @property
    def is_static(self) -> bool:
        """Whether all workers are known from the beginning."""
        return self.world_size is not None

    def enter(self, address: str) -> None:
        """Let the others know of this worker, which listens at *address*, and find them.

        Raises RuntimeError where two have the same name.
        """
        kind = b"dynamic" if self.world_size is None else b"static"
        if self.store.compare_set("kind", "", kind.decode()) != kind:
            raise RuntimeError(
                "RPC group mixes statically and dynamically initialized members which is not "
                "supported."
            )
        self.store.set(f"worker {self.info.id}", f"{self.info.name} {address}")
        if self.world_size is None:
            self.store.append("entered", f"{self.info.id} ")
            self._look()
            return
        self.store.wait([f"worker {i}" for i in range(self.world_size)])
        for i in range(self.world_size):
            self._note(i)
        self._check_names()
        # Nobody is called before he knows whom he may be told of.
        self.total("begin", 0)

    def leave(self) -> None:
        """Let the others know, in a group without a fixed size, that this worker is gone."""
        if not self.is_static:
            self.store.append("left", f"{self.info.id} ")

    def total(self, occasion: str, part: int) -> int:
        """The sum of the parts of all workers, each of which waits for the others to come here.

        :param occasion: a name that is used once, in a group of a fixed size.
        """
        self.store.add(f"{occasion} total", part)
        if self.store.add(occasion, 1) == self.world_size:
            self.store.set(f"{occasion} done", "")
        self.store.wait([f"{occasion} done"])
        total: int = self.store.add(f"{occasion} total", 0)
        return total

    def _look(self) -> None:
        """Note who has come and gone in a group without a fixed size."""
        gone = self.store.get("left").decode().split() if self.store.check(["left"]) else []
        for i in map(int, self.store.get("entered").decode().split()):
            if str(i) in gone:
                self._workers.pop(i, None)
            elif i not in self._workers:
                self._note(i)
        self._check_names()

    def _note(self, number: int) -> None:
        name, _, address = self.store.get(f"worker {number}").decode().partition(" ")
        self._workers[number], self._addresses[number] = WorkerInfo(name, number), address

    def _check_names(self) -> None:
        seen: dict[str, int] = {}
        for number, info in self._workers.items():
            if info.name in seen:
                raise RuntimeError(
                    f"RPC worker name {info.name} is not unique. Workers {seen[info.name]} and "
                    f"{number} share the same name."
                )
            seen[info.name] = number

    def workers(self) -> list[WorkerInfo]:
        """All workers."""
        if not self.is_static:
            self._look()
        return list(self._workers.values())

    def address(self, number: int) -> str:
        """Where the worker *number* listens."""
        if number not in self._addresses:  # it has come after this worker looked
            self._look()
        return self._addresses[number]

    def find(self, worker: str | int | None = None) -> WorkerInfo:
        """The worker of a name or number, or this one. Raises RuntimeError if there is none."""
        if worker is None:
            return self.info
        found = self._known(worker)
        if found is None and not self.is_static:
            self._look()
            found = self._known(worker)
        if found is None:
            what = f"name {worker}" if isinstance(worker, str) else f"id {worker}"
            raise RuntimeError(
                f"name:{self.info.name},rank:{self.info.id} could not find destination {what}"
            )
        return found

    def _known(self, worker: str | int) -> WorkerInfo | None:
        if isinstance(worker, int):
            return self._workers.get(worker)
        return next((w for w in self._workers.values() if w.name == worker), None)

    def destination(self, to: Any) -> WorkerInfo:
        """The worker called *to*, by name, number or info. Raises RuntimeError for another."""
        if isinstance(to, WorkerInfo):
            return self.find(to.id)
        if not isinstance(to, str | int):
            raise ValueError(f"Cannot get WorkerInfo from name {to}")
        return self.find(to)
