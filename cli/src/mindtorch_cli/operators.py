"""Which overload of an op a name and arguments mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import mindtorch  # noqa: F401  (registers the ops)
from mindtorch_dispatch import Operator, registry

from .suggestions import CallError, did_you_mean

__all__ = ["CallError", "select", "tensors_in"]


def select(
    name: str, args: Sequence[Any] | None = None, kwargs: Mapping[str, Any] | None = None
) -> Operator:
    """The overload that *name* means: written out, or the first that takes the arguments.

    Raises :class:`CallError` with similar names.
    """
    found = registry.find(name)
    if found is None:
        raise CallError(f"no operator is called {name}{did_you_mean(registry.similar(name))}")
    if args is None:
        return found
    written_out = "." in name.rpartition("::")[2]
    candidates = [found] if written_out else registry.overloads(name)
    for op in candidates:
        if not misfit(op, args, kwargs or {}):
            return op
    reasons = "\n".join(f"  {op.schema}: {misfit(op, args, kwargs or {})}" for op in candidates)
    raise CallError(f"{name} does not take these arguments:\n{reasons}")


def misfit(op: Operator, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
    """Why the arguments do not fit the schema of *op*; empty if they do, or without a schema."""
    schema = op.schema
    if schema is None:
        return ""
    positional = [a for a in schema.arguments if not a.kwarg_only]
    if len(args) > len(positional) and not schema.is_vararg:
        return f"takes {len(positional)} positional arguments, got {len(args)}"
    given = dict(zip((a.name for a in positional), args, strict=False))
    known = {a.name for a in schema.arguments}
    for name, value in kwargs.items():
        if name not in known:
            return f"has no argument {name}"
        if name in given:
            return f"got {name} twice"
        given[name] = value
    for position, argument in enumerate(schema.arguments):
        if argument.name not in given:
            if not argument.has_default_value():
                return f"needs {argument.name}"
        # A Python number may stand for a tensor, but a call is dispatched by its first argument.
        elif not fits(given[argument.name], argument.real_type, numbers=position > 0):
            return f"{argument.name} must be {argument.real_type}"
    return ""


def fits(value: Any, kind: Any, *, numbers: bool = True) -> bool:
    """Whether *value* may be given where the schema says *kind*."""
    name = kind.kind()
    if name == "OptionalType":
        return value is None or fits(value, kind.getElementType(), numbers=numbers)
    if name == "ListType":
        element = kind.getElementType()
        if isinstance(value, list | tuple) and not is_tensor(value):
            return all(fits(v, element, numbers=False) for v in value)
        return element.kind() != "TensorType" and fits(value, element)
    if name == "TensorType":
        return is_tensor(value) or (numbers and isinstance(value, bool | int | float | complex))
    if name in ("IntType", "SymIntType"):
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "FloatType":
        return isinstance(value, int | float) and not isinstance(value, bool)
    if name == "NumberType":
        return isinstance(value, bool | int | float | complex)
    if name == "BoolType":
        return isinstance(value, bool)
    if name == "StringType":
        return isinstance(value, str)
    # Devices, dtypes, layouts, generators: by name on the command line.
    return not is_tensor(value)


def is_tensor(value: Any) -> bool:
    """A tensor of mindtorch, or a spec of one."""
    return hasattr(value, "requires_grad") and hasattr(value, "device")


def tensors_in(values: Any) -> list[Any]:
    """The tensors among *values*, in lists too."""
    found: list[Any] = []
    for value in values:
        if is_tensor(value):
            found.append(value)
        elif isinstance(value, list | tuple):
            found += tensors_in(value)
    return found
