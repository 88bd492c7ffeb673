"""``torch.backends.opt_einsum``: which order ``torch.einsum`` contracts in.

The switches are those of torch. ``torch.einsum`` contracts from left to right here whatever they
say; the order changes the time, and the last digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from .switching import allow_nonbracketed_mutation

__all__ = ["flags", "get_opt_einsum", "is_available", "set_flags"]


@cache
def is_available() -> bool:
    """Whether opt_einsum is installed."""
    return find_spec("opt_einsum") is not None


def get_opt_einsum() -> Any:
    """The module opt_einsum, or None where it is not installed."""
    return import_module("opt_einsum") if is_available() else None


# Assigning to them is not checked, in torch either: only the functions below look.
enabled = is_available()
strategy: str | None = "auto" if is_available() else None


def _set_enabled(_enabled: bool) -> None:
    global enabled
    if not is_available() and _enabled:
        raise ValueError(
            f"opt_einsum is not available, so setting `enabled` to {_enabled} will not reap "
            "the benefits of calculating an optimal path for einsum. torch.einsum will fall back "
            "to contracting from left to right. To enable this optimal path calculation, please "
            "install opt-einsum."
        )
    enabled = _enabled


def _get_enabled() -> bool:
    return enabled


def _set_strategy(_strategy: str) -> None:
    global strategy
    if not is_available():
        raise ValueError(
            f"opt_einsum is not available, so setting `strategy` to {_strategy} will not be "
            "meaningful. torch.einsum will bypass path calculation and simply contract from left "
            "to right. Please install opt_einsum or unset `strategy`."
        )
    if not enabled:
        raise ValueError(
            "opt_einsum is not enabled, so setting a `strategy` to "
            f"{_strategy} will not be meaningful. torch.einsum will bypass path calculation and "
            "simply contract from left to right. Please set `enabled` to `True` as well or unset "
            "`strategy`."
        )
    if _strategy not in ("auto", "greedy", "optimal"):
        raise ValueError(
            f"`strategy` must be one of the following: [auto, greedy, optimal] but is {_strategy}"
        )
    strategy = _strategy


def _get_strategy() -> str | None:
    return strategy


def set_flags(_enabled: bool | None = None, _strategy: str | None = None) -> tuple[Any, ...]:
    """Set the switches that are given; returns what both were."""
    before = (enabled, strategy if is_available() else None)
    for put, value in ((_set_enabled, _enabled), (_set_strategy, _strategy)):
        if value is not None:
            put(value)  # type: ignore[operator]  # each takes the kind of its value
    return before


@contextmanager
def flags(enabled: bool | None = None, strategy: str | None = None) -> Iterator[None]:
    """Set the switches within the block."""
    with allow_nonbracketed_mutation():
        before = set_flags(enabled, strategy)
    try:
        yield
    finally:
        with allow_nonbracketed_mutation():
            set_flags(*before)
