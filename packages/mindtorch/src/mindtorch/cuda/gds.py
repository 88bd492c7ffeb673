"""Files that a device reads itself: there are none in a build without CUDA."""

from __future__ import annotations

import os
from typing import Any, NoReturn

__all__ = ["gds_register_buffer", "gds_deregister_buffer", "GdsFile"]


def _missing(name: str) -> NoReturn:
    raise RuntimeError(f"torch._C.{name} is not supported on this platform")


def gds_register_buffer(s: Any) -> None:
    """Raises RuntimeError: there is no CUDA here."""
    _missing("_gds_register_buffer")


def gds_deregister_buffer(s: Any) -> None:
    """Raises RuntimeError: there is no CUDA here."""
    _missing("_gds_deregister_buffer")


class GdsFile:
    """A file that is opened for a device. Raises RuntimeError: there is no CUDA here."""

    def __init__(self, filename: str, flags: int) -> None:
        self.handle: int | None = None
        self.fd = os.open(filename, flags)
        self.register_handle()

    def register_handle(self) -> None:
        """Raises RuntimeError: there is no CUDA here."""
        _missing("_gds_register_handle")
