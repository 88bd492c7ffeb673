"""``torch.overrides``: functions of the API in the hands of ``__torch_function__``.

Who is asked, and in which order: the topmost function mode (which is off the stack meanwhile),
then the arguments whose classes override functions, subclasses before their bases. The first
answer that is not NotImplemented counts.

Source: torch/overrides.py, torch/csrc/utils/python_arg_parser.cpp.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cache, wraps
from typing import Any

from mindtorch_dispatch import tls
from mindtorch_dispatch.modes import FUNCTION, without_top

from . import intercept
from . import signature as S
from ._C import (
    DisableTorchFunction,
    DisableTorchFunctionSubclass,
    _is_torch_function_enabled,
    _is_torch_function_mode_enabled,
    _len_torch_function_stack,
    _pop_torch_function_stack,
    _push_on_torch_function_stack,
)
from ._tensor.disabled import disabled_torch_function
from ._tensor.points import PLAIN_OF
from .errors import all_refused
from .frames import called_by_ourselves
from .functionality.python import restored
from .overridable import (
    get_default_nowrap_functions,
    get_ignored_functions,
    get_overridable_functions,
    get_testing_overrides,
    is_tensor_method_or_property,
    resolve_name,
)
from .tensor import Tensor

__all__ = [
    "BaseTorchFunctionMode",
    "DisableTorchFunction",
    "DisableTorchFunctionSubclass",
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
    "resolve_name",
    "wrap_torch_function",
]

# Who overrides ------------------------------------------------------------------------------------


def _overrides(value: Any) -> bool:
    """Whether *value*, in the hands of a C function of torch's, gets the call."""
    if isinstance(value, Tensor):
        return bool(value._sig & S.FUNCTION)
    if type(value).__module__ == "builtins" or isinstance(value, type):
        return False
    handler = getattr(type(value), "__torch_function__", None)
    return handler is not None and handler is not disabled_torch_function


def _candidates(args: Iterable[Any], kwargs: dict[str, Any]) -> Iterator[Any]:
    for value in (*args, *kwargs.values()):
        yield value
        if type(value) in (list, tuple):
            yield from value


def _in_order(values: Iterable[Any], wanted: Callable[[Any], bool]) -> list[Any]:
    """One of *values* per class, a subclass before its bases."""
    found: list[Any] = []
    for value in values:
        if not wanted(value):
            continue
        kind = type(value)
        if any(type(other) is kind for other in found):
            continue
        at = next((i for i, o in enumerate(found) if issubclass(kind, type(o))), len(found))
        found.insert(at, value)
    return found


def _is_tensor_or_overrides(value: Any) -> bool:
    return type(value) is Tensor or _overrides(value)


def is_tensor_like(inp: Any) -> bool:
    """Whether *inp* is a tensor or an object with ``__torch_function__``."""
    return type(inp) is Tensor or hasattr(inp, "__torch_function__")


def has_torch_function(relevant_args: Iterable[Any]) -> bool:
    """Whether a Python function called with *relevant_args* must hand its call over."""
    if _is_torch_function_mode_enabled():
        return True
    return _is_torch_function_enabled() and any(_overrides(a) for a in relevant_args)


def has_torch_function_unary(obj: Any) -> bool:
    """:func:`has_torch_function` of one argument."""
    return has_torch_function((obj,))


def has_torch_function_variadic(*args: Any) -> bool:
    """:func:`has_torch_function` of several arguments."""
    return has_torch_function(args)


def _get_overloaded_args(
    relevant_args: Iterable[Any], get_type_fn: Callable[[Any], type] | None = None
) -> list[Any]:
    """Who is to be asked among *relevant_args*, in order."""
    if tls.extra(tls.state.get()) & (tls.NO_FUNCTION | tls.NO_FUNCTION_SUBCLASS):
        return []
    return _in_order(relevant_args, _is_tensor_or_overrides)


# Handing over -------------------------------------------------------------------------------------


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], /, *args: Any, **kwargs: Any
) -> Any:
    """Hand a call of *public_api*, a Python function, to modes and to *relevant_args*.

    Raises TypeError if all answer NotImplemented.
    """
    overloaded = _get_overloaded_args(relevant_args)
    types = tuple([type(a) for a in overloaded])
    mode = None
    if _is_torch_function_mode_enabled():
        with without_top(FUNCTION) as mode:
            result = mode.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    for value in overloaded:
        result = value.__torch_function__(public_api, types, args, kwargs)
        if result is not NotImplemented:
            return result
    text = (
        f"no implementation found for '{_python_name(public_api)}' on types that implement "
        f"__torch_function__: {[type(a) for a in overloaded]}"
    )
    raise TypeError(text if mode is None else f"{text} nor in mode {mode}")


def _python_name(func: Any) -> str:
    name = resolve_name(func)
    if name is None:
        return f"{func.__module__}.{func.__name__}"
    return name if ".Tensor." not in name else f"torch._tensor.{func.__name__}"


def call_overridden(
    func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], style: int
) -> Any:
    """Hand over a call of what is a C function in torch (or, by *style*, a Python one).

    :param style: ``PARSED``: plain tensors are not among the types and no keywords are None;
        ``OPERATOR``, one of ``torch.ops``: no keywords are an empty dict; ``ALONE``, a method
        without arguments: the type of ``self`` is always there; ``PYTHON``.
    """
    if style == intercept.PYTHON:
        args, kwargs = _as_passed_on(func, args, kwargs)
        relevant = (*args, *kwargs.values())
        if not any(map(_is_tensor_or_overrides, relevant)):  # they may lie in a list
            relevant = tuple(filter(_overrides, _candidates(args, kwargs)))
        return handle_torch_function(func, relevant, *args, **kwargs)
    if style == intercept.ALONE:
        overloaded = [args[0]]
    else:
        overloaded = _in_order(_candidates(args, kwargs), _overrides)
    types = tuple([type(a) for a in overloaded])
    more = kwargs if style == intercept.OPERATOR else kwargs or None
    mode = None
    if _is_torch_function_mode_enabled():
        with without_top(FUNCTION) as mode:
            result = mode.__torch_function__(func, types, args, more)
        if result is not NotImplemented:
            return result
    for value in overloaded:
        result = value.__torch_function__(func, types, args, more)
        if result is not NotImplemented:
            return result
    raise all_refused(_c_name(func), "__torch_function__", types, mode)


@cache
def _signature(func: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(PLAIN_OF.get(func, func))


def _as_passed_on(
    func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments as torch's Python functions hand them over: defaults filled in, by keyword."""
    signature = _signature(func)
    if any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values()):
        return args, kwargs
    try:
        bound = signature.bind(*args, **kwargs)
    except TypeError:  # the function says it in its own words
        return args, kwargs
    bound.apply_defaults()
    positional: list[Any] = []
    keywords: dict[str, Any] = {}
    for name, value in bound.arguments.items():
        parameter = signature.parameters[name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            positional += value
        elif parameter.default is parameter.empty and parameter.kind is not parameter.KEYWORD_ONLY:
            positional.append(value)
        else:
            keywords[name] = value
    return tuple(positional), keywords


def _c_name(func: Any) -> str:
    name = resolve_name(func)
    if name is None:
        name = f"torch.{getattr(func, '__qualname__', func)}"
    return name.replace("torch._C._nn.", "torch.nn.functional.")


def call_for_objects(
    error: TypeError,
    func: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    group: Iterable[Any] = (),
) -> Any:
    """A call that fits no signature: perhaps an argument is no tensor but overrides functions."""
    if called_by_ourselves(2) or tls.extra(tls.state.get()) & tls.NO_FUNCTION:
        raise error
    found = [v for v in _candidates(args, kwargs) if not isinstance(v, Tensor) and _overrides(v)]
    known = {"input", "axis", "keepdims", *(name for o in group for name in _names(o))}
    if not found or not known.issuperset(kwargs) or "positional argument" in str(error):
        raise error
    return call_overridden(func, args, kwargs, intercept.PARSED)


def _names(overload: Any) -> tuple[str, ...]:
    overload.schema  # noqa: B018  (analyses on first use)
    return overload.names  # type: ignore[no-any-return]


def default_torch_function(
    cls: Any, func: Callable[..., Any], types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
) -> Any:
    """``Tensor.__torch_function__``: run *func*, make tensors among its results a *cls*."""
    if not all(issubclass(cls, t) for t in types):
        return NotImplemented
    with DisableTorchFunctionSubclass():
        result = func(*args, **(kwargs or {}))
        if func in get_default_nowrap_functions():
            return result
        return _convert(result, cls)


def _convert(result: Any, cls: Any) -> Any:
    if cls is Tensor:
        return result
    if isinstance(result, Tensor) and not isinstance(result, cls):
        return result.as_subclass(cls)  # type: ignore[attr-defined]
    if isinstance(result, (tuple, list)):
        # A structure of several results is made of one sequence.
        return type(result)([_convert(r, cls) for r in result])
    return result


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
    return FUNCTION.top


def _get_current_function_mode_stack() -> list[Any]:
    """All modes, lowest first."""
    return list(FUNCTION.modes)


@contextmanager
def enable_reentrant_dispatch() -> Iterator[None]:
    """Inside a ``__torch_dispatch__``, what is above the Python key runs again."""
    with restored():
        yield


assert _len_torch_function_stack
