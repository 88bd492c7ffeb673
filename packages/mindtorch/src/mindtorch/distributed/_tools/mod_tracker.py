"""``torch.distributed._tools.mod_tracker``: which modules a program is in."""

from ...utils.module_hooks import ModTracker

__all__ = ["ModTracker"]
