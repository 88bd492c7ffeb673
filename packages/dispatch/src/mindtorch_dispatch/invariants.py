"""Invariants: what must hold of every op's tables, whatever was registered and taken back."""

from __future__ import annotations

from .kernel import Kernels
from .keys import DispatchKey
from .operator import Operator
from .registry import Registry

__all__ = ["check_all", "check_operator"]


def _check_stacks(kernels: Kernels, what: str) -> None:
    """Every registration lies at its own key, knows its table, and occurs once."""
    seen: set[int] = set()
    for key in kernels.entries:
        for kernel in kernels.stack(key):
            assert kernel.key == key, f"{what}: {kernel!r} lies at {key!r}"
            assert kernel.owner is kernels, f"{what}: {kernel!r} was taken back"
            assert id(kernel) not in seen, f"{what}: {kernel!r} is registered twice"
            seen.add(id(kernel))


def check_operator(op: Operator) -> None:
    """Check one op. Raises AssertionError that names it."""
    with op.registry.lock:
        assert op.registry.find_exact(op.name) is op, f"{op.name} is not in its registry"
        assert op.has_schema or op.entries, f"{op.name} has nothing registered"
        schema = op.schema
        if schema is not None:
            dot = "." if schema.overload_name else ""
            name = f"{schema.name}{dot}{schema.overload_name}"
            assert name == op.name, f"{op.name} has the schema of {name}"
        _check_stacks(op, op.name)
        for mask, hop in op.table.items():
            fresh = op.explain(hop.key)
            if hop.rule == fresh.rule == "ambiguous AutogradOther":
                continue  # its kernel is made anew each time
            assert hop.kernel is fresh.kernel, (
                f"{op.name}: {mask:#x} goes to {hop!r}, the table says {fresh!r}"
            )


def check_all(registry: Registry) -> None:
    """Check every op and the backend fallbacks. Raises AssertionError."""
    with registry.lock:
        _check_stacks(registry.fallbacks, "backend fallbacks")
        assert DispatchKey.Undefined not in registry.fallbacks.entries
        for op in registry:
            check_operator(op)
