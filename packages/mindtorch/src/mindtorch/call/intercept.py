"""Calls of the Python API that are handed to ``__torch_function__``.

An instance of an overriding class carries FUNCTION in its signature, an active function mode is a
flag in the thread's state word; both make a call miss the tables of ordinary calls. What stands in
the API's tables for such a signature raises :class:`Overridden`; the function, method or operator
that was called catches it, knowing by what name and with which arguments, and hands itself over.
So an ordinary call pays nothing at all.

Source: torch/csrc/utils/python_arg_parser.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from typing import Any

from mindtorch_dispatch import tls
from mindtorch_storage import Device

from ..core import signature as S
from ..core.errors import c_type_name, typed_source_of_other_dtype
from ..core.frames import called_by_ourselves
from ..core.key_sets import seen_by_modes, tls_state
from ..core.late_bound import LateBound
from ..core.tracebacks import shorten
from ..tensor import Tensor
from ..tensor.defaults import default_device
from .dispatch_entry import Call
from .overload import Overload
from .specialize import CallTable

_HOST = Device("cpu")
#: Written by hand in torch, without a look at ``__torch_function__``.
_NEVER_HANDED_OVER = frozenset(("set_",))


class Overridden(Exception):  # no error: it never leaves the function that was called
    """The call belongs to a mode or a subclass."""


class ApiTable(CallTable):
    """signature → call of one overload from the Python API, all arguments given."""

    __slots__ = ()

    def __missing__(self, sig: int) -> Call:
        self.overload.analyse()
        operator = self.overload.operator
        version = operator.version
        if is_overridden(sig) and self.overload.base not in _NEVER_HANDED_OVER:
            call = overriding(self, sig)
        else:
            call = self.overload.table[sig]
            if "Storage source" in self.overload.schema_text:
                call = with_untyped_source(call)
            if self.overload.names and seen_by_modes(sig):
                call = with_options(self.overload, call)
        operator.remember(self, sig, call, version)
        return call


def with_untyped_source(call: Call) -> Call:
    """Functions in Python take typed storages of the tensor's dtype too; operators do not."""

    from mindtorch_storage import TypedStorage  # not before a storage is set: few programs do

    def unwrapping(t: Any, source: Any, *rest: Any) -> Any:
        if isinstance(source, TypedStorage):
            if source.dtype is not t.dtype:
                raise typed_source_of_other_dtype(c_type_name(t.dtype), source.dtype)
            source = source._untyped_storage
        return call(t, source, *rest)

    return unwrapping


def with_options(overload: Overload, call: Call) -> Call:
    """What a factory's function in Python says where its caller says nothing.

    An operator called directly does not, so this is no part of it; handlers see the difference.
    """
    names = overload.names
    if "pin_memory" not in names or not overload.row.variants:  # or there is no such function
        return call
    pinned = names.index("pin_memory")
    fresh = "device" in names and "self" not in names
    placed = names.index("device") if fresh else -1

    def with_them(*args: Any) -> Any:
        if called_by_ourselves():
            return call(*args)
        full = list(args)
        if full[pinned] is None:
            full[pinned] = False
        if fresh and full[placed] is None:
            full[placed] = default_device() or _HOST
        return call(*full)

    return with_them


def is_overridden(sig: int) -> bool:
    """Whether calls of this signature (thread's state included) are handed to somebody."""
    more = tls.extra(sig)
    if more & tls.NO_FUNCTION:
        return False
    if more & tls.FUNCTION_MODE:
        return True
    return bool(sig & S.FUNCTION) and not more & tls.NO_FUNCTION_SUBCLASS


def overriding(table: ApiTable, sig: int) -> Call:
    """Hand the call over, unless this package calls for itself."""
    word = sig >> S.TLS_SHIFT << S.TLS_SHIFT
    plain = tls.with_extra(word, tls.extra(word) & ~tls.FUNCTION_MODE) | sig & S.OWN & ~S.FUNCTION

    def call(*args: Any) -> Any:
        if called_by_ourselves():
            return table[plain](*args)
        raise Overridden

    return call


def overrides(*values: Any, depth: int = 1) -> bool:
    """Whether a Python function that was called with *values* has to hand its call over.

    :param depth: how many frames the function is above this one.
    """
    sig = tls_state()
    others = False
    for value in values:
        if isinstance(value, Tensor):
            sig |= value._sig_
        elif type(value) not in PLAIN and hasattr(value, "__torch_function__"):
            others = True
    off = tls.NO_FUNCTION | tls.NO_FUNCTION_SUBCLASS
    wanted = others and not tls.extra(sig) & off or is_overridden(sig)
    return wanted and not called_by_ourselves(depth + 1)


# Where a call is handed over, which few programs need; see torch_function.
call_overridden = LateBound("call_overridden")
object_among = LateBound("object_among")
call_for_objects = LateBound("call_for_objects")

#: The ways in which torch hands a call over; see ``torch_function.call_overridden``.
PARSED, ALONE, PYTHON, OPERATOR, KEYWORDS = range(5)


def ask(sig: int) -> None:
    """Raise :class:`Overridden` where a call of *sig* from here would be handed over."""
    if is_overridden(sig) and not called_by_ourselves(2):
        raise Overridden


def hand_over(
    func: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    group: Sequence[Overload] = (),
    style: int = PARSED,
) -> Any:
    """Give the call of *func* to modes and subclasses.

    :param group: the overloads of a method; one that takes nothing but ``self`` does not parse.
    """
    if group:
        if func.__name__ in _PYTHON_METHODS:
            style = PYTHON
            args, kwargs = with_defaults(group[0], args, kwargs)
        elif all(len(o.schema.arguments) == 1 for o in group) and func.__name__ not in _PARSE:
            style = ALONE
    return call_overridden(func, args, kwargs, style)


#: Methods without arguments that torch parses nevertheless.
_PARSE = frozenset(("nonzero",))
#: Methods that are Python functions in torch, and ops here.
_PYTHON_METHODS = frozenset(("split",))


def with_defaults(
    overload: Overload, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments as a Python function hands them over: what has a default goes by keyword."""
    arguments = overload.schema.arguments
    given = {**dict(zip(overload.names, args, strict=False)), **kwargs}
    n = sum(not a.has_default_value() for a in arguments)
    keywords = {a.name: given.get(a.name, a.default_value) for a in arguments[n:]}
    return args[:n], keywords


#: Classes whose instances override nothing: a quick look spares the long one.
PLAIN = {Tensor, int, float, bool, str, type(None)}


def overridable(
    func: Callable[..., Any],
    style: int = PYTHON,
    instead: tuple[str, Callable[..., Any]] | None = None,
) -> Callable[..., Any]:
    """A function that is Python in torch, made to hand its calls over.

    Arguments of overriding classes count wherever they stand, in a list or tuple too.

    :param instead: name of a parameter, and the function that a call with a true one is of.
    """

    @wraps(func)
    def function(*args: Any, **kwargs: Any) -> Any:
        try:
            if not tls_state():
                for value in (*args, *kwargs.values()) if kwargs else args:
                    kind = type(value)
                    if kind not in PLAIN and not (
                        (kind is tuple or kind is list) and PLAIN.issuperset(map(type, value))
                    ):
                        break
                else:
                    return func(*args, **kwargs)
            if overrides(*_flat(args), *_flat(kwargs.values())):
                called = function
                if instead is not None:
                    at = func.__code__.co_varnames.index(instead[0])
                    if args[at] if at < len(args) else kwargs.get(instead[0]):
                        called = instead[1]
                return call_overridden(called, args, kwargs, style)
            return func(*args, **kwargs)
        except Exception as error:
            shorten(error)
            raise

    return function


def _flat(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        if type(value) in (list, tuple):
            yield from value
        else:
            yield value


def overridden_by_object(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether an argument that is no tensor overrides functions: asked of calls that failed."""
    return bool(object_among(args, kwargs))


def misfit(
    error: TypeError,
    func: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    group: Sequence[Overload],
) -> Any:
    """Arguments that fit no signature: an object that overrides functions may be among them.

    ``operators.UNCLAIMED`` where there is none. The caller then raises *error* again: a frame that
    holds an error that went through it would keep the arguments alive.
    """
    return call_for_objects(error, func, args, kwargs, group)
