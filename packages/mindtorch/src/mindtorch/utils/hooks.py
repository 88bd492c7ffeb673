"""``torch.utils.hooks``."""

from __future__ import annotations

from mindtorch_autograd import RemovableHandle

from ..nn.modules.hooks import BackwardHook

__all__ = ["BackwardHook", "RemovableHandle"]
