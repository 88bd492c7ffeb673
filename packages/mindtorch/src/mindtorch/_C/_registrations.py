"""What is registered for an op, and what follows from it, under torch's names."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from mindtorch_dispatch import (
    DispatchKey,
    DispatchKeySet,
    Kernel,
    Operator,
    errors,
    is_alias_key,
    key_name,
    parse_key,
    registry,
)
from mindtorch_dispatch.invariants import check_all, check_operator
from mindtorch_dispatch.registration_block import Block as _DispatchModule
from mindtorch_dispatch.schema import parse_operator_name

from .._library.operator_handle import _DispatchOperatorHandle
from .._ops import handle_of

__all__ = [
    "_DispatchModule",
    "_DispatchOperatorHandle",
    "_SafeKernelFunction",
    "_dispatch_call_boxed",
    "_dispatch_check_all_invariants",
    "_dispatch_check_invariants",
    "_dispatch_dump",
    "_dispatch_dump_table",
    "_dispatch_find_dangling_impls",
    "_dispatch_find_schema_or_throw",
    "_dispatch_get_all_op_names",
    "_dispatch_get_computed_kernel_for_dispatch_key",
    "_dispatch_get_registrations_for_dispatch_key",
    "_dispatch_has_backend_fallback",
    "_dispatch_has_computed_kernel_for_dispatch_key",
    "_dispatch_has_kernel",
    "_dispatch_has_kernel_for_any_dispatch_key",
    "_dispatch_has_kernel_for_dispatch_key",
    "_dispatch_kernel_for_dispatch_key_is_fallthrough",
    "_dispatch_library",
    "_dispatch_print_registrations_for_dispatch_key",
    "_dispatch_set_report_error_callback",
]


def _find(name: str) -> Operator | None:
    """The op of exactly this name. Raises RuntimeError with torch's text for what is no name."""
    base, overload = parse_operator_name(name)
    return registry.find_exact(f"{base}.{overload}" if overload else base)


def _found(name: str) -> Operator:
    operator = _find(name)
    if operator is None:
        raise RuntimeError(f"operator {name} does not exist")
    return operator


@cache
def _over_a_batch() -> dict[DispatchKey, frozenset[str]]:
    """The ops for which torch registers how they run over a batch, by key.

    Here that follows from their rows, and nothing is registered.
    """
    found: dict[DispatchKey, list[str]] = {}
    text = Path(__file__).with_name("batching_registrations.txt").read_text()
    for line in text.splitlines():
        if line.startswith("FuncTorch"):
            names = found.setdefault(parse_key(line), [])
        elif not line.startswith("#"):
            for word in line.split():
                base, _, overloads = word.partition(":")
                names += [f"aten::{base}.{o}".rstrip(".") for o in overloads.split(",")]
    return {key: frozenset(names) for key, names in found.items()}


def _has_kernel(operator: Operator, key: DispatchKey) -> bool:
    """Whether torch registers a kernel of *operator* at *key*, or a program has done so."""
    return operator.has_kernel(key) or operator.name in _over_a_batch().get(key, ())


def _dispatch_has_kernel(name: str) -> bool:
    """Whether anything is registered for the op."""
    return _find(name) is not None


def _dispatch_has_kernel_for_dispatch_key(name: str, key: DispatchKey | str) -> bool:
    """Whether a kernel is registered at exactly *key*."""
    parsed = parse_key(key)
    return _has_kernel(_found(name), parsed)


def _dispatch_has_kernel_for_any_dispatch_key(name: str, keyset: DispatchKeySet) -> bool:
    """Whether a kernel is registered at one of the keys."""
    operator = _found(name)
    return any(operator.has_kernel(key) for key in keyset)


def _dispatch_kernel_for_dispatch_key_is_fallthrough(name: str, key: DispatchKey | str) -> bool:
    """Whether what is registered at *key* falls through."""
    parsed, operator = parse_key(key), _found(name)
    kernel = operator.entries.get(parsed)
    if kernel is None:
        raise RuntimeError(f"no kernel for {key_name(parsed)} on {name}")
    return kernel.fallthrough


def _dispatch_has_computed_kernel_for_dispatch_key(name: str, key: DispatchKey | str) -> bool:
    """Whether the computed table has something to run (or to skip) at *key*."""
    operator, parsed = _found(name), parse_key(key)
    if is_alias_key(parsed):
        raise errors.alias_has_no_computed_kernel()
    return operator.explain(parsed).kernel is not None


def _dispatch_has_backend_fallback(key: DispatchKey | str) -> bool:
    """Whether *key* does something for ops without a kernel for it."""
    return registry.has_backend_fallback(key)


def _dispatch_get_all_op_names() -> list[str]:
    """The qualified name of every overload."""
    return registry.names()


def _dispatch_get_registrations_for_dispatch_key(dispatch_key: DispatchKey | str = "") -> list[str]:
    """The ops with a kernel at exactly that key; without one, every op."""
    if not dispatch_key:
        return [o.name for o in registry]
    parsed = parse_key(dispatch_key)
    return [o.name for o in registry if _has_kernel(o, parsed)]


def _dispatch_print_registrations_for_dispatch_key(dispatch_key: DispatchKey | str = "") -> None:
    """Print what :func:`_dispatch_get_registrations_for_dispatch_key` finds."""
    for name in _dispatch_get_registrations_for_dispatch_key(dispatch_key):
        print(name)


def _dispatch_find_dangling_impls() -> list[str]:
    """The dumps of ops that have kernels but no schema."""
    return [o.dump() for o in registry.dangling()]


def _dispatch_dump(name: str) -> str:
    """The registrations of an op, one line each; empty if there is no such op."""
    operator = _find(name)
    return "" if operator is None else operator.dump()


def _dispatch_dump_table(name: str) -> str:
    """The computed table of an op; empty if there is no such op."""
    operator = _find(name)
    return "" if operator is None else operator.dump_table()


def _dispatch_check_invariants(name: str) -> None:
    """Check the tables of an op, if there is one. Raises AssertionError where they disagree."""
    operator = _find(name)
    if operator is not None:
        check_operator(operator)


def _dispatch_check_all_invariants() -> None:
    """Check the tables of every op. Raises AssertionError where they disagree."""
    check_all(registry)


def _dispatch_library(
    kind: str, name: str, dispatch: str, file: str = "/dev/null", linenum: int = 0
) -> _DispatchModule:
    """Registrations that go away with the returned object."""
    return _DispatchModule(kind, name, dispatch, file, linenum)


def _dispatch_find_schema_or_throw(name: str, overload: str) -> _DispatchOperatorHandle:
    """The op, which must have a schema. Raises RuntimeError otherwise."""
    full = f"{name}.{overload}" if overload else name
    operator = registry.find_exact(full)
    if operator is None or not operator.has_schema:
        raise errors.no_schema(full, has_kernels=operator is not None)
    return _DispatchOperatorHandle(operator)


def _dispatch_call_boxed(handle: _DispatchOperatorHandle, /, *args: Any, **kwargs: Any) -> Any:
    """Call an op with the arguments as they are."""
    return handle_of(handle._operator)(*args, **kwargs)


def _dispatch_set_report_error_callback(
    handle: _DispatchOperatorHandle, callback: Callable[[str], Any]
) -> None:
    """Let *callback* say, given a key, that a call of the op finds no kernel there."""
    handle._operator.report_missing = callback


class _SafeKernelFunction:
    """What the computed table runs at one key."""

    __slots__ = ("_key", "_kernel", "op_handle")

    def __init__(self, operator: Operator, key: DispatchKey, kernel: Kernel) -> None:
        self.op_handle = _DispatchOperatorHandle(operator)
        self._key, self._kernel = key, kernel

    def call_boxed(self, keyset: DispatchKeySet, /, *args: Any, **kwargs: Any) -> Any:
        """Call it with a key set and the arguments as they are."""
        return self._kernel.call(self.op_handle._operator, keyset, args, kwargs)

    def __repr__(self) -> str:
        return f"SafeKernelFunction(debug='{self._kernel.debug}')"


def _dispatch_get_computed_kernel_for_dispatch_key(
    name: str, key: DispatchKey | str
) -> _SafeKernelFunction:
    """What the computed table runs at *key*. Raises RuntimeError if that is nothing."""
    parsed, operator = parse_key(key), _found(name)
    if is_alias_key(parsed):
        raise errors.alias_has_no_computed_kernel()
    kernel = operator.explain(parsed).kernel
    if kernel is None:
        raise errors.no_computed_kernel(key_name(parsed), name)
    return _SafeKernelFunction(operator, parsed, kernel)
