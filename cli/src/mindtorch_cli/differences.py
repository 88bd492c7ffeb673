"""Our tables of kernels beside torch's: which slots differ, and which of that is documented."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from typing import Any

from mindtorch_dispatch import ALIAS_KEYS, DISPATCH_KEY_PRIORITY, Operator, key_name

from .documented_differences import DOCUMENTED, MISSING, MOVED, NO_BIT, Slot, difference

__all__ = ["compare", "kinds", "order", "summary"]

_LINE = re.compile(r"^(\w+): (fallthrough )?.*\[([^\]]+)\]$")


def kinds(table: str) -> dict[str, str]:
    """The kind of entry of each key in a dump: ``kernel``, ``fallthrough backend fallback``…

    Keys have the names that people see here (``NPU`` for ``PrivateUse1``).
    """
    found = {}
    for text in table.splitlines():
        match = _LINE.match(text)
        if match is not None:
            key, fallthrough, kind = match.groups()
            found[key.replace("PrivateUse1", "NPU")] = f"{fallthrough or ''}{kind}"
    return found


def compare(op: Operator, torch: str, composites: Iterable[str] = ()) -> list[dict[str, Any]]:
    """Every slot of one op that is filled here or there; ``same`` or with its ``difference``.

    :param torch: the table as torch dumps it.
    :param composites: the composite keys at which torch registers a kernel.
    """
    mine, theirs = kinds(op.dump_table()), kinds(torch)
    registered = frozenset(composites)
    own = frozenset(key_name(k) for k in ALIAS_KEYS if k in op.entries)
    arguments = op.schema.arguments if op.schema is not None else ()
    takes = any("Tensor" in str(argument.type) for argument in arguments)
    rows = []
    for key in [*mine, *(k for k in theirs if k not in mine)]:
        ours, other = mine.get(key, MISSING), theirs.get(key, MISSING)
        slot = Slot(key, ours, other, op.name, own, registered, mine, theirs, takes)
        rows.append(
            {
                "key": key,
                "ours": ours,
                "torch": other,
                "same": ours == other,
                "documented": None if ours == other else difference(slot),
            }
        )
    return rows


def order(torch: list[str]) -> list[dict[str, Any]]:
    """How the order of keys differs: the runtime keys that stand elsewhere, and the alias keys.

    :param torch: runtime keys in torch's order, lowest first.
    """
    ours = [key_name(k) for k in reversed(DISPATCH_KEY_PRIORITY)]
    theirs = [key.replace("PrivateUse1", "NPU") for key in torch]
    mine = [k for k in ours if k in theirs]
    theirs = [k for k in theirs if k in mine]
    # Keys outside the longest common order are the fewest that can have moved.
    matcher = SequenceMatcher(None, mine, theirs, autojunk=False)
    kept = {k for a, _, n in matcher.get_matching_blocks() for k in mine[a : a + n]}
    rows = [
        {"key": k, "kind": MOVED, "documented": difference(Slot(k, MOVED, MOVED))}
        for k in mine
        if k not in kept
    ]
    rows += [
        {
            "key": key_name(k),
            "kind": NO_BIT,
            "documented": difference(Slot(key_name(k), "bit", NO_BIT)),
        }
        for k in ALIAS_KEYS
    ]
    return rows


def summary(tables: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """Many ops in numbers: slots per documented difference, and the others grouped by kind."""
    documented: Counter[str] = Counter()
    others: dict[tuple[str, str, str], list[str]] = {}
    same = 0
    for name, rows in tables.items():
        for row in rows:
            if row["same"]:
                same += 1
            elif row["documented"] is not None:
                documented[row["documented"]] += 1
            else:
                others.setdefault((row["key"], row["ours"], row["torch"]), []).append(name)
    return {
        "ops": len(tables),
        "same": same,
        "documented": {d.name: documented[d.name] for d in DOCUMENTED if documented[d.name]},
        "undocumented": [
            {"key": key, "ours": ours, "torch": torch, "ops": ops}
            for (key, ours, torch), ops in sorted(others.items(), key=lambda i: -len(i[1]))
        ],
    }
