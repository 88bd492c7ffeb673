"""``torch.ao.quantization.qconfig_mapping``: names of ``torch.ao.quantization``."""

from __future__ import annotations

from . import QConfigMapping, get_default_qat_qconfig_mapping, get_default_qconfig_mapping

__all__ = [
    "QConfigMapping",
    "get_default_qat_qconfig_mapping",
    "get_default_qconfig_mapping",
]
