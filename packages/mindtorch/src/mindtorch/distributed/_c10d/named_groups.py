"""Groups by the names of their backends."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from ...core.module_names import living_in
from .engine import start
from .options import _BackendOptions
from .process_group import ProcessGroup
from .single_process import SingleProcess

__all__ = ["FakeProcessGroup", "ProcessGroupGloo"]


class ProcessGroupGloo(ProcessGroup):
    """A group by the name of its backend: ``ProcessGroupGloo(store, rank, size, timeout)``."""

    class _Options(_BackendOptions):
        def __init__(self) -> None:
            super().__init__("gloo")

    def __init__(
        self, store: Any, rank: int, size: int, timeout: timedelta = timedelta(minutes=30)
    ) -> None:
        super().__init__(store, rank, size, engine=start("gloo", store, rank, size))


class FakeProcessGroup(ProcessGroup):
    """A group that carries nothing: every call ends at once and writes nothing."""

    def __init__(self, rank: int, size: int) -> None:
        super().__init__(rank, size, engine=SingleProcess("fake"))


living_in("mindtorch.distributed.distributed_c10d", ProcessGroupGloo)
living_in("mindtorch._C._distributed_c10d", FakeProcessGroup)
