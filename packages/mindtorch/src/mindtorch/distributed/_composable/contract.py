"""Functions that are applied to modules once, keep a state for them and leave all names alone."""

from __future__ import annotations

from .._composable_state import _State as _State
from .._contract import (
    REGISTRY_KEY,
    STATE_KEY,
    RegistryItem,
    _get_registry,
    contract,
    generate_state_key,
)

__all__ = [
    "REGISTRY_KEY",
    "STATE_KEY",
    "RegistryItem",
    "_get_registry",
    "contract",
    "generate_state_key",
]
