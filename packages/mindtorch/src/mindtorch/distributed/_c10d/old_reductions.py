"""Reductions by the names that they had before ``ReduceOp``."""

from __future__ import annotations

from typing import Any

from ...core.warning import warn
from .reductions import ReduceOp

__all__ = ["reduce_op"]


class _reduce_op:
    """The names of reductions before ``ReduceOp``."""

    def __init__(self) -> None:
        for name in ReduceOp.RedOpType.__members__:
            setattr(self, name, getattr(ReduceOp, name))
        self.__members__ = ReduceOp.RedOpType.__members__

    def __getattribute__(self, key: str) -> Any:
        warn(
            "`torch.distributed.reduce_op` is deprecated, please use "
            "`torch.distributed.ReduceOp` instead",
            category=FutureWarning,
        )
        return object.__getattribute__(self, key)


_reduce_op.__module__ = "mindtorch.distributed.distributed_c10d"
reduce_op = _reduce_op()
