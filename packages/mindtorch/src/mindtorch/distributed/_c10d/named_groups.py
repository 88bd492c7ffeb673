"""Groups by the names of their backends."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from ...core.module_names import living_in
from .engine_start import start
from .fake import FakeProcesses
from .options import _BackendOptions
from .process_group import ProcessGroup

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
    """A group that carries nothing, see :mod:`.fake`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        raise TypeError("torch._C._distributed_c10d.FakeProcessGroup: No constructor defined!")

    @classmethod
    def _create_internal(cls, rank: int, world_size: int, options: Any = None) -> FakeProcessGroup:
        """Make a group in which this process has the number *rank* of *world_size*."""
        made = cls.__new__(cls)
        ProcessGroup.__init__(made, rank, world_size, engine=FakeProcesses(rank, world_size))
        return made


living_in("mindtorch.distributed.distributed_c10d", ProcessGroupGloo)
living_in("mindtorch._C._distributed_c10d", FakeProcessGroup)
