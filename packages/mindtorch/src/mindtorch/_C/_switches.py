"""The switches of ``torch.backends`` as ``torch._C`` reads and sets them, without its checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..amp import switches as autocast_switches
from ..aten import torch
from ..backends import attention_switches, cuda, cudnn, cusparselt, mkldnn, mps
from ..core import precision
from ..tensor.deterministic_fill import state

__all__ = ["SWITCHES"]


def _property(module: Any, name: str) -> tuple[Callable[[], Any], Callable[[Any], Any]]:
    """How a switch of a backend's module is read and set, also where its flags are frozen."""
    switch = vars(type(module))[name]
    return switch.getter, switch.setter


def _of_products(name: str) -> tuple[Callable[[], Any], Callable[..., Any]]:
    """Whether products may be summed in half precision, and whether in parts."""

    def read() -> tuple[bool, bool]:
        return getattr(cuda.matmul, name), getattr(cuda.matmul, f"{name}_split_k")

    def put(allow_reduced_precision: bool, allow_splitk: bool = True) -> None:
        setattr(cuda.matmul, name, (allow_reduced_precision, allow_splitk))

    return read, put


def _accumulates() -> bool:
    return bool(cuda.matmul.allow_fp16_accumulation)


def _accumulate(value: bool) -> None:
    cuda.matmul.allow_fp16_accumulation = value


def _blas_backend() -> Any:
    return cuda.preferred_blas_library()


def _linalg_backend() -> Any:
    return cuda.preferred_linalg_library()


def _fill(mode: bool) -> None:
    if not isinstance(mode, bool):
        raise RuntimeError(f"expected a bool, but got {type(mode).__name__}")
    state.fills = mode


#: What follows ``_get_`` and ``_set_``.
_PAIRS: dict[str, tuple[Callable[..., Any], Callable[..., Any]]] = {
    "cublas_allow_tf32": (precision.get_matmul_tf32, precision.put_matmul_tf32),
    "cublas_allow_fp16_accumulation": (_accumulates, _accumulate),
    **{
        f"cublas_{name}": _of_products(name)
        for name in (
            "allow_fp16_reduced_precision_reduction",
            "allow_bf16_reduced_precision_reduction",
        )
    },
    "cudnn_enabled": _property(cudnn, "enabled"),
    "cudnn_benchmark": _property(cudnn, "benchmark"),
    "cudnn_deterministic": _property(cudnn, "deterministic"),
    "cudnn_allow_tf32": (precision.get_cudnn_tf32, precision.put_cudnn_tf32),
    "mkldnn_enabled": _property(mkldnn, "enabled"),
    "mkldnn_deterministic": _property(mkldnn, "deterministic"),
    "float32_matmul_precision": (
        torch.get_float32_matmul_precision,
        torch.set_float32_matmul_precision,
    ),
    "blas_preferred_backend": (_blas_backend, cuda.preferred_blas_library),
    "linalg_preferred_backend": (_linalg_backend, cuda.preferred_linalg_library),
}


SWITCHES: dict[str, Any] = {
    **{f"_get_{name}": read for name, (read, _) in _PAIRS.items()},
    **{f"_set_{name}": put for name, (_, put) in _PAIRS.items()},
    "_get_deterministic_algorithms": torch.are_deterministic_algorithms_enabled,
    "_get_deterministic_algorithms_warn_only": torch.is_deterministic_algorithms_warn_only_enabled,
    "_set_deterministic_algorithms": torch.use_deterministic_algorithms,
    "_get_deterministic_fill_uninitialized_memory": lambda: state.fills,
    "_set_deterministic_fill_uninitialized_memory": _fill,
    "_get_warnAlways": torch.is_warn_always_enabled,
    "_set_warnAlways": torch.set_warn_always,
    "_get_flash_sdp_enabled": attention_switches.flash.get,
    "_set_sdp_use_flash": attention_switches.flash.set,
    "_get_math_sdp_enabled": attention_switches.math.get,
    "_set_sdp_use_math": attention_switches.math.set,
    "_get_mem_efficient_sdp_enabled": attention_switches.mem_efficient.get,
    "_set_sdp_use_mem_efficient": attention_switches.mem_efficient.set,
    "_get_cudnn_sdp_enabled": attention_switches.cudnn.get,
    "_set_sdp_use_cudnn": attention_switches.cudnn.set,
    "_get_math_sdp_allow_fp16_bf16_reduction": attention_switches.reduction.get,
    "_set_math_sdp_allow_fp16_bf16_reduction": attention_switches.reduction.set,
    "_get_sdp_priority_order": attention_switches.get_priority_order,
    "_set_sdp_priority_order": attention_switches.set_priority_order,
    "_is_any_autocast_enabled": autocast_switches.is_any_autocast_enabled,
    "_is_autocast_available": autocast_switches.is_autocast_available,
    "_autocast_supported_devices": autocast_switches.supported_devices,
    "_has_cuda": cuda.is_built(),
    "_has_cudnn": cudnn.is_available(),
    "_has_cusparselt": cusparselt.is_available(),
    "_has_mkldnn": mkldnn.is_available(),
    "_has_mps": mps.is_built(),
    "_has_xpu": False,
    "_BlasBackend": type(_blas_backend()),
    "_LinalgBackend": type(_linalg_backend()),
}
