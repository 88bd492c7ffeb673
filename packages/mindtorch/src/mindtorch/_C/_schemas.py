"""Schemas under torch's names: reading them, and finding those of registered ops."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_dispatch import AliasInfo as _AliasInfo
from mindtorch_dispatch import Argument, FunctionSchema, parse_schema, registry

from .._ops import ops
from ..core.tags import Tag

__all__ = [
    "Argument",
    "FunctionSchema",
    "Tag",
    "_AliasInfo",
    "_get_schema",
    "_jit_get_all_schemas",
    "_jit_get_operation",
    "_jit_get_schemas_for_operator",
    "parse_schema",
]

Argument.__module__ = FunctionSchema.__module__ = "torch"


def _get_schema(op_name: str, overload_name: str) -> FunctionSchema:
    """The schema of an op's overload. Raises RuntimeError if there is none."""
    full = f"{op_name}.{overload_name}" if overload_name else op_name
    operator = registry.find_exact(full)
    if operator is None or operator.schema is None:
        raise RuntimeError("Found no matching schema")
    return operator.schema


def _jit_get_all_schemas() -> list[FunctionSchema]:
    """The schema of every op that has one."""
    return [o.schema for o in registry if o.schema is not None]


def _jit_get_schemas_for_operator(op_name: str) -> list[FunctionSchema]:
    """The schemas of an op's overloads."""
    return [o.schema for o in registry.overloads(op_name) if o.schema is not None]


def _jit_get_operation(op_name: str) -> tuple[Callable[..., Any] | None, list[str] | None]:
    """What calls an op, and the names of its overloads; ``(None, None)`` if there is no such op."""
    names = [s.overload_name for s in _jit_get_schemas_for_operator(op_name)]
    if not names:
        return None, None
    namespace, _, name = op_name.partition("::")
    return getattr(getattr(ops, namespace), name), names
