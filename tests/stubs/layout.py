"""How the text of a stub is laid out: lines of a hundred columns, imports of what is used."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence

WIDTH = 100

#: Where the names come from that hints are made of.
VOCABULARY = {
    "Any": "typing",
    "Callable": "collections.abc",
    "ClassVar": "typing",
    "EllipsisType": "types",
    "Generator": "mindtorch.tensor.generator",
    "Iterable": "collections.abc",
    "Iterator": "collections.abc",
    "Literal": "typing",
    "NoReturn": "typing",
    "Number": "mindtorch.tensor.types",
    "RemovableHandle": "mindtorch_autograd",
    "Self": "typing",
    "Sequence": "collections.abc",
    "Size": "mindtorch.core.size",
    "Stream": "mindtorch_npu.generic_streams",
    "SupportsIndex": "typing",
    "Tensor": "mindtorch.tensor",
    "TypeAlias": "typing",
    "TypeVar": "typing",
    "TypedStorage": "mindtorch_storage",
    "UntypedStorage": "mindtorch_storage",
    "_DTypeLike": "mindtorch.tensor.types",
    "_bool": "mindtorch.tensor.types",
    "_complex": "mindtorch.tensor.types",
    "_device": "mindtorch.tensor.types",
    "_dtype": "mindtorch.tensor.types",
    "_float": "mindtorch.tensor.types",
    "_int": "mindtorch.tensor.types",
    "_layout": "mindtorch.tensor.types",
    "_size": "mindtorch.tensor.types",
    "_str": "mindtorch.tensor.types",
    "_memory_format": "mindtorch.tensor.types",
    "deprecated": "typing_extensions",
    "np": "",
    "overload": "typing",
    "return_types": "mindtorch",
}


def define(name: str, parameters: Sequence[str], returns: str, indent: str = "") -> list[str]:
    """The lines of a function's definition, broken where it is long."""
    end = f") -> {returns}: ..."
    line = f"{indent}def {name}({', '.join(parameters)}{end}"
    if len(line) <= WIDTH:
        return [line]
    inner = f"{indent}    {', '.join(parameters)}"
    if len(inner) <= WIDTH and not any(p in ("*", "/") for p in parameters[-1:]):
        return [f"{indent}def {name}(", inner, f"{indent}{end}"]
    return [f"{indent}def {name}(", *[f"{indent}    {p}," for p in parameters], f"{indent}{end}"]


def used(lines: Iterable[str]) -> set[str]:
    """The names that the definitions in *lines* refer to."""
    nodes = ast.walk(ast.parse("\n".join(lines)))
    return {node.id for node in nodes if isinstance(node, ast.Name)}


def imports(names: Iterable[str]) -> list[str]:
    """The imports of those *names* that hints are made of."""
    places: dict[str, list[str]] = {}
    for name in sorted(names):
        if name in VOCABULARY:
            places.setdefault(VOCABULARY[name], []).append(name)
    lines = ["import numpy as np"] if places.pop("", None) else []
    for place, found in sorted(places.items()):
        line = f"from {place} import {', '.join(found)}"
        if len(line) > WIDTH:
            lines += [f"from {place} import (", *[f"    {n}," for n in found], ")"]
        else:
            lines.append(line)
    return lines
