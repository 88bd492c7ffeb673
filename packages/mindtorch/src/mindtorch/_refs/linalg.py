"""``torch._refs.linalg``: references of ``torch.linalg``."""

from __future__ import annotations

from .references import references as _references

__getattr__ = _references("linalg")
