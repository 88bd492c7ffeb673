"""``torch.distributed.nn``: collectives that gradients flow through."""

from __future__ import annotations

from .functional import *
