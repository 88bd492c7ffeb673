"""Averages of parameters over a group."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....aten import torch
from ....nn import Parameter
from ... import distributed_c10d as dist

__all__ = [
    "average_parameters",
    "average_parameters_or_parameter_groups",
    "get_params_to_average",
]


def average_parameters(params: Iterable[Parameter], process_group: Any) -> None:
    """Average *params* over the group, all in one exchange; nothing outside of the group."""
    group = dist.group.WORLD if process_group is None else process_group
    if dist._rank_not_in_group(group):
        return
    given = list(params)
    flat = torch.cat([p.detach().reshape(-1) for p in given])
    flat /= dist.get_world_size(group)
    dist.all_reduce(flat, group=group)
    for p, part in zip(given, flat.split([p.numel() for p in given]), strict=True):
        p.data = part.view_as(p).type_as(p)


def get_params_to_average(params: Iterable[Any]) -> list[Parameter]:
    """Those of *params*, parameters or groups of an optimizer, that have a gradient.

    Raises NotImplementedError for others.
    """
    found = []
    for param in params:
        if isinstance(param, Parameter):
            found.append(param)
        elif isinstance(param, dict):
            found.extend(param["params"])
        else:
            raise NotImplementedError(f"Parameter input of type {type(param)} is not supported")
    return [p for p in found if p.grad is not None]


def average_parameters_or_parameter_groups(params: Iterable[Any], process_group: Any) -> None:
    """Average those parameters that have a gradient."""
    average_parameters(get_params_to_average(params), process_group)
