"""Registry: every op by name, and the backend fallbacks.

Registering is cheap (a schema is kept as text, no table is computed) and safe while other
threads call: a reader sees the registrations before or after, and resolving happens under the
lock that registering takes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import RLock
from typing import Any

from . import errors
from .kernel import BOXED, PLAIN, WITH_KEYSET, Hop, Kernel, Kernels, site_text
from .keys import DispatchKey, key_name, keys_in, parse_key
from .operator import Operator
from .protocols import OpSource
from .snapshot import Snapshot, restore, take

__all__ = ["Registry", "SchemaHandle", "registry"]

_K = DispatchKey
# Keys that do nothing for an op which says nothing about them. torch registers the same
# fallthroughs (VariableFallbackKernel.cpp, autocast_mode.cpp, VmapModeRegistrations.cpp); Pipeline
# is ours. Other wrappers have no default: dispatching to one without a kernel is an error.
_DEFAULT_FALLTHROUGH: int = (
    _K.BackendSelect
    | _K.Pipeline
    | _K.ADInplaceOrView
    | _K.AutogradOther
    | _K.AutogradCPU
    | _K.AutogradCUDA
    | _K.AutogradXLA
    | _K.AutogradMPS
    | _K.AutogradXPU
    | _K.AutogradHPU
    | _K.AutogradLazy
    | _K.AutogradMTIA
    | _K.AutogradPrivateUse1
    | _K.AutogradMeta
    | _K.AutocastCPU
    | _K.AutocastXPU
    | _K.AutocastCUDA
    | _K.AutocastPrivateUse1  # torch leaves this one to the device's own package
    | _K.FuncTorchVmapMode
    | _K.VmapMode
)


def qualify(name: str) -> str:
    """*name* with a namespace: a bare name means ``aten::name``."""
    return name if "::" in name else f"aten::{name}"


class _Fallbacks(Kernels):
    """Backend fallbacks by key; a change concerns every op."""

    __slots__ = ("_lock", "_ops", "version")

    def __init__(self, ops: dict[str, Operator], lock: Any) -> None:
        super().__init__()
        self._ops = ops
        self._lock = lock
        #: Counts their changes.
        self.version = 0

    def remove(self, kernel: Kernel) -> None:
        with self._lock:
            super().remove(kernel)

    def changed(self) -> None:
        self.version += 1
        for op in tuple(self._ops.values()):
            op.changed()


class SchemaHandle:
    """A registered schema; ``remove()`` takes it back."""

    __slots__ = ("_op", "_registry")

    def __init__(self, registry: Registry, op: Operator) -> None:
        self._registry = registry
        self._op: Operator | None = op

    def remove(self) -> None:
        """Drop the schema. Does nothing twice."""
        op, self._op = self._op, None
        if op is not None:
            self._registry._drop_schema(op)


class Registry:
    """Ops and fallbacks. :data:`registry` is the one that dispatching uses by default."""

    def __init__(self, *, defaults: bool = True) -> None:
        """An empty registry.

        :param defaults: register the fallthroughs that torch has for autograd, autocast,
            backend select and the like.
        """
        self._ops: dict[str, Operator] = {}
        #: Other names of ops, all of them qualified: see :meth:`register_alias`.
        self.aliases: dict[str, str] = {}
        #: Counts the schemas that came and went: what was looked up by name holds while it stays.
        self.generation = 0
        #: What users hold for an operator, as fallbacks get it; the operator itself by default.
        self.held: Callable[[Operator], Any] = lambda op: op
        #: Registers the op of a qualified name if it was put off, and says whether it did.
        self.later: Callable[[str], bool] = lambda name: False
        #: Registers all ops that were put off.
        self.all_later: Callable[[], None] = lambda: None
        #: The warnings that were given, of those that are given once.
        self.said: set[str] = set()
        #: Where a namespace's one block of definitions stands.
        self.libraries: dict[str, str] = {}
        #: Held while registering and while resolving a call for the first time.
        self.lock = RLock()
        #: Backend fallbacks: what a key does for ops without a kernel for it.
        self.fallbacks = _Fallbacks(self._ops, self.lock)
        if defaults:
            for key in keys_in(_DEFAULT_FALLTHROUGH):
                self.fallbacks.entries[key] = Kernel(
                    None, key, BOXED, "mindtorch_dispatch.registry", self.fallbacks
                )

    # --- registering -----------------------------------------------------------------------

    def operator(self, name: str) -> Operator:
        """The op *name*, made if need be (an op that gets no registration must not stay)."""
        op = self._ops.get(name)
        if op is None:
            name = qualify(name)
            op = self.find_exact(name)
            if op is None:
                op = self._ops[name] = Operator(name, self)
        return op

    def register_schema(
        self, name: str, schema: str | None = None, *, where: Any = None
    ) -> SchemaHandle:
        """Register a schema: ``("aten::neg(Tensor self) -> Tensor")`` or ``(name, schema)``.

        The text is parsed when somebody asks for it. Registering the same text again changes
        nothing; another one for the same overload raises torch's RuntimeError.
        """
        if schema is None:
            schema = name
            name = schema[: schema.find("(")].strip() if "(" in schema else schema.strip()
        else:
            cut = schema.find("(")
            if cut > 0:
                inner = qualify(schema[:cut].strip())
                if inner != qualify(name):
                    raise ValueError(f"schema of {inner} given for operator {qualify(name)}")
        cut = schema.find("(")
        with self.lock:
            op = self.operator(name)
            text = op.name + schema[cut:] if cut >= 0 else schema
            old = op.schema_text
            if old is None:
                op.set_schema(text, where)
            elif old != text:
                raise errors.duplicate_schema(text, site_text(where), op.schema_site)
        return SchemaHandle(self, op)

    def register_kernel(
        self,
        name: str,
        key: DispatchKey | str,
        fn: Callable[..., Any],
        *,
        with_keyset: bool = False,
        allow_override: bool = True,
        where: Any = None,
    ) -> Kernel:
        """Register *fn* for op *name* at *key*; the newest registration of a key wins.

        The schema may come later. The result is the handle: ``.remove()`` takes the kernel back
        and the one it overrode comes back.

        :param with_keyset: *fn* gets the call's key set as its first argument.
        :param allow_override: with False, raise RuntimeError if *key* has a kernel.
        :param where: ``(file, line)`` to show in place of the function's own.
        """
        if key.__class__ is not DispatchKey:
            key = parse_key(key)
        if not callable(fn):
            raise TypeError(f"a kernel must be callable, got {type(fn).__name__}")
        with self.lock:
            op = self._ops.get(name)
            if op is None:
                op = self.operator(name)
            if not allow_override:
                self.check_free(op.name, key)
            kind = WITH_KEYSET if with_keyset else PLAIN
            kernel = Kernel(fn, key, kind, where, op)
            return op.put(kernel)

    def check_free(self, name: str, key: DispatchKey) -> None:
        """Raise RuntimeError if op *name* has a kernel at *key*."""
        op = self._ops.get(name)
        old = None if op is None else op.entries.get(key)
        if old is not None:
            raise errors.kernel_exists(name, key_name(old.key), old.where)

    def register_op(
        self, schema: str, kernels: Mapping[DispatchKey, Callable[..., Any]], *, where: Any = None
    ) -> Operator:
        """The bulk path: one new op with its schema and kernels, nothing checked.

        *schema* starts with the qualified name. Meant for tables of ops known to be right.
        """
        name = schema[: schema.index("(")]
        if "::" not in name:
            name, schema = f"aten::{name}", f"aten::{schema}"
        with self.lock:
            op = self._ops.get(name)
            if op is None:
                op = self._ops[name] = Operator(name, self)
            op.set_schema(schema, where)
            entries = op.entries
            for key, fn in kernels.items():
                kernel = Kernel(fn, key, PLAIN, where, op)
                if key in entries:
                    kernel.older = entries[key]
                entries[key] = kernel
            op.changed()
        return op

    def register_source(self, name: str, source: OpSource, *, where: Any = None) -> Operator:
        """An op whose schema and kernels *source* tells when somebody first asks for them.

        For libraries of many ops, of which a program uses few. *name* is qualified.
        """
        with self.lock:
            op = self._ops.get(name)
            if op is None:
                op = self._ops[name] = Operator(name, self, source)
            else:
                op._source = source
                op.has_source = True
                op.changed()
            self.generation += 1
            op.schema_where = where
        return op

    def register_fallthrough(
        self, name: str, key: DispatchKey | str, *, where: Any = None
    ) -> Kernel:
        """Make calls of op *name* skip *key*."""
        key = parse_key(key)
        with self.lock:
            op = self.operator(name)
            return op.put(Kernel(None, key, PLAIN, where, op))

    def register_fallback(
        self,
        key: DispatchKey | str,
        fn: Callable[..., Any] | None,
        *,
        where: Any = None,
    ) -> Kernel:
        """Register what *key* does for every op that has no kernel for it.

        :param fn: ``fn(op, keyset, args, kwargs)``; None to fall through.
        """
        key = parse_key(key)
        with self.lock:
            return self.fallbacks.put(Kernel(fn, key, BOXED, where, self.fallbacks))

    def register_alias(self, alias: str, target: str) -> str:
        """Let *alias* be found as the op *target*, and return it qualified.

        An op that is registered under *alias* goes first. Raises RuntimeError where there is no
        op *target*.
        """
        alias = qualify(alias)
        with self.lock:
            self.aliases[alias] = self.get(target).name
            self.generation += 1
        return alias

    # --- going back ------------------------------------------------------------------------

    @property
    def operators(self) -> dict[str, Operator]:
        """Every op that was registered so far, by its qualified name; those put off are not."""
        return self._ops

    def snapshot(self) -> Snapshot:
        """What is registered now, for :meth:`restore`: schemas, kernels, fallbacks, aliases."""
        with self.lock:
            return take(self)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to what was registered when *snapshot* was taken, as often as wanted.

        What was registered since is gone, and its handles do nothing; what was taken back is
        there again. Ops that a library of ops loads when they are first used stay.
        """
        with self.lock:
            restore(self, snapshot)

    def _drop_schema(self, op: Operator) -> None:
        with self.lock:
            op.set_schema(None)
            self.forget_if_empty(op)

    def remove(self, handles: Kernel | SchemaHandle | Iterable[Kernel | SchemaHandle]) -> None:
        """Take several registrations back, by their handles."""
        if isinstance(handles, Kernel | SchemaHandle):
            handles = (handles,)
        with self.lock:
            for handle in handles:
                handle.remove()

    def forget_if_empty(self, op: Operator) -> None:
        """Drop *op* from the registry if nothing is registered for it any more."""
        if not op.entries and not op.has_schema and self._ops.get(op.name) is op:
            del self._ops[op.name]

    # --- asking ----------------------------------------------------------------------------

    def find_exact(self, name: str) -> Operator | None:
        """The op of exactly the qualified *name*, overload included, or None."""
        op = self._ops.get(name)
        return self._ops.get(name) if op is None and self.later(name) else op

    def find(self, name: str) -> Operator | None:
        """The op *name* or None.

        A bare name means ``aten::name``. A name without overload finds the default overload, or
        where there is none the one registered first, or the op that it is an alias of.
        """
        op = self._ops.get(name)
        if op is None:
            name = qualify(name)
            op = self.find_exact(name)
            if op is None and "." not in name:
                prefix = f"{name}."
                for full, candidate in tuple(self._ops.items()):
                    if full.startswith(prefix):
                        return candidate
            if op is None and name in self.aliases:
                return self.find_exact(self.aliases[name])
        return op

    def has(self, name: str) -> bool:
        """Whether there is an op *name*, found as by :meth:`find`."""
        return self.find(name) is not None

    def get(self, name: str) -> Operator:
        """The op *name*, found as by :meth:`find`.

        Raises RuntimeError, with similar names, if there is none.
        """
        op = self._ops.get(name) or self.find(name)
        if op is None:
            raise errors.unknown_op(qualify(name), self.similar(name))
        return op

    def schema(self, name: str) -> Any:
        """The schema of exactly the overload *name*; RuntimeError with torch's text if none."""
        name = qualify(name)
        op = self.find_exact(name)
        if op is None or not op.has_schema:
            raise errors.no_schema(name, has_kernels=op is not None and bool(op.entries))
        return op.schema

    def similar(self, name: str) -> list[str]:
        """Registered names that look like *name*, best first."""
        from difflib import get_close_matches  # not at import: for a message only

        full_names = self.names()
        names = list(
            dict.fromkeys(n for full in full_names for n in (full.partition(".")[0], full))
        )
        wanted = qualify(name)
        close = get_close_matches(wanted, names, n=12, cutoff=0.75)
        # A name cut short is a likelier slip than a letter in front.
        return sorted(close, key=lambda n: not n.startswith(wanted))[:3]

    def overloads(self, name: str) -> list[Operator]:
        """Every overload of the op *name*, in order of registration."""
        base = qualify(name).partition(".")[0]
        self.later(base)
        return [op for op in tuple(self._ops.values()) if op.base == base]

    def names(self) -> list[str]:
        """The qualified name of every op, sorted."""
        return sorted(op.name for op in self)

    def has_backend_fallback(self, key: DispatchKey | str) -> bool:
        """Whether a fallback (a fallthrough too) is registered at *key*."""
        return parse_key(key) in self.fallbacks.entries

    def explain(self, name: str, key: DispatchKey | str) -> Hop:
        """Which kernel op *name* runs at *key*, and why."""
        return self.get(name).explain(key)

    def dangling(self) -> list[Operator]:
        """Ops that have kernels but no schema."""
        return [op for op in self if not op.has_schema]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self.find(name) is not None

    def __iter__(self) -> Iterator[Operator]:
        self.all_later()
        return iter(tuple(self._ops.values()))

    def __len__(self) -> int:
        self.all_later()
        return len(self._ops)


#: The registry that :func:`mindtorch_dispatch.dispatch` looks ops up in.
registry = Registry()
if hasattr(os, "register_at_fork"):  # who held it does not run in the child
    os.register_at_fork(after_in_child=registry.lock._at_fork_reinit)  # type: ignore[attr-defined]  # not in the stubs
