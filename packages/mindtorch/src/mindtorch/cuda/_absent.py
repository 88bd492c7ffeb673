"""Devices and streams of ``torch.cuda`` where there is no CUDA: every use of one says so.

What else ``torch.cuda`` has asks this module for them, attribute by attribute: where ``cuda`` is
the name of the simulated NPU, the NPU's take their place here too (see ``_on_npu.py``).
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from typing import Any

from mindtorch_storage.device import CUDA

from .. import _C
from ..aten import torch
from ._utils import _get_device_index, needs_cuda

#: Why a device is asked for, as of ``_lazy_init``.
_initialized = False
_queued_calls: list[tuple[Callable[[], None], list[str]]] = []


# Is there any? ------------------------------------------------------------------------------------


def is_available() -> bool:
    """False: there is no CUDA here."""
    return False


def is_initialized() -> bool:
    """False: there is no CUDA here."""
    return _initialized


def is_bf16_supported(including_emulation: bool = True) -> bool:
    """False: there is no CUDA here."""
    return False


def is_tf32_supported() -> bool:
    """False: there is no CUDA here."""
    return False


def _is_compiled() -> bool:
    return False


def _is_in_bad_fork() -> bool:
    return False


def device_count() -> int:
    """Return how many devices there are: none."""
    return 0


def get_arch_list() -> list[str]:
    """Return the architectures that kernels are compiled for: none."""
    return []


def get_gencode_flags() -> str:
    """No flags of the compiler, as it compiled nothing."""
    return ""


def _lazy_init() -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return needs_cuda()


def init() -> None:
    """Raises AssertionError: there is no CUDA here."""
    _lazy_init()


def _lazy_call(callable: Callable[[], Any], **kwargs: Any) -> None:
    """Keep a call for the first use of a device."""
    _queued_calls.append((callable, traceback.format_stack()))


# One device ---------------------------------------------------------------------------------------


def _exchange_device(device: int) -> int:
    """Make another device the present one; a negative index changes nothing."""
    if device < 0:
        return -1
    raise RuntimeError("PyTorch was compiled without CUDA support")


_maybe_exchange_device = _exchange_device


class _DeviceGuard:
    """A block in which a device is the present one."""

    def __init__(self, index: int) -> None:
        self.idx = index
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, type: Any, value: Any, traceback: Any) -> bool:
        self.idx = _maybe_exchange_device(self.prev_idx)
        return False


class device:
    """A block in which a device is the present one. Entering it raises, but for index -1.

    :param device: a device or its index; a negative index, or None, changes nothing.
    """

    def __init__(self, device: Any) -> None:
        self.idx = _get_device_index(device, optional=True)
        self.prev_idx = -1

    def __enter__(self) -> None:
        self.prev_idx = _exchange_device(self.idx)

    def __exit__(self, type: Any, value: Any, traceback: Any) -> bool:
        self.idx = _maybe_exchange_device(self.prev_idx)
        return False


class device_of(device):
    """A block in which the device of a tensor is the present one, if it is CUDA's."""

    def __init__(self, obj: Any) -> None:
        super().__init__(obj.get_device() if obj.is_cuda else -1)


def set_device(device: Any) -> None:
    """Raises for any device; a negative index changes nothing."""
    index = _get_device_index(device)
    if index >= 0:
        _C._cuda_setDevice(index)


def current_device() -> int:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def get_device_name(device: Any = None) -> str:
    """Raises AssertionError: there is no CUDA here."""
    return get_device_properties(device).name


def get_device_capability(device: Any = None) -> tuple[int, int]:
    """Raises AssertionError: there is no CUDA here."""
    properties = get_device_properties(device)
    return properties.major, properties.minor


def get_device_properties(device: Any = None) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def can_device_access_peer(device: Any, peer_device: Any) -> bool:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def synchronize(device: Any = None) -> None:
    """Raises AssertionError: there is no CUDA here."""
    _lazy_init()


def ipc_collect() -> None:
    """Raises AssertionError: there is no CUDA here."""
    _lazy_init()


def set_sync_debug_mode(debug_mode: int | str) -> None:
    """Raises AssertionError: there is no CUDA here."""
    _lazy_init()


def get_sync_debug_mode() -> int:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def current_blas_handle() -> int:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def current_solver_handle() -> int:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def _sleep(cycles: int) -> None:
    _C._cuda_sleep(cycles)


def _get_device(device: Any) -> torch.device:
    if isinstance(device, int):
        return torch.device(CUDA, device)
    return torch.device(device)


# Streams ------------------------------------------------------------------------------------------


class StreamContext:
    """A block in which *stream* is the present one; without a device it is nothing."""

    def __init__(self, stream: Any) -> None:
        self.stream = stream
        self.idx = _get_device_index(None, True)
        if self.idx is None:
            self.idx = -1
        self.src_prev_stream: Any = None
        self.dst_prev_stream: Any = None

    def __enter__(self) -> None:
        if self.stream is None or self.idx == -1:
            return
        self.src_prev_stream = current_stream(None)

    def __exit__(self, type: Any, value: Any, traceback: Any) -> None:
        if self.stream is None or self.idx == -1:
            return
        set_stream(self.src_prev_stream)


def stream(stream: Any) -> StreamContext:
    """``with stream(s):`` makes *s* the present stream of the block."""
    return StreamContext(stream)


def _set_stream_by_id(stream_id: int, device_index: int, device_type: int) -> None:
    _C._cuda_setStream(stream_id=stream_id, device_index=device_index, device_type=device_type)


def set_stream(stream: Any) -> None:
    """Make *stream* the present one; None changes nothing."""
    if stream is not None:
        _set_stream_by_id(stream.stream_id, stream.device_index, stream.device_type)


def current_stream(device: Any = None) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def default_stream(device: Any = None) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()


def get_stream_from_external(data_ptr: int, device: Any = None) -> Any:
    """Raises AssertionError: there is no CUDA here."""
    return _lazy_init()
