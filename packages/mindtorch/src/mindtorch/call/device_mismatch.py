"""Tensors of several devices in one call, meta among them: which error torch raises.

On meta most of torch's ops run their decomposition, whose first step that takes tensors of both
devices complains of the second of them. So the tensors are looked at in the order in which the
decomposition meets them (a tag ``on_meta: …`` of the row, where it is not the schema's). Other ops
look at devices themselves, in words of their own: ``devices`` of the row. Both are read off torch
2.13.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core import signature as S
from ..core.errors import devices_differ, indices_elsewhere, values_elsewhere
from ..core.meta_errors import no_meta_kernel, not_on_expected_device
from .arguments import device_order
from .index_device import moved_indices
from .overload import OUT

__all__ = ["apart", "followed", "mixed"]


def mixed(
    overload: Any, args: tuple[Any, ...], tensors: Sequence[Any]
) -> RuntimeError | NotImplementedError:
    """The error for *tensors* (those among *args*) that lie on several devices."""
    if not any(t._sig_ & S.META for t in tensors):
        first = next(t.device for t in tensors if not t._sig_ & S.CPU)
        return devices_differ(first, next(t.device for t in tensors if t.device != first))
    refuse = overload.row.devices.meta
    error = refuse(overload, args) if refuse is not None else None
    if error is not None:
        return error
    if overload.tagged("not_on_meta"):
        return no_meta_kernel(overload.name)
    order = device_order(overload, "on_meta: ") or device_order(overload)
    if order:
        tensors = [args[i] for i in order if args[i] is not None]
    first = tensors[0].device
    other = next(t.device for t in tensors if t.device != first)
    return not_on_expected_device(other, first)


def apart(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
    """What a row says itself of tensors that lie on the host and on NPUs, or on several of these.

    Asked before the general rules are. See also ``device_checks``.
    """
    refuse = overload.row.devices.here
    return None if refuse is None or overload.kind == OUT else refuse(args)


def followed(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a row that is ``indexed``, indices and a 0-d value on ``self``'s device.

    Raises RuntimeError for values that lie elsewhere, and where elements are read also for indices
    that do and are not the host's.
    """
    self, indices, *rest = args
    here = self.device
    if not rest:
        for index in indices:
            if index is not None and index.device != here and not index._sig_ & S.CPU:
                raise indices_elsewhere(here)
    moved = moved_indices(self, indices)
    if rest and rest[0].device != here:
        value = rest[0]
        if value._a_.ndim:
            if here.type != "cpu" and rest[1]:
                raise values_elsewhere(here, value.device)
            raise mixed_pair(self, value)
        rest[0] = value._to_(here)
    return (self, moved, *rest)


def mixed_pair(first: Any, second: Any) -> RuntimeError:
    """The error for two tensors: the first device that is not the host is the one expected."""
    if first._sig_ & S.CPU:
        first, second = second, first
    return devices_differ(first.device, second.device)
