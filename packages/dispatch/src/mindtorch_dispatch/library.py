"""Library: registrations that go away as one, shaped like ``torch.library.Library``."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import Any

from . import errors
from .kernel import Kernel, fallthrough_kernel
from .keys import DispatchKey, parse_key
from .registration_block import Block
from .registry import Registry

__all__ = ["Library", "fallthrough_kernel"]

_RESERVED = ("prim",)
_KINDS = ("IMPL", "DEF", "FRAGMENT")
_ALIAS_ANALYSIS = ("", "FROM_SCHEMA", "CONSERVATIVE", "PURE_FUNCTION")


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
        if kind not in _KINDS:
            raise ValueError(f"Unsupported kind: {kind}")
        if ns in _RESERVED and kind in ("DEF", "FRAGMENT"):
            raise errors.reserved_namespace(ns)
        file, line = _site(self._caller())
        self.ns = ns
        self.kind = kind
        self.dispatch_key = dispatch_key
        #: What does the work, as ``torch._C._dispatch_library`` makes it.
        self.m: Block | None = Block(kind, ns, dispatch_key, file, line, registry=registry)

    def _caller(self) -> FrameType:
        """The frame of whoever called a method of this class, of subclasses too."""
        frame = sys._getframe(2)
        # not f_locals: reading it keeps what it shows alive
        names = _names(type(self))  # type: ignore[arg-type]  # classes are hashable
        while frame.f_code.co_qualname.rpartition(".")[0] in names and frame.f_back is not None:
            frame = frame.f_back
        return frame

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Define an op from its schema and return its name (as written, without the overload).

        Raises RuntimeError with torch's text for a malformed schema or one already defined.
        """
        block = self._block()
        if alias_analysis not in _ALIAS_ANALYSIS:
            raise errors.alias_analysis(alias_analysis)
        return block.define(schema, alias_analysis, tags)

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
        block = self._block()
        if not callable(fn):
            raise errors.not_callable(type(fn))
        if not isinstance(op_name, str):
            raise errors.impl_name(type(op_name))
        key = dispatch_key or self.dispatch_key or DispatchKey.CompositeImplicitAutograd
        if not allow_override:
            name = op_name if "::" in op_name else f"{self.ns}::{op_name}"
            block.registry.check_free(name, parse_key(key))
        return block.impl(op_name, key, fn, with_keyset, where=_site(self._caller()))

    def fallback(
        self,
        fn: Callable[..., Any],
        dispatch_key: str | DispatchKey = "",
        *,
        with_keyset: bool = False,
    ) -> None:
        """Register a kernel ``fn(op, *args, **kwargs)`` for every op that has none at a key.

        Only in the namespace ``_``, as in torch.
        """
        block = self._block()
        if self.ns != "_":
            raise errors.fallback_namespace(self.ns)
        key = dispatch_key or self.dispatch_key or DispatchKey.Undefined
        block.fallback(key, fn, with_keyset, where=_site(self._caller()))

    def _block(self) -> Block:
        if self.m is None:
            raise AssertionError("Library object has been destroyed")
        return self.m

    def _destroy(self) -> None:
        """Drop everything registered here; the registrations it overrode come back."""
        block, self.m = self.m, None
        if block is not None:
            block.reset()

    def __repr__(self) -> str:
        return f"Library(kind={self.kind}, ns={self.ns}, dispatch_key={self.dispatch_key})>"


@cache
def _names(cls: type) -> frozenset[str]:
    return frozenset([c.__qualname__ for c in cls.__mro__])


def _site(frame: FrameType) -> tuple[str, int]:
    return frame.f_code.co_filename, frame.f_lineno
