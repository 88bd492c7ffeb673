"""What references check of their operands beside shapes, and small things they are written with."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any

from .._ops import ops
from .._subclasses.fake_errors import MetadataMismatchError
from ..aten import torch
from ..aten.torch import Tensor
from ..core.deprecation import deprecated
from .dtypes import is_complex_dtype, is_float_dtype, is_low_precision_dtype
from .kinds import DeviceLikeType, TensorLike
from .shapes import compared_tensors, same_shape
from .strides import check_significant_strides

_PACKAGE = __package__.partition(".")[0]
_NO_MODE = nullcontext()


# -- devices and layouts ---------------------------------------------------------------------------


def canonicalize_device(device: DeviceLikeType) -> torch.device:
    """*device* as a ``torch.device``."""
    if isinstance(device, torch.device):
        return device
    if not isinstance(device, str):
        raise AssertionError(f"device must be torch.device or str, got {type(device)}")
    return torch.device(device)


def device_or_default(device: DeviceLikeType | None) -> DeviceLikeType:
    """*device*, or the host."""
    return torch.device("cpu") if device is None else device


def layout_or_default(layout: torch.layout | None) -> torch.layout:
    """*layout*, or ``torch.strided``."""
    return torch.strided if layout is None else layout


def check_pin_memory(pin_memory: bool) -> None:
    """Raise NotImplementedError if memory is to be pinned."""
    torch._check_not_implemented(not pin_memory, lambda: "PrimTorch does not support pinned memory")


def check_layout(layout: torch.layout) -> None:
    """Raise NotImplementedError for another layout than strided."""
    torch._check_not_implemented(
        layout == torch.strided, lambda: f"PrimTorch doesn't support layout={layout}"
    )


def check_same_device(*args: Any, allow_cpu_scalar_tensors: bool) -> None:
    """Raise RuntimeError if tensors are on different devices, or something is no operand."""
    if len(args) < 2:
        return
    device = None
    for t in compared_tensors("device", args, allow_cpu_scalar_tensors):
        device = t.device if device is None else device
        if device != t.device:
            raise RuntimeError(
                f"Tensor on device {t.device} is not on the expected device {device}!"
            )


# -- dtypes ----------------------------------------------------------------------------------------


def check_same_dtype(*args: Any) -> None:
    """Raise RuntimeError if tensors have different dtypes, or something is no operand."""
    dtype = None
    for t in compared_tensors("dtype", args, allow_cpu_scalar_tensors=False):
        dtype = t.dtype if dtype is None else dtype
        if dtype is not t.dtype:
            raise RuntimeError(f"Tensor with dtype {t.dtype} is not the expected dtype of {dtype}!")


def check_fp_or_complex(
    dtype: torch.dtype, fn_name: str, allow_low_precision_dtypes: bool = True
) -> None:
    """Raise RuntimeError for numbers that are neither real nor complex, or of half precision."""
    torch._check(
        is_float_dtype(dtype) or is_complex_dtype(dtype),
        lambda: f"{fn_name}: Expected a floating point or complex tensor as input. Got {dtype}",
    )
    torch._check(
        allow_low_precision_dtypes or not is_low_precision_dtype(dtype),
        lambda: f"{fn_name}: Half precision dtypes not supported. Got {dtype}",
    )


# -- tensors ---------------------------------------------------------------------------------------


def check_is_matrix(A: Tensor, f_name: str, arg_name: str = "A") -> None:
    """Raise RuntimeError if *A* has less than two dims."""
    torch._check(
        A.dim() >= 2,
        lambda: f"{f_name}: The input tensor {arg_name} must have at least 2 dimensions.",
    )


def compare_tensor_meta(
    a: Tensor,
    b: Tensor,
    check_sizes: bool = True,
    check_strides: bool = False,
    *,
    allow_rhs_unbacked: bool = False,
    check_conj: bool = True,
) -> None:
    """Raise MetadataMismatchError if two tensors differ in more than their numbers."""
    for name, tensor in (("a", a), ("b", b)):
        if not isinstance(tensor, TensorLike):
            raise AssertionError(f"{name} must be TensorLike, got {type(tensor)}")
    if check_sizes and not same_shape(a.shape, b.shape):
        raise MetadataMismatchError(f"Shapes {a.shape} and {b.shape} are not equal!")
    if a.dtype != b.dtype:
        raise MetadataMismatchError(f"Dtypes {a.dtype} and {b.dtype} are not equal!")
    if a.device != b.device:
        raise MetadataMismatchError(f"Devices {a.device} and {b.device} are not equal!")
    if check_strides:
        same, at = check_significant_strides(a, b, only_cuda=False)
        if not same:
            raise MetadataMismatchError(
                f"Stride mismatch! Strides are {a.stride()} and {b.stride()} (mismatched at {at})!"
            )
        if a.storage_offset() != b.storage_offset():
            raise MetadataMismatchError(
                f"Storage offset mismatch! Storage offsets are {a.storage_offset()} and "
                f"{b.storage_offset()}!"
            )
    if check_conj and a.is_conj() != b.is_conj():
        raise MetadataMismatchError(
            f"Conj mismatch! is_conj is set to {a.is_conj()} and {b.is_conj()}"
        )
    if a.is_neg() != b.is_neg():
        raise MetadataMismatchError(f"Neg mismatch! is_neg is set to {a.is_neg()} and {b.is_neg()}")


def mask_tensor(mask: Tensor, t: Tensor) -> Tensor:
    """*t* where *mask* is true, zero elsewhere; of the dtype of *t*."""
    return mask.logical_and(t) if t.dtype is torch.bool else torch.where(mask, t, 0)


# -- other -----------------------------------------------------------------------------------------


@deprecated(
    "`torch._prims_common.check` is deprecated and will be removed in the future. Please use "
    "`torch._check*` functions instead.",
    category=FutureWarning,
)
def check(b: bool, s: Callable[[], str], exc_type: type[Exception] = RuntimeError) -> None:
    """Raise *exc_type* with the text that *s* gives, if *b* is false."""
    torch._check_with(exc_type, b, s)


def get_aten_op(fn: Callable[..., Any], name: str) -> Any:
    """The operator of a reference: ``torch._refs.linalg`` has those called ``linalg_…``."""
    module = fn.__module__
    if not module.startswith("torch._refs"):
        raise AssertionError(f"module must start with torch._refs, got {module}")
    space = module.removeprefix("torch._refs").removeprefix(".").replace(".", "_")
    return getattr(ops.aten, f"{space}_{name}" if space else name)


def alert_not_deterministic(caller: str) -> None:
    """Refuse or warn, where the program asks for operations that are deterministic."""
    if not torch.are_deterministic_algorithms_enabled():
        return
    start = f"{caller} does not have a deterministic implementation, but you set "
    if torch.is_deterministic_algorithms_warn_only_enabled():
        warnings.warn(
            start + "'torch.use_deterministic_algorithms(True, warn_only=True)'. You can file an "
            "issue at https://github.com/pytorch/pytorch/issues to help us prioritize adding "
            "deterministic support for this operation.",
            stacklevel=2,
        )
        return
    torch._check(
        False,
        lambda: (
            start + "'torch.use_deterministic_algorithms(True)'. You can turn off determinism just "
            "for this operation, or you can use the 'warn_only=True' option, if that's acceptable "
            "for your application. You can also file an issue at "
            "https://github.com/pytorch/pytorch/issues to help us prioritize adding deterministic "
            "support for this operation."
        ),
    )


class CUDARngStateHelper:
    """The state of the generator of CUDA as tensors: a seed and an offset."""

    @staticmethod
    def get_torch_state_as_tuple(
        fake_mode: AbstractContextManager[Any] = _NO_MODE,
    ) -> tuple[Tensor, Tensor]:
        """Seed and offset. Raises RuntimeError where there is no CUDA."""
        cuda = import_module(f"{_PACKAGE}.cuda")
        if not cuda.is_available():
            raise RuntimeError("CUDA not available")
        with fake_mode:
            return torch.tensor(cuda.initial_seed()), torch.tensor(cuda._get_rng_state_offset())

    @staticmethod
    def set_torch_state_tensor(seed: Tensor, offset: Tensor) -> None:
        """Go on from *seed* and *offset*."""
        parts = [t.reshape([1]).view(torch.uint8) for t in (seed, offset)]
        import_module(f"{_PACKAGE}.cuda").set_rng_state(torch.cat(parts))

    @staticmethod
    def set_new_offset(relative_offset: Tensor) -> None:
        """Go on from another offset with the same seed."""
        import_module(f"{_PACKAGE}.cuda")._set_rng_state_offset(relative_offset.item())
