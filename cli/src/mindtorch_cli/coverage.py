"""Lists of keys and ops, and which ops have a kernel at which key, as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import PurePath
from typing import Any

import mindtorch  # noqa: F401  (registers the ops)
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.functionality.meta import meta_fallback
from mindtorch_dispatch import (
    ALIAS_KEYS,
    DISPATCH_KEY_PRIORITY,
    DispatchKey,
    Operator,
    is_alias_key,
    key_name,
    registry,
)
from mindtorch_dispatch.trace_output import reason

from .suggestions import CallError, did_you_mean, key_named

__all__ = ["coverage", "list_keys", "list_ops"]

#: The columns that the matrix always has.
_COLUMNS = (
    DispatchKey.CPU,
    DispatchKey.NPU,
    DispatchKey.Meta,
    DispatchKey.AutogradCPU,
    DispatchKey.Pipeline,
)


def list_keys() -> list[dict[str, Any]]:
    """Every runtime key, highest priority first, with what differs from torch's order."""
    notes = {
        DispatchKey.Pipeline: "not in torch: defers ops until a flush",
        DispatchKey.BackendSelect: "torch has it just below Python",
    }
    rows = []
    for key in (*DISPATCH_KEY_PRIORITY, *reversed(ALIAS_KEYS)):
        shown = key_name(key)
        note = notes.get(key, "")
        if not note and shown != key.name:
            note = f"torch: {key.name}"
        if key in ALIAS_KEYS:
            note = "alias key; in a set it falls through"
        rows.append({"bit": key.bit_length() - 1, "key": shown, "note": note})
    return rows


def matching(pattern: str) -> list[Operator]:
    """The overloads whose name contains *pattern* (or matches it, with ``*`` and ``?``), by name.

    Raises :class:`CallError` with similar names if there is none.
    """
    names = registry.names()
    if any(c in pattern for c in "*?["):
        wanted = pattern if "::" in pattern else f"*::{pattern}"
        names = [n for n in names if fnmatchcase(n, wanted)]
    elif pattern:
        names = [n for n in names if pattern in n]
    if not names:
        raise CallError(f"no operator matches {pattern}{did_you_mean(registry.similar(pattern))}")
    return [registry.get(n) for n in names]


def list_ops(pattern: str = "") -> list[dict[str, Any]]:
    """Every overload that *pattern* means, with the keys that it has kernels at."""
    return [
        {
            "operator": op.name,
            "schema": None if op.schema is None else str(op.schema),
            "kernels": [key_name(k) for k in sorted(op.entries, reverse=True)],
        }
        for op in matching(pattern)
    ]


def family(op: Operator) -> str:
    """The family of an op: the module of its row, the namespace of any other."""
    overload = OVERLOADS.get(op.name)
    where = None if overload is None else overload.row.where
    if not where:
        return op.namespace
    return PurePath(where[0] if isinstance(where, tuple) else where.rpartition(":")[0]).stem


def coverage(name: str, pattern: str = "") -> dict[str, Any]:
    """How many ops of each family have a kernel at each key, and which have none at one key.

    A kernel counts whichever rule put it into the key's slot; a fallthrough is none, nor is
    the fallback of Meta, which refuses.

    :param name: the key, in any case (``npu``).
    :param pattern: which ops, as for :func:`list_ops`.
    """
    key = key_named(name)
    if is_alias_key(key) or not key:
        raise CallError(f"{key_name(key)} is no key that a call is dispatched to")
    columns = list(_COLUMNS) if key in _COLUMNS else [key, *_COLUMNS]
    families: dict[str, dict[str, Any]] = {}
    missing = []
    count = 0
    for op, slots in _slots(pattern, columns):
        count += 1
        row = families.setdefault(
            family(op), {"ops": 0, "kernels": dict.fromkeys(map(key_name, columns), 0)}
        )
        row["ops"] += 1
        for column, hop in slots.items():
            kernel = hop.kernel
            if kernel is not None and kernel.fn is not meta_fallback and not hop.fallthrough:
                row["kernels"][key_name(column)] += 1
            elif column == key:
                missing.append({"operator": op.name, "why": reason(hop)})
    return {
        "key": key_name(key),
        "keys": [key_name(k) for k in columns],
        "ops": count,
        "families": [{"family": f} | families[f] for f in sorted(families)],
        "missing": missing,
    }


def _slots(pattern: str, keys: list[DispatchKey]) -> Iterator[tuple[Operator, dict[Any, Any]]]:
    for op in matching(pattern):
        if op.has_schema or op.entries:
            yield op, {key: op.explain(key) for key in keys}
