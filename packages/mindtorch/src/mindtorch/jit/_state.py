"""``torch.jit._state``: whether TorchScript is on, which changes nothing here."""

from __future__ import annotations

import os


class EnabledProxy:
    """Whether scripting is on: true unless ``PYTORCH_JIT=0``."""

    def __init__(self) -> None:
        self.enabled = os.environ.get("PYTORCH_JIT", "1") == "1"

    def __bool__(self) -> bool:
        return self.enabled


_enabled = EnabledProxy()


def disable() -> None:
    """Let ``torch.jit.script`` return what it is given."""
    _enabled.enabled = False


def enable() -> None:
    """Let ``torch.jit.script`` return script modules and functions."""
    _enabled.enabled = True
