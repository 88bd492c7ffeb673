"""Reductions, and enumerations that look as those of torch's bindings."""

from __future__ import annotations

import os
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar

from ...core.module_names import living_in

__all__ = [
    "BuiltinCommHookType",
    "DebugLevel",
    "ErrorType",
    "OpType",
    "ReduceOp",
    "WorkResult",
    "_make_nccl_premul_sum",
    "get_debug_level",
    "set_debug_level",
    "set_debug_level_from_env",
]


class _Members(type):
    """Lets type checkers know that members, which class arguments name, are attributes."""

    if TYPE_CHECKING:

        def __getattr__(cls, name: str) -> Any: ...


class BoundEnum(metaclass=_Members):
    """An enumeration as bindings make it: any int has a member, known ones have names."""

    __members__: ClassVar[dict[str, Any]]
    _compares_ints = False

    def __init__(self, value: int) -> None:
        self._value = index(value)

    def __init_subclass__(cls, **values: int) -> None:
        cls.__members__ = {}
        for name, value in values.items():
            member = cls(value)
            cls.__members__[name] = member
            setattr(cls, name, member)

    @property
    def value(self) -> int:
        """The number."""
        return self._value

    @property
    def name(self) -> str:
        """The name of the number."""
        return next((n for n, m in self.__members__.items() if m._value == self._value), "???")

    def __repr__(self) -> str:
        return f"<{type(self).__name__}.{self.name}: {self._value}>"

    def __str__(self) -> str:
        return f"{type(self).__name__}.{self.name}"

    def __int__(self) -> int:
        return self._value

    __index__ = __int__

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, BoundEnum)
            and type(other) is type(self)
            and self._value == other._value
        )

    def __hash__(self) -> int:
        return hash(self._value)

    def __reduce__(self) -> Any:
        return type(self), (self._value,)


_OPS = dict(SUM=0, AVG=1, PRODUCT=2, MIN=3, MAX=4, BAND=5, BOR=6, BXOR=7, PREMUL_SUM=8)


class _RedOp(type):
    def __instancecheck__(cls, x: Any) -> bool:
        return type.__instancecheck__(cls, x) or isinstance(x, RedOpType)


class RedOpType(BoundEnum, **_OPS):
    """The kinds of reductions."""


class ReduceOp(metaclass=_RedOp):
    """A reduction: its kind, and its factor if it is ``PREMUL_SUM``."""

    RedOpType = RedOpType
    SUM: ClassVar[Any]
    AVG: ClassVar[Any]
    PRODUCT: ClassVar[Any]
    MIN: ClassVar[Any]
    MAX: ClassVar[Any]
    BAND: ClassVar[Any]
    BOR: ClassVar[Any]
    BXOR: ClassVar[Any]
    PREMUL_SUM: ClassVar[Any]

    def __init__(self, *args: Any) -> None:
        if len(args) != 1 or not isinstance(args[0], RedOpType):
            given = ", ".join(map(repr, args))
            raise TypeError(
                "__init__(): incompatible constructor arguments. The following argument types "
                "are supported:\n    1. torch._C._distributed_c10d.ReduceOp(arg0: "
                f"c10d::ReduceOp::RedOpType)\n\nInvoked with: {given}"
            )
        self._op = args[0]
        self._factor: Any = None

    @property
    def op(self) -> Any:
        """The kind."""
        return self._op

    @property
    def factor(self) -> Any:
        """What values are multiplied with before they are summed."""
        if self._factor is None:
            raise RuntimeError("Only PREMUL_SUM supports accessing factor")
        return self._factor

    def __eq__(self, other: object) -> bool:
        if isinstance(other, RedOpType):
            return bool(self._op == other)
        return type(other) is ReduceOp and self._op == other._op

    def __hash__(self) -> int:
        return hash(self._op)

    def __reduce__(self) -> Any:
        return _remake, (self._op, self._factor)


def _remake(op: Any, factor: Any) -> ReduceOp:
    made = ReduceOp(op)
    made._factor = factor
    return made


for _name in _OPS:
    setattr(ReduceOp, _name, getattr(RedOpType, _name))
RedOpType.__qualname__ = "ReduceOp.RedOpType"
living_in("mindtorch._C._distributed_c10d", RedOpType)


def _make_nccl_premul_sum(factor: Any) -> ReduceOp:
    """A sum of values that are multiplied with *factor* before."""
    return _remake(ReduceOp.PREMUL_SUM, factor)


class DebugLevel(BoundEnum, OFF=0, INFO=1, DETAIL=2):
    """How much process groups check and say."""


class BuiltinCommHookType(BoundEnum, ALLREDUCE=1, FP16_COMPRESS=2):
    """The communication hooks that need no Python function."""


class ErrorType(BoundEnum, SUCCESS=0, TIMEOUT=1, COMM_ERROR=2, REMOTE_ERROR=3):
    """What went wrong in a process group."""


class WorkResult(BoundEnum, SUCCESS=0, TIMEOUT=1, COMM_ERROR=2, UNKNOWN=100):
    """How a work ended."""


class OpType(
    BoundEnum,
    BROADCAST=0,
    ALLREDUCE=1,
    ALLREDUCE_COALESCED=2,
    REDUCE=3,
    ALLGATHER=4,
    _ALLGATHER_BASE=5,
    ALLGATHER_COALESCED=6,
    GATHER=7,
    SCATTER=8,
    REDUCE_SCATTER=9,
    ALLTOALL_BASE=10,
    ALLTOALL=11,
    SEND=12,
    RECV=13,
    RECVANYSOURCE=14,
    BARRIER=15,
    _REDUCE_SCATTER_BASE=16,
    COALESCED=17,
    _ALLREDUCE_SPARSE=18,
    REDUCE_SCATTER_TENSOR_COALESCED=19,
    UNKNOWN=100,
):
    """The kinds of collectives."""


_debug_level = DebugLevel.OFF


def get_debug_level() -> DebugLevel:
    """How much process groups check and say."""
    return _debug_level


def set_debug_level(arg0: DebugLevel) -> None:
    """Set how much process groups check and say."""
    global _debug_level
    _debug_level = arg0


def set_debug_level_from_env() -> None:
    """Set it to what ``TORCH_DISTRIBUTED_DEBUG`` says."""
    said = os.environ.get("TORCH_DISTRIBUTED_DEBUG") or "OFF"
    found = DebugLevel.__members__.get(said.upper())
    if found is None:
        raise ValueError("The value of TORCH_DISTRIBUTED_DEBUG must be OFF, INFO, or DETAIL.")
    set_debug_level(found)


set_debug_level_from_env()

living_in("mindtorch._C._distributed_c10d", BuiltinCommHookType, ErrorType, OpType, WorkResult)
living_in("mindtorch._C._distributed_c10d", set_debug_level, set_debug_level_from_env)
living_in("mindtorch.distributed.distributed_c10d", ReduceOp, DebugLevel, get_debug_level)
