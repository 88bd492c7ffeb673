"""Library: registrations that go away as one, shaped like ``torch.library.Library``."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Callable
from typing import Any

from . import errors
from .keys import DispatchKey, key_name, parse_key
from .operator import Kernel
from .registry import Registry, SchemaHandle
from .registry import registry as _default_registry

__all__ = ["Library", "fallthrough_kernel"]

_RESERVED = ("prim",)
# kind → torch's word for such a block.
_BLOCKS = {
    "DEF": "TORCH_LIBRARY",
    "FRAGMENT": "TORCH_LIBRARY_FRAGMENT",
    "IMPL": "TORCH_LIBRARY_IMPL",
}
_ALIAS_ANALYSIS = ("", "FROM_SCHEMA", "CONSERVATIVE", "PURE_FUNCTION")


def fallthrough_kernel() -> None:
    """Pass this to :meth:`Library.impl` to make a key fall through. It is never called."""
    raise NotImplementedError("fallthrough_kernel() should never be called.")


def _drop(handles: list[Kernel | SchemaHandle]) -> None:
    # Newest first, as a stack.
    while handles:
        handles.pop().remove()


def _drop_block(blocks: dict[tuple[int, str], str], key: tuple[int, str], site: str) -> None:
    if blocks.get(key) == site:
        del blocks[key]


# (registry, namespace) → where its one DEF block was opened.
_def_blocks: dict[tuple[int, str], str] = {}


class Library:
    """Registers schemas and kernels in one namespace and drops them when it goes.

    :param ns: the namespace.
    :param kind: ``"DEF"`` (the one block that defines a namespace), ``"FRAGMENT"`` (defines too,
        any number of them) or ``"IMPL"`` (kernels only).
    :param dispatch_key: the key of :meth:`impl` calls that name none.
    :param registry: where to register; the package's own by default.
    """

    def __init__(
        self, ns: str, kind: str, dispatch_key: str = "", *, registry: Registry | None = None
    ) -> None:
        if kind not in _BLOCKS:
            raise ValueError(f"Unsupported kind: {kind}")
        if ns in _RESERVED and kind in ("DEF", "FRAGMENT"):
            raise errors.reserved_namespace(ns)
        frame = sys._getframe(1)
        if kind != "IMPL":
            site = f"{frame.f_code.co_filename}:{frame.f_lineno}"
            if ns == "_":
                raise errors.wildcard_namespace(_BLOCKS[kind], site)
            if dispatch_key:
                raise RuntimeError(f"a dispatch key may be given to an IMPL block only, not {kind}")
        self.ns = ns
        self.kind = kind
        self.dispatch_key = dispatch_key
        self._registry = _default_registry if registry is None else registry
        self._site = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        self._handles: list[Kernel | SchemaHandle] = []
        self._destroyed = False
        if dispatch_key:
            parse_key(dispatch_key)
        if kind == "DEF":
            block = (id(self._registry), ns)
            if block in _def_blocks:
                raise errors.second_def_block(ns, _def_blocks[block], self._site)
            _def_blocks[block] = self._site
            weakref.finalize(self, _drop_block, _def_blocks, block, self._site)
        self._finalizer = weakref.finalize(self, _drop, self._handles)

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Define an op from its schema and return its name (without the namespace).

        Raises RuntimeError with torch's text for a malformed schema or one already defined.
        """
        self._check_alive()
        if alias_analysis not in _ALIAS_ANALYSIS:
            raise errors.alias_analysis(alias_analysis)
        frame = sys._getframe(1)
        where = (frame.f_code.co_filename, frame.f_lineno)
        text = schema.strip()
        name = text.split("(")[0].strip()
        if self.kind == "IMPL":
            raise errors.define_in_impl_block(name, self._site)
        given, colons, rest = name.partition("::")
        if colons:
            if given != self.ns:
                raise errors.other_namespace_in_schema(
                    given, self.ns, _BLOCKS[self.kind], self._site
                )
            full = text
        else:
            rest = name
            full = f"{self.ns}::{text}"
        from .schema import parse_schema

        parsed = parse_schema(full)
        with self._registry.lock:
            old = self._registry.find_exact(f"{self.ns}::{rest}")
            if old is not None and old.has_schema:
                raise errors.duplicate_schema(
                    str(parsed), f"registered at {where[0]}:{where[1]}", old.schema_site
                )
            handle = self._registry.register_schema(full, where=where)
        self._handles.append(handle)
        return rest

    def impl(
        self,
        op_name: str,
        fn: Callable[..., Any],
        dispatch_key: str | DispatchKey = "",
        *,
        with_keyset: bool = False,
        allow_override: bool = True,
    ) -> Kernel:
        """Register *fn* as a kernel of *op_name* (with overload: ``"add.Tensor"``).

        Without a key, the library's own; without that, CompositeImplicitAutograd.
        :func:`fallthrough_kernel` makes the key fall through.
        """
        self._check_alive()
        if not callable(fn):
            raise TypeError(
                f"Input function is required to be a callable but found type {type(fn)}"
            )
        if not isinstance(op_name, str):
            raise errors.impl_name(type(op_name))
        given, colons, rest = op_name.partition("::")
        if not colons:
            rest = op_name
        elif given != self.ns:
            raise errors.other_namespace_in_impl(
                op_name, given, self.ns, _BLOCKS[self.kind], self._site
            )
        key = parse_key(dispatch_key or self.dispatch_key or DispatchKey.CompositeImplicitAutograd)
        if self.dispatch_key and key != parse_key(self.dispatch_key):
            raise errors.inconsistent_key(
                op_name, key_name(key), self.dispatch_key, _BLOCKS[self.kind], self._site
            )
        frame = sys._getframe(1)
        where = (frame.f_code.co_filename, frame.f_lineno)
        name = f"{self.ns}::{rest}"
        if fn is fallthrough_kernel:
            handle = self._registry.register_fallthrough(name, key, where=where)
        else:
            handle = self._registry.register_kernel(
                name,
                key,
                fn,
                with_keyset=with_keyset,
                allow_override=allow_override,
                where=where,
            )
        self._handles.append(handle)
        return handle

    def fallback(self, fn: Callable[..., Any], dispatch_key: str | DispatchKey = "") -> Kernel:
        """Register a boxed kernel ``fn(op, keyset, args, kwargs)`` for every op at a key.

        Only in the namespace ``_``, as in torch.
        """
        self._check_alive()
        if self.ns != "_":
            raise errors.fallback_namespace(self.ns)
        frame = sys._getframe(1)
        handle = self._registry.register_fallback(
            parse_key(dispatch_key or self.dispatch_key),
            None if fn is fallthrough_kernel else fn,
            where=(frame.f_code.co_filename, frame.f_lineno),
        )
        self._handles.append(handle)
        return handle

    def _check_alive(self) -> None:
        if self._destroyed:
            raise AssertionError("Library object has been destroyed")

    def _destroy(self) -> None:
        """Drop everything registered here; the registrations it overrode come back."""
        self._destroyed = True
        self._finalizer()
        if self.kind == "DEF":
            _drop_block(_def_blocks, (id(self._registry), self.ns), self._site)

    def __repr__(self) -> str:
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"
