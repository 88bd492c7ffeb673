"""Helpers of states: nested dicts of tensors gathered, copied to the host, or sent."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any, NamedTuple

from ..aten import torch
from ..tensor import Tensor
from . import distributed_c10d as dist

__all__: list[str] = []


class _TensorInfo(NamedTuple):
    size: Any
    dtype: Any


def _walk(
    value: Any, fn: Callable[[Tensor], Any], other: Callable[[Any], Any] | None = None
) -> Any:
    """*value* with *fn* made to its tensors, and *other* to what else is no container."""
    if isinstance(value, Tensor):
        return fn(value)
    if isinstance(value, dict):
        return {k: _walk(v, fn, other) for k, v in value.items()}
    if isinstance(value, list | tuple) and not isinstance(value, torch.Size):
        made = [_walk(v, fn, other) for v in value]
        return type(value)(*made) if hasattr(value, "_fields") else type(value)(made)
    return value if other is None else other(value)


def _full(value: Tensor) -> Tensor:
    return value.full_tensor() if hasattr(value, "full_tensor") else value


def _gather_state_dict(
    state_dict: dict[str, Any],
    *,
    pg: Any = None,
    device: Any = None,
    cpu_offload: bool = False,
    ranks_only: tuple[int, ...] = (),
    type_check: bool = True,
) -> dict[str, Any]:
    """The state with whole tensors, to which all processes add; nothing for those not asked for."""
    wanted = not ranks_only or dist.get_rank(pg) in ranks_only

    def take(x: Tensor) -> Any:
        x = _full(x)
        if not wanted:
            return None
        if device is not None:
            x = x.to(device)
        return x.to("cpu") if cpu_offload else x

    gathered = _walk(state_dict, take)
    return gathered if wanted else {}


def _offload_state_dict_to_cpu(
    state_dict: dict[str, Any],
    *,
    ranks_only: tuple[int, ...] = (),
    type_check: bool = True,
) -> dict[str, Any]:
    """A copy of the state on the host."""
    if ranks_only and dist.get_rank() not in ranks_only:
        return {}

    return _walk(state_dict, lambda x: x.detach().to("cpu", copy=True))


def _create_cpu_state_dict(
    state_dict: dict[str, Any], pin_memory: bool = False, share_memory: bool = False
) -> dict[str, Any]:
    """Empty tensors on the host like those of the state, and copies of what else there is.

    :param pin_memory: in memory that a device reads at once.
    :param share_memory: in memory that other processes may have, too.
    """

    def make(x: Tensor) -> Tensor:
        made = torch.empty_like(x, device="cpu")
        if share_memory:
            made = made.share_memory_()
        return made.pin_memory() if pin_memory else made

    return _walk(state_dict, make, copy.deepcopy)


@torch.no_grad()
def _copy_state_dict(
    state_dict: dict[str, Any],
    copy_state_dict: dict[str, Any],
    non_blocking: bool = False,
    type_check: bool = True,
) -> dict[str, Any]:
    """Write the state into another of its shape."""
    for key, value in state_dict.items():
        if isinstance(value, Tensor):
            copy_state_dict[key].copy_(value)
        elif isinstance(value, dict):
            _copy_state_dict(value, copy_state_dict[key])
        else:
            copy_state_dict[key] = value
    return copy_state_dict


def _check_state_dict_similarity(
    state_dict: dict[str, Any], compared_state_dict: dict[str, Any]
) -> bool:
    """Whether two states have tensors of the same names, shapes and dtypes."""
    if state_dict.keys() != compared_state_dict.keys():
        return False
    for key, value in state_dict.items():
        other = compared_state_dict[key]
        if isinstance(value, dict):
            if not isinstance(other, dict) or not _check_state_dict_similarity(value, other):
                return False
        elif isinstance(value, Tensor) and (
            not isinstance(other, Tensor)
            or value.shape != other.shape
            or value.dtype != other.dtype
        ):
            return False
    return True


def _flatten_state_dict(state_dict: dict[str, Any]) -> Any:
    from .checkpoint._nested_dict import flatten_state_dict

    return flatten_state_dict(state_dict)


def _unflatten_state_dict(state_dict: dict[str, Any], mapping: Any) -> Any:
    from .checkpoint._nested_dict import unflatten_state_dict

    return unflatten_state_dict(state_dict, mapping)
