"""Tensors of several devices in one call, meta among them: which error torch raises.

On meta most of torch's ops run their decomposition, whose first step that takes tensors of both
devices complains of the second of them. So the tensors are looked at in the order in which the
decomposition meets them (:data:`ORDER`, where it is not the schema's). Other ops look at devices
themselves, in words of their own (:data:`REFUSALS`). Both tables are read off torch 2.13.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..core import signature as S
from ..core.errors import (
    devices_differ,
    indices_elsewhere,
    no_meta_kernel,
    not_on_expected_device,
    values_elsewhere,
)
from .convolution_check import check_same_type, check_sizes
from .index_device import moved_indices
from .overload import OUT

__all__ = ["INDEXED", "REFUSALS", "WHOLE", "apart", "followed", "mixed"]

#: Composite rows that look at devices before anything else (in torch some are kernels).
WHOLE = frozenset(("batch_norm", "equal", "inner"))

#: Positions of the tensors in the order in which they meet, by row.
ORDER: dict[str, tuple[int, ...]] = {
    "_log_softmax_backward_data": (1, 0),
    "addmm": (1, 2, 0),
    "addmv": (1, 2, 0),
    "binary_cross_entropy": (1, 0, 2),
    "binary_cross_entropy_with_logits": (3, 1, 0, 2),
    "kl_div": (1, 0),
    "masked_fill.Scalar": (1, 0),
    "masked_fill.Tensor": (1, 0, 2),
    "nll_loss2d_forward": (1, 0, 2),
    "nll_loss_forward": (1, 0, 2),
    "rsub.Tensor": (1, 0),
}


def mixed(
    overload: Any, args: tuple[Any, ...], tensors: Sequence[Any]
) -> RuntimeError | NotImplementedError:
    """The error for *tensors* (those among *args*) that lie on several devices."""
    if not any(t._sig & S.META for t in tensors):
        first = next(t.device for t in tensors if not t._sig & S.CPU)
        return devices_differ(first, next(t.device for t in tensors if t.device != first))
    name = overload.row.name
    refuse = REFUSALS.get(name)
    error = refuse(overload, args) if refuse is not None else None
    if error is not None:
        return error
    if "not_on_meta" in overload.row.tags:
        return no_meta_kernel(overload.name)
    order = ORDER.get(name)
    if order is not None:
        tensors = [args[i] for i in order if args[i] is not None]
    first = tensors[0].device
    other = next(t.device for t in tensors if t.device != first)
    return not_on_expected_device(other, first)


def apart(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
    """What a row says itself of tensors that lie on the host and on NPUs, or on several of these.

    Asked before the general rules are. See also ``device_checks``.
    """
    refuse = _APART.get(overload.row.name)
    return None if refuse is None or overload.kind == OUT else refuse(args)


def _masked(args: tuple[Any, ...]) -> RuntimeError | None:
    """torch aten/src/ATen/native/cuda/TensorCompare and quantized twins, masked_fill_."""
    self, mask, value = args
    if getattr(value, "shape", None) == () and self._sig & S.CPU:
        return RuntimeError("masked_fill_: Expected inputs to be on same device")
    if mask.device != self.device:
        return RuntimeError(
            f"expected self and mask to be on the same device, but got mask on {mask.device} and "
            f"self on {self.device}"
        )
    return None


def _convolved(args: tuple[Any, ...]) -> None:
    """torch Convolution.cpp: after the shapes, parameters are to be of the input's type."""
    input, weight, bias, stride, padding, dilation, transposed, output_padding, groups = args
    check_sizes(input, weight, bias, stride, padding, dilation, transposed, output_padding, groups)
    slow = " or input should be a MKLDNN tensor and {} is a dense tensor"
    check_same_type(input, weight, bias, slow if input._sig & S.CPU else "")


_APART: dict[str, Callable[[tuple[Any, ...]], RuntimeError | None]] = {
    "convolution": _convolved,
    "masked_fill.Scalar": _masked,
    "masked_fill.Tensor": _masked,
}

#: Rows that read or write at indices: those on the host follow to the device of ``self``.
INDEXED = frozenset(("index.Tensor", "index_put"))


def followed(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a row of :data:`INDEXED`, indices and a 0-d value on ``self``'s device.

    Raises RuntimeError for values that lie elsewhere, and where elements are read also for indices
    that do and are not the host's.
    """
    self, indices, *rest = args
    here = self.device
    if not rest:
        for index in indices:
            if index is not None and index.device != here and not index._sig & S.CPU:
                raise indices_elsewhere(here)
    moved = moved_indices(self, indices)
    if rest and rest[0].device != here:
        value = rest[0]
        if value._a.ndim:
            if here.type != "cpu" and rest[1]:
                raise values_elsewhere(here, value.device)
            raise mixed_pair(self, value)
        rest[0] = value._to(here)
    return (self, moved, *rest)


def mixed_pair(first: Any, second: Any) -> RuntimeError:
    """The error for two tensors: the first device that is not the host is the one expected."""
    if first._sig & S.CPU:
        first, second = second, first
    return devices_differ(first.device, second.device)


def _divisor(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
    """torch _refs/__init__.py, floor_divide and copysign."""
    a, b = args[0].device, args[1].device
    if a == b:  # an ``out`` lies elsewhere
        return None
    return RuntimeError(
        f"Expected divisor (b) to be on the same device ({a}) as dividend (a), but it is found "
        f"on {b}!"
    )


def _floor_divisor(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
    return _divisor(overload, args) if args[2] == "floor" else None


def _index_words(name: str) -> Callable[..., RuntimeError | None]:
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


def _value(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
    """torch _refs/__init__.py, masked_fill."""
    if args[2].device != args[0].device:
        return RuntimeError("Expected `value` to be on same device as `a`")
    return None


def _alike(what: str, name: str) -> Callable[..., RuntimeError]:
    """torch aten/src/ATen/TensorUtils.cpp and native/TensorAdvancedIndexing.cpp."""

    def refuse(overload: Any, args: tuple[Any, ...]) -> RuntimeError:
        return RuntimeError(
            f"Expected tensor to have {args[0].device} {what}, but got tensor with "
            f"{args[1].device} {what} (while checking arguments for {name})"
        )

    return refuse


def _meta_into_memory(overload: Any, args: tuple[Any, ...]) -> NotImplementedError:
    """torch _subclasses/meta_utils.py: an op without a meta kernel of its own."""
    return NotImplementedError("Cannot inplace into non-meta tensor with meta tensor argument")


def _no_kernel(overload: Any, args: tuple[Any, ...]) -> NotImplementedError:
    return no_meta_kernel(overload.name)


#: What an op says itself, by row: an error for the arguments, or None where it has none to make.
def _equation(right: int, matrix: int) -> Callable[[Any, tuple[Any, ...]], RuntimeError | None]:
    """torch LinearAlgebraUtils.h: the right side of an equation lies where its matrix lies."""

    def refuse(overload: Any, args: tuple[Any, ...]) -> RuntimeError | None:
        b, a = args[right].device, args[matrix].device
        if a == b:
            return None
        return RuntimeError(
            f"Expected b and A to be on the same device, but found b on {b} and A on {a} instead."
        )

    return refuse


REFUSALS: dict[str, Callable[[Any, tuple[Any, ...]], Exception | None]] = {
    "bernoulli_.Tensor": _meta_into_memory,
    "cholesky_solve": _equation(0, 1),
    "copysign.Tensor": _divisor,
    "div.Tensor_mode": _floor_divisor,
    "divide.Tensor_mode": _floor_divisor,
    "equal": _no_kernel,
    "floor_divide": _divisor,
    "index_add": _index_words("index_add"),
    "index_copy": _index_words("index_copy"),
    "index_fill.int_Scalar": _index_words("index_copy"),
    "index_fill.int_Tensor": _index_words("index_copy"),
    "inner": _alike("DeviceType", "inner()"),
    "linalg_ldl_solve": _equation(2, 0),
    "masked_fill.Tensor": _value,
    "masked_select": _no_kernel,
    "put": _meta_into_memory,
    "triangular_solve": _equation(0, 1),
}
