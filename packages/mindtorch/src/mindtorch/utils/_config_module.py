"""``torch.utils._config_module``: the class of torch's modules of options."""

from __future__ import annotations

from ..compat.configuration import ConfigModule

__all__ = ["ConfigModule"]
