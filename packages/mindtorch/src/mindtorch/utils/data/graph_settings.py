"""``torch.utils.data.graph_settings``: settings for all the pipes that a pipe reads from."""

from __future__ import annotations

import inspect
from typing import Any

from ...aten import torch
from ...core.warning import warn
from .datapipes.iter.sharding import SHARDING_PRIORITIES, _ShardingIterDataPipe
from .graph import DataPipe, DataPipeGraph, traverse_dps

__all__ = [
    "apply_random_seed",
    "apply_sharding",
    "apply_shuffle_seed",
    "apply_shuffle_settings",
    "get_all_graph_pipes",
]


def get_all_graph_pipes(graph: DataPipeGraph) -> list[DataPipe]:
    """Every pipe of *graph*, once."""
    return _get_all_graph_pipes_helper(graph, set())


def _get_all_graph_pipes_helper(graph: DataPipeGraph, id_cache: set[int]) -> list[DataPipe]:
    found: list[DataPipe] = []
    for number, (datapipe, inner) in graph.items():
        if number in id_cache:
            continue
        id_cache.add(number)
        found.append(datapipe)
        found.extend(_get_all_graph_pipes_helper(inner, id_cache))
    return found


def _is_sharding_datapipe(datapipe: Any) -> bool:
    return isinstance(datapipe, _ShardingIterDataPipe) or (
        hasattr(datapipe, "apply_sharding") and inspect.ismethod(datapipe.apply_sharding)
    )


def apply_sharding(
    datapipe: Any,
    num_of_instances: int,
    instance_id: int,
    sharding_group: Any = SHARDING_PRIORITIES.DEFAULT,
) -> Any:
    """Give the pipes that share their part; *datapipe*.

    Raises RuntimeError if one of them reads from another: it would have a part of a part.
    """

    def go(graph: Any, before: Any) -> None:
        for dp, inner in graph.values():
            applied = before
            if _is_sharding_datapipe(dp):
                if before is not None:
                    raise RuntimeError(
                        "Sharding twice on a single pipeline is likely unintended and will cause "
                        f"data loss. Sharding already applied to {before} while trying to apply "
                        f"to {dp}"
                    )
                # Older pipes take no group.
                takes = inspect.signature(dp.apply_sharding).parameters
                args = (num_of_instances, instance_id, sharding_group)
                dp.apply_sharding(*(args[:2] if len(takes) < 3 else args))
                applied = dp
            go(inner, applied)

    go(traverse_dps(datapipe), None)
    return datapipe


def _is_shuffle_datapipe(datapipe: Any) -> bool:
    return all(
        hasattr(datapipe, name) and inspect.ismethod(getattr(datapipe, name))
        for name in ("set_shuffle", "set_seed")
    )


def apply_shuffle_settings(datapipe: Any, shuffle: bool | None = None) -> Any:
    """Have the pipes that shuffle do so, or not; None changes nothing. Returns the graph's end.

    One that shuffles is added where there is none.
    """
    if shuffle is None:
        return datapipe
    pipes: list[Any] = list(get_all_graph_pipes(traverse_dps(datapipe)))
    shufflers = [pipe for pipe in pipes if _is_shuffle_datapipe(pipe)]
    if not shufflers and shuffle:
        warn(
            "`shuffle=True` was set, but the datapipe does not contain a `Shuffler`. Adding one at "
            "the end. Be aware that the default buffer size might not be sufficient for your task.",
        )
        datapipe = datapipe.shuffle()
        shufflers = [datapipe]
    for shuffler in shufflers:
        shuffler.set_shuffle(shuffle)
    return datapipe


def apply_shuffle_seed(datapipe: Any, rng: Any) -> Any:
    """:func:`apply_random_seed`, which replaces it."""
    warn(
        "`apply_shuffle_seed` is deprecated since 1.12 and will be removed in the future releases. "
        "Please use `apply_random_seed` instead.",
        category=FutureWarning,
    )
    return apply_random_seed(datapipe, rng)


def _is_random_datapipe(datapipe: Any) -> bool:
    return hasattr(datapipe, "set_seed") and inspect.ismethod(datapipe.set_seed)


def apply_random_seed(datapipe: Any, rng: torch.Generator) -> Any:
    """Give every random pipe that *datapipe* reads from a seed drawn from *rng*; *datapipe*."""
    seen: set[int] = set()
    for pipe in get_all_graph_pipes(traverse_dps(datapipe)):
        if id(pipe) in seen or not _is_random_datapipe(pipe):
            continue
        seen.add(id(pipe))
        seed = int(torch.empty((), dtype=torch.int64).random_(generator=rng).item())
        pipe.set_seed(seed)
    return datapipe
