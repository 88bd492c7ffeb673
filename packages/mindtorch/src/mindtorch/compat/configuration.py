"""Modules of options: ``torch._dynamo.config`` and its like.

A file beside the module names the options and their defaults, ``name = value`` per line; a dot in
a name is a group of options, and ``name -> torch.module.option`` is another name of an option.
Nothing is compiled here, so options are checked and told back only.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..utils._config_module import Config, SubConfigProxy, _ConfigEntry, options_of

__all__ = ["install", "nothing"]


def install(name: str, file: str) -> None:
    """Make the module *name*, in *file*, one of the options that stand beside it."""
    module: Any = sys.modules[name]
    root = name.partition(".")[0]
    options = {}
    for line in Path(file).with_suffix(".txt").read_text().splitlines():
        option, sign, value = line.split(" ", 2)
        if sign == "->":
            meant = Config(alias=f"{root}.{value.removeprefix('torch.')}")
        else:
            meant = Config(default=ast.literal_eval(value))
        options[option] = _ConfigEntry(meant, option)
        place, prefix = vars(module), ""
        for group in option.split(".")[:-1]:
            prefix += f"{group}."
            place = vars(place.setdefault(group, SubConfigProxy(module, prefix)))
    options_of(module, options)


@contextmanager
def nothing() -> Iterator[None]:
    """A block in which nothing is different."""
    yield
