"""Dispatch keys, sets of them, and the thread's masks."""

from mindtorch_dispatch import (
    ALIAS_KEYS,
    DISPATCH_KEY_PRIORITY,
    DispatchKey,
    DispatchKeySet,
    apply_tls_masks,
    current_masks,
    exclude_keys,
    include_keys,
)

__all__ = [
    "ALIAS_KEYS",
    "DISPATCH_KEY_PRIORITY",
    "DispatchKey",
    "DispatchKeySet",
    "apply_tls_masks",
    "current_masks",
    "exclude_keys",
    "include_keys",
]
