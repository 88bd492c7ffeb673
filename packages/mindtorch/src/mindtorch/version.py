"""``torch.version``: the version, and what this build was made for (nothing but the host)."""

from mindtorch_storage import ACCELERATOR_IS_CUDA

from .__about__ import __version__

__all__ = ["__version__", "cuda", "debug", "hip", "xpu"]

debug = False
#: Where the NPU is called cuda, programs for CUDA look at it: the one that torch 2.13 is built for.
cuda: str | None = "13.0" if ACCELERATOR_IS_CUDA else None
hip: str | None = None
xpu: str | None = None
