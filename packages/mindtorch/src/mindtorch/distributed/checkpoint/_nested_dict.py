"""Nested states as flat ones, and back."""

from __future__ import annotations

from typing import Any

from ._traverse import OBJ_PATH, set_element, traverse_state_dict

__all__ = ["flatten_state_dict", "unflatten_state_dict"]

FLATTEN_MAPPING = dict[str, OBJ_PATH]


def flatten_state_dict(state_dict: dict[str, Any]) -> tuple[dict[str, Any], FLATTEN_MAPPING]:
    """All values by dotted name, and the path of each. Raises ValueError for equal names."""
    flat: dict[str, Any] = {}
    paths: FLATTEN_MAPPING = {}

    def note(path: OBJ_PATH, value: Any) -> None:
        name = ".".join(map(str, path))
        if name in flat:
            raise ValueError(f"duplicated flatten key {name}")
        flat[name], paths[name] = value, path

    traverse_state_dict(state_dict, note)
    return flat, paths


def unflatten_state_dict(state_dict: dict[str, Any], mapping: FLATTEN_MAPPING) -> dict[str, Any]:
    """The nested state of a flat one."""
    nested: dict[str, Any] = {}
    for name, value in state_dict.items():
        set_element(nested, mapping[name], value)
    return nested
