"""What pipes with buffers have in common: what pickle keeps of them, and seeds for a pass."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from ....aten import torch
from .datapipe import IterDataPipe

# Kept of every pipe, after its own: how far it is and which iterator is the valid one.
_PROGRESS = ("_valid_iterator_id", "_number_of_samples_yielded")


def kept(pipe: Any, names: tuple[str, ...]) -> Any:
    """The attributes *names* of *pipe* and its progress, as the hook for pickle has them."""
    state = attrgetter(*names, *_PROGRESS)(pipe)
    hook = IterDataPipe.getstate_hook
    return hook(state) if hook else state


def restore(pipe: Any, names: tuple[str, ...], state: tuple[Any, ...]) -> None:
    """Give *pipe* what :func:`kept` has taken of it."""
    for name, value in zip(names + _PROGRESS, state, strict=True):
        setattr(pipe, name, value)


def drawn_seed() -> int:
    """A seed out of the default generator, for a pass that was given none."""
    return int(torch.empty((), dtype=torch.int64).random_().item())
