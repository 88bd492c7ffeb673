"""What dispatching does, as plain data: an op's table, a call's path, the keys, the ops.

Works with any values that have ``device`` and ``requires_grad``: specs from the command line or
real tensors. Every dict returned holds only strings, numbers, lists and dicts.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .specs import TensorSpec

if TYPE_CHECKING:
    from mindtorch_dispatch import DispatchKeySet, Hop, Operator

__all__ = [
    "NO_KERNEL",
    "CallError",
    "explain_call",
    "explain_op",
    "list_keys",
    "list_ops",
    "select",
]


#: The reason of a slot that nothing fills.
NO_KERNEL = "no kernel"
#: Kernels of mindtorch that run what an op's row says.
GENERIC = frozenset({"cpu", "npu"})


class CallError(ValueError):
    """The op or the call does not exist; the text says what does."""


def select(
    name: str, args: Sequence[Any] | None = None, kwargs: Mapping[str, Any] | None = None
) -> Operator:
    """The overload that *name* means: written out, or the first that takes the arguments.

    Raises :class:`CallError` with similar names.
    """
    import mindtorch  # noqa: F401  (registers the ops)
    from mindtorch_dispatch import registry

    from .render import did_you_mean

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


def key_set(
    args: Sequence[Any], kwargs: Mapping[str, Any], *, pipeline: bool = False
) -> DispatchKeySet:
    """The keys of a call as this thread dispatches it.

    :param pipeline: as inside ``with torch.pipeline():`` (a pipeline that is entered counts too).
    """
    import mindtorch as torch
    from mindtorch_dispatch import DispatchKeySet, apply_tls_masks

    tensors = tensors_in([*args, *kwargs.values()])
    device = kwargs.get("device")
    if device is None and not tensors:
        device = "cpu"
    try:
        keys = DispatchKeySet.from_tensors(
            tensors,
            grad_enabled=torch.is_grad_enabled(),
            pipeline_enabled=pipeline,
            device=device,
        )
    except RuntimeError as error:
        raise CallError(str(error)) from None
    return apply_tls_masks(keys)


def explain_call(
    name: str,
    args: Sequence[Any],
    kwargs: Mapping[str, Any] | None = None,
    *,
    pipeline: bool = False,
) -> dict[str, Any]:
    """The path that a call takes: its keys, and each kernel in order with the reason for it.

    A step with ``deferred`` runs at the pipeline's flush; what is before it runs at once.
    """
    from mindtorch_dispatch import DispatchKey, key_name

    kwargs = kwargs or {}
    op = select(name, args, kwargs)
    keys = key_set(args, kwargs, pipeline=pipeline)
    steps = [step(hop, op) for hop in op.path(keys.mask, skipped=True)]
    deferred = any(s["key"] == "Pipeline" and s["kernel"] for s in steps)
    for s in steps:
        bit = DispatchKey.__members__.get(s["key"], 0)
        s["deferred"] = deferred and 0 < bit < DispatchKey.Python
    return {
        "operator": op.name,
        "schema": None if op.schema is None else str(op.schema),
        "arguments": [show(a) for a in args] + [f"{k}={show(v)}" for k, v in kwargs.items()],
        "keys": [key_name(k) for k in keys],
        "path": steps,
    }


def explain_op(name: str) -> dict[str, Any]:
    """An op's schema, its other overloads, and for every key the kernel and the reason for it."""
    from mindtorch_dispatch import DISPATCH_KEY_PRIORITY, registry

    op = select(name)
    return {
        "operator": op.name,
        "schema": None if op.schema is None else str(op.schema),
        "overloads": [o.name for o in registry.overloads(op.name) if o is not op],
        "registered": [
            {"key": _name(k), "kernel": label(kernel.fn, op), "where": place(kernel.where)}
            for k, kernel in sorted(op.kernels.items(), reverse=True)
        ],
        "table": [step(op.explain(key), op) for key in DISPATCH_KEY_PRIORITY],
    }


def step(hop: Hop, op: Operator) -> dict[str, Any]:
    """One slot of a computed table."""
    kernel = hop.kernel
    fn = None if kernel is None else kernel.fn
    if hop.fallthrough:
        everywhere = "for all ops" if hop.rule == "backend fallback" else "for this op"
        reason = f"falls through {everywhere}"
    elif hop.rule == "direct":
        reason = "registered at this key"
    elif hop.rule == "missing":
        reason = NO_KERNEL
    elif hop.rule == "backend fallback":
        reason = "fallback for all ops"
    else:
        reason = hop.rule if "mbiguous" in hop.rule else f"alias {hop.rule.partition(' ')[0]}"
    return {
        "key": _name(hop.key),
        "kernel": None if fn is None else label(fn, op),
        "where": None if fn is None else place(hop.where),
        "why": reason,
    }


def _name(key: int) -> str:
    from mindtorch_dispatch import key_name

    return key_name(key)


def label(fn: Any, op: Operator) -> str:
    """A kernel's name for people.

    The kernels of mindtorch serve many ops: what they run for this one follows in brackets.
    """
    name = getattr(fn, "__name__", None) or getattr(getattr(fn, "func", None), "__name__", "")
    if name in GENERIC:
        from mindtorch.calls import OVERLOADS

        overload = OVERLOADS.get(op.name)
        row = None if overload is None else overload.row
        inner = row and (row.composite or row.ufunc or row.kernel or row.view)
        word = getattr(inner, "__name__", "")
        if word.isidentifier():
            module = "numpy." if type(inner).__module__ == "numpy" else ""
            return f"{name} ({module}{word})"
    return str(name or repr(fn))


def place(where: str | None) -> str | None:
    """``file:line`` without what comes before the package's folder."""
    if where is None:
        return None
    path, colon, line = where.rpartition(":")
    for marker in (f"{os.sep}src{os.sep}", f"{os.sep}site-packages{os.sep}"):
        if marker in path:
            return path.rpartition(marker)[2] + colon + line
    if os.path.isabs(path):
        near = os.path.relpath(path)
        return (path if near.startswith(os.pardir) else near) + colon + line
    return where


def show(value: Any) -> str:
    """An argument as a spec would write it."""
    if isinstance(value, TensorSpec):
        return str(value)
    if is_tensor(value):
        dtype = str(value.dtype).removeprefix("torch.")
        return str(
            TensorSpec(dtype, tuple(value.shape), str(value.device), bool(value.requires_grad))
        )
    if isinstance(value, list | tuple):
        return f"[{','.join(show(v) for v in value)}]"
    return str(value)


def list_keys() -> list[dict[str, Any]]:
    """Every runtime key, highest priority first, with what differs from torch's order."""
    from mindtorch_dispatch import ALIAS_KEYS, DISPATCH_KEY_PRIORITY, DispatchKey

    notes = {
        DispatchKey.Pipeline: "not in torch: defers ops until a flush",
        DispatchKey.BackendSelect: "torch has it just below Python",
    }
    rows = []
    for key in (*DISPATCH_KEY_PRIORITY, *reversed(ALIAS_KEYS)):
        shown = _name(key)
        note = notes.get(key, "")
        if not note and shown != key.name:
            note = f"torch: {key.name}"
        if key in ALIAS_KEYS:
            note = "alias key; in a set it falls through"
        rows.append({"bit": key.bit_length() - 1, "key": shown, "note": note})
    return rows


def list_ops(pattern: str = "") -> list[dict[str, Any]]:
    """Every overload whose name contains *pattern* (or matches it, with ``*`` and ``?``)."""
    import mindtorch  # noqa: F401  (registers the ops)
    from mindtorch_dispatch import registry

    names = registry.names()
    if any(c in pattern for c in "*?["):
        from fnmatch import fnmatchcase

        wanted = pattern if "::" in pattern else f"*::{pattern}"
        names = [n for n in names if fnmatchcase(n, wanted)]
    elif pattern:
        names = [n for n in names if pattern in n]
    if not names:
        from .render import did_you_mean

        raise CallError(f"no operator matches {pattern}{did_you_mean(registry.similar(pattern))}")
    rows = []
    for name in names:
        op = registry.get(name)
        rows.append(
            {
                "operator": name,
                "schema": None if op.schema is None else str(op.schema),
                "kernels": [_name(k) for k in sorted(op.entries, reverse=True)],
            }
        )
    return rows
