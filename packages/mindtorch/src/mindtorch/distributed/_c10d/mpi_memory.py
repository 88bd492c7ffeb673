"""Tensors as memory that MPI reads and writes: in one piece, on the host, of a type it knows."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_autograd import no_grad

from ...aten import torch
from ...tensor import Tensor

__all__ = ["apart", "joined", "memory", "numbers", "parts"]

#: What an array can be of as it is; other dtypes are bytes to numpy.
_PLAIN = frozenset(
    getattr(torch, name)
    for name in (
        *("float32", "float64", "float16", "complex64", "complex128", "bool"),
        *("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    )
)

_Back = Callable[[], None] | None


def _near(tensor: Tensor) -> tuple[Tensor, _Back]:
    """The tensor in one piece on the host, and what writes it back where that is a copy."""
    kind = tensor.device.type
    if kind != "cpu":
        raise RuntimeError(f"No backend type associated with device type {kind}")
    if tensor.layout is not torch.strided:
        raise RuntimeError("tensors must be dense and non-overlapping; sparse ones are not carried")
    near = tensor.detach()
    if near.is_conj() or near.is_neg() or not near.is_contiguous():
        near = near.resolve_conj().resolve_neg().contiguous()
    else:
        return near, None

    def back() -> None:
        with no_grad():
            tensor.copy_(near)

    return near, back


def memory(tensor: Tensor) -> tuple[np.ndarray[Any, Any], _Back]:
    """The bytes of a tensor, a vector; and what writes them back where they are a copy."""
    near, back = _near(tensor)
    if near.dtype in _PLAIN:
        return near.numpy().reshape(-1).view(np.uint8), back
    return near.reshape(-1).view(torch.uint8).numpy(), back


def numbers(tensor: Tensor) -> tuple[np.ndarray[Any, Any], _Back]:
    """The numbers of a tensor for arithmetic: those of two bytes as float32, bools as uint8."""
    if tensor.dtype in (torch.float16, torch.bfloat16):
        with no_grad():
            wide, _ = _near(tensor.detach().to(torch.float32))

        def back() -> None:
            with no_grad():
                tensor.copy_(wide)

        return wide.numpy(), back
    near, write = _near(tensor)
    array = near.numpy()
    return (array.view(np.uint8) if near.dtype is torch.bool else array), write


def apart(given: np.ndarray[Any, Any], taken: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """What is *given*, as a copy where it lies in what is *taken*: MPI wants them apart.

    Programs gather into a tensor of which their own part is what they give.
    """
    return given.copy() if np.may_share_memory(given, taken) else given


def parts(arrays: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any]:
    """All vectors one behind the other, without a copy where they lie so."""
    found = _neighbours(arrays)
    return np.concatenate(arrays) if found is None else found


def joined(
    arrays: Sequence[np.ndarray[Any, Any]],
) -> tuple[np.ndarray[Any, Any], _Back]:
    """A vector for what is to be written into *arrays*, and what writes it there."""
    found = _neighbours(arrays)
    if found is not None:
        return found, None
    whole = np.empty(sum(a.size for a in arrays), arrays[0].dtype)

    def back() -> None:
        at = 0
        for array in arrays:
            array[...] = whole[at : at + array.size]
            at += array.size

    return whole, back


def _neighbours(arrays: Sequence[np.ndarray[Any, Any]]) -> np.ndarray[Any, Any] | None:
    """The vector that *arrays* are the parts of, if they lie one behind the other in memory."""
    at = arrays[0].__array_interface__["data"][0]
    base = arrays[0]
    while isinstance(base.base, np.ndarray):
        base = base.base
    begin = at
    for array in arrays:
        if array.__array_interface__["data"][0] != at:
            return None
        at += array.nbytes
    first = base.__array_interface__["data"][0]
    if not base.flags.c_contiguous or begin < first or at > first + base.nbytes:
        return None
    flat = base.reshape(-1).view(np.uint8)[begin - first : at - first]
    return flat.view(arrays[0].dtype)
