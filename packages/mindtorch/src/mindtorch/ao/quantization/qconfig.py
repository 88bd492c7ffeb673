# ruff: noqa: F401, F403  (the namespace shows what its parts define)
"""``torch.ao.quantization.qconfig``: which observers a module gets."""

from __future__ import annotations

from typing import Any

from ...core.unavailable import offer_listed
from . import default_qconfigs as _defaults
from .default_qconfigs import *
from .default_qconfigs import _add_module_to_qconfig_obs_ctr
from .qconfig_mapping import get_default_qat_qconfig_mapping, get_default_qconfig_mapping

__all__ = [*_defaults.__all__, "get_default_qat_qconfig_dict", "get_default_qconfig_dict"]


def get_default_qconfig_dict(backend: str = "x86", version: int = 0) -> dict[str, Any]:
    """:func:`get_default_qconfig_mapping`, as a dict."""
    return get_default_qconfig_mapping(backend, version).to_dict()


def get_default_qat_qconfig_dict(backend: str = "x86", version: int = 1) -> dict[str, Any]:
    """:func:`get_default_qat_qconfig_mapping`, as a dict."""
    return get_default_qat_qconfig_mapping(backend, version).to_dict()


offer_listed(globals())
