"""Nested states as flat ones, and back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...aten import torch

__all__ = ["flatten_state_dict", "unflatten_state_dict"]

OBJ_PATH = tuple[Any, ...]
FLATTEN_MAPPING = dict[str, OBJ_PATH]


def _holds_tensors(value: Any) -> bool:
    if isinstance(value, Mapping):
        return True
    if isinstance(value, list | tuple):
        return any(isinstance(v, torch.Tensor) or _holds_tensors(v) for v in value)
    return False


def _leaves(value: Any, path: OBJ_PATH) -> Any:
    if isinstance(value, Mapping):
        for key, each in value.items():
            yield from _leaves(each, (*path, str(key)))
    elif (
        isinstance(value, list | tuple)
        and not isinstance(value, torch.Size)
        and value
        and _holds_tensors(value)
    ):
        for i, each in enumerate(value):
            yield from _leaves(each, (*path, i))
    else:
        yield path, value


def flatten_state_dict(state_dict: dict[str, Any]) -> tuple[dict[str, Any], FLATTEN_MAPPING]:
    """All leaves by dotted name, and the path of each."""
    flat: dict[str, Any] = {}
    paths: FLATTEN_MAPPING = {}
    for path, value in _leaves(state_dict, ()):
        if not path:
            continue
        name = ".".join(map(str, path))
        if name in flat:
            raise ValueError(f"duplicated flatten key {name}")
        flat[name], paths[name] = value, path
    return flat, paths


def set_element(root: Any, path: OBJ_PATH, value: Any) -> None:
    """Put *value* at *path*, making what is lacking."""
    at = root
    for i, key in enumerate(path):
        if isinstance(at, list):
            while len(at) <= key:
                at.append(None)
        last = i == len(path) - 1
        if last:
            at[key] = value
            return
        made: Any = [] if isinstance(path[i + 1], int) else {}
        have = at[key] if isinstance(at, list) or key in at else None
        if have is None:
            at[key] = have = made
        at = have


def unflatten_state_dict(state_dict: dict[str, Any], mapping: FLATTEN_MAPPING) -> dict[str, Any]:
    """The nested state of a flat one."""
    nested: dict[str, Any] = {}
    for name, value in state_dict.items():
        set_element(nested, mapping[name], value)
    return nested
