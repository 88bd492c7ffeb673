"""What the inputs of a graph are called: after where a program has them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from ..nn import Module
from ..tensor import Tensor

__all__ = ["names_of_inputs"]


def names_of_inputs(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> dict[int, str]:
    """Names by the ids of tensors: of arguments, and of what the modules in reach have."""
    found: dict[int, str] = {}
    for name, value in _values(fn, args, kwargs):
        for path, t in _tensors(value, name):
            found.setdefault(id(t), f"{path}_")
    return found


def _values(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    owner = getattr(fn, "__self__", fn)
    if isinstance(owner, Module):
        yield "L_self", owner
    try:
        bound = inspect.signature(fn).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        bound = {**{f"args_{i}": v for i, v in enumerate(args)}, **kwargs}
    for name, value in bound.items():
        yield f"L_{name}", value
    code = getattr(fn, "__code__", None)
    if code is not None:
        cells = [_content(cell) for cell in fn.__closure__ or ()]
        for name, value in zip(code.co_freevars, cells):
            yield f"L_{name}", value
        for name in code.co_names:
            if name in fn.__globals__:
                yield f"G_{name}", fn.__globals__[name]


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # nothing yet
        return None


def _tensors(value: Any, path: str, depth: int = 4) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Tensor):
        yield path, value
    elif isinstance(value, Module):
        for kind, named in (
            ("parameters", value.named_parameters()), ("buffers", value.named_buffers())
        ):  # fmt: skip
            for name, t in named:
                *modules, own = name.split(".")
                inside = "".join(f"_modules_{m}" for m in modules)
                yield f"{path}{inside}_{kind}_{own}", t
    elif depth and isinstance(value, (list, tuple)):
        for i, v in enumerate(value):
            yield from _tensors(v, f"{path}_{i}", depth - 1)
    elif depth and isinstance(value, dict):
        for k, v in value.items():
            yield from _tensors(v, f"{path}_{k}", depth - 1)
