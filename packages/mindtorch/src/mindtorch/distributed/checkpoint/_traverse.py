"""The values of nested states by their paths."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from typing import Any

from ...aten import torch

__all__ = ["get_element", "print_tensor", "set_element", "traverse_state_dict"]

OBJ_PATH = tuple[Any, ...]
Visitor = Callable[[OBJ_PATH, Any], None]


def _keep_visiting_tensors(value: Any) -> bool:
    """Whether a list is gone through for the sake of *value*: it is a tensor."""
    return isinstance(value, torch.Tensor)


def _ends(value: Any, keep: Callable[[Any], bool], through_mappings: bool) -> bool:
    """Whether *value* is visited as a whole: it is no container, or one without anything to keep.

    :param through_mappings: whether every mapping is gone through.
    """
    if isinstance(value, Mapping):
        if through_mappings:
            return False
        entries: Any = value.values()
    elif isinstance(value, list):
        entries = value
    else:
        return True
    for entry in entries:
        inside = isinstance(entry, Mapping | list) and not _ends(entry, keep, through_mappings)
        if inside or keep(entry):
            return False
    return True


def _values(
    value: Any, path: OBJ_PATH, keep: Callable[[Any], bool], through_mappings: bool
) -> Iterator[tuple[OBJ_PATH, Any]]:
    if _ends(value, keep, through_mappings):
        yield path, value
        return
    named = isinstance(value, Mapping)
    entries: Any = value.items() if named else enumerate(value)
    for key, entry in entries:
        step = str(key) if named else key
        yield from _values(entry, (*path, step), keep, through_mappings)


def _visit(
    state: Mapping[Any, Any], visitor: Visitor, keep: Callable[[Any], bool], through: bool
) -> None:
    for key, value in state.items():
        for path, each in _values(value, (str(key),), keep, through):
            visitor(path, each)


def traverse_state_dict(
    state_dict: dict[str, Any],
    visitor: Visitor,
    keep_traversing: Callable[[Any], bool] = _keep_visiting_tensors,
) -> None:
    """Call *visitor* with the path and the value of each entry, also of those within mappings.

    Lists are gone through where they hold mappings, or what *keep_traversing* is true of.
    """
    _visit(state_dict, visitor, keep_traversing, True)


def traverse_state_dict_v_2_3(
    state_dict: dict[str, Any],
    visitor: Visitor,
    keep_traversing: Callable[[Any], bool] = _keep_visiting_tensors,
) -> None:
    """The same as torch 2.3 did it: mappings without tensors are visited as a whole."""
    _visit(state_dict, visitor, keep_traversing, False)


def _grown(items: list[Any], length: int) -> None:
    items.extend([None] * (length - len(items)))


def set_element(root_dict: dict[str, Any], path: OBJ_PATH, value: Any) -> None:
    """Put *value* at *path*, making what is lacking."""
    at: Any = root_dict
    for key, following in zip(path, path[1:], strict=False):
        made: Any = {} if type(following) is str else []
        if isinstance(at, MutableMapping):
            at = at.setdefault(key, made)
            continue
        _grown(at, key + 1)
        if at[key] is None:
            at[key] = made
        at = at[key]
    if type(path[-1]) is int:
        _grown(at, path[-1] + 1)
    at[path[-1]] = value


def get_element(root_dict: dict[str, Any], path: OBJ_PATH, default_value: Any = None) -> Any:
    """The value at *path*; *default_value* where there is none."""
    at: Any = root_dict
    for key in path:
        if type(key) is int:
            if not isinstance(at, list) or len(at) < key:
                return default_value
        elif not isinstance(at, Mapping) or key not in at:
            return default_value
        at = at[key]
    return at


def print_tensor(path: OBJ_PATH, value: Any, print_fun: Callable[[str], None] = print) -> None:
    """Print the size of a tensor, or the type of another value: a visitor of states."""
    from ..tensor import DTensor  # whose package imports this one

    prefix = str(path)
    if type(value) is DTensor:
        print_fun(f"{prefix} DistributedTensor size: {value.size()}")
        prefix, value = "", value._local_tensor
    if isinstance(value, torch.Tensor):
        print_fun(f"{prefix} Tensor size: {value.size()}")
    else:
        print_fun(f"{prefix} Type: {type(value)}")
