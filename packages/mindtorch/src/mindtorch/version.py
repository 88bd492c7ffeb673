"""``torch.version``: the version, and what this build was made for (nothing but the host)."""

from mindtorch_storage import ACCELERATOR_IS_CUDA

from .__about__ import __version__

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "rocm", "xpu"]

debug = False
#: Where the NPU is called cuda, programs for CUDA look at it: the one that torch 2.13 is built for.
cuda: str | None = "13.0" if ACCELERATOR_IS_CUDA else None
hip: str | None = None
rocm: str | None = None
#: Of the sources of torch whose behaviour this is.
git_version = "cf30153c4c131c8164ee7798e5022d810682e2cb"
xpu: str | None = None
