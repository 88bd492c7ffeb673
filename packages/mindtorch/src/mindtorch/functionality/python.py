"""The Python key: operators handed to ``__torch_dispatch__`` of modes and of tensor subclasses.

A mode on the thread's stack puts the key into every call; a tensor of a class with a
``__torch_dispatch__`` carries it in its signature (``PYTHON``). The key lies below autograd and
views, so a handler sees what those are made of: composite ops decomposed, formulas of gradients
as the engine runs them. While a handler runs, all functionality above the key is excluded and
the mode is off the stack.

Source: torch aten/src/ATen/core/PythonFallbackKernel.cpp, torch/csrc/autograd/python_variable.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from types import MethodType
from typing import Any

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import call_kernel, exclude_keys, redispatch, tls
from mindtorch_dispatch.modes import DISPATCH, MODE_KEYS, PRE_DISPATCH, without_top

from ..call.arguments import full_arguments, split_keywords
from ..call.dispatch_entry import OVERLOADS, Call
from ..call.overload import FUNCTIONAL, INPLACE, Overload
from ..call.specialize import BUILDERS, build
from ..call.subclass import retyped
from ..core import signature as S
from ..core.errors import all_refused
from ..core.frames import called_by_ourselves
from ..core.key_sets import seen_by_python, tls_state
from ..core.operators import operator_named
from ..core.size import Size
from ..tensor import Tensor
from ..tensor.construction import share
from .operands import OPERAND, PLAIN

#: What a handler runs without: every functionality above the Python key. Not the keys that stand
#: elsewhere in torch (backend select) or not at all (pipeline): they serve the handler too.
ABOVE_PYTHON = (
    (int(K.PreDispatch) * 2 - 1)
    & ~(int(K.Python) * 2 - 1)
    & ~(K.BackendSelect | K.Pipeline | K.Fake | K.Named)
)
_NONE: dict[str, Any] = {}
#: The thread's state where the call began that a handler serves; None outside handlers.
_entry: ContextVar[int | None] = ContextVar("mindtorch_python_entry", default=None)


def build_python(overload: Overload, sig: int, mask: int) -> Call:
    """Hand the call to modes and subclasses, as an operator with its defaults left out."""
    return _handing(overload, hand_over)


def _handing(overload: Overload, hand_over: Callable[..., Any]) -> Call:
    """A call as modes see it: an operator, and its arguments with defaults left out."""
    func = operator_named(overload.name)
    arguments = overload.schema.arguments
    lists = tuple([i for i, a in enumerate(arguments) if str(a.type).startswith(_LISTS)])
    check = result_checker(overload)
    # What is written comes back, whatever a handler returns.
    written: tuple[int, ...] = ()
    if overload.kind != FUNCTIONAL:
        inplace = overload.kind == INPLACE
        written = (overload.mutable_position,) if inplace else tuple(overload.out_positions)

    scalar = scalar_operator(overload)
    numbers = len(overload.tensor_positions) > 1 and overload.tensor_positions[:2] == (0, 1)

    def call(*args: Any) -> Any:
        positional, keywords = split_keywords(overload, args)
        seen = func
        if numbers and type(args[1]) is not Tensor:
            kind = type(args[1])
            if kind in OPERAND and scalar is not None and called_by_ourselves():
                seen = scalar
            elif kind in PLAIN:
                positional = (args[0], PLAIN[kind](args[1]), *positional[2:])
        # What torch's Python binding says of options that nobody gave, its C++ does not.
        if keywords.get("pin_memory", True) is False and called_by_ourselves():
            del keywords["pin_memory"]
        if lists:
            positional = with_lists(positional, lists)
            for name, value in keywords.items():
                if type(value) in _TUPLES:
                    keywords[name] = list(value)
        result = check(hand_over(seen, positional, keywords))
        if written:
            return args[written[0]] if len(written) == 1 else tuple([args[i] for i in written])
        return result

    return call


def scalar_operator(overload: Overload) -> Any:
    """``mul.Scalar`` of ``mul.Tensor``: what C++ code of torch calls with a number.

    A user's ``x * 2`` goes to the overload for tensors, as torch's argument parser has it.
    """
    base, _, name = overload.name.partition(".")
    if (
        name != "Tensor"
        or base[6:].removesuffix("_") not in _WITH_SCALAR
        or f"{base}.Scalar" not in OVERLOADS
    ):
        return None
    return operator_named(f"{base}.Scalar")


_WITH_SCALAR = frozenset(("add", "sub", "mul", "div"))
_LISTS = ("List[", "Optional[List[")
_TUPLES = frozenset((tuple, Size))


def with_lists(args: tuple[Any, ...], lists: tuple[int, ...]) -> tuple[Any, ...]:
    """The arguments as a handler sees them: sizes are lists."""
    seen = list(args)
    for i in lists:
        if i < len(seen) and isinstance(seen[i], tuple):
            seen[i] = list(seen[i])
    return tuple(seen)


def result_checker(overload: Overload) -> Any:
    """A function that refuses what a handler must not return, in torch's words."""
    returns = overload.schema.returns
    if len(returns) > 1:
        return _many
    kind = str(returns[0].type) if returns else ""
    if kind == "Tensor":
        return _one
    return _listed if kind == "List[Tensor]" else _any


def _one(result: Any) -> Any:
    if result is not None and not isinstance(result, Tensor):
        raise RuntimeError(f"Unable to cast {result} to Tensor")
    return result


def _many(result: Any) -> Any:
    if not isinstance(result, (list, tuple)):
        raise RuntimeError(
            f"Object of type '{type(result).__name__}' is not an instance of 'sequence'"
        )
    return tuple(result)


def _listed(result: Any) -> Any:
    if not isinstance(result, (list, tuple)) or not all(isinstance(r, Tensor) for r in result):
        raise RuntimeError(
            f"Unable to cast Python instance of type {type(result)} to C++ type '?' (#define "
            "PYBIND11_DETAILED_ERROR_MESSAGES or compile in debug mode for details)"
        )
    return tuple(result)


def _any(result: Any) -> Any:
    return result


def python_fallback(op: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """What the key does for ops that are no rows, and on a redispatch."""
    overload = OVERLOADS.get(op.name)
    if overload is not None and overload.operator is op:
        full = full_arguments(overload, args, kwargs)
        return build_python(overload, 0, keyset.mask)(*full)
    return hand_over(operator_named(op.name), args, kwargs)


def build_pre_dispatch(overload: Overload, sig: int, mask: int) -> Call:
    """Hand the call to the modes that see it before autograd; without any, go on below.

    The key may be in a call's set without a mode (``_EnablePreDispatch``), so each call looks.
    """
    handed = _handing(overload, _ask_before_autograd)
    below = mask & _BELOW_PRE_DISPATCH

    def call(*args: Any) -> Any:
        return (handed if len(PRE_DISPATCH) else build(overload, sig, below))(*args)

    return call


def pre_dispatch_fallback(
    op: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """What the PreDispatch key does for ops that are no rows, and on a redispatch."""
    if not len(PRE_DISPATCH):
        return redispatch(op, keyset.mask & _BELOW_PRE_DISPATCH, *args, **kwargs)
    return _ask_before_autograd(operator_named(op.name), args, kwargs)


def _ask_before_autograd(func: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    types = tuple([type(t) for t in overloaded_tensors(args, kwargs)])
    with without_top(PRE_DISPATCH) as mode:
        return _ask(mode, _handler(mode), func, types, args, kwargs)


_BELOW_PRE_DISPATCH = int(K.PreDispatch) - 1


def passed_on(key: K) -> Callable[..., Any]:
    """The fallback of a key that only marks the set of a call: go on below it."""
    below = int(key) - 1

    def fallback(op: Any, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return redispatch(op, keyset.mask & below, *args, **kwargs)

    BUILDERS[fallback] = lambda overload, sig, mask: build(overload, sig, mask & below)
    return fallback


BUILDERS[python_fallback] = build_python
BUILDERS[pre_dispatch_fallback] = build_pre_dispatch


# Handing over -------------------------------------------------------------------------------------


def hand_over(
    func: Any, args: tuple[Any, ...], kwargs: dict[str, Any], name: str | None = None
) -> Any:
    """Ask the topmost mode, then the subclasses among the arguments; the first answer counts.

    :param name: what an error calls *func*.

    Raises TypeError with torch's text where all answer NotImplemented.
    """
    overloaded = overloaded_tensors(args, kwargs)
    types = tuple([type(t) for t in overloaded])
    entry = _entry.get()
    try:
        _entry.set(tls_state())
        with exclude_keys(ABOVE_PYTHON):
            mode = None
            if len(DISPATCH):
                with without_top(DISPATCH) as mode:
                    result = _ask(mode, _handler(mode), func, types, args, kwargs)
                if result is not NotImplemented:
                    return result
            for t in overloaded:
                kind = type(t)
                result = _ask(kind, kind.__torch_dispatch__, func, types, args, kwargs)
                if result is not NotImplemented:
                    return result
    finally:
        _entry.set(entry)
    if mode is None and not overloaded:
        # Nobody is left to ask: the key was forced into the set.
        return call_kernel(func._operator, K.CPU, *args, **kwargs)
    raise all_refused(name or f"torch._ops.{func}", "__torch_dispatch__", types, mode)


@contextmanager
def restored() -> Iterator[None]:
    """Inside a handler: what is above the Python key runs again, as where the call began."""
    word = _entry.get()
    if word is None:
        raise RuntimeError("there is no __torch_dispatch__ whose caller's state could be restored")
    outside, now = tls.masks(word)[1], tls_state()
    included, excluded = tls.masks(now)
    lifted = excluded & ABOVE_PYTHON & ~outside
    tls.state.set(tls.with_masks(now, included, excluded & ~lifted))
    try:
        yield
    finally:
        now = tls_state()
        included, excluded = tls.masks(now)
        tls.state.set(tls.with_masks(now, included, excluded | lifted))


def detached(t: Any, keeps_class: bool = True) -> Any:
    """*t* without its history, as torch's C++ code takes it: seen by modes and by its class.

    :param keeps_class: whether a class without a ``__torch_dispatch__`` stays that of *t*.
    """
    if seen_by_python(t._sig_ | tls_state()):
        made = _detached_visibly(t)
        if not isinstance(made, Tensor):
            raise RuntimeError(
                f"detach returned invalid type {type(made).__name__}, expected Tensor"
            )
    else:
        made = share(t._a_, t)
        if keeps_class and t._sig_ & S.OF_CLASS:
            made = retyped(made, type(t))
        if tls.extra(tls_state()) & tls.TRANSFORMED:
            from .transform_guards import inherit  # not before something is transformed

            inherit(made, t)
    return made


def _detached_visibly(t: Any) -> Any:
    func, types, mode = operator_named("aten::detach"), (type(t),), DISPATCH.top
    made = NotImplemented
    if mode is not None:
        with without_top(DISPATCH):
            made = _handler(mode)(func, types, (t,), {})
    if made is NotImplemented and t._sig_ & S.PYTHON:
        made = type(t).__torch_dispatch__(func, types, (t,), {})
    if made is NotImplemented:
        raise all_refused("torch.ops.aten.detach", "__torch_dispatch__", types, mode)
    return made


def _handler(mode: Any) -> Callable[..., Any]:
    """What a mode answers with: a method. Raises RuntimeError for a classmethod, as torch."""
    found = type(mode).__torch_dispatch__
    if isinstance(found, MethodType):
        raise RuntimeError(
            "Defining your mode's `__torch_dispatch__` as a classmethod is not supported, please "
            "make it a plain method"
        )
    return partial(found, mode)


def _ask(
    asked: Any,
    handler: Any,
    func: Any,
    types: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Any:
    """The answer of a mode or a class: its rule for this op if there is one, else its handler."""
    rule = func.python_rule(asked if isinstance(asked, type) else type(asked))
    if rule is not None:
        return rule(asked, func, types, args, kwargs)
    return handler(func, types, args, kwargs)


def overloaded_tensors(args: Iterable[Any], kwargs: dict[str, Any] = _NONE) -> list[Any]:
    """The tensors whose classes override operators, one per class, subclasses first."""
    found: list[Any] = []
    for value in (*args, *kwargs.values()):
        if isinstance(value, (list, tuple)):
            for item in value:
                if isinstance(item, Tensor) and item._sig_ & S.PYTHON:
                    add_overloaded(found, item)
        elif isinstance(value, Tensor) and value._sig_ & S.PYTHON:
            add_overloaded(found, value)
    return found


def add_overloaded(found: list[Any], value: Any) -> None:
    """Put *value* before the first whose class it refines, at the end otherwise.

    Source: torch/csrc/utils/python_arg_parser.cpp, append_overloaded_arg.
    """
    kind = type(value)
    at = len(found)
    for i, other in enumerate(found):
        if type(other) is kind:
            return
        if at == len(found) and issubclass(kind, type(other)):
            at = i
    found.insert(at, value)


__all__ = [
    "ABOVE_PYTHON",
    "MODE_KEYS",
    "hand_over",
    "overloaded_tensors",
    "passed_on",
    "pre_dispatch_fallback",
    "python_fallback",
]
