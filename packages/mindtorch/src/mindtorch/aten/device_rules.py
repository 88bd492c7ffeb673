"""What ops say themselves of tensors that lie on several devices: for ``devices`` of their rows.

Rules of meta tensors get the overload and the arguments, others the arguments alone. Each gives an
error, or None where it has none to make.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..call.convolution_check import check_same_type, check_sizes
from ..core import signature as S
from ..core.meta_errors import no_meta_kernel

__all__ = [
    "no_kernel",
    "of_convolution",
    "of_device_types",
    "of_divisor",
    "of_equation",
    "of_floor_divisor",
    "of_index",
    "of_masks",
    "of_memory",
    "of_value",
]


def of_masks(args: tuple[Any, ...]) -> RuntimeError | None:
    """torch aten/src/ATen/native/cuda/TensorCompare and quantized twins, masked_fill_."""
    self, mask, value = args
    if getattr(value, "shape", None) == () and self._sig_ & S.CPU:
        return RuntimeError("masked_fill_: Expected inputs to be on same device")
    if mask.device != self.device:
        return RuntimeError(
            f"expected self and mask to be on the same device, but got mask on {mask.device} and "
            f"self on {self.device}"
        )
    return None


def of_convolution(args: tuple[Any, ...]) -> None:
    """torch Convolution.cpp: after the shapes, parameters are to be of the input's type."""
    input, weight, bias, stride, padding, dilation, transposed, output_padding, groups = args
    check_sizes(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    slow = " or input should be a MKLDNN tensor and {} is a dense tensor"
    check_same_type(input, weight, bias, slow if input._sig_ & S.CPU else "")


def of_divisor(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
    """torch _refs/__init__.py, floor_divide and copysign."""
    a, b = args[0].device, args[1].device
    if a == b:  # an ``out`` lies elsewhere
        return None
    return RuntimeError(
        f"Expected divisor (b) to be on the same device ({a}) as dividend (a), but it is found "
        f"on {b}!"
    )


def of_floor_divisor(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
    return of_divisor(overload, args) if args[2] == "floor" else None


def of_index(name: str) -> Callable[..., RuntimeError | None]:
    """torch _meta_registrations.py and _refs/__init__.py: index_add, index_copy, index_fill."""

    def refuse(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
        source = args[3] if hasattr(args[3], "device") else args[0]
        if args[0].device == args[2].device == source.device:  # an ``out`` lies elsewhere
            return None
        return RuntimeError(
            f"{name}(): self, index and source expected to be in the same device, but got (self) "
            f"{args[0].device}, (index) {args[2].device}, and (source) {source.device}"
        )

    return refuse


def of_value(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
    """torch _refs/__init__.py, masked_fill."""
    if args[2].device != args[0].device:
        return RuntimeError("Expected `value` to be on same device as `a`")
    return None


def of_device_types(what: str, name: str) -> Callable[..., RuntimeError]:
    """torch aten/src/ATen/TensorUtils.cpp and native/TensorAdvancedIndexing.cpp."""

    def refuse(overload: Any, args: tuple[Any, ...]) -> RuntimeError:
        return RuntimeError(
            f"Expected tensor to have {args[0].device} {what}, but got tensor with "
            f"{args[1].device} {what} (while checking arguments for {name})"
        )

    return refuse


def of_memory(overload: Any, args: tuple[Any, ...]) -> NotImplementedError:
    """torch _subclasses/meta_utils.py: an op without a meta kernel of its own."""
    return NotImplementedError("Cannot inplace into non-meta tensor with meta tensor argument")


def no_kernel(overload: Any, args: tuple[Any, ...]) -> NotImplementedError:
    return no_meta_kernel(overload.name)


def of_equation(right: int, matrix: int) -> Callable[[Any, tuple[Any, ...]], RuntimeError | None]:
    """torch LinearAlgebraUtils.h: the right side of an equation lies where its matrix lies."""

    def refuse(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
        b, a = args[right].device, args[matrix].device
        if a == b:
            return None
        return RuntimeError(
            f"Expected b and A to be on the same device, but found b on {b} and A on {a} instead."
        )

    return refuse
