"""``torch.version``: the version, and what this build was made for (nothing but the host)."""

from .__about__ import __version__

__all__ = ["__version__", "cuda", "debug", "hip", "xpu"]

debug = False
cuda: str | None = None
hip: str | None = None
xpu: str | None = None
