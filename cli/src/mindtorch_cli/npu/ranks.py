"""Programs for several processes, of which one runs at a time: the others are imagined."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from typing import Any

from rich.console import Console, RenderableType
from rich.progress import track

from ..render import BAD, GOOD, plain, table
from .sizes import size

__all__ = ["PER_NODE", "each", "fullest", "imagined", "overview"]

#: Accelerators of one machine, where it is not said.
PER_NODE = 8


def imagined(rank: int, ranks: int, per_node: int) -> dict[str, str]:
    """What process *rank* of *ranks* finds in its environment, as ``torchrun`` sets it.

    Groups of processes carry nothing, so that none of the others has to run.
    """
    return {
        "MINDTORCH_DISTRIBUTED": "fake",
        "RANK": str(rank),
        "WORLD_SIZE": str(ranks),
        "LOCAL_RANK": str(rank % per_node),
        "LOCAL_WORLD_SIZE": str(min(per_node, ranks)),
        "GROUP_RANK": str(rank // per_node),
        "GROUP_WORLD_SIZE": str(-(-ranks // per_node)),
        "MASTER_ADDR": "localhost",
        "MASTER_PORT": "29500",
    }


def each(ranks: int) -> Iterator[int]:
    """The ranks in turn, with a bar on a terminal's standard error."""
    errors = Console(file=sys.stderr)
    label = "ranks planned"
    yield from track(
        range(ranks), label, console=errors, transient=True, disable=not errors.is_terminal
    )


def _needs(plan: dict[str, Any]) -> int:
    return max([each["peak_reserved"] for each in plan["devices"]], default=0)


def fullest(plans: list[dict[str, Any]]) -> dict[str, Any]:
    """The plan that needs most; first of all one that does not fit or failed."""
    return max(plans, key=lambda plan: (not _is_well(plan), _needs(plan)))


def _is_well(plan: dict[str, Any]) -> bool:
    return not plan["error"] and all(each["fits"] for each in plan["devices"])


def overview(plans: list[dict[str, Any]]) -> Iterable[RenderableType]:
    """A verdict for all ranks, and a line for each device that they use."""
    bad = [plan["rank"] for plan in plans if not _is_well(plan)]
    if bad:
        names = ", ".join(map(str, bad))
        one = len(bad) == 1
        verdict = f"{'rank' if one else 'ranks'} {names} of {len(plans)} "
        yield plain(verdict + f"{'does' if one else 'do'} not fit or failed", BAD)
    else:
        yield plain(f"all {len(plans)} ranks fit", GOOD)
    made = table("rank", "device", "peak allocated", "peak reserved", "")
    for plan in plans:
        for used in plan["devices"]:
            fits = plain("fits", GOOD) if used["fits"] else plain("does NOT fit", BAD)
            figures = size(used["peak_allocated"]), size(used["peak_reserved"])
            made.add_row(str(plan["rank"]), f"npu:{used['device']}", *figures, fits)
        if not plan["devices"]:
            made.add_row(str(plan["rank"]), "none", "", "", "")
    yield made
