"""Communication hooks of ``DistributedDataParallel``."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import Any

from . import debugging_hooks as debugging
from . import default_hooks as default
from . import post_localSGD_hook as post_localSGD
from . import powerSGD_hook as powerSGD
from . import quantization_hooks as quantization

__all__ = ["DDPCommHookType", "register_ddp_comm_hook"]


def _register(comm_hook: Any) -> Any:
    def register(model: Any, state: Any) -> None:
        model.register_comm_hook(state, comm_hook)

    return register


def _register_power_sgd(comm_hook: Any, rank: int) -> Any:
    def register(model: Any, state: Any) -> None:
        """Register the hook for the process group *state*."""
        of_group = powerSGD.PowerSGDState(process_group=state, matrix_approximation_rank=rank)
        model.register_comm_hook(of_group, comm_hook)

    return register


class DDPCommHookType(Enum):
    """The hooks of the package by name."""

    ALLREDUCE = partial(_register(default.allreduce_hook))
    FP16_COMPRESS = partial(_register(default.fp16_compress_hook))
    BF16_COMPRESS = partial(_register(default.bf16_compress_hook))
    QUANTIZE_PER_TENSOR = partial(_register(quantization.quantization_pertensor_hook))
    QUANTIZE_PER_CHANNEL = partial(_register(quantization.quantization_perchannel_hook))
    POWER_SGD = partial(_register_power_sgd(powerSGD.powerSGD_hook, 1))
    POWER_SGD_RANK2 = partial(_register_power_sgd(powerSGD.powerSGD_hook, 2))
    BATCHED_POWER_SGD = partial(_register_power_sgd(powerSGD.batched_powerSGD_hook, 1))
    BATCHED_POWER_SGD_RANK2 = partial(_register_power_sgd(powerSGD.batched_powerSGD_hook, 2))
    POST_LOCAL_SGD = partial(_register(post_localSGD.post_localSGD_hook))
    NOOP = partial(_register(debugging.noop_hook))


def register_ddp_comm_hook(comm_hook_type: DDPCommHookType, model: Any, state: Any = None) -> None:
    """Register a hook of the package with *model*."""
    comm_hook_type.value(model=model, state=state)
