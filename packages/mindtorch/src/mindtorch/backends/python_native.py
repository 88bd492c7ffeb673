"""``torch.backends.python_native``: kernels in languages embedded in Python, none of them here."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

__all__ = [
    "cutedsl",
    "disable_dispatch_keys",
    "disable_operations",
    "enable_dispatch_keys",
    "enable_operations",
    "get_dsl_operations",
    "is_dsl_disabled",
    "is_operation_disabled",
    "operations_disabled",
    "triton",
]


class DSLController:
    """One such language: its name, and whether it is switched on."""

    def __init__(self, dsl_name: str) -> None:
        self._dsl_name = dsl_name
        self._disabled = False

    @property
    def name(self) -> str:
        """The language's name."""
        return self._dsl_name

    @property
    def available(self) -> bool:
        """False: it is not here."""
        return False

    @property
    def version(self) -> None:
        """None: it is not here."""
        return None

    @property
    def disabled(self) -> bool:
        """Whether its kernels are switched off."""
        return self._disabled

    @property
    def enabled(self) -> bool:
        """Whether its kernels are switched on."""
        return not self._disabled

    @enabled.setter
    def enabled(self, value: bool) -> None:
        self._disabled = not value

    def disable(self) -> None:
        """Switch its kernels off."""
        self._disabled = True

    def enable(self) -> None:
        """Switch its kernels on."""
        self._disabled = False

    def __repr__(self) -> str:
        state = "disabled" if self._disabled else "enabled"
        return f"DSLController({self._dsl_name}, unavailable, {state})"


cutedsl = DSLController("cutedsl")
triton = DSLController("triton")
_disabled: set[str] = set()


class PythonNativeModule(ModuleType):
    """The class of this module: two of its attributes are computed."""

    @property
    def all_dsls(self) -> list[str]:
        """The names of the languages."""
        return ["cutedsl", "triton"]

    @property
    def available_dsls(self) -> list[str]:
        """Those that are here: none."""
        return []


sys.modules[__name__].__class__ = PythonNativeModule


def get_dsl_operations(dsl_name: str) -> list[str]:
    """The ops that have a kernel in that language: none."""
    return []


def is_dsl_disabled(dsl_name: str) -> bool:
    """Whether that language is switched off."""
    controller: Any = {"cutedsl": cutedsl, "triton": triton}.get(dsl_name)
    return controller is not None and controller.disabled


def disable_operations(*op_symbols: str) -> None:
    """Switch the kernels of these ops off."""
    _disabled.update(op_symbols)


def enable_operations(*op_symbols: str) -> None:
    """Switch the kernels of these ops on."""
    _disabled.difference_update(op_symbols)


def is_operation_disabled(op_symbol: str) -> bool:
    """Whether the kernels of that op are switched off."""
    return op_symbol in _disabled


def disable_dispatch_keys(*dispatch_keys: str) -> None:
    """Switch the kernels for these dispatch keys off: there are none."""


def enable_dispatch_keys(*dispatch_keys: str) -> None:
    """Switch the kernels for these dispatch keys on: there are none."""


@contextmanager
def operations_disabled(*op_symbols: str) -> Iterator[None]:
    """Switch the kernels of these ops off within the block."""
    before = set(_disabled)
    disable_operations(*op_symbols)
    try:
        yield
    finally:
        _disabled.clear()
        _disabled.update(before)
