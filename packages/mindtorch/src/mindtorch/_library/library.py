"""``Library``: torch's checks and side tables around the registrations of the dispatch package."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import mindtorch_dispatch
from mindtorch_dispatch import DispatchKey, errors, fallthrough_kernel, parse_schema, registry

from .._ops import OpOverload
from ..core.tags import Tag
from . import schemas
from .fake import fake_impl_of
from .interception import rules_of

__all__ = ["Library", "fallthrough_kernel", "scoped_library"]

#: Namespaces that torch itself defines: programs add to them by a ``"FRAGMENT"``.
for _namespace in (
    *("_quantized", "aten", "mkl", "mkldnn", "mkldnn_prepacked", "onednn"),
    *("prims", "profiler", "quantization", "quantized", "sparse"),
):
    registry.libraries.setdefault(_namespace, "registered by torch")

#: ``namespace/op/key`` of every kernel that a living library registered.
_impls: set[str] = set()
#: ``namespace::op`` of every op that a living library defined.
_defs: set[str] = set()


def _release(impls: set[str], defs: set[str], undo: list[Callable[[], None]]) -> None:
    for whole, own in ((_impls, impls), (_defs, defs)):
        whole -= own
        own.clear()
    while undo:
        undo.pop()()


class Library(mindtorch_dispatch.Library):
    """A set of definitions and kernels that go when the library goes.

    :param ns: the namespace of the ops.
    :param kind: ``"DEF"`` (the only one that defines this namespace), ``"FRAGMENT"`` (one of
        several that do) or ``"IMPL"`` (kernels for ops that others defined).
    :param dispatch_key: the key of the kernels of an ``"IMPL"`` library.

    Raises ValueError for another *kind* or a reserved namespace, RuntimeError for a second
    ``"DEF"``.
    """

    def __init__(self, ns: str, kind: str, dispatch_key: str = "") -> None:
        super().__init__(ns, kind, dispatch_key)
        self._op_impls: set[str] = set()
        self._op_defs: set[str] = set()
        self._undo: list[Callable[[], None]] = []
        weakref.finalize(self, _release, self._op_impls, self._op_defs, self._undo)

    def define(
        self, schema: str, alias_analysis: str = "", *, tags: Tag | Sequence[Tag] = ()
    ) -> str:
        """Define an op from its schema; gives back its name, overload included.

        Raises RuntimeError for a malformed schema or one that is defined already, ValueError
        where *tags* say what the schema does not.
        """
        if alias_analysis == "PURE_FUNCTION":
            raise RuntimeError(f"Invalid alias_analysis type {alias_analysis}")
        several = (tags,) if isinstance(tags, Tag) else tags
        if Tag.out in several or Tag.inplace in several:
            schemas.check_tags(parse_schema(schema), several)
        name: str = super().define(schema, alias_analysis, tags=tuple(several))
        defined = f"{self.ns}::{schema.partition('(')[0].rpartition('::')[2]}"
        self._op_defs.add(defined)
        _defs.add(defined)
        return name

    def impl(
        self,
        op_name: str | OpOverload,
        fn: Callable[..., Any],
        dispatch_key: str | DispatchKey = "",
        *,
        with_keyset: bool = False,
        allow_override: bool = True,
    ) -> None:
        """Register *fn* as the kernel of an op at a key.

        :param op_name: with overload (``"add.Tensor"``), or the overload itself.
        :param dispatch_key: the library's own if left out; without that, the op decomposes into
            what *fn* calls (CompositeImplicitAutograd).
        :param with_keyset: *fn* takes the key set of the call first.
        :param allow_override: False: raise RuntimeError where a library has a kernel there.
        """
        if not callable(fn):
            raise errors.not_callable(type(fn))
        key = str(getattr(dispatch_key, "name", dispatch_key) or self.dispatch_key)
        name = op_name.name() if isinstance(op_name, OpOverload) else op_name
        if not isinstance(name, str):
            raise errors.impl_name(type(name))
        short = name.rpartition("::")[2]
        place = f"{self.ns}/{short}/{key}"
        if not allow_override and place in _impls:
            raise RuntimeError(
                "This is not allowed since there's already a kernel registered from python "
                f"overriding {short}'s behavior for {key} dispatch key and {self.ns} namespace."
            )
        if key == "Meta":
            self._check_meta(name)
        super().impl(name, fn, key, with_keyset=with_keyset)
        self._op_impls.add(place)
        _impls.add(place)

    def _check_meta(self, name: str) -> None:
        qualified = name if "::" in name else f"{self.ns}::{name}"
        operator = registry.find_exact(qualified)
        if operator is None:
            raise RuntimeError(f"operator {qualified} does not exist")
        if operator.has_kernel(DispatchKey.CompositeImplicitAutograd):
            raise RuntimeError(
                f"We should not register a meta kernel directly to the operator '{name}', because "
                "it has a CompositeImplicitAutograd kernel in core. Instead we should let the "
                "operator decompose, and ensure that we have meta kernels for the base ops that "
                "it decomposes into."
            )

    def fallback(
        self,
        fn: Callable[..., Any],
        dispatch_key: str | DispatchKey = "",
        *,
        with_keyset: bool = False,
    ) -> None:
        """Register what a key does for every op: ``fn(op, *args, **kwargs)``.

        In the namespace ``_`` only. Raises RuntimeError where the key has a fallback.
        """
        if self.ns == "_":
            assert dispatch_key or self.dispatch_key, "dispatch_key must not be empty for fallback"
        super().fallback(fn, dispatch_key, with_keyset=with_keyset)

    def _impl_with_aoti_compile(self, op_name: Any, dispatch_key: str = "") -> None:
        raise NotImplementedError(
            "Library._impl_with_aoti_compile needs a compiler (AOTInductor), which mindtorch lacks"
        )

    def _register_fake(
        self,
        op_name: str,
        fn: Callable[..., Any],
        _stacklevel: int = 1,
        *,
        allow_override: bool = True,
    ) -> None:
        """Register what the op does on tensors without data."""
        fake = fake_impl_of(f"{self.ns}::{op_name}")
        undo = fake.register(fn, self, _stacklevel + 1, allow_override=allow_override)
        self._undo.append(undo)

    def _register_torch_dispatch_rule(
        self, op_name: str, torch_dispatch_class: type, fn: Callable[..., Any]
    ) -> None:
        """Register what the op does under a mode or on a subclass."""
        undo = rules_of(f"{self.ns}::{op_name}").register(torch_dispatch_class, fn)
        self._undo.append(undo)

    def _destroy(self) -> None:
        """Take back everything that was registered here; what it overrode holds again."""
        super()._destroy()
        _release(self._op_impls, self._op_defs, self._undo)


@contextmanager
def scoped_library(*args: Any, **kwargs: Any) -> Iterator[Library]:
    """A library that is destroyed at the end of the block."""
    library = Library(*args, **kwargs)
    try:
        yield library
    finally:
        library._destroy()
