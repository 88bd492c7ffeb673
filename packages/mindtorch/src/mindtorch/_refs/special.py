"""``torch._refs.special``: references of ``torch.special``."""

from __future__ import annotations

from .references import references as _references

__getattr__ = _references("special")
