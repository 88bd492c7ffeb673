"""Methods and properties of ``Tensor`` that are no ops, in the hands of ``__torch_function__``.

Ops notice an overriding argument by a miss in their call tables. ``x.shape`` or ``x.item()`` look
at no table, and a test in each of them would cost every program. So they are changed only while
somebody looks:

* an overriding class gets :class:`_Overriding` before ``Tensor`` among its bases, which has a
  watching descriptor for each of them; plain tensors never meet it;
* while a function mode is active in any thread, the functions of ``Tensor`` run the code of a
  watcher: their ``__code__`` is exchanged, so that ``torch.Tensor.size`` is the same object as
  before, which users compare with what a mode is handed. Threads without a mode go on at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from threading import Lock
from types import FunctionType, MethodType
from typing import Any

from .. import data, intercept
from .. import signature as S
from ..calls import tls_state
from ..frames import is_ourselves
from ..tensor import Tensor
from .conversion import Conversion
from .gradient import Gradient
from .layout import Layout
from .protocol import Protocol

#: Never handed over: torch does not, or they make the very objects.
_NEVER = frozenset(
    "__dict__ __dir__ __hash__ __init__ __init_subclass__ __iter__ __module__ __new__ __reduce__ "
    "__slots__ __str__ __torch_dispatch__ __torch_function__ __weakref__ __array_interface__ "
    "_host _make_subclass _make_wrapper_subclass _pending _root_gradient _settle _to "
    "_typed_storage as_subclass grad_edge".split()
)
#: Python functions in torch: the types of plain tensors are there, keywords are never None.
_PYTHON = frozenset(
    "__array__ __contains__ __deepcopy__ __dlpack__ __dlpack_device__ __format__ __len__ "
    "__reduce_ex__ __repr__ __reversed__ __setstate__ _is_view backward is_shared norm "
    "register_hook register_post_accumulate_grad_hook share_memory_ split stft storage "
    "storage_type unflatten unique unique_consecutive".split()
)
#: Those whose arguments torch's parser reads: only overriding types are named.
_PARSED = frozenset(
    "__getitem__ __setitem__ bfloat16 bool byte cdouble cfloat char contiguous cpu cuda double "
    "float half int is_contiguous is_pinned is_same_size is_set_to long nonzero npu numpy "
    "pin_memory record_stream requires_grad_ resize_ set_ short size stride sum_to_size to type "
    "type_as".split()
)


def _style(name: str) -> int:
    if name in _PYTHON:
        return intercept.PYTHON
    return intercept.PARSED if name in _PARSED else intercept.ALONE


class Point:
    """One function of ``Tensor``: what stands in for it while somebody looks."""

    __slots__ = ("function", "own_code", "plain", "public", "style", "watching_code")

    def __init__(self, function: FunctionType, public: Callable[..., Any], style: int) -> None:
        self.function = function
        #: What is handed over; what calls it comes back here.
        self.public = public
        self.style = style
        self.own_code = function.__code__
        self.plain = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        self.plain.__kwdefaults__ = function.__kwdefaults__
        self.watching_code = _watcher.__code__.replace(
            co_consts=tuple([self if c == _MARK else c for c in _watcher.__code__.co_consts]),
            co_freevars=function.__code__.co_freevars,
            co_name=function.__name__,
            co_qualname=function.__qualname__,
        )

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Hand the call over, or run it."""
        if tls_state() or any(isinstance(a, Tensor) and a._sig & S.FUNCTION for a in args):
            if intercept.overrides(*args, *kwargs.values(), depth=3):
                return call_overridden(self.public, args, kwargs, self.style)
        return self.plain(*args, **kwargs)


_MARK = "the point"


def _watcher(*args: Any, **kwargs: Any) -> Any:
    point: Any = "the point"
    return point(args, kwargs)


def call_overridden(public: Any, args: tuple[Any, ...], kwargs: dict[str, Any], style: int) -> Any:
    """See ``overrides.call_overridden``."""
    from ..overrides import call_overridden as call

    return call(public, args, kwargs, style)


#: Methods and operators that were made of ops: these hand over by themselves.
_OF_OPS = frozenset(("mindtorch.ops.operators", "mindtorch.ops.register"))


def points() -> Iterator[tuple[str, Any]]:
    """The methods and properties that are watched, with their names."""
    seen = set()
    for owner in (Tensor, Layout, Conversion, Gradient, Protocol):
        for name, value in vars(owner).items():
            if name in _NEVER or name in seen:
                continue
            if isinstance(value, property) or (
                type(value) is FunctionType and value.__module__ not in _OF_OPS
            ):
                seen.add(name)
                yield name, value


# While a mode is active ---------------------------------------------------------------------------

_POINTS: list[Point] = []
#: Each watched function's own code under another object: its signature can be read there.
PLAIN_OF: dict[Any, FunctionType] = {}
_lock = Lock()
_watching = 0


def watch() -> None:
    """A function mode was pushed: every function hands over from now on."""
    global _watching
    with _lock:
        if not _POINTS:
            _POINTS.extend(_make_points())
        _watching += 1
        if _watching == 1:
            for point in _POINTS:
                point.function.__code__ = point.watching_code


def unwatch() -> None:
    """A function mode is gone; with the last of all threads the functions are themselves."""
    global _watching
    with _lock:
        _watching -= 1
        if _watching == 0:
            for point in _POINTS:
                point.function.__code__ = point.own_code


def _make_points() -> Iterator[Point]:
    taken = set()
    for name, value in points():
        if not isinstance(value, property):
            pieces = [(value, value, _style(name))]
        else:
            pieces = [(value.fget, value.__get__, intercept.ALONE)]
            pieces += [(value.fset, value.__set__, intercept.ALONE)] if value.fset else []
            pieces += [(value.fdel, value.__delete__, intercept.ALONE)] if value.fdel else []
        for function, public, style in pieces:
            if type(function) is FunctionType and function not in taken:
                taken.add(function)
                point = Point(function, public, style)
                PLAIN_OF[public] = point.plain
                yield point
    for name in ("as_tensor", "asarray", "tensor"):
        yield Point(getattr(data, name), getattr(data, name), intercept.PARSED)


# Overriding classes -------------------------------------------------------------------------------


class _Watched:
    """A method or property of ``Tensor`` as an overriding class has it."""

    __slots__ = ("_name", "_style", "_value")

    def __init__(self, name: str, value: Any) -> None:
        self._name, self._value = name, value
        self._style = _style(name)

    def __get__(self, instance: Any, owner: Any) -> Any:
        value = self._value
        if instance is None:
            return value.__get__(None, Tensor)
        if isinstance(value, property):
            if _overridden(instance):
                return call_overridden(value.__get__, (instance,), {}, intercept.ALONE)
            return value.__get__(instance, owner)
        return MethodType(self, instance)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if _overridden(*args):
            return call_overridden(self._value, args, kwargs, self._style)
        return self._value(*args, **kwargs)


class _WatchedProperty(_Watched):
    """One that can be assigned to."""

    __slots__ = ()

    def __set__(self, instance: Any, value: Any) -> None:
        if _overridden(instance):
            call_overridden(self._value.__set__, (instance, value), {}, intercept.ALONE)
        else:
            self._value.__set__(instance, value)

    def __delete__(self, instance: Any) -> None:
        if _overridden(instance):
            call_overridden(self._value.__delete__, (instance,), {}, intercept.ALONE)
        else:
            self._value.__delete__(instance)


def _overridden(*args: Any) -> bool:
    sig = tls_state()
    for value in args:
        if isinstance(value, Tensor):
            sig |= value._sig
    if not intercept.is_overridden(sig):
        return False
    name = sys._getframe(2).f_globals.get("__name__", "")
    return not is_ourselves(name)


class _Overriding(Tensor, watches=False):
    """Stands before ``Tensor`` among the bases of classes that override functions."""

    __slots__ = ()


def become_overriding(cls: type) -> None:
    """Give *cls*, a new subclass of Tensor that overrides functions, its watchers."""
    if not _Overriding.__dict__.keys() & {"shape"}:
        for name, value in points():
            kind = _WatchedProperty if isinstance(value, property) else _Watched
            setattr(_Overriding, name, kind(name, value))
    if not any(issubclass(base, _Overriding) for base in cls.__bases__):
        cls.__bases__ = tuple([_Overriding if b is Tensor else b for b in cls.__bases__])
