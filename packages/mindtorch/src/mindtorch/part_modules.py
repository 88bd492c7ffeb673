"""Public modules made of parts: what a part defines says that it lives in the public module."""

from __future__ import annotations

from types import FunctionType, ModuleType

from .homes import living_in

__all__ = ["adopt"]


def adopt(public: str, *parts: ModuleType) -> None:
    """Let classes and functions of *parts* name the module *public*, as programs print and pickle
    them."""
    for part in parts:
        for value in vars(part).values():
            # Not isinstance, which would ask an object that warns of being asked.
            if issubclass(type(value), (type, FunctionType)) and value.__module__ == part.__name__:
                living_in(public, value)
