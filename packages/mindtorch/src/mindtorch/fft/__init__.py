"""``torch.fft``: discrete Fourier transforms.

Each function is that of an op row, called ``fft_x`` there as in torch.
"""

from __future__ import annotations

from typing import Any

from .._C import _fft
from ..aten.torch import Tensor
from ..core.submodules import computed as _computed

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


__getattr__, __dir__ = _computed(__name__, __all__, lambda name: getattr(_fft, f"fft_{name}"))
