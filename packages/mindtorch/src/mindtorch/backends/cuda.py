"""``torch.backends.cuda`` of a build without it: switches that programs set and read."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum
from importlib import import_module
from typing import Any

from mindtorch_storage import Device
from mindtorch_storage.device import ACCELERATOR_IS_CUDA, CUDA

from ..core import precision
from ..core.warning import warn
from ..tensor import Tensor
from . import attention_switches as _attention
from .switching import Remembered

__all__ = [
    "SDPAParams",
    "allow_fp16_bf16_reduction_math_sdp",
    "blas_workspace_size",
    "can_use_cudnn_attention",
    "can_use_efficient_attention",
    "can_use_flash_attention",
    "cuBLASModule",
    "cuFFTPlanCache",
    "cuFFTPlanCacheAttrContextProp",
    "cuFFTPlanCacheManager",
    "cublas_workspace_size",
    "cublaslt_workspace_size",
    "cudnn_sdp_enabled",
    "cufft_plan_cache",
    "enable_cudnn_sdp",
    "enable_flash_sdp",
    "enable_math_sdp",
    "enable_mem_efficient_sdp",
    "flash_sdp_enabled",
    "fp16_bf16_reduction_math_sdp_allowed",
    "is_built",
    "is_ck_sdpa_available",
    "is_flash_attention_available",
    "math_sdp_enabled",
    "matmul",
    "mem_efficient_sdp_enabled",
    "preferred_blas_library",
    "preferred_linalg_library",
    "preferred_rocm_fa_library",
    "sdp_kernel",
]


def is_built() -> bool:
    """Whether there is a CUDA: only where that is what the simulated NPU is called."""
    return ACCELERATOR_IS_CUDA


def _without_cuda() -> AssertionError:
    return AssertionError("Torch not compiled with CUDA enabled")


class cuFFTPlanCacheAttrContextProp:
    """A property of a cache of plans: raises AssertionError, for there is no CUDA."""

    def __init__(self, getter: Callable[..., Any], setter: Callable[..., Any]) -> None:
        self.getter = getter
        self.setter = setter

    def __get__(self, obj: Any, objtype: Any) -> Any:
        raise _without_cuda()

    def __set__(self, obj: Any, val: Any) -> None:
        if isinstance(self.setter, str):
            raise RuntimeError(self.setter)
        raise _without_cuda()


class cuFFTPlanCache:
    """The plans of Fourier transforms of one CUDA device."""

    size = cuFFTPlanCacheAttrContextProp(
        None,  # type: ignore[arg-type]  # nothing to read without CUDA
        ".size is a read-only property showing the number of plans currently in the "  # type: ignore[arg-type]  # what a setter says
        "cache. To change the cache capacity, set cufft_plan_cache.max_size.",
    )
    max_size = cuFFTPlanCacheAttrContextProp(None, None)  # type: ignore[arg-type]  # as above

    def __init__(self, device_index: int) -> None:
        self.device_index = device_index

    def clear(self) -> None:
        """Forget the plans."""
        raise _without_cuda()


class cuFFTPlanCacheManager:
    """The caches of plans of all CUDA devices: there are none."""

    def __getitem__(self, device: Any) -> cuFFTPlanCache:
        index = device if isinstance(device, int) else Device(device).index or 0
        raise RuntimeError(
            f"cufft_plan_cache: expected 0 <= device index < 0, but got device with index {index}"
        )

    def __getattr__(self, name: str) -> Any:
        raise _without_cuda()

    def __setattr__(self, name: str, value: Any) -> None:
        raise _without_cuda()


cufft_plan_cache = cuFFTPlanCacheManager()


class _Reduced:
    """Whether products of half-precision numbers may be summed in that precision, in two parts."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.values = (True, True)

    def set(self, value: Any) -> None:
        """Take a bool, or up to two of them: whether, and whether in parts."""
        name = self.name
        if not isinstance(value, bool) and not isinstance(value, (list, tuple)):
            raise TypeError(
                f"{name} expects a bool or a tuple/list of bools, but got {type(value)}"
            )
        values = (value,) if isinstance(value, bool) else tuple(value)
        if not values:
            raise TypeError(f"{name} expects at least one boolean argument")
        if len(values) > 2:
            raise TypeError(f"{name} expects at most two boolean arguments")
        for what, given in zip(("allow_reduced_precision", "allow_splitk"), values):
            if not isinstance(given, bool):
                raise TypeError(f"{name} expects a bool for {what}, but got {type(given)}")
        whole = (values[0], True) if len(values) == 1 else values
        if whole == (True, False):
            raise RuntimeError(
                "allow_splitk=False is not supported when reduced precision reductions are enabled"
            )
        self.values = whole


_REDUCED = {
    name: _Reduced(name)
    for name in (
        "allow_fp16_reduced_precision_reduction",
        "allow_bf16_reduced_precision_reduction",
    )
}
_ACCUMULATE = Remembered(False, "set_allow_fp16_accumulation_cublas")


class cuBLASModule:
    """``torch.backends.cuda.matmul``: how cuBLAS may round."""

    def __getattr__(self, name: str) -> Any:
        if name == "allow_tf32":
            return precision.get_matmul_tf32()
        if name == "fp32_precision":
            return precision.get(CUDA, "matmul")
        if name == "allow_fp16_accumulation":
            return _ACCUMULATE.value
        if name in _REDUCED:
            return _REDUCED[name].values[0]
        if name.endswith("_split_k") and name[: -len("_split_k")] in _REDUCED:
            return _REDUCED[name[: -len("_split_k")]].values[1]
        raise AttributeError("Unknown attribute " + name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "allow_tf32":
            precision.put_matmul_tf32(value)
        elif name == "fp32_precision":
            precision.put(CUDA, "matmul", value)
        elif name == "allow_fp16_accumulation":
            _ACCUMULATE.set(value)
        elif name in _REDUCED:
            _REDUCED[name].set(value)
        else:
            raise AttributeError("Unknown attribute " + name)


matmul = cuBLASModule()

_LinalgBackend = Enum("_LinalgBackend", {"Default": 0, "Cusolver": 1, "Magma": 2})
_BlasBackend = Enum("_BlasBackend", {"Default": 0, "Cublas": 1, "Cublaslt": 2, "Ck": 3})
_ROCmFABackend = Enum("_ROCmFABackend", {"Default": 0, "AOTriton": 1, "Ck": 2})


class _Preferred:
    """Which of several libraries to use, told back."""

    def __init__(
        self,
        kind: Any,
        value: Any,
        names: dict[str, str],
        lacking: dict[str, str],
        means: dict[str, str] | None = None,
    ):
        self.kind = kind
        # What a member that is no library of its own stands for.
        self.means = {kind[member]: kind[library] for member, library in (means or {}).items()}
        self.value = value
        self.names = {name: kind[member] for name, member in names.items()}
        self.lacking = {kind[member]: name for member, name in lacking.items()}

    def choose(self, backend: Any) -> Any:
        """Set *backend* unless it is None; returns what is set."""
        if backend is None:
            return self.value
        if isinstance(backend, str):
            if backend not in self.names:
                raise RuntimeError(f"Unknown input value. Choose from: {', '.join(self.names)}.")
            backend = self.names[backend]
        elif not isinstance(backend, self.kind):
            raise RuntimeError("Unknown input value type.")
        if lacking := self.lacking.get(backend):
            raise RuntimeError(
                f"Cannot set preferred backend to {lacking} if PyTorch has not been compiled "
                f"with {lacking}."
            )
        self.value = self.means.get(backend, backend)
        return self.value


_linalg = _Preferred(
    _LinalgBackend,
    _LinalgBackend["Default"],
    {"default": "Default", "cusolver": "Cusolver", "magma": "Magma"},
    {"Cusolver": "cuSOLVER", "Magma": "MAGMA"},
)
#: Variables of the environment that make the second library the one that is preferred at first.
_PREFER_LT = ("TORCH_BLAS_PREFER_CUBLASLT", "TORCH_BLAS_PREFER_HIPBLASLT")
_blas = _Preferred(
    _BlasBackend,
    _BlasBackend["Cublaslt" if "1" in map(os.environ.get, _PREFER_LT) else "Cublas"],
    {
        "default": "Default",
        "cublas": "Cublas",
        "hipblas": "Cublas",
        "cublaslt": "Cublaslt",
        "hipblaslt": "Cublaslt",
        "ck": "Ck",
    },
    {"Cublaslt": "cuBLASLt"},
    means={"Default": "Cublas"},
)
_rocm_fa = _Preferred(
    _ROCmFABackend,
    _ROCmFABackend["Default"],
    {"default": "Default", "aotriton": "AOTriton", "ck": "Ck"},
    {},
)


def preferred_linalg_library(backend: None | str | Any = None) -> Any:
    """Set the library for linear algebra on CUDA unless None; returns what is set."""
    return _linalg.choose(backend)


def preferred_blas_library(backend: None | str | Any = None) -> Any:
    """Set the library for products on CUDA unless None; returns what is set."""
    return _blas.choose(backend)


def preferred_rocm_fa_library(backend: None | str | Any = None) -> Any:
    """Set the library for attention on ROCm unless None; returns what is set."""
    return _rocm_fa.choose(backend)


def blas_workspace_size(size: None | int = None, backend: None | str | Any = None) -> int:
    """The memory cuBLAS may take: raises AttributeError, as a build without CUDA does."""
    way = "get" if size is None else "set"
    raise AttributeError(f"module 'torch._C' has no attribute '_cuda_{way}CublasWorkspaceSize'")


def cublas_workspace_size(size: None | int = None) -> int:
    """The memory cuBLAS may take: raises AttributeError, as a build without CUDA does."""
    return blas_workspace_size(size)


def cublaslt_workspace_size(size: None | int = None) -> int:
    """The memory cuBLASLt may take: raises AttributeError, as a build without CUDA does."""
    way = "get" if size is None else "set"
    raise AttributeError(f"module 'torch._C' has no attribute '_cuda_{way}CublasLtWorkspaceSize'")


class SDPAParams:
    """The arguments of an attention whose kernel is to be chosen."""

    def __init__(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        attn_mask: Tensor | None,
        dropout: float,
        is_causal: bool,
        enable_gqa: bool,
        /,
    ) -> None:
        self.query = query
        self.key = key
        self.value = value
        self.attn_mask = attn_mask
        self.dropout = dropout
        self.is_causal = is_causal
        self.enable_gqa = enable_gqa


def can_use_flash_attention(params: SDPAParams, debug: bool = False) -> bool:
    """False: there is no CUDA here."""
    return False


def can_use_efficient_attention(params: SDPAParams, debug: bool = False) -> bool:
    """False: there is no CUDA here."""
    return False


def can_use_cudnn_attention(params: SDPAParams, debug: bool = False) -> bool:
    """False: there is no CUDA here."""
    return False


def is_flash_attention_available() -> bool:
    """False: there is no CUDA here."""
    return False


def is_ck_sdpa_available() -> bool:
    """False: there is no ROCm here."""
    return False


def flash_sdp_enabled() -> bool:
    """Whether attention may take flash kernels."""
    return bool(_attention.flash.value)


def enable_flash_sdp(enabled: bool) -> None:
    """Set whether attention may take flash kernels."""
    _attention.flash.set(enabled)


def mem_efficient_sdp_enabled() -> bool:
    """Whether attention may take memory-efficient kernels."""
    return bool(_attention.mem_efficient.value)


def enable_mem_efficient_sdp(enabled: bool) -> None:
    """Set whether attention may take memory-efficient kernels."""
    _attention.mem_efficient.set(enabled)


def math_sdp_enabled() -> bool:
    """Whether attention may be computed op by op."""
    return bool(_attention.math.value)


def enable_math_sdp(enabled: bool) -> None:
    """Set whether attention may be computed op by op."""
    _attention.math.set(enabled)


def cudnn_sdp_enabled() -> bool:
    """Whether attention may take cuDNN's kernels."""
    return bool(_attention.cudnn.value)


def enable_cudnn_sdp(enabled: bool) -> None:
    """Set whether attention may take cuDNN's kernels."""
    _attention.cudnn.set(enabled)


def allow_fp16_bf16_reduction_math_sdp(enabled: bool) -> None:
    """Set whether attention may sum in half precision."""
    _attention.reduction.set(enabled)


def fp16_bf16_reduction_math_sdp_allowed() -> bool:
    """Whether attention may sum in half precision."""
    return bool(_attention.reduction.value)


@contextmanager
def sdp_kernel(
    enable_flash: bool = True,
    enable_math: bool = True,
    enable_mem_efficient: bool = True,
    enable_cudnn: bool = True,
) -> Iterator[None]:
    """Set the kernels that attention may take within the block; deprecated, warns."""
    warn(
        "`torch.backends.cuda.sdp_kernel()` is deprecated. In the future, this context manager "
        "will be removed. Please see `torch.nn.attention.sdpa_kernel()` for the new context "
        "manager, with updated signature.",
        FutureWarning,
    )
    wanted = {
        "flash": enable_flash,
        "math": enable_math,
        "mem_efficient": enable_mem_efficient,
        "cudnn": enable_cudnn,
    }
    before = {name: getattr(_attention, name).value for name in wanted}
    try:
        for name, value in wanted.items():
            getattr(_attention, name).set(value)
        yield
    finally:
        for name, value in before.items():
            getattr(_attention, name).set(value)


def __getattr__(name: str) -> Any:
    if name == "SDPBackend":
        return import_module("mindtorch.nn.attention").SDPBackend
    raise AttributeError(f"module 'torch.backends.cuda' has no attribute '{name}'")
