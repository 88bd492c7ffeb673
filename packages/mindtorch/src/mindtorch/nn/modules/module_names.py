"""Layers of which torch has several files' worth in one: each is found there, too.

Pickles and ``__module__`` name torch's file.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ...core.module_names import living_in

__all__ = ["settle"]

#: Our module -> the one in which torch has its classes.
_HOMES = {
    "attention": "activation",
    "class_loss": "loss",
    "lazy_conv": "conv",
    "margin_loss": "loss",
    "more_activation": "activation",
    "more_loss": "loss",
    "more_pooling": "pooling",
    "parameter_container": "container",
    "prelu": "activation",
    "rnn_cells": "rnn",
    "transformer_layers": "transformer",
    "transposed": "conv",
    "unpooling": "pooling",
}
#: Those that torch has elsewhere.
_EXCEPTIONS = {"LocalResponseNorm": "normalization"}


def settle() -> None:
    """Put every class where torch has it."""
    for module, home in _HOMES.items():
        own = import_module(f".{module}", __package__)
        for name, value in list(vars(own).items()):
            if isinstance(value, type) and value.__module__ == own.__name__:
                _move(value, name, import_module(f".{_EXCEPTIONS.get(name, home)}", __package__))


def _move(kind: Any, name: str, home: Any) -> None:
    living_in(home.__name__, kind)
    setattr(home, name, kind)
    offered = getattr(home, "__all__", None)
    if offered is not None and not name.startswith("_") and name not in offered:
        offered.append(name)
