"""An optimizer that works on other tensors for a while."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

from ..aten import torch
from .optimizer import Optimizer

__all__ = ["swap_in_optimizer_params_and_state"]

_NAME = "swap_in_optimizer_params_and_state"


class _GroupSwapinInfo(NamedTuple):
    """A group, what its options are to be, and its tensors."""

    live_group: dict[str, Any]
    swapin_group: dict[str, Any]
    swapin_params: list[torch.Tensor]


def _validate_state_field(state: Any) -> dict[Any, Any]:
    if not isinstance(state, dict):
        raise RuntimeError(
            f"{_NAME} requires swapin_optim_state['state'] to be a dict mapping packed parameter "
            f"ids to per-param state dicts, got {type(state).__name__}."
        )
    return state


def _validate_param_groups_field(optimizer: Optimizer, param_groups: Any) -> list[dict[str, Any]]:
    if not isinstance(param_groups, list):
        raise RuntimeError(
            f"{_NAME} requires swapin_optim_state['param_groups'] to be a list of param-group "
            f"dicts, got {type(param_groups).__name__}."
        )
    if len(param_groups) != len(optimizer.param_groups):
        raise RuntimeError(
            "swapin_optim_state has a different number of parameter groups than the live optimizer."
        )
    return param_groups


def _validate_group_against_live(idx: int, group: dict[str, Any], swapin_group: Any) -> list[int]:
    """The numbers of the parameters of a group. Raises RuntimeError for one that does not fit."""
    if not isinstance(swapin_group, dict):
        raise RuntimeError(f"{_NAME} requires each optimizer param group to be a dictionary.")
    numbers = swapin_group.get("params")
    if not isinstance(numbers, list) or not all(isinstance(n, int) for n in numbers):
        raise RuntimeError(
            f"{_NAME} requires optimizer.state_dict()-style param_groups[*]['params'] entries "
            "keyed by packed parameter ids."
        )
    if len(numbers) != len(group["params"]):
        raise RuntimeError(
            f"swapin_optim_state param group {idx} has a different number of params than the live "
            "optimizer param group."
        )
    if set(swapin_group) != set(group):
        given = [k for k in swapin_group if k not in group]
        live = [k for k in group if k not in swapin_group]
        raise RuntimeError(
            f"{_NAME} requires optimizer.state_dict()-style param group keys to exactly match the "
            f"live optimizer group keys for group {idx}. Keys only in swap-in: {given}. Keys only "
            f"in live: {live}."
        )
    return numbers


def _prepare_swap_in(
    optimizer: Optimizer,
    swapin_parameters: dict[str, torch.Tensor],
    swapin_optim_state: dict[str, Any],
) -> tuple[dict[Any, Any], list[_GroupSwapinInfo]]:
    """The state by tensor, and the groups. Raises RuntimeError for what does not fit."""
    if not optimizer.state:
        raise RuntimeError(f"{_NAME} requires initialized optimizer state.")
    if not isinstance(swapin_optim_state, dict):
        raise RuntimeError(f"{_NAME} requires a DCP-style optimizer state_dict.")
    tensors = list(swapin_parameters.values())
    if len(tensors) != sum(len(group["params"]) for group in optimizer.param_groups):
        raise RuntimeError(
            f"{_NAME} requires the explicit parameter state to match optimizer.param_groups "
            "ordering."
        )
    states = _validate_state_field(swapin_optim_state.get("state"))
    groups = _validate_param_groups_field(optimizer, swapin_optim_state.get("param_groups"))
    infos = []
    by_number: dict[int, torch.Tensor] = {}
    taken = 0
    for i, (group, given) in enumerate(zip(optimizer.param_groups, groups)):
        numbers = _validate_group_against_live(i, group, given)
        own = tensors[taken : taken + len(numbers)]
        taken += len(numbers)
        by_number.update(zip(numbers, own))
        infos.append(_GroupSwapinInfo(group, given, own))
    strange = [k for k in states if k not in by_number]
    if strange:
        raise RuntimeError(
            f"{_NAME} requires swapin_optim_state['state'] to be keyed only by packed parameter "
            f"ids from param_groups[*]['params']; got extra keys {strange}."
        )
    if not all(isinstance(state, dict) for state in states.values()):
        raise RuntimeError(
            f"{_NAME} requires per-parameter optimizer state entries to be dictionaries."
        )
    found = {p: dict(states.get(number, {})) for number, p in by_number.items()}
    return found, infos


@contextlib.contextmanager
def swap_in_optimizer_params_and_state(
    optimizer: Optimizer,
    swapin_parameters: dict[str, torch.Tensor],
    swapin_optim_state: dict[str, Any],
) -> Iterator[None]:
    """In the block *optimizer* has other parameters, state and options; then its own again.

    :param swapin_parameters: tensors in the order of the optimizer's parameters.
    :param swapin_optim_state: what ``optimizer.state_dict()`` gives. Its tensors are used, and
        keep what is written into them; nothing else is written back.

    Raises RuntimeError for what does not fit, and for an optimizer without state.
    """
    state, infos = _prepare_swap_in(optimizer, swapin_parameters, swapin_optim_state)
    own_state = optimizer.state
    own_groups = [dict(info.live_group) for info in infos]
    fresh: defaultdict[Any, Any] = defaultdict(dict)
    fresh.update(state)
    try:
        optimizer.state = fresh
        for live, given, params in infos:
            live.update({k: v for k, v in given.items() if k != "params"})
            live["params"] = params
        yield
    finally:
        optimizer.state = own_state
        for (live, _, _), own in zip(infos, own_groups):
            live.clear()
            live.update(own)
