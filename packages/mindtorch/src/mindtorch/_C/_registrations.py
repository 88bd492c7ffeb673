"""What is registered for an op, and what follows from it, under torch's names."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import (
    DispatchKey,
    DispatchKeySet,
    Library,
    Operator,
    is_alias_key,
    key_name,
    parse_key,
    registry,
)

__all__ = [
    "_dispatch_dump",
    "_dispatch_dump_table",
    "_dispatch_find_dangling_impls",
    "_dispatch_find_schema_or_throw",
    "_dispatch_get_all_op_names",
    "_dispatch_get_registrations_for_dispatch_key",
    "_dispatch_has_backend_fallback",
    "_dispatch_has_computed_kernel_for_dispatch_key",
    "_dispatch_has_kernel",
    "_dispatch_has_kernel_for_any_dispatch_key",
    "_dispatch_has_kernel_for_dispatch_key",
    "_dispatch_kernel_for_dispatch_key_is_fallthrough",
    "_dispatch_library",
    "_dispatch_print_registrations_for_dispatch_key",
]


def _found(name: str) -> Operator:
    operator = registry.find_exact(name)
    if operator is None:
        raise RuntimeError(f"operator {name} does not exist")
    return operator


def _dispatch_has_kernel(name: str) -> bool:
    """Whether anything is registered for the op."""
    return registry.find_exact(name) is not None


def _dispatch_has_kernel_for_dispatch_key(name: str, key: DispatchKey | str) -> bool:
    """Whether a kernel is registered at exactly *key*."""
    parsed = parse_key(key)
    return _found(name).has_kernel(parsed)


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
    parsed = parse_key(key)
    return _found(name).explain(parsed).kernel is not None


def _dispatch_has_backend_fallback(key: DispatchKey | str) -> bool:
    """Whether *key* does something for ops without a kernel for it."""
    return registry.has_backend_fallback(key)


def _dispatch_get_all_op_names() -> list[str]:
    """The qualified name of every overload."""
    return registry.names()


def _dispatch_get_registrations_for_dispatch_key(key: DispatchKey | str = "") -> list[str]:
    """The ops with a kernel at exactly *key*; without one, all that have a schema."""
    if not key:
        return [o.name for o in registry if o.has_schema]
    parsed = parse_key(key)
    return [o.name for o in registry if o.has_kernel(parsed)]


def _dispatch_print_registrations_for_dispatch_key(key: DispatchKey | str = "") -> None:
    """Print what :func:`_dispatch_get_registrations_for_dispatch_key` finds."""
    for name in _dispatch_get_registrations_for_dispatch_key(key):
        print(name)


def _dispatch_find_schema_or_throw(name: str, overload: str) -> Operator:
    """The op, which must have a schema. Raises RuntimeError otherwise."""
    operator = registry.find_exact(f"{name}.{overload}" if overload else name)
    if operator is None or not operator.has_schema:
        raise RuntimeError(f"Could not find schema for {name}.{overload}")
    return operator


def _dispatch_find_dangling_impls() -> list[str]:
    """Ops that have kernels but no schema."""
    return [o.name for o in registry.dangling()]


def _dispatch_dump(name: str) -> str:
    """The registrations of an op, one line each; empty if there is no such op."""
    operator = registry.find_exact(name)
    if operator is None:
        return ""
    lines = [f"name: {operator.name}"]
    if operator.has_schema:
        lines += [
            f"schema: {operator.schema}",
            f"debug: {operator.schema_site}",
            "alias analysis kind: FROM_SCHEMA",
        ]
    else:
        lines.append("schema: (none)")
    for key in sorted(operator.entries):
        kernel: Any = operator.entries[key]
        note = ""
        while kernel is not None:
            fall = "fallthrough " if kernel.fallthrough else ""
            alias = "[alias]" if is_alias_key(kernel.key) else ""
            lines.append(f"{key_name(kernel.key)}{alias}{note}: {fall}registered at {kernel.where}")
            note, kernel = " (inactive)", kernel.older
    return "\n".join(lines) + "\n"


def _dispatch_dump_table(name: str) -> str:
    """The computed table of an op; empty if there is no such op."""
    operator = registry.find_exact(name)
    return "" if operator is None else operator.dump_table()


def _dispatch_library(kind: str, name: str, dispatch: str, file: str = "", linenum: int = 0) -> Any:
    """Registrations that go away with the returned object."""
    return Library(name, kind, dispatch)
