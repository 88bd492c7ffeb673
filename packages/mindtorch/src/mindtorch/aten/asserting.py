"""``torch._assert`` and ``torch._check``: conditions that must hold, with an error of one's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch_storage as st

from ..call.intercept import overridable
from ..core.warning import warn
from ..tensor import Tensor
from .symbolic_numbers import SymBool

__all__ = [
    "_assert",
    "_check",
    "_check_index",
    "_check_is_size",
    "_check_not_implemented",
    "_check_tensor_all",
    "_check_tensor_all_with",
    "_check_type",
    "_check_value",
    "_check_with",
]

#: What makes the text of an error, called only where it is needed.
Message = Callable[[], Any] | str | None


def _assert(condition: Any, message: str) -> None:
    """Raise AssertionError with *message* unless *condition* holds."""
    assert condition, message


_assert.__module__ = "mindtorch"
_assert = overridable(_assert)


def _check_with(error_type: type[Exception], cond: bool, message: Message = None) -> None:
    """Raise *error_type* with the text that *message* makes unless *cond*, a bool, holds.

    Raises TypeError where *cond* is no bool, or *message* neither text nor callable.
    """
    if isinstance(cond, SymBool):  # of sizes: it holds from now on
        cond = cond.node.expect_true()
    if not isinstance(cond, bool):
        if isinstance(cond, Tensor):
            raise TypeError(
                "cond must be a bool, but got a Tensor. For tensor conditions, use "
                "torch._check_tensor_all() to assert that all elements are true."
            )
        raise TypeError(f"cond must be a bool, but got {type(cond)}")
    if cond:
        return
    if message is None:
        text: Any = (
            "Expected cond to be True, but got False. (Could this error message be improved? If "
            "so, please report an enhancement request to PyTorch.)"
        )
    elif isinstance(message, str):
        text = message
    elif callable(message):
        text = message()
    else:
        raise TypeError("message must be a callable")
    raise error_type(str(text))


def _check(cond: bool, message: Message = None) -> None:
    """Raise RuntimeError unless *cond* holds."""
    _check_with(RuntimeError, cond, message)


def _check_index(cond: bool, message: Message = None) -> None:
    """Raise IndexError unless *cond* holds."""
    _check_with(IndexError, cond, message)


def _check_value(cond: bool, message: Message = None) -> None:
    """Raise ValueError unless *cond* holds."""
    _check_with(ValueError, cond, message)


def _check_type(cond: bool, message: Message = None) -> None:
    """Raise TypeError unless *cond* holds."""
    _check_with(TypeError, cond, message)


def _check_not_implemented(cond: bool, message: Message = None) -> None:
    """Raise NotImplementedError unless *cond* holds."""
    _check_with(NotImplementedError, cond, message)


def _check_is_size(i: int, message: Message = None, *, max: int | None = None) -> None:
    """Raise RuntimeError unless *i* may be a size, of at most *max*. Deprecated in torch."""
    warn(
        "_check_is_size will be removed in a future PyTorch release along with "
        "guard_size_oblivious.     Use _check(i >= 0) instead.",
        FutureWarning,
    )
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)


def _check_tensor_all_with(
    error_type: type[Exception], cond: Tensor, message: Message = None
) -> None:
    """Raise *error_type* unless all elements of *cond*, a bool tensor, are true."""
    if not isinstance(cond, Tensor):
        raise TypeError(f"cond must be a tensor, but got {type(cond)}")
    if cond.dtype is not st.bool:
        raise TypeError(f"cond tensor must have dtype torch.bool, but got {cond.dtype}")
    _check_with(error_type, bool(cond.all().item()), message)


def _check_tensor_all(cond: Tensor, message: Message = None) -> None:
    """Raise RuntimeError unless all elements of *cond*, a bool tensor, are true."""
    _check_tensor_all_with(RuntimeError, cond, message)


for _name in __all__[1:]:
    globals()[_name].__module__ = "mindtorch"
