"""Kernel: one registration; Hop: one slot of a computed table; and the stacks they live in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from . import errors
from .function_schema import FunctionSchema
from .keys import DispatchKey, key_name

__all__ = [
    "BOXED",
    "FALLBACK",
    "FALLBACK_WITH_KEYSET",
    "PLAIN",
    "WITH_KEYSET",
    "Hop",
    "Kernel",
    "Kernels",
    "fallthrough_kernel",
    "site_text",
]

#: How a kernel wants to be called: ``fn(*args, **kwargs)``.
PLAIN = 0
#: ``fn(keyset, *args, **kwargs)``.
WITH_KEYSET = 1
#: ``fn(op, keyset, args, kwargs)``, one function for many ops.
BOXED = 2
#: ``fn(op, *args, **kwargs)``, where *op* is what users hold for the operator: torch's fallbacks.
FALLBACK = 3
#: ``fn(keyset, op, *args, **kwargs)``.
FALLBACK_WITH_KEYSET = 4

# Our word for each rule → the word in torch's table dumps.
_DUMP_WORDS = {
    "direct": "kernel",
    "CompositeExplicitAutogradNonFunctional": "default backend kernel",
    "CompositeExplicitAutograd": "default backend kernel",
    "CompositeImplicitAutogradNestedTensor": "nested kernel",
    "CompositeImplicitAutograd": "math kernel",
    "ambiguous AutogradOther": "ambiguous autogradother",
    "Autograd alias": "autograd kernel",
    "FuncTorchBatchedDecomposition": "batched kernel",
    "backend fallback": "backend fallback",
    "missing": "missing",
}


class CalledOp(Protocol):
    """What a kernel is told of the op that is called: an ``Operator``."""

    name: str

    @property
    def held(self) -> Any:
        """What users hold for it."""
        ...


class Kernel:
    """One registration; also the handle that takes it back."""

    __slots__ = ("_debug", "_where", "fn", "inferred", "key", "kind", "older", "owner")

    def __init__(
        self,
        fn: Callable[..., Any] | None,
        key: DispatchKey,
        kind: int = PLAIN,
        where: Any = None,
        owner: Kernels | None = None,
        debug: str | None = None,
        inferred: FunctionSchema | None = None,
    ) -> None:
        #: The function; None for a fallthrough.
        self.fn = fn
        #: The key it was registered at (may be an alias key).
        self.key = key
        #: How it wants to be called: PLAIN, WITH_KEYSET, BOXED…
        self.kind = kind
        self._where, self._debug = where, debug
        #: The schema that follows from the function itself; None where it says nothing.
        self.inferred = inferred
        #: The table it is registered in; None once removed.
        self.owner = owner
        #: The registration that this one overrides, if any.
        self.older: Kernel | None = None

    @property
    def fallthrough(self) -> bool:
        """Whether the key is skipped."""
        return self.fn is None

    @property
    def where(self) -> str:
        """``file:line`` of the registration if it was given, else of the function."""
        where = self._where
        if where is None:
            return where_defined(self.fn)
        return where if isinstance(where, str) else f"{where[0]}:{where[1]}"

    @property
    def debug(self) -> str:
        """What torch's dumps call it: where its library was made, or a name given to it."""
        return f"registered at {self.where}" if self._debug is None else self._debug

    def dump(self) -> str:
        """What torch's ``_dispatch_dump`` says of it after the key."""
        schema = "(none)" if self.inferred is None else str(self.inferred)
        fall = "fallthrough " if self.fn is None else ""
        unboxed = "" if self.inferred is None else "unboxed "
        return f"{self.debug} :: {schema} [ {fall}boxed {unboxed}]"

    def remove(self) -> None:
        """Take the registration back; the one it overrode comes back. Does nothing twice."""
        if self.owner is not None:
            self.owner.remove(self)

    def call(self, op: CalledOp, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the function the way it wants to be called."""
        fn = self.fn
        if fn is None:
            raise errors.falls_through(op.name, key_name(self.key))
        kind = self.kind
        if kind == PLAIN:
            return fn(*args, **kwargs)
        if kind == WITH_KEYSET:
            return fn(keyset, *args, **kwargs)
        if kind == BOXED:
            return fn(op, keyset, args, kwargs)
        if kind == FALLBACK:
            return fn(op.held, *args, **kwargs)
        return fn(keyset, op.held, *args, **kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.fn is None:
            raise errors.falls_through("the operator", key_name(self.key))
        return self.fn(*args, **kwargs)

    def __repr__(self) -> str:
        what = "fallthrough" if self.fn is None else "kernel"
        return f"<{what} at {key_name(self.key)}, {self.where}>"


def fallthrough_kernel() -> None:
    """Register this to make a key fall through. It is never called."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def where_defined(fn: Any) -> str:
    """``file:line`` of a Python function, the qualified name of anything else."""
    if fn is None:
        return "unknown"
    while True:  # partials and wrappers say little: show what they wrap
        inner = getattr(fn, "__wrapped__", None) or getattr(fn, "func", None)
        if inner is None:
            break
        fn = inner
    code = getattr(fn, "__code__", None)
    if code is None:
        fn = getattr(fn, "__func__", fn)
        code = getattr(fn, "__code__", None)
    if code is not None:
        return f"{code.co_filename}:{code.co_firstlineno}"
    name = getattr(fn, "__qualname__", None) or getattr(fn, "__name__", None)
    if name is None:
        return repr(fn)
    module = getattr(fn, "__module__", None)
    return f"{module}.{name}" if module else str(name)


def site_text(where: Any) -> str:
    """A place of registration (``(file, line)``, a string, None) in torch's words."""
    if where is None:
        return "no debug info"
    return f"registered at {where if isinstance(where, str) else f'{where[0]}:{where[1]}'}"


class Hop:
    """One slot of a computed table: what runs at a key, and why."""

    __slots__ = ("kernel", "key", "rule")

    def __init__(self, key: DispatchKey, kernel: Kernel | None, rule: str) -> None:
        self.key = key
        #: None where nothing would run.
        self.kernel = kernel
        #: Which rule chose it: ``direct``, an alias key's name, ``Autograd alias``,
        #: ``ambiguous AutogradOther``, ``backend fallback`` or ``missing``.
        self.rule = rule

    @property
    def reason(self) -> str:
        """The rule, or ``fallthrough`` where the key is skipped."""
        return "fallthrough" if self.fallthrough else self.rule

    @property
    def fallthrough(self) -> bool:
        """Whether calls skip this key."""
        return self.kernel is not None and self.kernel.fn is None

    @property
    def where(self) -> str | None:
        """``file:line`` of what runs."""
        return None if self.kernel is None else self.kernel.where

    def dump(self) -> str:
        """The line that torch's ``_dispatch_dump_table`` would print."""
        if self.kernel is None:
            return f"{key_name(self.key)}: missing"
        word = _DUMP_WORDS[self.rule]
        fall = "fallthrough " if self.fallthrough else ""
        return f"{key_name(self.key)}: {fall}{self.kernel.debug} [{word}]"

    def __repr__(self) -> str:
        return f"<{self.dump()}>"


class SharedKernels:
    """What sources tell of all ops that have the same kernels.

    Which of them serves a call is found out for one op, and holds for the others as long as nobody
    else registers kernels for them, or fallbacks.
    """

    __slots__ = ("kernels", "served", "version")

    def __init__(self, kernels: Iterable[tuple[DispatchKey, Callable[..., Any]]]) -> None:
        self.kernels = tuple(kernels)
        #: By the mask of a call.
        self.served: dict[int, Callable[..., Any] | None] = {}
        #: Of the fallbacks, when that was found.
        self.version = -1

    def __iter__(self) -> Iterator[tuple[DispatchKey, Callable[..., Any]]]:
        return iter(self.kernels)


class Kernels:
    """A dict of registrations by key, where the newest of a key wins and the older comes back."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: dict[int, Kernel] = {}

    def stack(self, key: int) -> Iterator[Kernel]:
        """The registrations of *key*, the newest first."""
        kernel = self.entries.get(key)
        while kernel is not None:
            yield kernel
            kernel = kernel.older

    def put(self, kernel: Kernel) -> Kernel:
        """Register *kernel* above what its key has."""
        entries = self.entries
        older = entries.get(kernel.key)
        if older is not None:
            kernel.older = older
        entries[kernel.key] = kernel
        self.changed()
        return kernel

    def remove(self, kernel: Kernel) -> None:
        """Take *kernel* out, wherever in its key's stack it lies."""
        top = self.entries.get(kernel.key)
        if top is kernel:
            if kernel.older is None:
                del self.entries[kernel.key]
            else:
                self.entries[kernel.key] = kernel.older
        else:
            while top is not None and top.older is not kernel:
                top = top.older
            if top is None:
                return
            top.older = kernel.older
        kernel.owner = kernel.older = None
        self.changed()

    def changed(self) -> None:
        """Drop what was computed from the registrations."""
