"""``torch._refs.fft``: references of ``torch.fft``."""

from __future__ import annotations

from .references import references as _references

__getattr__ = _references("fft")
