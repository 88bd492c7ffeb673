"""Names of torch's C++ part that libraries call, where nothing is to be done here."""

from __future__ import annotations

from typing import Any

from ..functionality.transforms import active
from ..jit._tracing import TracingState, depth

__all__ = [
    "_TensorMeta",
    "_are_functorch_transforms_active",
    "_get_graph_executor_optimize",
    "_get_tracing_state",
    "_jit_can_fuse_on_cpu",
    "_jit_can_fuse_on_gpu",
    "_jit_override_can_fuse_on_cpu",
    "_jit_override_can_fuse_on_gpu",
    "_jit_set_nvfuser_enabled",
    "_jit_set_num_profiled_runs",
    "_jit_set_nvfuser_guard_mode",
    "_jit_set_profiling_executor",
    "_jit_set_profiling_mode",
    "_jit_set_texpr_fuser_enabled",
    "_log_api_usage_once",
]

#: What classes of tensors are made by.
_TensorMeta = type


def _log_api_usage_once(event: str) -> None:
    """Nothing: nobody counts what is used."""


def _get_tracing_state() -> TracingState | None:
    """The trace in progress in this thread; None outside of one."""
    return depth.state


def _are_functorch_transforms_active() -> bool:
    """Whether the caller is inside of ``vmap``, ``grad`` or another transform."""
    return active()


def _jit_can_fuse_on_cpu() -> bool:
    """False: TorchScript runs eagerly here, so nothing is fused."""
    return False


_jit_can_fuse_on_gpu = _jit_can_fuse_on_cpu


def _jit_set_profiling_mode(mode: bool = False, *more: Any) -> bool:
    """Nothing: a switch of TorchScript's executor; False, what it was before."""
    return False


def _jit_set_num_profiled_runs(n: int) -> int:
    """Nothing: a number of TorchScript's executor; 1, what it was before."""
    return 1


def _get_graph_executor_optimize(new: bool | None = None) -> bool:
    """True: whether TorchScript's executor optimizes; *new* changes nothing, as there is none."""
    return True


_jit_override_can_fuse_on_cpu = _jit_override_can_fuse_on_gpu = _jit_set_profiling_mode
_jit_set_nvfuser_enabled = _jit_set_nvfuser_guard_mode = _jit_set_profiling_mode
_jit_set_profiling_executor = _jit_set_texpr_fuser_enabled = _jit_set_profiling_mode
