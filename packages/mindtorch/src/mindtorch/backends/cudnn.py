"""``torch.backends.cudnn`` of a build without it: switches that programs set and read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindtorch_storage import float16, float32, float64
from mindtorch_storage.device import CUDA

from ..core import precision
from .switching import (
    ContextProp,
    FP32Precision,
    Remembered,
    allow_nonbracketed_mutation,
    install,
    precision_prop,
)

__all__ = [
    "CUDNN_TENSOR_DTYPES",
    "conv",
    "flags",
    "is_acceptable",
    "is_available",
    "rnn",
    "set_flags",
    "version",
]

# Switches: see the end of the module.
enabled: bool
deterministic: bool
benchmark: bool
allow_tf32: bool
fp32_precision: str
depthwise_kernel: str

CUDNN_TENSOR_DTYPES = {float16, float32, float64}


class _DepthwiseKernel(Remembered):
    """Which kernels do depthwise convolutions."""

    def set(self, value: str) -> None:
        before = self.value
        super().set(value)
        if value not in ("auto", "cudnn", "native"):
            self.value = before
            raise RuntimeError(
                f"Unknown cuDNN depthwise kernel mode: {value}. "
                "Expected one of: auto, cudnn, native"
            )


def is_available() -> bool:
    """False: there is no cuDNN here."""
    return False


def version() -> int | None:
    """None: there is no cuDNN here."""
    return None


def is_acceptable(tensor: Any) -> bool:
    """Whether cuDNN can work on *tensor*; warns where a tensor of another device is meant."""
    if not (tensor.device.type == CUDA and tensor.dtype in CUDNN_TENSOR_DTYPES):
        return False
    return is_available()


#: Whether it may be used, which normalisations are told and do not use.
ENABLED = Remembered(True, "set_enabled_cudnn")
_SWITCHES: dict[str, Any] = {
    "enabled": ENABLED.prop(),
    "deterministic": Remembered(False, "set_deterministic_cudnn").prop(),
    "benchmark": Remembered(False, "set_benchmark_cudnn").prop(),
    "allow_tf32": ContextProp(precision.get_cudnn_tf32, precision.put_cudnn_tf32),
    "fp32_precision": precision_prop(CUDA, "all"),
    "depthwise_kernel": _DepthwiseKernel("auto", "set_cudnn_depthwise_kernel", str).prop(),
}
install(__name__, _SWITCHES)
#: Kept as an ordinary attribute: without cuDNN torch forgets what is set through ``set_flags``.
benchmark_limit: int | None = None
conv = FP32Precision(CUDA, "conv")
rnn = FP32Precision(CUDA, "rnn")


def set_flags(
    _enabled: bool | None = None,
    _benchmark: bool | None = None,
    _benchmark_limit: int | None = None,
    _deterministic: bool | None = None,
    _allow_tf32: bool | None = None,
    _fp32_precision: str = "none",
    _depthwise_kernel: str | None = None,
) -> tuple[Any, ...]:
    """Set the switches that are given; returns what all of them were."""
    get = {name: prop.getter for name, prop in _SWITCHES.items()}
    before = (
        get["enabled"](),
        get["benchmark"](),
        None,
        get["deterministic"](),
        get["allow_tf32"](),
        get["fp32_precision"](),
        get["depthwise_kernel"](),
    )
    given = {
        "enabled": _enabled,
        "benchmark": _benchmark,
        "deterministic": _deterministic,
        "allow_tf32": _allow_tf32,
        "fp32_precision": _fp32_precision,
        "depthwise_kernel": _depthwise_kernel,
    }
    for name, value in given.items():
        if value is not None:
            _SWITCHES[name].setter(value)
    return before


@contextmanager
def flags(
    enabled: bool = False,
    benchmark: bool = False,
    benchmark_limit: int = 10,
    deterministic: bool = False,
    allow_tf32: bool = True,
    fp32_precision: str = "none",
    depthwise_kernel: str = "auto",
) -> Iterator[None]:
    """Set the switches within the block."""
    with allow_nonbracketed_mutation():
        before = set_flags(
            enabled,
            benchmark,
            benchmark_limit,
            deterministic,
            allow_tf32,
            fp32_precision,
            depthwise_kernel,
        )
    try:
        yield
    finally:
        with allow_nonbracketed_mutation():
            set_flags(*before)
