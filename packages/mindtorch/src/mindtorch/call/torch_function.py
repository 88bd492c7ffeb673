"""Calls that are handed to ``__torch_function__``: to whom, in which order, and in what form.

Source: torch/overrides.py, torch/csrc/utils/python_arg_parser.cpp.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextvars import ContextVar
from functools import cache, partial
from itertools import chain
from typing import Any

from mindtorch_dispatch import tls
from mindtorch_dispatch.modes import FUNCTION, without_top

from ..core import signature as S
from ..core.errors import all_refused
from ..core.frames import called_by_ourselves
from ..core.late_bound import LateBound
from ..core.operators import UNCLAIMED
from ..core.override_state import (
    DisableTorchFunction,
    DisableTorchFunctionSubclass,
    _is_torch_function_enabled,
    _is_torch_function_mode_enabled,
)
from ..core.pickling import torch_module
from ..core.warning import warn, warn_once
from ..tensor import Tensor
from ..tensor.defaults import DeviceContext
from ..tensor.disabled import disabled_torch_function
from . import intercept
from .points import PLAIN_OF

device_constructors = LateBound("device_constructors")
get_default_nowrap_functions = LateBound("get_default_nowrap_functions")
resolve_name = LateBound("resolve_name")

# Who overrides ------------------------------------------------------------------------------------


def _overrides(value: Any) -> bool:
    """Whether *value*, in the hands of a C function of torch's, gets the call."""
    if isinstance(value, Tensor):
        return bool(value._sig_ & S.FUNCTION)
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
    if _skips():
        return False
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


def overriding(args: Iterable[Any], kwargs: dict[str, Any]) -> list[Any]:
    """What says what becomes of a call among its arguments, and in lists of them."""
    return [value for value in _candidates(args, kwargs) if _overrides(value)]


# Not handing over ---------------------------------------------------------------------------------

#: Whether the next call of this thread that would be handed over is run instead.
skip_next: ContextVar[bool] = ContextVar("mindtorch_skip_next_function", default=False)


def _skips() -> bool:
    if skip_next.get():
        skip_next.set(False)
        return True
    return False


def redispatch_function(
    func: Callable[..., Any], types: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None
) -> Any:
    """Run *func* itself, though its arguments or a mode override it; what it calls is overridden.

    For a ``__torch_function__`` that wants to see the functions inside a Python function.
    """
    skip_next.set(True)
    try:
        return func(*args, **(kwargs or {}))
    finally:
        skip_next.set(False)


def _run(
    func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], style: int
) -> Any:
    """What *func* does where nobody overrides it."""
    if style == intercept.PYTHON or style == intercept.KEYWORDS:
        plain = PLAIN_OF.get(func) or getattr(func, "__wrapped__", func)
        return plain(*args, **kwargs)
    with DisableTorchFunction():
        return func(*args, **kwargs)


# Handing over -------------------------------------------------------------------------------------


def _ask_mode(func: Any, types: Any, args: Any, kwargs: Any, in_c: bool) -> tuple[Any, Any]:
    """The topmost mode, and its answer to a call. Inside, it is off the stack.

    Raises RuntimeError for a handler that is not a method of the mode, where torch's C++ asks.
    """
    with without_top(FUNCTION) as mode, DeviceContext.above(len(FUNCTION)) as device:
        if device is not None and getattr(func, "__name__", "") != "__get__":
            kwargs = dict(kwargs or {})
            if func in device_constructors() and kwargs.get("device") is None:
                kwargs["device"] = device
        handler = mode.__torch_function__
        if in_c and getattr(handler, "__self__", None) is not mode:
            raise RuntimeError(
                "Defining your mode's `__torch_function__` as a classmethod is not supported, "
                "please make it a plain method"
            )
        return mode, handler(func, types, args, kwargs)


def handle_torch_function(
    public_api: Callable[..., Any], relevant_args: Iterable[Any], /, *args: Any, **kwargs: Any
) -> Any:
    """Hand a call of *public_api*, a Python function, to modes and to *relevant_args*.

    Raises TypeError if all answer NotImplemented.
    """
    overloaded = _get_overloaded_args(relevant_args)
    types = tuple([type(a) for a in overloaded])
    plain = partial(warn, _PLAIN_METHOD.format("`__torch_function__"), DeprecationWarning)
    mode, result = _ask(public_api, overloaded, types, args, kwargs, plain)
    if result is not NotImplemented:
        return result
    text = (
        f"no implementation found for '{_python_name(public_api)}' on types that implement "
        f"__torch_function__: {[type(a) for a in overloaded]}"
    )
    raise TypeError(text if mode is None else f"{text} nor in mode {mode}")


#: torch's Python leaves a quotation mark out, its C++ does not.
_PLAIN_METHOD = (
    "Defining your {} as a plain method is deprecated and will be an error in future, please "
    "define it as a classmethod."
)


def _ask(
    func: Any,
    overloaded: Sequence[Any],
    types: tuple[Any, ...],
    args: tuple[Any, ...],
    kwargs: Any,
    plain: Callable[[], None],
    in_c: bool = False,
) -> tuple[Any, Any]:
    """The mode that was asked first, and the first answer; NotImplemented if there is none.

    :param plain: what is said of a handler that is no class method.
    :param in_c: whether torch's C++ asks, which looks at a mode's handler first.
    """
    mode = None
    if _is_torch_function_mode_enabled():
        mode, result = _ask_mode(func, types, args, kwargs, in_c)
        if result is not NotImplemented:
            return mode, result
    for value in overloaded:
        handler = value.__torch_function__
        if getattr(handler, "__self__", None) is value:
            plain()
        result = handler(func, types, args, kwargs)
        if result is not NotImplemented:
            return mode, result
    return mode, NotImplemented


def _python_name(func: Any) -> str:
    name = resolve_name(func)
    if name is None:
        return f"{torch_module(func.__module__)}.{func.__name__}"
    return name if ".Tensor." not in name else f"torch._tensor.{func.__name__}"


def call_overridden(
    func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], style: int
) -> Any:
    """Hand over a call of what is a C function in torch (or, by *style*, a Python one).

    :param style: ``PARSED``: plain tensors are not among the types and no keywords are None;
        ``OPERATOR``, one of ``torch.ops``: no keywords are an empty dict; ``ALONE``, a method
        without arguments: the type of ``self`` is always there; ``PYTHON``; ``KEYWORDS``, which
        is Python, with every argument by its name.
    """
    if _skips():
        return _run(func, args, kwargs, style)
    if style >= intercept.PYTHON and style != intercept.OPERATOR:
        args, kwargs = _as_passed_on(func, args, kwargs)
        relevant = (*args, *kwargs.values())
        if func.__qualname__ in _UNARY:
            relevant = args[:1]
        if func.__qualname__ in _TUPLES:
            relevant = tuple(chain.from_iterable(v for v in relevant if isinstance(v, tuple)))
        if style == intercept.KEYWORDS:
            kwargs = dict(_signature(func).bind(*args, **kwargs).arguments)
            args = ()
        if not any(map(_is_tensor_or_overrides, relevant)):  # they may lie in a list
            relevant = tuple(filter(_overrides, _candidates(args, kwargs)))
        return handle_torch_function(func, relevant, *args, **kwargs)
    if style == intercept.ALONE:
        overloaded = [args[0]]
    else:
        overloaded = _in_order(_candidates(args, kwargs), _overrides)
    types = tuple([type(a) for a in overloaded])
    more = kwargs if style == intercept.OPERATOR else kwargs or None
    plain = partial(warn_once, _PLAIN_METHOD.format("`__torch_function__`"))
    mode, result = _ask(func, overloaded, types, args, more, plain, in_c=True)
    if result is not NotImplemented:
        return result
    raise all_refused(_c_name(func), "__torch_function__", types, mode)


#: Functions that take anything and look at it themselves, and what they hand over.
_TAKES: dict[str, Callable[..., Any]] = {
    "unravel_index": (lambda indices, shape=None: None),  # which goes on by keyword
    "unique_consecutive": (lambda input, return_inverse=False, return_counts=False, dim=None: None),
}
#: Arguments that torch forgets when it hands a call over.
_FORGOTTEN = {
    "Tensor.__array__": ("copy",),
    "Tensor.__array_wrap__": ("context", "return_scalar"),
    "backward": ("grad_variables",),
    "l1_loss": ("weight",),
}
#: Arguments that are made tuples first, and whose elements may override: of torch.autograd.
_TUPLES = {"backward": ("tensors", "inputs"), "grad": ("outputs", "inputs")}

#: Methods that are Python in torch and ask nobody but the tensor itself.
_UNARY = frozenset(("Tensor.backward",))


@cache
def _signature(func: Callable[..., Any]) -> inspect.Signature:
    return inspect.signature(_TAKES.get(func.__name__) or PLAIN_OF.get(func, func))


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
    for name in _FORGOTTEN.get(func.__qualname__, ()):
        bound.arguments.pop(name, None)
    for name in _TUPLES.get(func.__qualname__, ()):
        value = bound.arguments[name]
        if isinstance(value, Tensor) or _overrides(value):
            bound.arguments[name] = (value,)
        elif value is not None:
            bound.arguments[name] = tuple(value)
    if bound.arguments.get("allow_unused", True) is None:  # settled before, in torch
        bound.arguments["allow_unused"] = bound.arguments["materialize_grads"]
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


def object_among(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether an object that is no tensor, but overrides functions, is to have a call."""
    values = [v for v in _candidates(args, kwargs) if not isinstance(v, Tensor)]
    return _is_torch_function_enabled() and any(map(_overrides, values))


def call_for_objects(
    error: TypeError,
    func: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    group: Iterable[Any] = (),
    depth: int = 1,
) -> Any:
    """A call that fits no signature: perhaps an argument is no tensor but overrides functions.

    ``operators.UNCLAIMED`` if there is none; *error* is then for the caller to raise.

    :param depth: how many frames above this one the function was called.
    """
    if called_by_ourselves(depth + 1) or not _is_torch_function_enabled():
        return UNCLAIMED
    found = [v for v in _candidates(args, kwargs) if not isinstance(v, Tensor) and _overrides(v)]
    known = {"input", "axis", "keepdims", *(name for o in group for name in _names(o))}
    if not found or not known.issuperset(kwargs) or "positional argument" in str(error):
        return UNCLAIMED
    return call_overridden(func, args, kwargs, intercept.PARSED)


def _names(overload: Any) -> tuple[str, ...]:
    overload.analyse()
    return overload.names


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
        return result.as_subclass(cls)
    if isinstance(result, (tuple, list)):
        # A structure of several results is made of one sequence.
        return type(result)([_convert(r, cls) for r in result])
    return result
