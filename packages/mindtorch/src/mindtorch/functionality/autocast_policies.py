"""What autocast does with an op, by the kind of device: ``autocast`` of the row says it.

Source: torch aten/src/ATen/autocast_mode.{h,cpp}. The accelerator's are those torch has for
CUDA, which torch_npu follows.
"""

from __future__ import annotations

from enum import Enum

from mindtorch_storage import ACCELERATOR

from ..call.row import Row

__all__ = ["Policy", "policy_of"]


class Policy(Enum):
    """How the tensor arguments of an op are cast before it runs."""

    #: Floating point arguments (float64 excepted) to autocast's own dtype.
    LOWER_PRECISION = "lower precision"
    #: Floating point arguments (float64 excepted) to float32.
    FLOAT32 = "float32"
    #: Arguments stay; the result is asked for in float32 where the call names no dtype.
    FLOAT32_RESULT = "float32 result"
    #: All to the widest dtype among the arguments.
    PROMOTE = "promote"
    #: Refused: unsafe in half precision.
    BANNED = "banned"


def policy_of(row: Row, kind: str) -> Policy | None:
    """What the row says of devices of *kind*; None where autocast leaves the op alone."""
    word = row.autocast[kind == ACCELERATOR]
    return Policy(word) if word else None
