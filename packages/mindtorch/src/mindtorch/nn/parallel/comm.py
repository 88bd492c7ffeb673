"""Copies of tensors between devices: to many, from many, and in pieces."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_storage import ACCELERATOR

from ... import accelerator
from ...aten import torch
from ...core.warning import warn

__all__ = [
    "broadcast",
    "broadcast_coalesced",
    "gather",
    "reduce_add",
    "reduce_add_coalesced",
    "scatter",
]


def _devices(devices: Any) -> list[torch.device]:
    """Devices of indices and names; a number counts the accelerators."""
    return [_device(d) for d in devices]


def _device(device: Any) -> torch.device:
    if isinstance(device, int):
        current = accelerator.current_accelerator()
        kind = "cpu" if current is None or device < 0 else current.type
        return torch.device(kind) if kind == "cpu" else torch.device(kind, device)
    return torch.device(device)


def broadcast(tensor: Any, devices: Any = None, *, out: Any = None) -> tuple[Any, ...]:
    """Copies of *tensor* on each of *devices*, of which the first is its own; or into *out*."""
    if (devices is None) == (out is None):
        raise RuntimeError(
            "Exactly one of 'devices' and 'out' must be specified, but got "
            f"devices={devices} and out={out}"
        )
    if out is not None:
        for i, target in enumerate(out):
            _check_output(i, target, tensor.shape)
            target.copy_(tensor)
        return tuple(out)
    return tuple([tensor.to(d) for d in _devices(devices)])


def _check_output(i: int, target: Any, shape: Any) -> None:
    """Source: torch csrc/cuda/comm.cpp, broadcast_out."""
    if target.device.type != ACCELERATOR:
        raise RuntimeError(
            f"Expected all output tensors to be {ACCELERATOR.upper()} tensors, but output tensor "
            f"at index {i} has device '{target.device}'"
        )
    if target.shape != shape:
        raise RuntimeError(
            "Expected all output tensors to have same shape as the source tensor "
            f"{list(shape)}, but output tensor at index {i} has shape {list(target.shape)}"
        )


def broadcast_coalesced(
    tensors: Sequence[Any], devices: Any, buffer_size: int = 10485760
) -> list[tuple[Any, ...]]:
    """Copies of all *tensors* on each of *devices*."""
    return [tuple([t.to(d) for t in tensors]) for d in _devices(devices)]


def reduce_add(inputs: Sequence[Any], destination: Any = None) -> Any:
    """The sum of tensors on several devices, on *destination* or the first one's device."""
    place = inputs[0].device if destination is None else _device(destination)
    shape = inputs[0].shape
    for i, value in enumerate(inputs):
        if value.shape != shape:
            got, expected = ("x".join(str(n) for n in s) for s in (value.shape, shape))
            raise ValueError(f"input {i} has invalid size: got {got}, but expected {expected}")
    total = inputs[0].to(place, copy=True)
    for value in inputs[1:]:
        total += value.to(place)
    return total


def reduce_add_coalesced(
    inputs: Sequence[Sequence[Any]], destination: Any = None, buffer_size: int = 10485760
) -> tuple[Any, ...]:
    """The sums of lists of tensors, one list of each device."""
    return tuple([reduce_add(list(parts), destination) for parts in zip(*inputs, strict=True)])


def scatter(
    tensor: Any,
    devices: Any = None,
    chunk_sizes: Any = None,
    dim: int = 0,
    streams: Any = None,
    *,
    out: Any = None,
) -> tuple[Any, ...]:
    """Pieces of *tensor* along *dim*, each on one of *devices*; or into *out*."""
    if out is None:
        places = _devices(devices)
        if not places:
            raise RuntimeError("Expected at least one device to scatter to")
        if chunk_sizes is None:
            parts = tensor.chunk(len(places), dim)
        else:
            if len(places) != len(chunk_sizes):
                raise RuntimeError(
                    "Expected devices and chunk_sizes to be of same length, but got "
                    f"len(devices) = {len(places)} and len(chunk_sizes) = {len(chunk_sizes)}"
                )
            parts = tensor.split(list(chunk_sizes), dim)
        return tuple([part.to(d) for part, d in zip(parts, places, strict=False)])
    if devices is not None:
        raise RuntimeError(
            f"'devices' must not be specified when 'out' is specified, but got devices={devices}"
        )
    if chunk_sizes is not None:
        raise RuntimeError(
            "'chunk_sizes' must not be specified when 'out' is specified, but got "
            f"chunk_sizes={chunk_sizes}"
        )
    if not out:
        raise RuntimeError("Expected at least one output tensor to scatter to")
    sizes = [target.size(dim) for target in out]
    for target, part in zip(out, tensor.split(sizes, dim), strict=True):
        target.copy_(part)
    return tuple(out)


def _check_inputs(tensors: Sequence[Any], dim: int) -> None:
    """Source: torch csrc/cuda/comm.cpp, gather."""
    first = tensors[0]
    for i, tensor in enumerate(tensors):
        if tensor.device.type != ACCELERATOR:
            raise RuntimeError(
                f"Expected all input tensors to be {ACCELERATOR.upper()} tensors, but tensor at "
                f"index {i} has device '{tensor.device}'"
            )
        if tensor.dim() != first.dim():
            raise RuntimeError(
                "Expected all input tensors to have the same number of dimensions, but tensor at "
                f"index {i} has {tensor.dim()} dimensions, (expected {first.dim()})"
            )
        expected = list(first.shape)
        if first.dim():
            expected[dim] = tensor.size(dim)
        if list(tensor.shape) != expected:
            raise RuntimeError(
                f"Expected tensor at index {i} of shape {expected}, "
                f"but got {list(tensor.shape)}, for a gather on dimension {dim}"
            )


def gather(
    tensors: Sequence[Any], dim: int = 0, destination: Any = None, *, out: Any = None
) -> Any:
    """*tensors* joined along *dim*, on *destination* (the accelerator if None); or into *out*."""
    if not tensors:
        raise RuntimeError("Expected at least one tensor to gather from")
    if any(t.device.type == ACCELERATOR for t in tensors):
        _check_inputs(tensors, dim)
    if out is not None:
        if destination is not None:
            raise RuntimeError(
                "'destination' must not be specified when 'out' is specified, but got "
                f"destination={destination}"
            )
        return torch.cat([t.to(out.device) for t in tensors], dim, out=out)
    if destination == -1:
        warn(
            "Using -1 to represent CPU tensor is deprecated. Please use a device object or string "
            'instead, e.g., "cpu".',
            FutureWarning,
        )
        destination = "cpu"
    if destination is None:
        destination = accelerator.current_accelerator() or "cpu"
    place = _device(destination)
    return torch.cat([t.to(place) for t in tensors], dim)
