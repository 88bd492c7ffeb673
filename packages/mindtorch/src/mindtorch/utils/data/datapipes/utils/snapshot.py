"""Going ahead in a pipe by reading and dropping."""

from __future__ import annotations

from typing import Any

from .....aten import torch
from ...graph_settings import apply_random_seed
from .._hook_iterator import _SnapshotState
from ..datapipe import IterDataPipe


def _simple_graph_snapshot_restoration(
    datapipe: IterDataPipe[Any], n_iterations: int, rng: Any = None
) -> None:
    """Have the next iterator of *datapipe* begin after *n_iterations* elements.

    Raises RuntimeError if the pipe has been restored already, or has not so many.
    """
    if datapipe._snapshot_state == _SnapshotState.Restored:
        raise RuntimeError(
            "Snapshot restoration cannot be applied. You can only restore simple snapshot to the "
            "graph if your graph has not been restored."
        )
    # The pipes before it must not begin anew with the iterator that follows.
    datapipe.reset()
    apply_random_seed(datapipe, rng=torch.Generator() if rng is None else rng)
    remaining = n_iterations
    it = iter(datapipe)
    while remaining > 0:
        try:
            next(it)
            remaining -= 1
        except StopIteration:
            raise RuntimeError(
                f"Fast-forward {datapipe} by {n_iterations} iterations exceeds the number of "
                "samples available."
            ) from None
    datapipe._fast_forward_iterator = it
    datapipe._snapshot_state = _SnapshotState.Restored
