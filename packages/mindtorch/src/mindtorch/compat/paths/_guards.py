"""``torch._guards``: what libraries ask of a running compilation: there is none."""

from __future__ import annotations

from typing import Any

from mindtorch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from mindtorch.utils._python_dispatch import _get_current_dispatch_mode_stack
from mindtorch.utils._pytree import tree_leaves


class TracingContext:
    """What a compilation knows."""

    @staticmethod
    def try_get() -> TracingContext | None:
        """The running compilation: None."""
        return None

    @staticmethod
    def get() -> TracingContext:
        """The running compilation. Raises RuntimeError, for there is none."""
        raise RuntimeError("TracingContext.get() must be called within an ongoing trace.")


class CompileContext:
    """What a compilation is about."""

    @staticmethod
    def try_get() -> CompileContext | None:
        """The running compilation: None."""
        return None

    @staticmethod
    def current_compile_id() -> None:
        """The number of the running compilation: None."""
        return None


class Source:
    """Where a compiled value came from."""


def active_fake_mode() -> Any:
    """The mode of fake tensors that is on, or None."""
    modes = [m for m in _get_current_dispatch_mode_stack() if isinstance(m, FakeTensorMode)]
    return modes[-1] if modes else None


def detect_fake_mode(inputs: Any = None) -> Any:
    """The mode of fake tensors that is on, or of the first fake tensor of *inputs*, or None."""
    mode = active_fake_mode()
    if mode is not None:
        return mode
    for leaf in tree_leaves(inputs):
        if isinstance(leaf, FakeTensor):
            return leaf.fake_mode
    return None
