"""Block: one block of registrations, as torch's C++ makes them, which go away as one.

torch's Python calls it ``torch._C._DispatchModule`` and gets one from
``torch._C._dispatch_library``; :class:`mindtorch_dispatch.Library` stands on it.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from . import errors, schema_errors
from .kernel import (
    FALLBACK,
    FALLBACK_WITH_KEYSET,
    PLAIN,
    WITH_KEYSET,
    Kernel,
    fallthrough_kernel,
)
from .key_order import torch_keys_in
from .keys import DispatchKey, key_name, parse_key, runtime_keys_of
from .registry import Registry, SchemaHandle
from .registry import registry as _default_registry
from .schema import FunctionSchema, inferred_schema, parse_operator, parse_operator_name

__all__ = ["Block"]

# kind → torch's word for such a block.
_WORDS = {
    "DEF": "TORCH_LIBRARY",
    "FRAGMENT": "TORCH_LIBRARY_FRAGMENT",
    "IMPL": "TORCH_LIBRARY_IMPL",
}
_ALIAS_ANALYSIS = {
    "": "FROM_SCHEMA",
    "FROM_SCHEMA": "FROM_SCHEMA",
    "CONSERVATIVE": "CONSERVATIVE",
    "PURE_FUNCTION": "PURE_FUNCTION",
}

# torch lets a device of one's own replace the one for autograd, and has none for autocast; here
# both are there, and come back when the other goes.
_REPLACEABLE = (DispatchKey.AutogradPrivateUse1, DispatchKey.AutocastPrivateUse1)


def _identity(x: Any) -> Any:
    """What ``impl_t_t`` and its like register: a Tensor in, a Tensor out."""
    return x


def _drop(handles: list[Any]) -> None:
    # Newest first, as a stack.
    while handles:
        handles.pop().remove()


class _Namespace:
    """A namespace's one DEF block; ``remove()`` lets another one come."""

    __slots__ = ("_libraries", "_name")

    def __init__(self, libraries: dict[str, str], name: str) -> None:
        self._libraries, self._name = libraries, name

    def remove(self) -> None:
        self._libraries.pop(self._name, None)


class Block:
    """Registers schemas and kernels in one namespace; they go when it goes, or at ``reset()``.

    :param kind: ``"DEF"`` (the one block that defines a namespace), ``"FRAGMENT"`` (defines too,
        any number of them) or ``"IMPL"`` (kernels only).
    :param namespace: ``"_"`` for an IMPL block of fallbacks.
    :param dispatch: the key of an IMPL block; empty for none.
    :param file: where the block stands, for dumps and messages; *linenum* likewise.
    :param registry: where to register; the package's own by default.
    :raises RuntimeError: torch's texts, here and in every method.
    """

    __slots__ = (
        "__weakref__",
        "_handles",
        "_key",
        "_site",
        "_word",
        "kind",
        "namespace",
        "registry",
    )

    def __init__(
        self,
        kind: str,
        namespace: str,
        dispatch: str = "",
        file: str = "/dev/null",
        linenum: int = 0,
        *,
        registry: Registry | None = None,
    ) -> None:
        if kind not in _WORDS:
            raise errors.unknown_word(kind)
        key = parse_key(dispatch) if dispatch else DispatchKey.Undefined
        self.kind, self.namespace, self._key = kind, namespace, key
        self._word, self._site = _WORDS[kind], f"{file}:{linenum}"
        self.registry = _default_registry if registry is None else registry
        self._handles: list[Any] = []
        if kind != "IMPL":
            if namespace == "_":
                raise errors.wildcard_namespace(self._word, self._site)
            libraries = self.registry.libraries
            if kind == "DEF" and namespace in libraries:
                raise errors.second_def_block(namespace, libraries[namespace], self._site)
            if key:
                raise errors.definitions_with_key(self._word, self._site)
            if kind == "DEF":
                libraries[namespace] = self._site
                self._handles.append(_Namespace(libraries, namespace))
        weakref.finalize(self, _drop, self._handles).atexit = False

    @property
    def debug(self) -> str:
        """What dumps say of what is registered here."""
        return f"registered at {self._site}"

    def reset(self) -> None:
        """Drop everything registered here; what it overrode comes back."""
        with self.registry.lock:
            _drop(self._handles)

    # --- definitions -----------------------------------------------------------------------

    def define(self, schema: str, alias_analysis: str = "", tags: Iterable[Any] = ()) -> str:
        """Define an op and return its name, with the namespace if *schema* names it."""
        kind = _ALIAS_ANALYSIS.get(alias_analysis)
        if kind is None:
            raise errors.unknown_word(alias_analysis)
        return self._define(schema, kind, tuple(tags))

    def def_(self, schema: str, alias: str = "") -> Block:
        """Define an op."""
        self.define(schema, alias)
        return self

    def def_legacy(self, schema: str) -> Block:
        """Define an op without saying how its aliases are found out."""
        self._define(schema, "CONSERVATIVE (default)", ())
        return self

    def def_name_t_t(
        self, name: str, dispatch: str = "", debug: str = "default_def_name_t_t"
    ) -> Block:
        """Define an op of one Tensor to a Tensor by its name alone, with a kernel."""
        parsed_name, overload, schema = parse_operator(name, allow_typevars=False)
        if schema is None:
            schema = inferred_schema(parsed_name, overload)
            kind = "CONSERVATIVE"
        else:
            kind = "FROM_SCHEMA"
        return self._define_with_kernel(schema, kind, dispatch, debug)

    def def_schema_t_t(
        self,
        name: str,
        dispatch: str = "",
        alias: str = "",
        debug: str = "default_def_schema_t_t",
    ) -> Block:
        """Define an op by its schema, with a kernel of one Tensor to a Tensor."""
        kind = _ALIAS_ANALYSIS.get(alias)
        if kind is None:
            raise errors.unknown_word(alias)
        _, _, schema = parse_operator(name, allow_typevars=False)
        if schema is None:
            raise schema_errors.schema_only_name()
        return self._define_with_kernel(schema, kind, dispatch, debug)

    def _define_with_kernel(
        self, schema: FunctionSchema, kind: str, dispatch: str, debug: str
    ) -> Block:
        key = parse_key(dispatch) if dispatch else DispatchKey.Undefined
        self._register_schema(schema, kind, ())
        dot = "." if schema.overload_name else ""
        return self._impl_t_t(f"{schema.name}{dot}{schema.overload_name}", key, debug)

    def _define(self, text: str, kind: str, tags: tuple[Any, ...]) -> str:
        name, _, schema = parse_operator(text, allow_typevars=False)
        if schema is None:
            raise schema_errors.schema_only_name()
        self._register_schema(schema, kind, tags)
        return name

    def _register_schema(self, schema: FunctionSchema, kind: str, tags: tuple[Any, ...]) -> None:
        """Register *schema*, which gets the qualified name."""
        name = schema.name
        dot = f".{schema.overload_name}" if schema.overload_name else ""
        if self.kind == "IMPL":
            raise errors.define_in_impl_block(name + dot, self._site)
        given, colons, _ = name.partition("::")
        if not colons:
            schema.name = name = f"{self.namespace}::{name}"
        elif given != self.namespace:
            raise errors.other_namespace_in_schema(given, self.namespace, self._word, self._site)
        registry = self.registry
        with registry.lock:
            full = name + dot
            op = registry.find_exact(full)
            if op is None:
                op = registry.operator(full)
            elif op.has_schema:
                raise errors.duplicate_schema(str(schema), self.debug, op.schema_site)
            op.set_schema(schema, self._site, alias_analysis=kind, tags=tags)
            self._handles.append(SchemaHandle(registry, op))

    # --- kernels ---------------------------------------------------------------------------

    def impl(
        self,
        name: str,
        dispatch: DispatchKey | str,
        func: Callable[..., Any],
        with_keyset: bool = False,
        *,
        where: Any = None,
    ) -> Kernel:
        """Register *func* for op *name* at a key, or a fallthrough (:func:`fallthrough_kernel`).

        :param where: ``(file, line)`` of the registration, for those who ask why a kernel runs.
        """
        key = self._key_of(name, parse_key(dispatch))
        kind = WITH_KEYSET if with_keyset else PLAIN
        fn = None if func is fallthrough_kernel else func
        return self._put(name, Kernel(fn, key, kind, where, None, self.debug))

    def impl_t_t(self, name: str, dispatch: str = "", debug: str = "impl_t_t") -> Block:
        """Register a kernel that takes one Tensor and gives a Tensor, under the name *debug*."""
        return self._impl_t_t(
            name, parse_key(dispatch) if dispatch else DispatchKey.Undefined, debug
        )

    def _impl_t_t(self, name: str, key: DispatchKey, debug: str) -> Block:
        key = self._key_of(name, key)
        inferred = inferred_schema("", "")
        self._put(name, Kernel(_identity, key, PLAIN, None, None, debug, inferred))
        return self

    def _key_of(self, name: str, key: DispatchKey) -> DispatchKey:
        """The key of a registration: its own, which must be the block's, if that has one."""
        parse_operator_name(name)
        given, colons, _ = name.strip().partition("::")
        if self.namespace == "_":
            if colons:
                raise errors.other_namespace_in_impl(
                    name, given, "std::nullopt", self._word, self._site
                )
            raise errors.wildcard_without_namespace(name)
        if colons and given != self.namespace:
            raise errors.other_namespace_in_impl(
                name, given, self.namespace, self._word, self._site
            )
        own = self._key
        if key and own and key != own:
            raise errors.inconsistent_key(
                name, key_name(key), key_name(own), self._word, self._site
            )
        return key or own or DispatchKey.CompositeImplicitAutograd

    def _put(self, name: str, kernel: Kernel) -> Kernel:
        name = name.strip()
        full = name if "::" in name else f"{self.namespace}::{name}"
        registry = self.registry
        with registry.lock:
            op = registry.operator(full)
            kernel.owner = op
            older = op.entries.get(kernel.key)
            op.put(kernel)
            self._handles.append(kernel)
            if older is not None and kernel.key != DispatchKey.Meta:
                self._warn_of_override(op, kernel)
        return kernel

    def _warn_of_override(self, op: Any, kernel: Kernel) -> None:
        if "override" in self.registry.said:
            return
        self.registry.said.add("override")
        # torch names the first kernel that has a signature of its own in place of the overridden
        named = (k.debug for key in op.entries for k in op.stack(key) if k.inferred and k != kernel)
        text = errors.kernel_overridden(
            str(op.schema) if op.has_schema else op.name,
            op.schema_site if op.has_schema else "no debug info",
            key_name(kernel.key),
            next(named, "no debug info"),
            kernel.debug,
        )
        warnings.warn(text, UserWarning, stacklevel=4)

    # --- fallbacks -------------------------------------------------------------------------

    def fallback(
        self,
        dispatch: DispatchKey | str,
        func: Callable[..., Any],
        with_keyset: bool = False,
        *,
        where: Any = None,
    ) -> None:
        """Register what a key does for every op that has no kernel for it.

        *func* is called ``func(op, *args, **kwargs)``, with the key set in front if wanted; *op*
        is what users hold for an operator. Only in an IMPL block of the namespace ``_``.
        """
        kind = FALLBACK_WITH_KEYSET if with_keyset else FALLBACK
        fn = None if func is fallthrough_kernel else func
        self._fall_back(parse_key(dispatch), fn, kind, where)

    def fallback_fallthrough(self, dispatch: str = "") -> Block:
        """Make a key fall through for every op that has no kernel for it."""
        self._fall_back(
            parse_key(dispatch) if dispatch else DispatchKey.Undefined, None, PLAIN, None
        )
        return self

    def _fall_back(
        self, key: DispatchKey, fn: Callable[..., Any] | None, kind: int, where: Any
    ) -> None:
        if self.kind != "IMPL":
            raise errors.fallback_outside_impl(self._word, self._site)
        key = key or self._key
        if not key:
            raise errors.fallback_without_key(self._word, self._site)
        if self.namespace != "_":
            raise errors.fallback_of_one_namespace(
                self.namespace, key_name(key), self._word, self._site
            )
        registry = self.registry
        with registry.lock:
            keys = torch_keys_in(runtime_keys_of(key))
            for one in keys:
                old = registry.fallbacks.entries.get(one)
                if old is not None and one not in _REPLACEABLE:
                    raise errors.second_fallback(key_name(one), old.debug, self.debug)
            for one in keys:
                kernel = Kernel(fn, one, kind, where, registry.fallbacks, self.debug)
                self._handles.append(registry.fallbacks.put(kernel))
