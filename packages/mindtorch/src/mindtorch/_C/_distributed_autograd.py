"""``torch._C._distributed_autograd``: contexts of gradients under the names of the bindings."""

from __future__ import annotations

from ..distributed.autograd import (
    DistAutogradContext,
    _current_context,
    _get_debug_info,
    _get_max_id,
    _init,
    _is_valid_context,
    _new_context,
    _release_context,
    _retrieve_context,
    backward,
    get_gradients,
)

__all__ = [
    "DistAutogradContext",
    "_current_context",
    "_get_debug_info",
    "_get_max_id",
    "_init",
    "_is_valid_context",
    "_new_context",
    "_release_context",
    "_retrieve_context",
    "backward",
    "get_gradients",
]
