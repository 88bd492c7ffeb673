"""What several processes would write, one of them does."""

from __future__ import annotations

import dataclasses
from collections import defaultdict

from .metadata import MetadataIndex
from .planner import SavePlan

__all__ = ["dedup_save_plans"]


def dedup_save_plans(
    all_plans: list[SavePlan], save_to_lowest_rank: bool = False
) -> list[SavePlan]:
    """Plans in which each item is once: where it is in several, with the process that has least.

    :param save_to_lowest_rank: leave it with the first process instead.
    """
    found: dict[MetadataIndex, list[int]] = defaultdict(list)
    sizes: dict[MetadataIndex, int] = {}
    for number, plan in enumerate(all_plans):
        for item in plan.items:
            if number not in found[item.index]:
                found[item.index].append(number)
            sizes.setdefault(item.index, item.tensor_storage_size() or 1)
    load = [0] * len(all_plans)
    writer: dict[MetadataIndex, int] = {}
    for index, numbers in found.items():
        chosen = min(numbers) if save_to_lowest_rank else min(numbers, key=lambda n: load[n])
        writer[index] = chosen
        load[chosen] += sizes[index]
    return [
        dataclasses.replace(plan, items=[i for i in plan.items if writer[i.index] == number])
        for number, plan in enumerate(all_plans)
    ]
