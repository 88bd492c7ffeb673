"""Snapshot: what a registry holds at a time, to go back to."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

from .kernel import BOXED, Kernel, Kernels
from .operator import Operator

__all__ = ["Snapshot", "SnapshotOwner", "restore", "take"]

#: The registrations of each key, the newest first.
Stacks = dict[int, list[Kernel]]


class _Op(NamedTuple):
    """One op: its schema, and what is registered for it."""

    operator: Operator
    schema: Any
    where: Any
    alias_analysis: str
    tags: tuple[Any, ...]
    stacks: Stacks


class Snapshot(NamedTuple):
    """See :meth:`.registry.Registry.snapshot`."""

    ops: dict[str, _Op]
    aliases: dict[str, str]
    fallbacks: Stacks
    libraries: dict[str, str]


class SnapshotOwner(Protocol):
    """What is asked of a registry."""

    generation: int
    aliases: dict[str, str]
    libraries: dict[str, str]

    @property
    def fallbacks(self) -> Kernels:
        """What a key does for ops without a kernel for it."""
        ...

    @property
    def operators(self) -> dict[str, Operator]:
        """Every op that was registered so far, by its qualified name."""
        ...


def _stacks(kernels: Kernels) -> Stacks:
    return {key: list(kernels.stack(key)) for key in kernels.entries}


def _put_back(kernels: Kernels, stacks: Stacks) -> None:
    """Make *stacks* what is registered in *kernels*; handles of other registrations do nothing."""
    kept = {id(k) for stack in stacks.values() for k in stack}
    for stack in _stacks(kernels).values():
        for kernel in stack:
            if id(kernel) not in kept:
                kernel.owner = kernel.older = None
    kernels.entries.clear()
    for key, stack in stacks.items():
        for kernel, older in zip(stack, [*stack[1:], None], strict=True):
            kernel.owner, kernel.older = kernels, older
        kernels.entries[key] = stack[0]
    kernels.changed()


def take(registry: SnapshotOwner) -> Snapshot:
    """What *registry* holds."""
    ops = {}
    for name, op in registry.operators.items():
        if op.is_loaded:  # else its source says it all
            given = (op.schema_text, op.schema_where, op.alias_analysis, op.tags)
            ops[name] = _Op(op, *given, _stacks(op))
    return Snapshot(
        ops, dict(registry.aliases), _stacks(registry.fallbacks), dict(registry.libraries)
    )


def restore(registry: SnapshotOwner, snapshot: Snapshot) -> None:
    """Make *registry* hold what *snapshot* does, and what sources have told since."""
    operators = registry.operators
    for name, op in list(operators.items()):
        if name in snapshot.ops:
            continue
        stacks = _stacks(op) if op.is_loaded else {}
        own = {key: [k for k in stack if k.kind == BOXED] for key, stack in stacks.items()}
        if op.has_source:
            if own != stacks:
                _put_back(op, {key: stack for key, stack in own.items() if stack})
        else:
            del operators[name]
            _put_back(op, {})
    for name, then in snapshot.ops.items():
        op = then.operator
        schema_changed = operators.get(name) is not op or op.schema_text != then.schema
        operators[name] = op
        if schema_changed:
            op.set_schema(
                then.schema, then.where, alias_analysis=then.alias_analysis, tags=then.tags
            )
        if _stacks(op) != then.stacks:
            _put_back(op, then.stacks)
    if _stacks(registry.fallbacks) != snapshot.fallbacks:
        _put_back(registry.fallbacks, snapshot.fallbacks)
    for held, before in (
        (registry.aliases, snapshot.aliases),
        (registry.libraries, snapshot.libraries),
    ):
        held.clear()
        held.update(before)
    registry.generation += 1
