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
    parse_key,
)

__all__ = [
    "ALIAS_KEYS",
    "DISPATCH_KEY_PRIORITY",
    "DispatchKey",
    "DispatchKeySet",
    "apply_tls_masks",
    "current_masks",
    "dispatch_key_from_string",
    "exclude_keys",
    "include_keys",
]


def dispatch_key_from_string(name: str) -> DispatchKey:
    """The key that is called *name* (``"CPU"``, ``"AutogradNPU"``, ``"PrivateUse1"``).

    Raises ValueError if there is none.
    """
    try:
        return parse_key(name)
    except RuntimeError:
        raise ValueError(f"Unknown dispatch key string: {name!r}") from None
