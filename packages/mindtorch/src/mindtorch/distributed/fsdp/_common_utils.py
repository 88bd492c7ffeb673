"""What a ``FullyShardedDataParallel`` is at."""

from __future__ import annotations

from enum import Enum, auto

from .._composable_state import _State
from ._wrapped_names import FSDP_PREFIX as FSDP_PREFIX
from ._wrapped_names import FSDP_WRAPPED_MODULE as FSDP_WRAPPED_MODULE
from ._wrapped_names import clean_tensor_name as clean_tensor_name

__all__ = ["TrainingState"]


class TrainingState(Enum):
    """What a ``FullyShardedDataParallel`` is at."""

    IDLE = auto()
    FORWARD_BACKWARD = auto()
    SUMMON_FULL_PARAMS = auto()


class _FSDPState(_State):
    """What is known of a module that is split: here the wrapper around it."""
