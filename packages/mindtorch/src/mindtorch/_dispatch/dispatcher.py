"""Calling ops by name."""

from mindtorch_dispatch import (
    call_kernel,
    current_dispatch_keyset,
    dispatch,
    dispatch_with_keyset,
    redispatch,
)

__all__ = [
    "call_kernel",
    "current_dispatch_keyset",
    "dispatch",
    "dispatch_with_keyset",
    "redispatch",
]
