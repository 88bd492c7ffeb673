"""``torch.distributed._tools``: what tells what a training uses."""

from .mod_tracker import ModTracker

__all__ = ["ModTracker"]
