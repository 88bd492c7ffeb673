"""``torch.library``: ops of one's own.

What is defined here is called as ``torch.ops.<namespace>.<name>``.
"""

from __future__ import annotations

from mindtorch_dispatch import Library, fallthrough_kernel

__all__ = ["Library", "fallthrough_kernel"]
