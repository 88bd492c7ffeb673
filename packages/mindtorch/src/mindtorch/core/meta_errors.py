"""Errors on meta: of torch's functions in Python that run there, and where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def copy_across_devices(device: Any, to: Any) -> RuntimeError:
    """torch _prims_common/wrappers.py, _safe_copy_out."""
    return RuntimeError(
        f"Attempting to copy from device {device} to device {to}, but cross-device copies are not "
        "allowed!"
    )


def unsafe_cast(result: Any, to: Any) -> RuntimeError:
    """torch _prims_common/wrappers.py, _safe_copy_out."""
    return RuntimeError(
        f"Attempting to cast from {result} to out tensor with dtype {to}, but this can't be cast "
        "because it is not safe!"
    )


def out_exact_dtype(result: Any, to: Any) -> RuntimeError:
    """torch _prims_common/wrappers.py, _safe_copy_out."""
    return RuntimeError(f"Expected out tensor to have dtype {result} but got {to} instead")


def not_on_expected_device(device: Any, expected: Any) -> RuntimeError:
    """torch _prims_common/__init__.py, check_same_device (by way of the meta kernels)."""
    return RuntimeError(f"Tensor on device {device} is not on the expected device {expected}!")


def not_broadcastable_on_meta(
    shape: Sequence[int], dim: int, common: Sequence[int]
) -> RuntimeError:
    """torch _refs/__init__.py, _broadcast_shapes: *shape* at *dim* (from the end) does not fit."""
    return RuntimeError(
        f"Attempting to broadcast a dimension of length {shape[dim]} at {dim}! Mismatching "
        f"argument at index 1 had torch.Size({list(shape)}); but expected shape should be "
        f"broadcastable to {list(common)}"
    )


def no_meta_kernel(name: str) -> NotImplementedError:
    """torch aten/src/ATen/native/MetaFallbackKernel.cpp."""
    return NotImplementedError(
        f"{name}: attempted to run this operator with Meta tensors, but there was no fake impl or "
        "Meta kernel registered. You may have run into this message while using an operator with "
        "PT2 compilation APIs (torch.compile/torch.export); in order to use this operator with "
        "those APIs you'll need to add a fake impl. Please see the following for next steps:  "
        "https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"
    )
