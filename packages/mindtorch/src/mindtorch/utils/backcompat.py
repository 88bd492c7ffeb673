"""Warnings about calls that older releases understood differently."""

from __future__ import annotations

from collections.abc import Callable

_enabled = {"broadcast": False, "keepdim": False}


def _set_backcompat_broadcast_warn(value: bool) -> None:
    _enabled["broadcast"] = bool(value)


def _get_backcompat_broadcast_warn() -> bool:
    return _enabled["broadcast"]


def _set_backcompat_keepdim_warn(value: bool) -> None:
    _enabled["keepdim"] = bool(value)


def _get_backcompat_keepdim_warn() -> bool:
    return _enabled["keepdim"]


class Warning:
    """A switch."""

    def __init__(self, setter: Callable[[bool], None], getter: Callable[[], bool]) -> None:
        self.setter = setter
        self.getter = getter

    def set_enabled(self, value: bool) -> None:
        """Turn it on or off."""
        self.setter(value)

    def get_enabled(self) -> bool:
        """Whether it is on."""
        return self.getter()

    enabled = property(get_enabled, set_enabled)


broadcast_warning = Warning(_set_backcompat_broadcast_warn, _get_backcompat_broadcast_warn)
keepdim_warning = Warning(_set_backcompat_keepdim_warn, _get_backcompat_keepdim_warn)
