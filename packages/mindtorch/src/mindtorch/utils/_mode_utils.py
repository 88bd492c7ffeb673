"""``torch.utils._mode_utils``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from .._C import _DisableTorchDispatch
from ..tensor import Tensor

__all__ = ["all_same_mode", "no_dispatch"]


@contextmanager
def no_dispatch() -> Iterator[None]:
    """Inside, neither dispatch modes nor subclasses see operators."""
    with _DisableTorchDispatch():
        yield


def all_same_mode(modes: list[Tensor]) -> bool:
    """Whether all modes are the same."""
    return all(mode == modes[0] for mode in modes)
