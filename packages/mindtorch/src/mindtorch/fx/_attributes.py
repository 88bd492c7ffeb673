"""Attributes of modules by path, such as ``layers.0.weight``."""

from __future__ import annotations

import functools
from typing import Any

from ..nn import Module, Parameter
from ..tensor import Tensor


def _copy_attr(from_module: Any, to_module: Any, target: str) -> None:
    """Give one module the attribute *target* of another, with the modules between."""
    *path, field = target.split(".")
    for name in path:
        from_module = getattr(from_module, name)
        if from_module is getattr(to_module, name, None):  # they share it
            return
        to_module = _inner(to_module, name)
    _put(getattr(from_module, field), to_module, field)


def _assign_attr(from_obj: Any, to_module: Any, target: str) -> None:
    """Put *from_obj* at the path *target*, with the modules between."""
    *path, field = target.split(".")
    _put(from_obj, functools.reduce(_inner, path, to_module), field)


def _inner(module: Any, name: str) -> Any:
    """The submodule *name*, an empty one if there is none."""
    if getattr(module, name, None) is None:
        setattr(module, name, Module())
    return getattr(module, name)


def _put(value: Any, module: Any, name: str) -> None:
    """Let *value* be an attribute; a tensor that is no parameter, a buffer."""
    if isinstance(value, Tensor) and not isinstance(value, Parameter):
        module.register_buffer(name, value)
    else:
        setattr(module, name, value)


def _get_attr(model: Any, attr_name: str) -> Any:
    return _get_attr_via_attr_list(model, attr_name.split("."))


def _del_attr(model: Any, attr_name: str) -> None:
    *prefix, field = attr_name.split(".")
    delattr(_get_attr_via_attr_list(model, prefix), field)


def _get_attr_via_attr_list(model: Any, attr_list: list[str]) -> Any:
    for item in attr_list:
        model = getattr(model, item)
    return model


def _has_attr(model: Any, attr_name: str) -> bool:
    for item in attr_name.split("."):
        if not hasattr(model, item):
            return False
        model = getattr(model, item)
    return True
