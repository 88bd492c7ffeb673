"""Modules of options: ``torch._dynamo.config`` and its like.

A file beside the module names the options and their defaults, ``name = value`` per line; a dot in
a name is a group of options. Nothing is compiled here, so options are checked and told back only.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from contextlib import ContextDecorator, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any


class Group:
    """Options whose names begin alike: ``config.triton.cudagraphs``."""

    def __init__(self, config: ConfigModule, prefix: str) -> None:
        object.__setattr__(self, "_config", config)
        object.__setattr__(self, "_prefix", prefix)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._config, self._prefix + name)

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._config, self._prefix + name, value)

    def __delattr__(self, name: str) -> None:
        delattr(self._config, self._prefix + name)


class _Patch(ContextDecorator):
    """Options that hold within a block or a function."""

    def __init__(self, config: ConfigModule, changes: dict[str, Any]) -> None:
        self.config = config
        self.changes = changes
        self.before: list[dict[str, Any]] = []

    def __enter__(self) -> None:
        self.before.append({name: getattr(self.config, name) for name in self.changes})
        for name, value in self.changes.items():
            setattr(self.config, name, value)

    def __exit__(self, exc_type: Any, exc_val: Any, exc_tb: Any) -> None:
        for name, value in self.before.pop().items():
            setattr(self.config, name, value)


class ConfigModule(ModuleType):
    """The class of a module of options; a name that is none raises AttributeError."""

    _options: dict[str, Any]
    #: Options that are not there until they are set again: ``unittest.mock`` deletes what it puts
    #: back.
    _deleted: set[str]

    def __getattr__(self, name: str) -> Any:
        options = self.__dict__.get("_options", {})
        if name in options and name not in self._deleted:
            return options[name]
        if any(option.startswith(name + ".") for option in options):
            return Group(self, name + ".")
        raise AttributeError(
            f"{self.__name__.replace('mindtorch', 'torch', 1)}.{name} does not exist"
        )

    def __setattr__(self, name: str, value: Any) -> None:
        if name.startswith("__") or isinstance(value, ModuleType):
            super().__setattr__(name, value)
            return
        if name not in self._deleted:
            getattr(self, name)
        self._options[name] = value
        self._deleted.discard(name)

    def __delattr__(self, name: str) -> None:
        getattr(self, name)
        self._deleted.add(name)

    def __dir__(self) -> list[str]:
        return sorted({n.partition(".")[0] for n in self._options})

    def patch(self, arg1: Any = None, arg2: Any = None, **kwargs: Any) -> _Patch:
        """Set options within a block or a function: ``patch(name=value)``, or a dict of them."""
        if arg1 is None:
            changes = kwargs
        elif isinstance(arg1, str):
            changes = {arg1: arg2}
        else:
            changes = dict(arg1)
        return _Patch(self, changes)

    def shallow_copy_dict(self) -> dict[str, Any]:
        """All options."""
        return dict(self._options)

    get_config_copy = to_dict = shallow_copy_dict

    def save_config(self) -> bytes:
        """All options, as bytes for :meth:`load_config`."""
        return repr(self._options).encode()

    def load_config(self, maybe_pickled_config: bytes | dict[str, Any]) -> None:
        """Set the options that :meth:`save_config` told."""
        given = maybe_pickled_config
        self._options.update(given if isinstance(given, dict) else ast.literal_eval(given.decode()))


def install(name: str, file: str) -> None:
    """Make the module *name*, in *file*, one of the options that stand beside it."""
    module = sys.modules[name]
    lines = Path(file).with_suffix(".txt").read_text().splitlines()
    pairs = (line.split(" = ", 1) for line in lines)
    module.__dict__["_options"] = {key: ast.literal_eval(value) for key, value in pairs}
    module.__dict__["_deleted"] = set()
    module.__class__ = ConfigModule


@contextmanager
def nothing() -> Iterator[None]:
    """A block in which nothing is different."""
    yield
