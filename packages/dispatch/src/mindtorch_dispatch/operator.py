"""Operator: one op's schema, its registered kernels, and the table computed from them.

The table is worked out on demand (``dispatch_table.py`` has the rules): registering costs a dict
store, and a call costs one dict lookup from its key mask to the hop that serves it.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Protocol

from . import errors
from .dispatch_table import slot
from .function_schema import FunctionSchema, difference
from .kernel import BOXED, Hop, Kernel, Kernels, SharedKernels, site_text
from .key_order import ENUM_RANK
from .keys import (
    BY_BIT,
    NOT_RUNTIME_MASK,
    TORCH_ORDER,
    DispatchKey,
    autograd_keys_of_backends,
    backend_name,
    is_alias_key,
    key_name,
    parse_key,
)
from .protocols import OpSource
from .schema import parse_schema

__all__ = ["Hop", "Kernel", "Operator"]

_K = DispatchKey
_AUTOGRAD = int(_K.Autograd)
# Keys from Python upward are wrappers: their kernels hand on to what is below them.
_FIRST_WRAPPER = int(_K.Python)
_OPTIONAL_BACKENDS = int(_K.PrivateUse2 | _K.PrivateUse3)


class FallbackKernels(Protocol):
    """What an operator asks of the fallbacks."""

    #: Counts their changes.
    version: int
    entries: dict[int, Kernel]


class OperatorOwner(Protocol):
    """What an operator asks of the registry that it is in."""

    #: Counts the schemas that came and went.
    generation: int
    #: What users hold for an operator.
    held: Callable[[Operator], Any]

    @property
    def lock(self) -> AbstractContextManager[Any]:
        """Held while registering and while resolving a call for the first time."""
        ...

    @property
    def fallbacks(self) -> FallbackKernels:
        """What a key does for ops without a kernel for it."""
        ...

    def find_exact(self, name: str) -> Operator | None:
        """The op of exactly the qualified *name*, or None."""
        ...

    def forget_if_empty(self, op: Operator) -> None:
        """Drop *op* if nothing is registered for it any more."""
        ...


class Operator(Kernels):
    """One overload of an op: schema, kernels, and the table computed from them."""

    __slots__ = (
        "_entries",
        "_schema",
        "_schema_text",
        "_shared",
        "_source",
        "alias_analysis",
        "call_table",
        "has_source",
        "name",
        "on_change",
        "registry",
        "report_missing",
        "schema_where",
        "table",
        "tags",
        "version",
    )

    def __init__(self, name: str, registry: OperatorOwner, source: OpSource | None = None) -> None:
        self._entries: dict[int, Kernel] = {}
        #: Where schema and kernels come from when first asked for; None: they are here.
        self._source = source
        #: The kernels that it has with other ops, once they are here; None if it has its own.
        self._shared: SharedKernels | None = None
        #: Whether it came with a source.
        self.has_source = source is not None
        #: Qualified name with the overload: ``aten::add.Tensor``.
        self.name = name
        self.registry = registry
        self._schema_text: str | None = None
        self._schema: FunctionSchema | None = None
        #: Where the schema was registered, for torch's duplicate-registration text.
        self.schema_where: Any = None
        #: What its definition says of the op, in whatever terms the definer uses.
        self.tags: tuple[Any, ...] = ()
        #: Called with the name of a key that has no kernel for a call, to say so in other words.
        self.report_missing: Callable[[str], Any] | None = None
        #: torch's word for how aliases of the op are found out.
        self.alias_analysis = "FROM_SCHEMA"
        #: mask of a call → hop; filled on first use.
        self.table: dict[int, Hop] = {}
        #: For whoever builds call tables of their own over this op (any dict, also a subclass
        #: with ``__missing__``): cleared whenever a registration could change their content.
        #: Fill it with :meth:`remember`.
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

    @property
    def held(self) -> Any:
        """What users hold for it."""
        return self.registry.held(self)

    def _load(self) -> None:
        """Get schema and kernels from the source, the first time that anybody asks."""
        with self.registry.lock:
            source = self._source
            if source is not None:
                self._schema_text = source.schema_text
                kernels = source.kernels()
                self._shared = kernels if isinstance(kernels, SharedKernels) else None
                for key, fn in kernels:
                    kernel = Kernel(fn, key, BOXED, self.schema_where, self)
                    kernel.older = self._entries.get(key)
                    self._entries[key] = kernel
                self._source = None  # last: other threads look at it without the lock

    @property
    def is_loaded(self) -> bool:
        """Whether schema and kernels are here: there is no source, or it was asked."""
        return self._source is None

    @property
    def entries(self) -> dict[int, Kernel]:  # type: ignore[override]  # an attribute of the class above
        """The newest registration of each key."""
        if self._source is not None:
            self._load()
        return self._entries

    @property
    def has_schema(self) -> bool:
        """Whether a schema was registered."""
        if self._source is not None:
            self._load()
        return self._schema is not None or self._schema_text is not None

    @property
    def schema(self) -> FunctionSchema | None:
        """The schema, parsed when first asked for; None before one is registered."""
        schema = self._schema
        if schema is None:
            text = self.schema_text
            if text is not None:
                schema = self._schema = parse_schema(text)
        return schema

    def set_schema(
        self,
        given: str | FunctionSchema | None,
        where: Any = None,
        *,
        alias_analysis: str = "FROM_SCHEMA",
        tags: tuple[Any, ...] = (),
    ) -> None:
        """Set, replace or (None) drop the schema; a text is parsed later.

        Raises RuntimeError with torch's text where a kernel's own schema does not fit it.
        """
        if self._source is not None:
            self._load()
        if given is not None:
            for key in self._entries:
                for kernel in self.stack(key):
                    if kernel.inferred is not None:
                        self._check_inferred(kernel, given, where)
        if given is None or isinstance(given, str):
            self._schema_text, self._schema = given, None
        else:
            self._schema_text, self._schema = None, given
        self.schema_where = where
        self.alias_analysis = alias_analysis
        self.tags = tags
        self.registry.generation += 1
        self.changed()

    def _check_inferred(self, kernel: Kernel, given: str | FunctionSchema, where: Any) -> None:
        """The schema that follows from a kernel must be the one that was registered."""
        wanted = parse_schema(given) if isinstance(given, str) else given
        reason = difference(wanted, kernel.inferred)  # type: ignore[arg-type]  # asked before
        if reason:
            raise errors.inferred_schema_differs(
                self.name, str(wanted), site_text(where), str(kernel.inferred), kernel.debug, reason
            )

    @property
    def schema_text(self) -> str | None:
        """The schema as it was registered, with its qualified name."""
        if self._source is not None:
            self._load()
        if self._schema_text is None and self._schema is not None:
            self._schema_text = str(self._schema)
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

    def put(self, kernel: Kernel) -> Kernel:
        """Register *kernel* above what its key has.

        Raises RuntimeError with torch's text where its own schema does not fit the op's.
        """
        if kernel.inferred is not None:
            schema = self.schema
            if schema is not None:
                self._check_inferred(kernel, schema, self.schema_where)
        return super().put(kernel)

    def remove(self, kernel: Kernel) -> None:
        """Take *kernel* out; an op that has nothing left leaves the registry."""
        with self.registry.lock:
            super().remove(kernel)
            self.registry.forget_if_empty(self)

    def changed(self) -> None:
        """Forget what was resolved, here and in the call tables built over this op."""
        self.version += 1
        self._shared = None
        if self.table:
            self.table.clear()
        if self.call_table:
            self.call_table.clear()
        if self.on_change is not None:
            for callback in tuple(self.on_change):
                callback(self)

    def remember(self, table: dict[Any, Any], key: Any, found: Any, version: int) -> None:
        """Store what was found while :attr:`version` was *version*, unless it has changed since.

        *table* is one that is cleared when the registrations change.
        """
        with self.registry.lock:
            if self.version == version:
                table[key] = found

    # --- the computed table ----------------------------------------------------------------

    def explain(self, key: int | str) -> Hop:
        """The slot of *key* in the computed table: which kernel, chosen by which rule."""
        key = parse_key(key)
        with self.registry.lock:
            return slot(self.entries, self.registry.fallbacks.entries, key)

    def computed_table(self, *, missing: bool = False) -> list[Hop]:
        """Every slot that has a kernel (and with *missing* those that have none), torch's order."""
        with self.registry.lock:
            entries, fallbacks = self.entries, self.registry.fallbacks.entries
            hops = [slot(entries, fallbacks, k) for k in (_K.Undefined, *TORCH_ORDER)]
        return hops if missing else [h for h in hops if h.kernel is not None]

    def dump(self) -> str:
        """The registrations as torch's ``_dispatch_dump`` prints them, one line each."""
        with self.registry.lock:
            lines = [f"name: {self.name}"]
            if self.has_schema:
                lines.append(f"schema: {self.schema}")
                lines.append(f"debug: {self.schema_site}")
                lines.append(f"alias analysis kind: {self.alias_analysis}")
            else:
                lines.append("schema: (none)")
            for key in sorted(self.entries, key=ENUM_RANK.__getitem__):
                name = key_name(key) + ("[alias]" if is_alias_key(key) else "")
                for kernel in self.stack(key):
                    lines.append(f"{name}: {kernel.dump()}")
                    if not name.endswith("(inactive)"):
                        name += " (inactive)"
        return "\n".join(lines) + "\n"

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

    def shared_kernel(self, mask: int) -> Callable[..., Any] | None:
        """The function that serves *mask*, where the op has the kernels of others and no more.

        It is looked for once for all of them. None for an op of which more was registered.
        """
        shared = self._shared
        if shared is None:
            source = self._source
            kernels = None if source is None else source.kernels()
            if not isinstance(kernels, SharedKernels):
                return None
            shared = kernels
        version = self.registry.fallbacks.version
        if shared.version == version and mask in shared.served:
            return shared.served[mask]
        found = self.lookup(mask).fn
        with self.registry.lock:
            if shared.version != self.registry.fallbacks.version:
                shared.version = self.registry.fallbacks.version
                shared.served = {}
            if version == shared.version:
                shared.served[mask] = found
        return found

    def resolve(self, mask: int) -> Hop:
        """Find the hop of *mask* by the rules and remember it."""
        with self.registry.lock:
            found = self._walk(mask, None)
            if found.kernel is None:
                if found.key == _K.Undefined and self.explain(_K.Undefined).fallthrough:
                    raise errors.fallthrough_executed()
                if self.report_missing is not None:
                    self.report_missing(key_name(found.key))
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
        return errors.missing_kernel(self.name, backend_name(key), names, dump)

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
