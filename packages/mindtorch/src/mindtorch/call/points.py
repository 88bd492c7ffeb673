"""Methods and properties of ``Tensor`` that are no ops, in the hands of ``__torch_function__``.

Ops notice an overriding argument by a miss in their call tables. ``x.shape`` or ``x.item()`` look
at no table, and a test in each of them would cost every program. So they are changed only while
somebody looks: while a function mode is active in any thread, and from the first instance of an
overriding class on, the functions of ``Tensor`` run the code of a watcher. Their ``__code__`` is
exchanged, so that ``torch.Tensor.size`` is the same object as before, which users compare with what
a handler is handed; and so that it hands over whoever calls it with an overriding instance, by
whatever name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from opcode import opmap
from threading import Lock
from types import CodeType, FunctionType
from typing import Any

from ..core import signature as S
from ..core.frames import called_by_ourselves
from ..core.key_sets import tls_state
from ..core.tracebacks import shorten
from ..tensor import Tensor
from ..tensor.casting import Casting
from ..tensor.conversion import Conversion
from ..tensor.gradient import Gradient
from ..tensor.layout import Layout
from ..tensor.policies import ANSWERS
from ..tensor.protocol import Protocol
from . import intercept
from .declared import declared
from .lazy_registration import DECLARED_METHODS

#: Never handed over: torch does not, or they make the very objects.
_NEVER = frozenset(
    "__dict__ __dir__ __hash__ __init__ __init_subclass__ __iter__ __module__ __new__ __reduce__ "
    "__slots__ __str__ __torch_dispatch__ __torch_function__ __weakref__ __array_interface__ "
    "_host_ _make_subclass _make_wrapper_subclass _pending _settle_ _to_ "
    "_typed_storage as_subclass _grad_edge_".split()
)
#: Setters that torch does not hand over, though it does the getters.
_NEVER_SET = frozenset(("imag", "real"))
#: Second names: torch hands over the method under the first.
_SAME_AS = {"_grad": "grad", "_grad_fn": "grad_fn", "ndimension": "dim", "nelement": "numel"}
#: Python functions in torch: the types of plain tensors are there, keywords are never None.
_PYTHON = frozenset(
    "__array__ __array_wrap__ __contains__ __deepcopy__ __dlpack__ __dlpack_device__ __format__ "
    "__len__ __reduce_ex__ __repr__ __reversed__ __setstate__ backward dim_order is_shared istft "
    "lu module_load norm "
    "register_hook register_post_accumulate_grad_hook resize resize_as share_memory_ split stft "
    "storage storage_type unflatten unique unique_consecutive".split()
)
#: Those whose arguments torch's parser reads: only overriding types are named.
_PARSED = frozenset(
    "__getitem__ __setitem__ bfloat16 bool byte cdouble cfloat chalf char contiguous cpu cuda "
    "double float half int is_contiguous is_pinned is_same_size long map2_ map_ nonzero npu numpy "
    "pin_memory record_stream requires_grad_ short size stride sum_to_size to type "
    "type_as ipu mtia xpu".split()
)


def _style(name: str) -> int:
    if name in _PYTHON:
        return intercept.PYTHON
    parsed = name in _PARSED or name in DECLARED_METHODS and "," in declared()[name][0].schema
    return intercept.PARSED if parsed else intercept.ALONE


class Point:
    """One function of ``Tensor``: what stands in for it while somebody looks."""

    __slots__ = (
        "answer", "asks", "function", "own_code", "plain", "public", "style", "watching_code",
    )  # fmt: skip
    #: Whether the first argument is a tensor.
    of_tensor = True

    def __init__(self, function: FunctionType, public: Callable[..., Any], style: int) -> None:
        self.function = function
        #: What is handed over; what calls it comes back here.
        self.public = public
        self.style = style
        #: The bit of tensors that answer for themselves here, and how they are asked.
        self.asks, self.answer = ANSWERS.get(function.__name__, (0, None))
        self.own_code = function.__code__
        self.plain = FunctionType(
            function.__code__,
            function.__globals__,
            function.__name__,
            function.__defaults__,
            function.__closure__,
        )
        self.plain.__kwdefaults__ = function.__kwdefaults__
        self.plain.__qualname__ = function.__qualname__  # which Python's errors name
        code = function.__code__
        alone = (
            code.co_argcount == 1 and not code.co_kwonlyargcount and not code.co_flags & _STARRED
        )
        watching = (_watch_self if alone else _watch_method) if self.of_tensor else _watch_all
        watcher = watching.__code__
        parts = {"the point": self, "the function": self.plain, "the state": tls_state}
        watcher = watcher.replace(
            co_consts=tuple([parts.get(c, c) for c in watcher.co_consts]),
            co_name=function.__name__,
            co_qualname=function.__qualname__,
        )
        self.watching_code = _with_cells(watcher, code.co_freevars)

    def __call__(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Hand the call over, or run it."""
        try:
            if tls_state() or any(isinstance(a, Tensor) and a._sig_ & LOOKED_AT for a in args):
                if intercept.overrides(*args, *kwargs.values(), depth=3):
                    result = intercept.call_overridden(self.public, args, kwargs, self.style)
                    return None if self.function.__name__ == "__setitem__" else result
                if self.asks and isinstance(args[0], Tensor) and args[0]._sig_ & self.asks:
                    if not called_by_ourselves(3):
                        return self.answer(self.plain, *args, **kwargs)
            return self.plain(*args, **kwargs)
        except Exception as error:
            shorten(error)
            raise


def _with_cells(code: CodeType, names: tuple[str, ...]) -> CodeType:
    """*code*, without a closure of its own, for a function whose closure has these cells.

    It takes them over first, as the interpreter does: who looks at the variables of a frame (a
    debugger, a test runner) reads them, too.
    """
    if not names:
        return code
    take_over = bytes((opmap["COPY_FREE_VARS"], len(names)))
    return code.replace(
        co_code=take_over + code.co_code,
        co_linetable=_NO_LINE + code.co_linetable,
        co_freevars=names,
    )


#: One instruction of no line, in a table of lines (PEP 626; Objects/locations.md of CPython).
_NO_LINE = b"\xf8"


#: ``*args`` and ``**kwargs`` in the flags of a code.
_STARRED = 0x04 | 0x08


def _watch_self(self: Any) -> Any:
    """The code of a function that takes nothing but a tensor: the usual call is one frame more."""
    state: Any = "the state"
    if self._sig_ & 0x1E0800000000000 or state():  # LOOKED_AT: a name would be looked up elsewhere
        point: Any = "the point"
        return point((self,), {})
    function: Any = "the function"
    return function(self)


LOOKED_AT = S.FUNCTION | S.ASKS
assert LOOKED_AT == 0x1E0800000000000


def _watch_method(self: Any, *args: Any, **kwargs: Any) -> Any:
    """The same of a method that takes more, if it is given no more."""
    state: Any = "the state"
    if args or kwargs or self._sig_ & 0x1E0800000000000 or state():
        point: Any = "the point"
        return point((self, *args), kwargs)
    function: Any = "the function"
    return function(self)


def _watch_all(*args: Any, **kwargs: Any) -> Any:
    point: Any = "the point"
    return point(args, kwargs)


#: Methods and operators that were made of ops: these hand over by themselves.
_OF_OPS = frozenset(("aten.operators", "aten.register", "call.code", "call.code_shapes"))


#: Where what we define says that it is; under torch's name, there.
_PACKAGES = ("mindtorch", "torch")


def points() -> Iterator[tuple[str, Any]]:
    """The methods and properties that are watched, with their names."""
    seen = set()
    for owner in (Tensor, Layout, Conversion, Casting, Gradient, Protocol):
        for name, value in vars(owner).items():
            if name in _NEVER or name in seen:
                continue
            function = value.fget if isinstance(value, property) else value
            if type(function) is not FunctionType:
                continue
            if function.__name__ in _NEVER:  # which a program has put under another name
                continue
            package, _, module = function.__globals__["__name__"].partition(".")
            # What a program puts on Tensor is its own; torch does not hand it over either.
            if package in _PACKAGES and (function is not value or module not in _OF_OPS):
                seen.add(name)
                yield name, value


# Who looks ----------------------------------------------------------------------------------------

#: Each watched function's own code under another object: its signature can be read there.
PLAIN_OF: dict[Any, FunctionType] = {}
_lock = Lock()


class Watch:
    """Points that are all watched, or none: as long as somebody wants it."""

    __slots__ = ("_make", "_points", "_wanted")

    def __init__(self, make: Callable[[], Iterable[Point]]) -> None:
        self._make = make
        self._points: list[Point] = []
        self._wanted = 0

    def begin(self) -> None:
        """Every function hands over from now on."""
        with _lock:
            if not self._points:
                self._points.extend(self._make())
            self._wanted += 1
            if self._wanted == 1:
                for point in self._points:
                    point.function.__code__ = point.watching_code

    def end(self) -> None:
        """One less looks; with the last of all threads the functions are themselves."""
        with _lock:
            self._wanted -= 1
            if self._wanted == 0:
                for point in self._points:
                    point.function.__code__ = point.own_code


def _tensor_points() -> Iterator[Point]:
    taken = set()
    for name, value in points():
        if not isinstance(value, property):
            public = getattr(Tensor, _SAME_AS.get(name, name))
            pieces = [(value, public, _style(name))]
        else:
            seen = getattr(Tensor, _SAME_AS.get(name, name))
            pieces = [(value.fget, seen.__get__, intercept.ALONE)]
            if value.fset and name not in _NEVER_SET:
                pieces.append((value.fset, seen.__set__, intercept.ALONE))
            pieces += [(value.fdel, seen.__delete__, intercept.ALONE)] if value.fdel else []
        for function, public, style in pieces:
            if type(function) is FunctionType and function not in taken:
                taken.add(function)
                point = Point(function, public, style)
                PLAIN_OF[public] = point.plain
                yield point


#: The methods and properties of Tensor.
OF_TENSOR = Watch(_tensor_points)


def watch_for_good() -> None:
    """There is an instance of an overriding class: from now on every method looks for one."""
    global _for_good
    if not _for_good:
        _for_good = True
        OF_TENSOR.begin()


_for_good = False
