"""``torch.autograd.grad_mode``."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import (
    enable_grad,
    grad_mode,
    inference_mode,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from mindtorch_autograd.grad_mode import _Decorator, _Setting

from ..core.layout_policy import enforced
from ..core.module_names import living_in
from ..tensor import Tensor
from ..tensor.tensor_impl import alias_of
from ..utils._contextlib import F as F

__all__ = [
    "enable_grad",
    "enforce_grad_layout_policy",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]


_DecoratorContextManager = _Decorator
living_in(__name__, enable_grad, inference_mode, no_grad, set_multithreading_enabled)


class enforce_grad_layout_policy(_Setting):
    """Whether ``.grad`` must be laid out like its tensor, in this thread.

    Acts at once; as a context manager until its end. Where it is off, a gradient that nobody else
    holds becomes ``.grad`` as it is; copies are laid out like the tensor anyway.
    """

    variable = enforced

    def __init__(self, enable: bool = True) -> None:
        super().__init__(enable)

    def __call__(self, orig_func: Any) -> Any:
        enforced.set(self.prev)  # as a decorator it must not act on the line that decorates
        return super().__call__(orig_func)


def is_view_replay_enabled() -> bool:
    """Whether views remember in this thread by which calls they were made."""
    return grad_mode.view_replay.get()


def _enter_inference_mode(mode: bool) -> inference_mode:
    """Begin inference mode, or what *mode* says; what is returned ends it."""
    begun = inference_mode(mode)
    begun.__enter__()
    return begun


def _exit_inference_mode(mode: inference_mode) -> None:
    """End it."""
    mode.__exit__(None, None, None)


class _force_original_view_tracking(_Decorator):
    """Whether views remember by which calls they were made, in this thread.

    Acts at once; as a context manager until its end. Such a view's node after a change of its base
    is that of its own call, where else it is that of ``as_strided``.
    """

    def __init__(self, mode: bool) -> None:
        self.prev = grad_mode.view_replay.get()
        self.mode = mode
        self._set(mode)

    def _set(self, mode: bool) -> None:
        grad_mode.view_replay.set(mode)
        grad_mode.refresh_rare()

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        self._set(self.prev)

    def __call__(self, orig_func: Any) -> Any:
        self._set(self.prev)  # as a decorator it must not act on the line that decorates
        return super().__call__(orig_func)

    def clone(self) -> _force_original_view_tracking:
        """Return a fresh manager of the same mode."""
        return type(self)(self.mode)


class _unsafe_preserve_version_counter(_Decorator):
    """Set the versions of *tensors* back to what they were, at the end of the body."""

    def __init__(self, tensors: Any) -> None:
        self.tensors = (tensors,) if isinstance(tensors, Tensor) else tensors
        if not isinstance(self.tensors, tuple):
            raise AssertionError("Expected tensors to be a tuple")
        self.prev_versions = tuple([t._version for t in self.tensors])

    def __enter__(self) -> None:
        pass

    def __exit__(self, *error: object) -> None:
        for t, version in zip(self.tensors, self.prev_versions, strict=True):
            alias_of(t).value = version

    def clone(self) -> _unsafe_preserve_version_counter:
        """Return a fresh manager of the same tensors."""
        return type(self)(self.tensors)
