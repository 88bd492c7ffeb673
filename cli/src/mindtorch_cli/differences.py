"""Our tables of kernels beside torch's: which slots differ, and which of that is documented.

A difference is documented where ``docs/dispatching.md`` names it; :data:`DOCUMENTED` is the list,
and a test holds the page to it. Everything else is a finding.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from mindtorch_dispatch import ALIAS_KEYS, DISPATCH_KEY_PRIORITY, Operator, key_name

__all__ = ["DOCUMENTED", "MISSING", "Difference", "compare", "difference", "kinds", "order"]

MISSING = "missing"
#: What stands for a key's place in the order, where the two orders differ; and for an alias key,
#: which in torch is in no key set.
MOVED, NO_BIT = "moved", "no bit"
_LINE = re.compile(r"^(\w+): (fallthrough )?.*\[([^\]]+)\]$")
_DEFAULT, _FALLBACK = "default backend kernel", "backend fallback"


class Difference(NamedTuple):
    """One kind of difference that is meant to be."""

    name: str
    #: One sentence for people.
    why: str
    #: (key, ours, torch's) -> whether it is this one.
    matches: Callable[[str, str, str], bool]


def keys_like(pattern: str) -> Callable[[str, str, str], bool]:
    """Any difference at keys whose whole name matches."""
    compiled = re.compile(pattern)
    return lambda key, ours, torch: bool(compiled.fullmatch(key)) and ours != torch


_ELSEWHERE = "CUDA|HIP|XLA|MPS|IPU|XPU|HPU|VE|Lazy|MTIA|MAIA|FPGA|Vulkan|Metal|PrivateUse[23]"
_LAYERS = (
    "FuncTorchDynamicLayerFrontMode",
    "FuncTorchDynamicLayerBackMode",
    "FuncTorchGradWrapper",
)
_LAYOUTS = "Sparse|SparseCsr|Quantized|NestedTensor"

#: The first that matches names a difference.
DOCUMENTED: tuple[Difference, ...] = (
    Difference(
        "Pipeline",
        "a key of mindtorch, which defers ops; torch has no such key",
        lambda key, ours, torch: key == "Pipeline" and torch == MISSING,
    ),
    Difference(
        "NPU names",
        "NPU is torch's PrivateUse1; mindtorch has kernels there, bare torch has none",
        lambda key, ours, torch: key in ("NPU", "AutogradNPU", "AutocastNPU") and ours != torch,
    ),
    Difference(
        "keys of torch 2.4",
        "keys are those of torch 2.4, where MAIA is no backend",
        lambda key, ours, torch: "MAIA" in key and ours in (MISSING, MOVED),
    ),
    Difference(
        "other backends",
        "mindtorch runs on cpu, npu and meta; slots of other backends are torch's",
        keys_like(f"({_ELSEWHERE})|Autograd({_ELSEWHERE})|Autocast({_ELSEWHERE})|CustomRNGKeyId"),
    ),
    Difference(
        "other layouts",
        "mindtorch has no sparse, quantized, nested or mkldnn tensors",
        keys_like(f"({_LAYOUTS})\\w+|MkldnnCPU|AutogradNestedTensor"),
    ),
    Difference(
        "BackendSelect order",
        "BackendSelect stands above the autograd keys; in torch it is just below Python",
        lambda key, ours, torch: key == "BackendSelect" and ours == torch == MOVED,
    ),
    Difference(
        "alias bits",
        "alias keys have bits below every runtime key, so a key set may hold them",
        lambda key, ours, torch: torch == NO_BIT,
    ),
    Difference(
        "no op without tensors",
        "torch's default kernels also fill Undefined, the slot of calls without any key",
        lambda key, ours, torch: key == "Undefined" and ours == MISSING,
    ),
    Difference(
        "kernels per backend",
        "a row registers its numpy kernel at CPU, NPU and Meta; where torch has one kernel for "
        "all backends its rule is another",
        lambda key, ours, torch: key in ("CPU", "Meta") and {ours, torch} <= {"kernel", _DEFAULT},
    ),
    Difference(
        "composites of other backends",
        "silu_backward has a composite beside torch's kernels, for backends that have no kernel",
        lambda key, ours, torch: (
            key == "AutogradOther" and (ours, torch) == ("autograd kernel", "math kernel")
        ),
    ),
    Difference(
        "lazy bits",
        "at each op that hands a conjugate or negative bit on torch registers a fallthrough; here "
        "the key's one fallback sees from the op's row that it does",
        lambda key, ours, torch: (
            key in ("Conjugate", "Negative") and (ours, torch) == (_FALLBACK, "fallthrough kernel")
        ),
    ),
    Difference(
        "batching rules",
        "torch registers a batching rule at each op; here the key's one fallback derives it from "
        "the op's row",
        lambda key, ours, torch: (
            key == "FuncTorchBatched"
            and ours == _FALLBACK
            and torch in ("kernel", "batched kernel")
        ),
    ),
    Difference(
        "randomness under vmap",
        "torch registers a kernel at each random op and lets the others fall through; here the "
        "key's one fallback tells them apart by their rows",
        lambda key, ours, torch: (
            key == "FuncTorchVmapMode"
            and ours == _FALLBACK
            and torch in ("kernel", f"fallthrough {_FALLBACK}")
        ),
    ),
    Difference(
        "functorch layers",
        "torch.func's transforms are layers of interpreters in torch; mindtorch has vmap and "
        "functionalize, whose levels stand on the tensors",
        lambda key, ours, torch: (
            key in _LAYERS and ours == MISSING and torch in ("kernel", _FALLBACK)
        ),
    ),
    Difference(
        "former vmap",
        "keys of the vmap that torch had before torch.func's, and of nested tensors under vmap",
        lambda key, ours, torch: (
            key in ("Batched", "BatchedNestedTensor")
            and ours == MISSING
            or key == "VmapMode"
            and (ours, torch) == (f"fallthrough {_FALLBACK}", "kernel")
        ),
    ),
    Difference(
        "functionalization",
        "torch registers a kernel at each view and at each op that writes; here the key's one "
        "fallback derives it from the op's row",
        lambda key, ours, torch: key == "Functionalize" and (ours, torch) == (_FALLBACK, "kernel"),
    ),
    Difference(
        "zero tensors",
        "gradients known to be zero are plain zeros in mindtorch, or None",
        lambda key, ours, torch: key == "ZeroTensor" and ours == MISSING,
    ),
    Difference(
        "jit tracing",
        "mindtorch has no torch.jit; torch.fx and make_fx capture through the Python key",
        lambda key, ours, torch: key == "Tracer" and (ours, torch) == (MISSING, "kernel"),
    ),
    Difference(
        "pre-dispatch tracing",
        "no mode of mindtorch asks to see ops above autograd, so the key falls through; torch's "
        "fallback hands them to such modes",
        lambda key, ours, torch: (
            key == "PreDispatch" and (ours, torch) == (f"fallthrough {_FALLBACK}", _FALLBACK)
        ),
    ),
)


def difference(key: str, ours: str, torch: str) -> str | None:
    """The name of a documented difference; None for one that is not."""
    return next((d.name for d in DOCUMENTED if d.matches(key, ours, torch)), None)


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


def compare(op: Operator, torch: str) -> list[dict[str, Any]]:
    """Every slot of one op that is filled here or there; ``same`` or with its ``difference``.

    :param torch: the table as torch dumps it.
    """
    mine, theirs = kinds(op.dump_table()), kinds(torch)
    rows = []
    for key in [*mine, *(k for k in theirs if k not in mine)]:
        ours, other = mine.get(key, MISSING), theirs.get(key, MISSING)
        name = None if ours == other else difference(key, ours, other)
        rows.append(
            {
                "key": key,
                "ours": ours,
                "torch": other,
                "same": ours == other,
                "documented": name,
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
        {"key": k, "kind": MOVED, "documented": difference(k, MOVED, MOVED)}
        for k in mine
        if k not in kept
    ]
    rows += [
        {"key": key_name(k), "kind": NO_BIT, "documented": difference(key_name(k), "bit", NO_BIT)}
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
