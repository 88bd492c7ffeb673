"""``torch.utils.hooks``."""

from __future__ import annotations

from mindtorch_autograd import RemovableHandle
from mindtorch_autograd.hooks import unserializable_hook, warn_if_has_hooks

from .. import nn  # noqa: F401  (see Note [Packages first])
from ..core.module_names import living_in
from ..nn.modules.hooks import BackwardHook

living_in(__name__, BackwardHook, RemovableHandle, unserializable_hook, warn_if_has_hooks)

__all__ = ["BackwardHook", "RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]
