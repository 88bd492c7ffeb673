"""``torch._refs._conversions``: references of casts, ``float(x)`` and its kin."""

from __future__ import annotations

from .references import references as _references

__getattr__ = _references("")
