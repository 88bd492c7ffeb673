"""Copies of a module on several devices, whose gradients come back to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..parameter import Parameter
from . import comm
from ._functions import Broadcast

__all__ = ["replicate"]


def _copies(tensors: list[Any], devices: list[Any], detach: bool) -> list[list[Any]]:
    if not tensors:
        return [[] for _ in devices]
    if detach:
        return [list(copy) for copy in comm.broadcast_coalesced(tensors, devices)]
    flat = Broadcast.apply(devices, *tensors)
    count = len(tensors)
    return [list(flat[i : i + count]) for i in range(0, len(flat), count)]


def replicate(network: Any, devices: Sequence[Any], detach: bool = False) -> list[Any]:
    """Copies of *network* on each of *devices*.

    :param detach: parameters of their own, to which no gradient of the copies comes back.
    """
    places = list(devices)
    params = list(network.parameters())
    where = {id(p): i for i, p in enumerate(params)}
    param_copies = _copies(params, places, detach)
    buffers = list(network.buffers())
    learning = [b for b in buffers if b.requires_grad and not detach]
    still = [b for b in buffers if not any(b is x for x in learning)]
    buffer_copies = [
        {id(b): c for b, c in zip(learning, a, strict=True)}
        | {id(b): c for b, c in zip(still, s, strict=True)}
        for a, s in zip(
            _copies(learning, places, detach), _copies(still, places, True), strict=True
        )
    ]
    modules = list(network.modules())
    index = {id(m): i for i, m in enumerate(modules)}
    copies: list[list[Any]] = [[m._replicate_for_data_parallel() for m in modules] for _ in places]
    for j in range(len(places)):
        for original, replica in zip(modules, copies[j], strict=True):
            replica._former_parameters = {}
            for key, child in original._modules.items():
                replica._modules[key] = None if child is None else copies[j][index[id(child)]]
                if child is not None:
                    setattr(replica, key, copies[j][index[id(child)]])
            for key, param in original._parameters.items():
                if param is None:
                    replica._parameters[key] = None
                    continue
                value = param_copies[j][where[id(param)]]
                if detach:
                    setattr(replica, key, Parameter(value, param.requires_grad))
                else:  # no leaf, so no parameter: an attribute like any other
                    replica._parameters.pop(key, None)
                    replica.__dict__[key] = value
                    replica._former_parameters[key] = value
            for key, buffer in original._buffers.items():
                replica._buffers[key] = None if buffer is None else buffer_copies[j][id(buffer)]
    return [made[0] for made in copies]
