"""``torch.cpu``: the host as a device, for programs that treat all devices alike.

Kernels of the host run at once, so there is nothing to wait for: streams and events say so.
"""

from __future__ import annotations

import os
import platform
from collections.abc import Mapping
from contextlib import AbstractContextManager
from importlib import import_module
from types import MappingProxyType
from typing import Any

from ..aten import torch
from ..core.submodules import reached as _reached

__all__ = [
    "is_available",
    "is_initialized",
    "synchronize",
    "current_device",
    "current_stream",
    "stream",
    "set_device",
    "device_count",
    "Stream",
    "StreamContext",
    "Event",
    "get_capabilities",
]


def _features() -> Mapping[str, bool]:
    from numpy._core._multiarray_umath import __cpu_features__

    return __cpu_features__


def _is_avx2_supported() -> bool:
    """Whether the processor has AVX2."""
    return bool(_features().get("AVX2"))


def _is_avx512_supported() -> bool:
    """Whether the processor has the AVX512 that kernels use."""
    return bool(_features().get("AVX512_SKX"))


def _is_avx512_bf16_supported() -> bool:
    """Whether the processor has AVX512 for bfloat16."""
    return bool(_features().get("AVX512BF16"))


def _is_vnni_supported() -> bool:
    """Whether the processor has AVX512's products of small integers."""
    return bool(_features().get("AVX512VNNI"))


def _is_amx_tile_supported() -> bool:
    """False: no kernel here uses AMX, whatever the processor has."""
    return False


def _is_amx_fp16_supported() -> bool:
    """False: no kernel here uses AMX, whatever the processor has."""
    return False


def _init_amx() -> bool:
    """False: AMX is not made ready, as no kernel uses it."""
    return False


#: numpy's names of what a processor can do, where torch's differ from them in more than case.
_CAPABILITIES = {
    "SSE41": "sse4_1",
    "SSE42": "sse4_2",
    "AVX512F": "avx512_f",
    "AVX512CD": "avx512_cd",
    "AVX512BW": "avx512_bw",
    "AVX512DQ": "avx512_dq",
    "AVX512VL": "avx512_vl",
    "AVX512VNNI": "avx512_vnni",
    "AVX512IFMA": "avx512_ifma",
    "AVX512VBMI": "avx512_vbmi",
    "AVX512VBMI2": "avx512_vbmi2",
    "AVX512BITALG": "avx512_bitalg",
    "AVX512VPOPCNTDQ": "avx512_vpopcntdq",
    "AVX512FP16": "avx512_fp16",
    "AVX512BF16": "avx512_bf16",
    "AVX5124FMAPS": "avx512_4fmaps",
    "AVX5124VNNIW": "avx512_4vnniw",
}
_SAME = "SSE SSE2 SSE3 SSSE3 POPCNT AVX F16C FMA4 FMA3 AVX2 BMI BMI2 LZCNT".split()


def get_capabilities() -> Mapping[str, Any]:
    """What the processor can do, as far as numpy knows: a mapping of names to bools and numbers."""
    features = _features()
    names = {**{name: name.lower() for name in _SAME}, **_CAPABILITIES}
    known = {ours: bool(features[name]) for name, ours in names.items() if name in features}
    known_too = {"architecture": platform.machine(), "num_logical_cores": os.cpu_count()}
    return MappingProxyType({**known, **known_too})


def is_available() -> bool:
    """True: there is a host."""
    return True


def is_initialized() -> bool:
    """True: the host needs nothing to begin."""
    return True


def synchronize(device: torch.device | str | int | None = None) -> None:
    """Wait for the host: nothing, for its kernels run at once."""


class Stream:
    """A stream of the host: whatever is put on it is done."""

    def __init__(self, priority: int = -1) -> None:
        pass

    def wait_stream(self, stream: Any) -> None:
        """Wait for another stream: nothing."""

    def record_event(self) -> None:
        """Mark this point: nothing."""

    def wait_event(self, event: Any) -> None:
        """Wait for a mark: nothing."""


class Event:
    """A mark on a stream of the host, always reached."""

    def query(self) -> bool:
        """True: the mark is reached."""
        return True

    def record(self, stream: Any = None) -> None:
        """Set the mark: nothing."""

    def synchronize(self) -> None:
        """Wait for the mark: nothing."""

    def wait(self, stream: Any = None) -> None:
        """Let a stream wait for the mark: nothing."""


_default_cpu_stream = Stream()
_current_stream = _default_cpu_stream


def current_stream(device: torch.device | str | int | None = None) -> Stream:
    """The stream of the host that was chosen last."""
    return _current_stream


class StreamContext(AbstractContextManager):  # type: ignore[type-arg]  # as torch's bases
    """Choose a stream of the host within the block."""

    cur_stream: Stream | None

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.prev_stream = _default_cpu_stream

    def __enter__(self) -> None:
        cur_stream = self.stream
        if cur_stream is None:
            return
        global _current_stream
        self.prev_stream = _current_stream
        _current_stream = cur_stream

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        if self.stream is None:
            return
        global _current_stream
        _current_stream = self.prev_stream


def stream(stream: Stream) -> AbstractContextManager[Any]:
    """Choose a stream of the host within the block."""
    return StreamContext(stream)


def device_count() -> int:
    """One: the host."""
    return 1


def set_device(device: torch.device | str | int | None) -> None:
    """Choose the host: nothing."""


def current_device() -> str:
    """Return the current device, which is always ``"cpu"``."""
    return "cpu"


__getattr__ = _reached(__name__, ("amp",))


def __dir__() -> list[str]:
    return sorted(__all__)
