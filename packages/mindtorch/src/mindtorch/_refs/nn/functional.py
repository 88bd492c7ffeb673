"""``torch._refs.nn.functional``: references of ``torch.nn.functional``."""

from __future__ import annotations

from ..references import references as _references

__getattr__ = _references("nn.functional")
