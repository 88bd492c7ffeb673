"""``torch.distributed.nn``: collectives that gradients flow through."""

from __future__ import annotations

from .api.remote_module import RemoteModule as RemoteModule
from .functional import *
