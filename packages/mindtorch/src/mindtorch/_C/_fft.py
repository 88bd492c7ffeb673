"""``torch._C._fft``: the functions of op rows for Fourier transforms."""

from __future__ import annotations

from ..aten.register import FFT_FUNCTIONS
from ..core.submodules import computed as _computed

__getattr__, __dir__ = _computed(__name__, FFT_FUNCTIONS, FFT_FUNCTIONS.get)
