"""Operator: one op's schema, its registered kernels, and the table computed from them.

The computed table follows torch's OperatorEntry::computeDispatchTableEntryWithDebug rule by rule
and is worked out on demand: registering costs a dict store, and a call costs one dict lookup from
its key mask to the hop that serves it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from . import errors
from .keys import (
    ALIAS_RUNTIME,
    AUTOGRAD_OTHER_BACKENDS,
    BY_BIT,
    NOT_RUNTIME_MASK,
    TORCH_ORDER,
    DispatchKey,
    autograd_keys_of_backends,
    backend_keys_of_autograd,
    key_name,
    parse_key,
)

if TYPE_CHECKING:
    from .protocols import OpSource
    from .registry import Registry
    from .schema import FunctionSchema

__all__ = ["Hop", "Kernel", "Operator"]

_K = DispatchKey
_UNDEFINED = int(_K.Undefined)
_AUTOGRAD = int(_K.Autograd)
# Keys from Python upward are wrappers: their kernels hand on to what is below them.
_FIRST_WRAPPER = int(_K.Python)
_OPTIONAL_BACKENDS = int(_K.PrivateUse2 | _K.PrivateUse3)

#: How a kernel wants to be called: ``fn(*args, **kwargs)``.
PLAIN = 0
#: ``fn(keyset, *args, **kwargs)``.
WITH_KEYSET = 1
#: ``fn(op, keyset, args, kwargs)``, one function for many ops.
BOXED = 2

_EXPLICIT_RULES = (
    int(_K.CompositeExplicitAutogradNonFunctional),
    int(_K.CompositeExplicitAutograd),
)
_IMPLICIT_NESTED = int(_K.CompositeImplicitAutogradNestedTensor)
_IMPLICIT = int(_K.CompositeImplicitAutograd)
_BATCHED = int(_K.FuncTorchBatchedDecomposition)

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


class Kernel:
    """One registration; also the handle that takes it back."""

    __slots__ = ("_where", "fn", "key", "kind", "older", "owner")

    def __init__(
        self,
        fn: Callable[..., Any] | None,
        key: DispatchKey,
        kind: int = PLAIN,
        where: Any = None,
        owner: _Table | None = None,
    ) -> None:
        #: The function; None for a fallthrough.
        self.fn = fn
        #: The key it was registered at (may be an alias key).
        self.key = key
        #: PLAIN, WITH_KEYSET or BOXED.
        self.kind = kind
        self._where = where
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

    def remove(self) -> None:
        """Take the registration back; the one it overrode comes back. Does nothing twice."""
        if self.owner is not None:
            self.owner.remove(self)

    def call(self, op: Operator, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Call the function the way it wants to be called."""
        fn = self.fn
        if fn is None:
            raise errors.falls_through(op.name, key_name(self.key))
        if self.kind == PLAIN:
            return fn(*args, **kwargs)
        if self.kind == WITH_KEYSET:
            return fn(keyset, *args, **kwargs)
        return fn(op, keyset, args, kwargs)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if self.fn is None:
            raise errors.falls_through("the operator", key_name(self.key))
        return self.fn(*args, **kwargs)

    def __repr__(self) -> str:
        what = "fallthrough" if self.fn is None else "kernel"
        return f"<{what} at {key_name(self.key)}, {self.where}>"


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
        if self.rule == "ambiguous AutogradOther":
            return f"{key_name(self.key)}: ambiguous_autogradother [{word}]"
        fall = "fallthrough " if self.fallthrough else ""
        return f"{key_name(self.key)}: {fall}registered at {self.kernel.where} [{word}]"

    def __repr__(self) -> str:
        return f"<{self.dump()}>"


class _Table:
    """A dict of registrations by key, where the newest of a key wins and the older comes back."""

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: dict[int, Kernel] = {}

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


class Operator(_Table):
    """One overload of an op: schema, kernels, and the table computed from them."""

    __slots__ = (
        "_entries",
        "_schema",
        "_schema_text",
        "_source",
        "call_table",
        "name",
        "on_change",
        "registry",
        "schema_where",
        "table",
        "tags",
        "version",
    )

    def __init__(self, name: str, registry: Registry, source: OpSource | None = None) -> None:
        self._entries: dict[int, Kernel] = {}
        #: Where schema and kernels come from when first asked for; None: they are here.
        self._source = source
        #: Qualified name with the overload: ``aten::add.Tensor``.
        self.name = name
        self.registry = registry
        self._schema_text: str | None = None
        self._schema: FunctionSchema | None = None
        #: Where the schema was registered, for torch's duplicate-registration text.
        self.schema_where: Any = None
        #: What its definition says of the op, in whatever terms the definer uses.
        self.tags: tuple[Any, ...] = ()
        #: mask of a call → hop; filled on first use.
        self.table: dict[int, Hop] = {}
        #: For whoever builds call tables of their own over this op (any dict, also a subclass
        #: with ``__missing__``): cleared whenever a registration could change their content.
        #: Fill it under ``registry.lock``, or compare ``version`` before and after.
        self.call_table: dict[Any, Any] = {}
        #: Called with the operator after every change; None while nobody asked.
        self.on_change: list[Callable[[Operator], object]] | None = None
        #: Counts changes of the registrations.
        self.version = 0

    # --- names and schema ------------------------------------------------------------------

    @property
    def namespace(self) -> str:
        """``aten`` of ``aten::add.Tensor``."""
        return self.name.partition("::")[0]

    @property
    def base(self) -> str:
        """``aten::add`` of ``aten::add.Tensor``."""
        return self.name.partition(".")[0]

    @property
    def overload(self) -> str:
        """``Tensor`` of ``aten::add.Tensor``; empty for the default overload."""
        return self.name.partition(".")[2]

    def _load(self) -> None:
        """Get schema and kernels from the source, the first time that anybody asks."""
        with self.registry.lock:
            source = self._source
            if source is not None:
                self._schema_text = source.schema_text
                for key, fn in source.kernels():
                    kernel = Kernel(fn, key, BOXED, self.schema_where, self)
                    kernel.older = self._entries.get(key)
                    self._entries[key] = kernel
                self._source = None  # last: other threads look at it without the lock

    @property
    def entries(self) -> dict[int, Kernel]:  # type: ignore[override]
        """The newest registration of each key."""
        if self._source is not None:
            self._load()
        return self._entries

    @property
    def has_schema(self) -> bool:
        """Whether a schema was registered."""
        return self.schema_text is not None

    @property
    def schema(self) -> FunctionSchema | None:
        """The schema, parsed when first asked for; None before one is registered."""
        schema = self._schema
        if schema is None:
            text = self.schema_text
            if text is not None:
                from .schema import parse_schema

                schema = self._schema = parse_schema(text)
        return schema

    def set_schema(self, text: str | None, where: Any = None) -> None:
        """Set, replace or (None) drop the schema's text, which is parsed later."""
        if self._source is not None:
            self._load()
        self._schema_text = text
        self._schema = None
        self.schema_where = where
        self.tags = ()
        self.registry.generation += 1
        self.changed()

    @property
    def schema_text(self) -> str | None:
        """The schema as it was registered, with its qualified name."""
        if self._source is not None:
            self._load()
        return self._schema_text

    @property
    def schema_site(self) -> str:
        """Where the schema was registered, in torch's words."""
        return site_text(self.schema_where)

    # --- registrations ---------------------------------------------------------------------

    @property
    def kernels(self) -> dict[DispatchKey, Kernel]:
        """The registered kernels that can be called, by key (a copy)."""
        return {k.key: k for k in self.entries.values() if k.fn is not None}

    @property
    def fallthrough(self) -> frozenset[DispatchKey]:
        """The keys at which a fallthrough is registered for this op itself."""
        return frozenset(k.key for k in self.entries.values() if k.fn is None)

    def has_kernel(self, key: int) -> bool:
        """Whether something is registered at exactly *key*."""
        return key in self.entries

    def remove(self, kernel: Kernel) -> None:
        """Take *kernel* out; an op that has nothing left leaves the registry."""
        with self.registry.lock:
            super().remove(kernel)
            self.registry.forget_if_empty(self)

    def changed(self) -> None:
        """Forget what was resolved, here and in the call tables built over this op."""
        self.version += 1
        if self.table:
            self.table.clear()
        if self.call_table:
            self.call_table.clear()
        if self.on_change is not None:
            for callback in tuple(self.on_change):
                callback(self)

    # --- the computed table ----------------------------------------------------------------

    def explain(self, key: int | str) -> Hop:
        """The slot of *key* in the computed table: which kernel, chosen by which rule."""
        key = parse_key(key)
        entries = self.entries
        kernel = entries.get(key)
        # 1. A kernel registered at this very key.
        if kernel is not None:
            return Hop(key, kernel, "direct")
        if entries:
            # 2. Composite kernels that leave autograd to others.
            for alias in _EXPLICIT_RULES:
                kernel = entries.get(alias)
                if kernel is not None and (key == _UNDEFINED or ALIAS_RUNTIME[alias] & key):
                    return Hop(key, kernel, key_name(alias))
            # 3. Composite kernels that bring autograd along. torch asks for no backend kernel
            # in the nested case.
            kernel = entries.get(_IMPLICIT_NESTED)
            if kernel is not None and ALIAS_RUNTIME[_IMPLICIT_NESTED] & key:
                return Hop(key, kernel, key_name(_IMPLICIT_NESTED))
            kernel = entries.get(_IMPLICIT)
            if kernel is not None and (key == _UNDEFINED or ALIAS_RUNTIME[_IMPLICIT] & key):
                if key == _K.AutogradOther and self._has_any(AUTOGRAD_OTHER_BACKENDS):
                    return Hop(key, _ambiguous(key), "ambiguous AutogradOther")
                # Where a backend has a kernel of its own, autograd must not decompose the op.
                if int(_K.CompositeExplicitAutograd) not in entries and not self._has_any(
                    backend_keys_of_autograd(key)
                ):
                    return Hop(key, kernel, key_name(_IMPLICIT))
            # 4. One kernel for every autograd key.
            kernel = entries.get(_AUTOGRAD)
            if kernel is not None and ALIAS_RUNTIME[_AUTOGRAD] & key:
                return Hop(key, kernel, "Autograd alias")
            # 5. Decompositions under vmap.
            kernel = entries.get(_BATCHED)
            if kernel is not None and ALIAS_RUNTIME[_BATCHED] & key:
                return Hop(key, kernel, key_name(_BATCHED))
        # 6. What the key does for every op.
        kernel = self.registry.fallbacks.entries.get(key)
        if kernel is not None:
            return Hop(key, kernel, "backend fallback")
        return Hop(key, None, "missing")

    def _has_any(self, mask: int) -> bool:
        return bool(mask) and any(mask & key for key in self.entries)

    def computed_table(self, *, missing: bool = False) -> list[Hop]:
        """Every slot that has a kernel (and with *missing* those that have none), torch's order."""
        hops = (self.explain(k) for k in (_K.Undefined, *TORCH_ORDER))
        return [h for h in hops if missing or h.kernel is not None]

    def dump_table(self) -> str:
        """The computed table as torch's ``_dispatch_dump_table`` prints it."""
        return "".join(f"{hop.dump()}\n" for hop in self.computed_table())

    # --- calls -----------------------------------------------------------------------------

    def lookup(self, mask: int) -> Kernel:
        """The kernel that a call with the key set *mask* (TLS already applied) runs.

        Raises NotImplementedError with torch's text where there is none.
        """
        hop = self.table.get(mask) or self.resolve(mask)
        return hop.kernel  # type: ignore[return-value]  # resolve() never returns an empty hop

    def hop(self, mask: int) -> Hop:
        """As :meth:`lookup`, with the key that was chosen and the rule."""
        return self.table.get(mask) or self.resolve(mask)

    def resolve(self, mask: int) -> Hop:
        """Find the hop of *mask* by the rules and remember it."""
        with self.registry.lock:
            found = self._walk(mask, None)
            if found.kernel is None:
                raise self.missing(found.key)
            self.table[mask] = found
            return found

    def _walk(self, mask: int, skipped: list[Hop] | None) -> Hop:
        """The first hop of *mask* that is not skipped; its kernel is None where none exists."""
        if mask & _AUTOGRAD:
            # The alias in a set stands for its backends' autograd keys.
            mask |= autograd_keys_of_backends(mask)
        mask &= ~NOT_RUNTIME_MASK
        unserved: Hop | None = None
        while mask:
            bit = 1 << (mask.bit_length() - 1)
            hop = self.explain(BY_BIT[bit])
            if hop.kernel is None:
                if not bit & _OPTIONAL_BACKENDS:
                    return hop
                unserved = unserved or hop
            elif hop.kernel.fn is not None:
                return hop
            if skipped is not None:
                skipped.append(hop)
            mask ^= bit
        # Nothing but skipped keys: torch dispatches to Undefined.
        hop = self.explain(_K.Undefined)
        if hop.kernel is None or hop.kernel.fn is None:
            return unserved or Hop(_K.Undefined, None, "missing")
        return hop

    def missing(self, key: DispatchKey) -> NotImplementedError:
        """The error of a call that *key* cannot serve, with torch's text."""
        table = self.computed_table()
        names = [key_name(h.key) for h in table if h.key]
        dump = "".join(f"{hop.dump()}\n" for hop in table)
        if key == _K.Undefined:
            return errors.no_tensor_arguments(self.name, names, dump)
        return errors.missing_kernel(self.name, key_name(key), names, dump)

    def path(self, mask: int, *, skipped: bool = False) -> list[Hop]:
        """The hops that a call with the key set *mask* takes, first to last.

        A wrapper's kernel (autograd, tracer, pipeline…) is taken to hand on to the keys below
        it; a backend's, and a composite one, ends the path. With *skipped*, keys that fall
        through are listed too. Where a kernel is missing its empty hop ends the path.
        """
        hops: list[Hop] = []
        if mask & _AUTOGRAD:
            mask |= autograd_keys_of_backends(mask)
        mask &= ~NOT_RUNTIME_MASK
        while True:
            hop = self._walk(mask, hops if skipped else None)
            hops.append(hop)
            if (
                hop.kernel is None
                or hop.key < _FIRST_WRAPPER
                or hop.rule == "ambiguous AutogradOther"
                or hop.rule.startswith("Composite")
            ):
                return hops
            mask &= hop.key - 1

    def __repr__(self) -> str:
        return f"<Operator {self.name}>"


def _ambiguous(key: DispatchKey) -> Kernel:
    """A kernel that refuses: the op decomposes, yet a backend behind AutogradOther has its own."""

    def refuse(op: Operator, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise errors.ambiguous_autogradother(op.name)

    return Kernel(refuse, key, BOXED)
