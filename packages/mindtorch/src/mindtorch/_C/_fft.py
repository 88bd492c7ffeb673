"""``torch._C._fft``: the functions of op rows for Fourier transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten.register import FFT_FUNCTIONS


def __getattr__(name: str) -> Callable[..., Any]:
    found = FFT_FUNCTIONS.get(name)
    if found is None:
        raise AttributeError(f"module 'torch._C._fft' has no attribute '{name}'")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(FFT_FUNCTIONS)
