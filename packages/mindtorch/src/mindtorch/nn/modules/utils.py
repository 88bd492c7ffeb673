"""``torch.nn.modules.utils``: small helpers with arguments that may be one number or several."""

from __future__ import annotations

from typing import Any

from ..functional.tuples import (  # noqa: F401  (torch has them here)
    _list_with_default,
    _ntuple,
    _pair,
    _quadruple,
    _single,
    _triple,
)

__all__ = ["consume_prefix_in_state_dict_if_present"]


def _reverse_repeat_tuple(t: Any, n: int) -> tuple[Any, ...]:
    """The elements of *t* from the last to the first, each *n* times."""
    return tuple(x for x in reversed(t) for _ in range(n))


def consume_prefix_in_state_dict_if_present(state_dict: dict[str, Any], prefix: str) -> None:
    """Take *prefix* off the keys of *state_dict*, and of its metadata, in place."""
    for key in list(state_dict):
        if key.startswith(prefix):
            state_dict[key[len(prefix) :]] = state_dict.pop(key)
    metadata = getattr(state_dict, "_metadata", None)
    if metadata is None:
        return
    for key in list(metadata):
        if not key:
            continue
        # The module itself has the prefix without its dot.
        if key == prefix.replace(".", "") or key.startswith(prefix):
            metadata[key[len(prefix) :]] = metadata.pop(key)
