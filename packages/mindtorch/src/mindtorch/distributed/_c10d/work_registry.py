"""Works by the tensors that they write, until somebody waits for them.

A functional collective gives a tensor and no work, so ``wait_tensor`` finds the work by the memory
of the tensor: a view of a result is waited for like the result itself.
"""

from __future__ import annotations

import threading
from typing import Any

from ...tensor import Tensor
from .work import Work

__all__ = ["WORKS", "WorkRegistry"]


class WorkRegistry:
    """The works that nobody has waited for yet. Threads may use it at once."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # The storage is kept, so that its number means it for as long as the entry is there.
        self._of_storage: dict[int, tuple[Any, list[Any]]] = {}
        #: Whether works of calls in place are kept, too.
        self.takes_calls_in_place = False

    def __len__(self) -> int:
        with self._lock:
            return sum(len(works) for _, works in self._of_storage.values())

    def keep(self, tensor: Tensor, work: Any) -> None:
        """Remember that *work* writes *tensor*, and let it go on while nobody waits."""
        if isinstance(work, Work):
            work._carry_on()
        storage = tensor.untyped_storage()
        with self._lock:
            self._of_storage.setdefault(id(storage), (storage, []))[1].append(work)

    def keep_call_in_place(self, tensors: Any, work: Any) -> None:
        """Do so for each of the *tensors* of a call in place, if that is wanted."""
        if self.takes_calls_in_place:
            for tensor in tensors:
                self.keep(tensor, work)

    def wait(self, tensor: Tensor) -> None:
        """Wait for what writes *tensor*, and forget it. Raises what went wrong."""
        if not self._of_storage:
            return
        with self._lock:
            _, works = self._of_storage.pop(id(tensor.untyped_storage()), (None, []))
        for work in works:
            work.wait()


#: Those of this process.
WORKS = WorkRegistry()
