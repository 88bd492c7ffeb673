"""The computed table: which registration serves a key of an op, and by which rule.

Follows torch's OperatorEntry::computeDispatchTableEntryWithDebug rule by rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from . import errors
from .kernel import BOXED, CalledOp, Hop, Kernel
from .keys import (
    ALIAS_RUNTIME,
    AUTOGRAD_OTHER_BACKENDS,
    FUNCTIONALITY_KEYS,
    DispatchKey,
    backend_keys_of_autograd,
    key_name,
)

__all__ = ["slot"]

_K = DispatchKey
_UNDEFINED = int(_K.Undefined)
_AUTOGRAD = int(_K.Autograd)
_EXPLICIT = int(_K.CompositeExplicitAutograd)
_EXPLICIT_RULES = (int(_K.CompositeExplicitAutogradNonFunctional), _EXPLICIT)
_IMPLICIT_NESTED = int(_K.CompositeImplicitAutogradNestedTensor)
_IMPLICIT = int(_K.CompositeImplicitAutograd)
_BATCHED = int(_K.FuncTorchBatchedDecomposition)


def slot(entries: Mapping[int, Kernel], fallbacks: Mapping[int, Kernel], key: DispatchKey) -> Hop:
    """What serves *key* where *entries* are an op's registrations by key."""
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
        # 3. Composite kernels that bring autograd along. torch asks for no backend kernel in the
        # nested case.
        kernel = entries.get(_IMPLICIT_NESTED)
        if kernel is not None and ALIAS_RUNTIME[_IMPLICIT_NESTED] & key:
            return Hop(key, kernel, key_name(_IMPLICIT_NESTED))
        kernel = entries.get(_IMPLICIT)
        if kernel is not None and (key == _UNDEFINED or ALIAS_RUNTIME[_IMPLICIT] & key):
            if key == _K.AutogradOther and _has_any(entries, AUTOGRAD_OTHER_BACKENDS):
                return Hop(key, _ambiguous(key), "ambiguous AutogradOther")
            # Where a backend has a kernel of its own, autograd must not decompose the op.
            if _EXPLICIT not in entries and not _has_any(entries, backend_keys_of_autograd(key)):
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
    kernel = fallbacks.get(key)
    if kernel is not None:
        return Hop(key, kernel, "backend fallback")
    return Hop(key, None, "missing")


def _has_any(entries: Mapping[int, Kernel], mask: int) -> bool:
    if not mask:
        return False
    for block, members in FUNCTIONALITY_KEYS.items():
        if block in entries and mask & members and block != _AUTOGRAD:
            return True  # to torch a kernel at Dense is one of every set with a dense backend in it
    return any(mask & key for key in tuple(entries))


def _ambiguous(key: DispatchKey) -> Kernel:
    """A kernel that refuses: the op decomposes, yet a backend behind AutogradOther has its own."""

    def refuse(op: CalledOp, keyset: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        raise errors.ambiguous_autogradother(op.name)

    return Kernel(refuse, key, BOXED, debug="ambiguous_autogradother")
