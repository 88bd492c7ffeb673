"""Options of collectives and of backends, and the kinds of these."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from .reductions import BoundEnum, RedOpType, ReduceOp

__all__ = [
    "AllToAllOptions",
    "AllgatherOptions",
    "AllreduceCoalescedOptions",
    "AllreduceOptions",
    "BackendType",
    "BarrierOptions",
    "BroadcastOptions",
    "GatherOptions",
    "ReduceOptions",
    "ReduceScatterOptions",
    "ScatterOptions",
]

_SUM: Any = ReduceOp.SUM
_NEVER = timedelta(milliseconds=-1)


class _Options:
    """Options of a call, by attribute."""

    def __init__(self) -> None:
        self.timeout = _NEVER
        self.asyncOp = True

    def __init_subclass__(cls) -> None:
        cls.__module__ = "mindtorch.distributed.distributed_c10d"


class BroadcastOptions(_Options):
    """Options of ``broadcast``."""

    def __init__(self) -> None:
        super().__init__()
        self.rootRank = 0
        self.rootTensor = 0


class _Reducing(_Options):
    """Options with a reduction."""

    def __init__(self) -> None:
        super().__init__()
        self._reduce_op = ReduceOp(_SUM)

    @property
    def reduceOp(self) -> Any:
        """The reduction."""
        return self._reduce_op

    @reduceOp.setter
    def reduceOp(self, op: Any) -> None:
        if not isinstance(op, ReduceOp) or op is ReduceOp.PREMUL_SUM:
            raise TypeError(
                "(): incompatible function arguments. The following argument types are "
                f"supported:\n    1. (self: torch._C._distributed_c10d.{type(self).__name__}, "
                "arg0: torch._C._distributed_c10d.ReduceOp) -> None\n\nInvoked with: "
                f"{self!r}, {op!r}"
            )
        self._reduce_op = ReduceOp(op) if isinstance(op, RedOpType) else op


class AllreduceOptions(_Reducing):
    """Options of ``allreduce``."""


class AllreduceCoalescedOptions(AllreduceOptions):
    """Options of ``allreduce_coalesced``."""


class ReduceOptions(_Reducing):
    """Options of ``reduce``."""

    def __init__(self) -> None:
        super().__init__()
        self.rootRank = 0
        self.rootTensor = 0


class ReduceScatterOptions(_Reducing):
    """Options of ``reduce_scatter``."""


class AllgatherOptions(_Options):
    """Options of ``allgather``."""


class GatherOptions(_Options):
    """Options of ``gather``."""

    def __init__(self) -> None:
        super().__init__()
        self.rootRank = 0


class ScatterOptions(GatherOptions):
    """Options of ``scatter``."""


class BarrierOptions(_Options):
    """Options of ``barrier``."""

    def __init__(self) -> None:
        super().__init__()
        self.device_ids: list[int] = []
        self.device = None


class AllToAllOptions(_Options):
    """Options of ``alltoall``."""


class _BackendOptions:
    """Options of a backend."""

    def __init__(self, backend: str = "undefined", timeout: timedelta | None = None) -> None:
        self.backend = backend
        self._timeout = timeout or timedelta(minutes=30)
        self.global_ranks_in_group: list[int] = []
        self.group_name = ""


class BackendType(BoundEnum, UNDEFINED=0, GLOO=1, NCCL=2, XCCL=5, UCC=3, MPI=4, CUSTOM=6):
    """The kinds of backends."""


AllgatherOptions.__module__ = "mindtorch._C._distributed_c10d"
