"""``torch._custom_ops``: the name under which libraries look for a fake kernel's context."""

from __future__ import annotations

from mindtorch.library import get_ctx

__all__ = ["get_ctx"]
