"""Which devices have kernels over lists of tensors, and how lists are parted for them."""

from __future__ import annotations

from typing import Any, TypeAlias

from ..core.device_types import FOREACH, FUSED
from ..tensor import Tensor

TensorListList: TypeAlias = list[list[Tensor | None]]
Indices: TypeAlias = list[int]
_foreach_supported_types = [Tensor]


def _get_foreach_kernels_supported_devices() -> list[str]:
    """Types of devices where ops over lists are worth while; the accelerator by its own name."""
    return [*FOREACH]


def _get_fused_kernels_supported_devices() -> list[str]:
    """Types of devices with fused optimizers."""
    return [*FUSED]


def _group_tensors_by_device_and_dtype(
    tensorlistlist: TensorListList, with_indices: bool = False
) -> dict[tuple[Any, Any], tuple[TensorListList, Indices]]:
    """Parts of the lists whose first tensors lie on one device and have one dtype.

    :param with_indices: give the places in the lists as well.
    Raises RuntimeError for lists of different lengths, and where the first has a gap.
    """
    if not tensorlistlist:
        raise RuntimeError(_failed("!nested_tensorlist.empty()"))
    first = tensorlistlist[0]
    if not first:
        raise RuntimeError(_failed("!nested_tensorlist[0].empty()"))
    if any(len(each) not in (0, len(first)) for each in tensorlistlist):
        raise RuntimeError(
            _failed(
                "std::all_of( nested_tensorlist.cbegin(), nested_tensorlist.cend(), [&](const "
                "auto& tensorlist) -> bool { return tensorlist.size() == num_tensors || "
                "tensorlist.size() == 0; })"
            )
        )
    groups: dict[tuple[Any, Any], tuple[TensorListList, Indices]] = {}
    for i, tensor in enumerate(first):
        if tensor is None:
            raise RuntimeError(
                "Tensors of the first list of nested Tensor lists are supposed to be defined but "
                f"the {i}-th Tensor is not."
            )
        key = (tensor.device, tensor.dtype)
        found = groups.get(key)
        if found is None:
            found = groups[key] = [[] for _ in tensorlistlist], []
        for part, each in zip(found[0], tensorlistlist):
            if each:
                part.append(each[i])
        if with_indices:
            found[1].append(i)
    return groups


def _failed(condition: str) -> str:
    return (
        f"Expected {condition} to be true, but got false.  (Could this error message be improved?  "
        "If so, please report an enhancement request to PyTorch.)"
    )


def _device_has_foreach_support(device: Any) -> bool:
    """Whether ops over lists work on *device*."""
    return device.type in (*_get_foreach_kernels_supported_devices(), "cpu")


def _has_foreach_support(tensors: list[Tensor], device: Any) -> bool:
    """Whether they do, for these tensors."""
    return _device_has_foreach_support(device) and all(
        t is None or type(t) in _foreach_supported_types for t in tensors
    )
