"""Collective operations of NVIDIA's library: there are none in a build without CUDA."""

from __future__ import annotations

import collections.abc
from typing import Any

from .. import _C
from ..aten import torch
from ..core.warning import warn

__all__ = ["all_reduce", "reduce", "broadcast", "all_gather", "reduce_scatter"]

SUM = 0


def is_available(tensors: Any) -> bool:
    """False, with a warning."""
    warn("PyTorch is not compiled with NCCL support")
    return False


def _check_sequence_type(inputs: Any) -> None:
    if not isinstance(inputs, collections.abc.Container) or isinstance(inputs, torch.Tensor):
        raise TypeError("Inputs should be a collection of tensors")


def version() -> Any:
    """Raises AttributeError: there is no NCCL here."""
    return _C._nccl_version()


def unique_id() -> bytes:
    """Raises AttributeError: there is no NCCL here."""
    return _C._nccl_unique_id()


def init_rank(num_ranks: int, uid: Any, rank: int) -> Any:
    """Raises AttributeError: there is no NCCL here."""
    return _C._nccl_init_rank(num_ranks, uid, rank)


def all_reduce(
    inputs: Any, outputs: Any = None, op: int = SUM, streams: Any = None, comms: Any = None
) -> None:
    """Raises AttributeError: there is no NCCL here."""
    _check_sequence_type(inputs)
    _C._nccl_all_reduce(inputs, inputs if outputs is None else outputs, op, streams, comms)


def reduce(
    inputs: Any,
    output: Any = None,
    root: int = 0,
    op: int = SUM,
    streams: Any = None,
    comms: Any = None,
    *,
    outputs: Any = None,
) -> None:
    """Raises AttributeError: there is no NCCL here."""
    _check_sequence_type(inputs)
    _C._nccl_reduce(inputs, output, root, op, streams, comms)


def broadcast(inputs: Any, root: int = 0, streams: Any = None, comms: Any = None) -> None:
    """Raises AttributeError: there is no NCCL here."""
    _check_sequence_type(inputs)
    _C._nccl_broadcast(inputs, root, streams, comms)


def all_gather(inputs: Any, outputs: Any, streams: Any = None, comms: Any = None) -> None:
    """Raises AttributeError: there is no NCCL here."""
    _check_sequence_type(inputs)
    _check_sequence_type(outputs)
    _C._nccl_all_gather(inputs, outputs, streams, comms)


def reduce_scatter(
    inputs: Any, outputs: Any, op: int = SUM, streams: Any = None, comms: Any = None
) -> None:
    """Raises AttributeError: there is no NCCL here."""
    _check_sequence_type(inputs)
    _check_sequence_type(outputs)
    _C._nccl_reduce_scatter(inputs, outputs, op, streams, comms)
