"""``torch.fft``: discrete Fourier transforms.

Each function is that of an op row, called ``fft_x`` there as in torch.
"""

from __future__ import annotations

from typing import Any

from .._C import _fft
from ..aten.torch import Tensor

__all__ = [
    "Tensor",
    "fft",
    "fft2",
    "fftfreq",
    "fftn",
    "fftshift",
    "hfft",
    "hfft2",
    "hfftn",
    "ifft",
    "ifft2",
    "ifftn",
    "ifftshift",
    "ihfft",
    "ihfft2",
    "ihfftn",
    "irfft",
    "irfft2",
    "irfftn",
    "rfft",
    "rfft2",
    "rfftfreq",
    "rfftn",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'torch.fft' has no attribute '{name}'")
    found = getattr(_fft, f"fft_{name}")
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
