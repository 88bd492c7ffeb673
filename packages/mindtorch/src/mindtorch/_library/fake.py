"""Fake implementations: what ops do on tensors without data.

A fake implementation is the op's kernel at the Meta key: pipelines ask it for shapes, too. A mode
of fake tensors calls it with these, which know their devices.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from mindtorch_dispatch import DispatchKey, registry

from ..core.warning import warn

__all__ = [
    "FakeImpl",
    "FakeImplCtx",
    "fake_impl_of",
    "find_fake_impl",
    "get_ctx",
    "set_ctx_getter",
    "sizes_from",
]

#: What :func:`get_ctx` asks; None outside of fake implementations.
_context: ContextVar[Callable[[], Any] | None] = ContextVar("mindtorch_fake_context", default=None)

#: What fake implementations ask that do not run on a program's own meta tensors.
_sizes: ContextVar[FakeImplCtx | None] = ContextVar("mindtorch_fake_sizes", default=None)


class FakeImplCtx:
    """What a fake implementation may ask for: sizes that depend on data.

    :param new_size: gives one, for its least and greatest value.
    """

    def __init__(self, new_size: Callable[[int, int | None], int]) -> None:
        self._new_size = new_size

    def new_dynamic_size(self, *, min: int = 0, max: int | None = None) -> int:
        """A size of which no more is known than its bounds."""
        return self._new_size(min, max)

    def create_unbacked_symint(self, *, min: int = 2, max: int | None = None) -> int:
        """:meth:`new_dynamic_size` by its name of old."""
        warn(
            "`create_unbacked_symint` is deprecated, please use `new_dynamic_size` instead",
            FutureWarning,
        )
        return self.new_dynamic_size(min=min, max=max)


@contextmanager
def sizes_from(new_size: Callable[[int, int | None], int]) -> Iterator[None]:
    """In the block fake implementations get their sizes from *new_size*."""
    token = _sizes.set(FakeImplCtx(new_size))
    try:
        yield
    finally:
        _sizes.reset(token)


@contextmanager
def set_ctx_getter(ctx_getter: Callable[[], Any]) -> Iterator[None]:
    """In the block :func:`get_ctx` asks *ctx_getter*."""
    token = _context.set(ctx_getter)
    try:
        yield
    finally:
        _context.reset(token)


def get_ctx() -> Any:
    """The context of the fake implementation that runs; None outside of one.

    Raises RuntimeError on meta tensors: sizes that depend on data need fake tensors.
    """
    ask = _context.get()
    return None if ask is None else ask()


class FakeImpl:
    """The fake implementations of one op; the newest one runs."""

    __slots__ = ("name", "registered")

    def __init__(self, name: str) -> None:
        self.name = name
        #: (function, ``file:line`` of its registration)
        self.registered: list[tuple[Callable[..., Any], str]] = []

    def register(
        self, fn: Callable[..., Any], library: Any, depth: int, *, allow_override: bool
    ) -> Callable[[], None]:
        """Register *fn* for as long as *library* lives; gives back what takes it back.

        Raises RuntimeError where there is one, or a kernel for meta, unless *allow_override*.
        """
        frame = sys._getframe(depth)
        source = f"{frame.f_code.co_filename}:{frame.f_lineno}"
        if not allow_override:
            self._check_free()
        entry = (fn, source)
        self.registered.append(entry)
        try:
            library.impl(self.name, self._kernel(fn), "Meta", allow_override=allow_override)
        except Exception:
            self.registered.remove(entry)
            raise
        return lambda: self.registered.remove(entry)

    def _check_free(self) -> None:
        start = f"register_fake(...): the operator {self.name} already has"
        if self.registered:
            raise RuntimeError(f"{start} a fake impl registered at {self.registered[-1][1]}.")
        operator = registry.find_exact(self.name)
        if operator is None:
            raise RuntimeError(f"operator {self.name} does not exist")
        if operator.has_kernel(DispatchKey.Meta):
            raise RuntimeError(
                f"{start} a DispatchKey::Meta implementation via a pre-existing torch.library or "
                "TORCH_LIBRARY registration. Please either remove that registration or don't call "
                "register_fake."
            )
        if operator.has_kernel(DispatchKey.CompositeImplicitAutograd):
            raise RuntimeError(
                f"{start} an implementation for this device type via a pre-existing registration "
                "to DispatchKey::CompositeImplicitAutograd.CompositeImplicitAutograd operators do "
                "not need a fake impl; instead, the operator will decompose into its constituents "
                "and those can have fake impls defined on them."
            )

    def _kernel(self, fn: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(fn)
        def meta_kernel(*args: Any, **kwargs: Any) -> Any:
            newest, source = self.registered[-1]
            sizes = _sizes.get()
            with set_ctx_getter(lambda: sizes or self._no_context(source)):
                return newest(*args, **kwargs)

        return meta_kernel

    def _no_context(self, source: str) -> Any:
        raise RuntimeError(
            f"{self.name} ({source}): You're trying to run this operator with meta Tensors (as "
            "opposed to FakeTensors), but this operator may return an output Tensor with "
            "data-dependent shape. Meta Tensors don't support operators with outputs that have "
            "data-dependent shapes but FakeTensors do. If your operator does not return an output "
            "with data-dependent shape, make sure the FakeTensor and/or meta kernel does not call "
            "torch.library.get_ctx(). Otherwise, please use FakeTensors."
        )


_fake_impls: dict[str, FakeImpl] = {}


def fake_impl_of(name: str) -> FakeImpl:
    """The fake implementations of the op *name* (qualified, with overload)."""
    found = _fake_impls.get(name)
    if found is None:
        found = _fake_impls[name] = FakeImpl(name)
    return found


def find_fake_impl(name: str) -> Callable[..., Any] | None:
    """The fake implementation of the op *name* that runs; None if nothing was registered."""
    found = _fake_impls.get(name)
    return found.registered[-1][0] if found is not None and found.registered else None
