"""``torch.overrides``: functions of the API in the hands of ``__torch_function__``.

Who is asked, and in which order: the topmost function mode (which is off the stack meanwhile),
then the arguments whose classes override functions, subclasses before their bases. The first
answer that is not NotImplemented counts.

Source: torch/overrides.py, torch/csrc/utils/python_arg_parser.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any

from ._C import _len_torch_function_stack, _pop_torch_function_stack, _push_on_torch_function_stack
from ._library.overridable import (
    _index,
    get_default_nowrap_functions,
    get_ignored_functions,
    get_overridable_functions,
    get_testing_overrides,
    is_tensor_method_or_property,
    resolve_name,
)
from .call.torch_function import (
    _get_overloaded_args,
    default_torch_function,
    handle_torch_function,
    has_torch_function,
    has_torch_function_unary,
    has_torch_function_variadic,
    is_tensor_like,
    redispatch_function,
)
from .functionality.python import restored
from .tensor import Tensor
from .tensor.device_modes import function_stack

__all__ = [
    "BaseTorchFunctionMode",
    "TorchFunctionMode",
    "enable_reentrant_dispatch",
    "get_default_nowrap_functions",
    "get_ignored_functions",
    "get_overridable_functions",
    "get_testing_overrides",
    "handle_torch_function",
    "has_torch_function",
    "has_torch_function_unary",
    "has_torch_function_variadic",
    "is_tensor_like",
    "is_tensor_method_or_property",
    "redispatch_function",
    "resolve_name",
    "wrap_torch_function",
]


def wrap_torch_function(dispatcher: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator that lets a function be overridden.

    :param dispatcher: of the function's arguments; gives those that may override it.
    """

    def decorate(func: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(func)
        def wrapped(*args: Any, **kwargs: Any) -> Any:
            relevant = dispatcher(*args, **kwargs)
            if has_torch_function(relevant):
                return handle_torch_function(wrapped, relevant, *args, **kwargs)
            return func(*args, **kwargs)

        return wrapped

    return decorate


# Modes --------------------------------------------------------------------------------------------


class TorchFunctionMode:
    """A ``with`` block in which ``__torch_function__`` of this object sees every function.

    Inside ``__torch_function__`` the mode is off the stack; ``with self:`` puts it back.
    """

    #: In torch: a mode whose calls of factories a compiler may look into.
    inner: TorchFunctionMode

    def __init__(self) -> None:
        pass

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func* on *args* and *kwargs* (None: no keywords), or answer NotImplemented."""
        raise NotImplementedError

    def __enter__(self) -> TorchFunctionMode:
        _push_mode(self)
        return self

    def __exit__(self, *exc_info: object) -> None:
        _pop_mode()

    @classmethod
    def push(cls, *args: Any, **kwargs: Any) -> Any:
        """No longer needed: ``with Mode():`` does it."""
        raise RuntimeError(
            f"`{cls.__name__}.push()` is no longer supported; use `with {cls.__name__}()`"
        )


class BaseTorchFunctionMode(TorchFunctionMode):
    """A mode that hands everything on."""

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Run *func*."""
        return func(*args, **(kwargs or {}))


def _push_mode(mode: Any) -> None:
    """Put *mode* on top of this thread's stack."""
    _push_on_torch_function_stack(mode)


def _pop_mode() -> Any:
    """Take the topmost mode off."""
    return _pop_torch_function_stack()


@contextmanager
def _pop_mode_temporarily() -> Iterator[Any]:
    """Inside, the topmost mode is off the stack."""
    mode = _pop_mode()
    try:
        yield mode
    finally:
        _push_mode(mode)


def _get_current_function_mode() -> Any:
    """The mode that sees functions first, or None."""
    return next(reversed(function_stack()), None)


def _get_current_function_mode_stack() -> list[Any]:
    """All modes, lowest first; default devices are modes too."""
    return function_stack()


@contextmanager
def enable_reentrant_dispatch() -> Iterator[None]:
    """Inside a ``__torch_dispatch__``, what is above the Python key runs again."""
    with restored():
        yield


def _get_overridable_functions() -> tuple[dict[Any, list[Callable[..., Any]]], dict[Any, str]]:
    """The overridable functions by namespace, and the name of every function."""
    return _index()


@cache
def _get_tensor_methods() -> set[Callable[..., Any]]:
    """The methods of Tensor that can be overridden."""
    return set(get_overridable_functions()[Tensor])


assert _len_torch_function_stack
assert _get_overloaded_args
assert default_torch_function
