"""What several processes would write, the first of them does."""

from __future__ import annotations

import dataclasses

from .metadata import MetadataIndex
from .planner import SavePlan

__all__ = ["dedup_tensors"]


def dedup_tensors(all_plans: list[SavePlan]) -> list[SavePlan]:
    """Plans in which no item is that an earlier plan has; those without any stay the same."""
    taken: dict[MetadataIndex, int] = {}
    found = []
    for number, plan in enumerate(all_plans):
        kept = [i for i in plan.items if taken.setdefault(i.index, number) == number]
        whole = len(kept) == len(plan.items)
        found.append(plan if whole else dataclasses.replace(plan, items=kept))
    return found
