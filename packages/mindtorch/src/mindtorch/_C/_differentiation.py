"""``torch._C``'s guards and questions of differentiation: inference, tangents, autocast."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mindtorch_autograd import grad_mode
from mindtorch_autograd.function_context import BackwardCFunction as _FunctionBase
from mindtorch_dispatch import exclude_keys

from ..autograd import forward_ad
from ..autograd.variable import _EngineBase, _LegacyVariableBase
from ..functionality.autocast_state import DEVICES
from ..functionality.tangents import close_level, enabled
from ..tensor import Tensor
from ..tensor.tensor_impl import alias_of

_ImperativeEngine = _EngineBase

__all__ = [
    "_DisableAutocast",
    "_FunctionBase",
    "_ImperativeEngine",
    "_InferenceMode",
    "_LegacyVariableBase",
    "_any_requires_grad",
    "_enter_dual_level",
    "_exit_dual_level",
    "_increment_version",
    "_is_fwd_grad_enabled",
    "_set_fwd_grad_enabled",
]


class _InferenceMode:
    """``inference_mode`` for the time of a ``with`` block; False switches it off."""

    __module__ = "mindtorch._C"

    def __init__(self, mode: bool, /) -> None:
        self._guard = grad_mode.inference_mode(mode)

    def __enter__(self) -> None:
        self._guard.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._guard.__exit__(*error)


class _DisableAutocast:
    """No autocast of any device for the time of a ``with`` block."""

    __module__ = "mindtorch._C"

    def __init__(self) -> None:
        self._guard = exclude_keys(*[key for key, _ in DEVICES.values()])

    def __enter__(self) -> None:
        self._guard.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._guard.__exit__(*error)


def _any_requires_grad(*args: Any, **kwargs: Any) -> bool:
    """Whether a tensor among the arguments, or in a sequence that is one, requires grad."""
    return any(_requires_grad(value) for value in (*args, *kwargs.values()))


def _requires_grad(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return any(_requires_grad(v) for v in value)
    return isinstance(value, Tensor) and bool(value.requires_grad)


def _is_fwd_grad_enabled() -> bool:
    """Whether results get tangents in this thread."""
    return enabled.get()


def _set_fwd_grad_enabled(mode: bool, /) -> None:
    """Switch that on or off. Raises TypeError for other than a bool."""
    if not isinstance(mode, bool):
        raise TypeError(f"enabled must be a bool (got {type(mode).__name__})")
    enabled.set(mode)


def _enter_dual_level() -> int:
    """Open the level of forward mode. Raises RuntimeError if it is open."""
    return forward_ad.enter_dual_level()


def _exit_dual_level(level: int) -> None:
    """Close it. Raises RuntimeError if it is not open."""
    if level != forward_ad._current() or level < 0:
        raise RuntimeError(
            "Exiting a forward AD level that is not the last that was created is not support. "
            "Ensure they are released in the reverse order they were created."
        )
    close_level(level)


def _increment_version(tensors: Tensor | Iterable[Tensor], /) -> None:
    """Count a change of the tensors, which nodes that saved them notice."""
    found: Sequence[Any] = [tensors] if isinstance(tensors, Tensor) else list(tensors)
    for t in found:
        alias_of(t).value += 1
