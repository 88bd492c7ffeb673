"""Which sizes and numbers change from one example of a program's inputs to the next."""

from __future__ import annotations

import re
from typing import Any

from ...nn import Module
from ...tensor import Tensor
from ...utils._pytree import tree_flatten_with_path, tree_map

__all__ = [
    "clone_and_convert_to_meta",
    "module_to_nested_dict",
    "normalize_source_name",
    "track_dynamism_across_examples",
]


def normalize_source_name(name: str) -> str:
    """*name* with ``['x']`` in the place of each ``.x``."""
    return re.sub(r"\.([a-zA-Z_][a-zA-Z0-9_]*)", r"['\1']", name)


def module_to_nested_dict(module: Module) -> dict[str, Any]:
    """A module as dictionaries: its tensors and submodules, and its numbers beside them."""
    found: dict[str, Any] = {"_parameters": {}, "_modules": {}}
    for name in dir(module):
        if name.startswith("_"):
            continue
        try:
            value = getattr(module, name)
        except NotImplementedError:  # of a method that the class leaves to others
            continue
        if isinstance(value, (int, float, Tensor)) and type(value) is not bool:
            found[name] = value
    found["_parameters"].update(module.named_parameters(recurse=False))
    found["_parameters"].update(module.named_buffers(recurse=False))
    for name, child in module.named_children():
        found["_modules"][name] = module_to_nested_dict(child)
    return found


def track_dynamism_across_examples(example_inputs: list[Any]) -> dict[Any, Any]:
    """For each argument, the places in it, and which of their sizes change.

    :param example_inputs: arguments by name; a module under ``self`` is taken apart, in place.
    """
    seen: dict[tuple[Any, ...], list[set[Any]]] = {}
    for example in example_inputs:
        if isinstance(example.get("self"), Module):
            example["self"] = module_to_nested_dict(example["self"])
        leaves, _ = tree_flatten_with_path(example)
        for path, value in leaves:
            if not isinstance(value, (int, float, Tensor)):
                continue
            sizes = tuple(value.shape) if isinstance(value, Tensor) else (value,)
            known = seen.setdefault(path, [])
            known.extend(set() for _ in sizes[len(known) :])
            for values, size in zip(known, sizes, strict=False):
                values.add(size)
    found: dict[Any, Any] = {}
    for path, known in seen.items():
        place = "L" + "".join(map(str, path))
        found.setdefault(path[0].key, {})[place] = tuple(len(values) > 1 for values in known)
    return found


def clone_and_convert_to_meta(example_input: Any) -> Any:
    """The same with tensors without numbers."""

    def on_meta(value: Any) -> Any:
        return value.clone().to(device="meta") if isinstance(value, Tensor) else value

    return tree_map(on_meta, example_input)
