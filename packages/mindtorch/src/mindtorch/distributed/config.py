"""``torch.distributed.config``: switches of the package."""

from __future__ import annotations

from ..compat.configuration import install

__all__ = ["compile_on_one_rank", "use_torchcomms"]

compile_on_one_rank: bool
use_torchcomms: bool

install(__name__, __file__)
