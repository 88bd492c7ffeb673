"""Parameters of which each sample of a batch has a gradient of its own.

A layer that is called with :class:`ExpandedWeight` in place of its parameters computes what it
always does; its backward adds to each parameter's ``grad_sample`` what every sample contributes,
and nothing to ``grad``.
"""

from __future__ import annotations

from . import layers, recurrent
from .expanded_weights_impl import ExpandedWeight

__all__ = ["ExpandedWeight"]

layers.handle()
recurrent.handle()
