"""``torch._tensor_str``: how tensors print."""

from __future__ import annotations

from .printing import OPTIONS as PRINT_OPTS
from .printing import get_printoptions, printoptions, set_printoptions, tensor_str

_str = tensor_str

__all__ = ["PRINT_OPTS", "get_printoptions", "printoptions", "set_printoptions"]
