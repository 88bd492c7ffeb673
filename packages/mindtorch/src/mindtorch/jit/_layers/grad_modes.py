"""Modes of gradients."""

from __future__ import annotations

from typing import Any

from ..._ops import ops
from . import home

aten = ops.aten


class no_grad:
    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = aten.is_grad_enabled()
        aten.set_grad_enabled(False)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        aten.set_grad_enabled(self.prev)


class enable_grad:
    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = aten.is_grad_enabled()
        aten.set_grad_enabled(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        aten.set_grad_enabled(self.prev)


class set_grad_enabled:
    def __init__(self, mode: bool) -> None:
        self.prev = aten.is_grad_enabled()
        self.mode = mode
        aten.set_grad_enabled(mode)

    def __enter__(self) -> None:
        aten.set_grad_enabled(self.mode)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        aten.set_grad_enabled(self.prev)


home("torch.autograd.grad_mode", globals())
