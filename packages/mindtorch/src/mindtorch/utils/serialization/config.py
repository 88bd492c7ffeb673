"""``torch.utils.serialization.config``: the switches of ``save`` and ``load`` in one place.

``load`` and ``save`` hold them; :func:`patch` sets some for a block or a function. A name that is
not there is an AttributeError, for reading and for setting.
"""

from __future__ import annotations

import pickle
import sys
from contextlib import ContextDecorator
from types import ModuleType
from typing import Any

from ... import serialization  # noqa: F401  (see Note [Packages first])
from ...core.warning import warn
from ...serialization.options import LOAD, SAVE, missing

__all__ = ["load", "patch", "save"]

load = LOAD
save = SAVE

_SECTIONS = {"load": LOAD, "save": SAVE}


def _read(key: str) -> Any:
    section, _, name = key.partition(".")
    if section not in _SECTIONS or not name:
        raise missing(key)
    return getattr(_SECTIONS[section], name)


def _write(key: str, value: Any) -> None:
    _read(key)
    section, _, name = key.partition(".")
    setattr(_SECTIONS[section], name, value)


class patch(ContextDecorator):
    """Set switches for a ``with`` block, or while a function runs.

    :param arg1: a switch as ``"load.mmap"``, with *arg2* its value; or a dictionary of such.
    """

    def __init__(
        self, arg1: str | dict[str, Any] | None = None, arg2: Any = None, **kwargs: Any
    ) -> None:
        if arg1 is None:
            changes = kwargs
        elif isinstance(arg1, dict):
            changes = arg1
        else:
            changes = {arg1: arg2}
        if not isinstance(changes, dict):
            raise AssertionError(f"expected `dict` got {type(changes)}")
        self.changes = changes
        self._before: list[dict[str, Any]] = []

    def __enter__(self) -> None:
        self._before.append({key: _read(key) for key in self.changes})
        for key, value in self.changes.items():
            _write(key, value)

    def __exit__(self, *exc_info: Any) -> None:
        for key, value in self._before.pop().items():
            _write(key, value)


def get_config_copy() -> dict[str, Any]:
    """All switches and what they are set to."""
    return {
        "_TYPE_CHECKING": False,
        **{
            f"{section}.{name}": value
            for section, values in _SECTIONS.items()
            for name, value in vars(values).items()
            if name != "_name"
        },
    }


def _deprecated(name: str) -> dict[str, Any]:
    warn(
        f"`config.{name}()` has been deprecated. It no longer changes the underlying config. use "
        "`config.get_config_copy()` instead if you just want a copy of the config, or "
        "config.load_config if you need mutable access",
        FutureWarning,
    )
    return get_config_copy()


def shallow_copy_dict() -> dict[str, Any]:
    """:func:`get_config_copy`, with a warning."""
    return _deprecated("shallow_copy_dict")


def to_dict() -> dict[str, Any]:
    """:func:`get_config_copy`, with a warning."""
    return _deprecated("to_dict")


def load_config(maybe_pickled_config: bytes | dict[str, Any]) -> None:
    """Set what :func:`save_config` gave, or a dictionary of switches."""

    given = maybe_pickled_config
    found = given if isinstance(given, dict) else pickle.loads(given)
    for key, value in found.items():
        if key != "_TYPE_CHECKING":
            _write(key, value)


def save_config() -> bytes:
    """All switches as bytes."""

    return pickle.dumps(get_config_copy(), protocol=2)


class _Config(ModuleType):
    def __getattr__(self, name: str) -> Any:
        raise missing(name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name.partition(".")[0] in _SECTIONS:
            _write(name, value)
        elif name.startswith("__"):
            super().__setattr__(name, value)
        else:
            raise missing(name)


sys.modules[__name__].__class__ = _Config
