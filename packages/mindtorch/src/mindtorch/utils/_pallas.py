"""``torch.utils._pallas``: whether Pallas, jax's language of kernels, can be used."""

from __future__ import annotations

from importlib.util import find_spec

__all__ = ["has_jax_package", "has_pallas", "has_pallas_package", "has_tpu_pallas"]


def has_jax_package() -> bool:
    """Whether jax is installed."""
    return find_spec("jax") is not None


def has_pallas_package() -> bool:
    """False: its kernels are for torch's own tensors."""
    return False


has_pallas = has_tpu_pallas = has_pallas_package
