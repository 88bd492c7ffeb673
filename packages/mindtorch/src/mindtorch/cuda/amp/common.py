"""Whether mixed precision is out of the question."""

from __future__ import annotations

from importlib.util import find_spec

from ... import cuda

__all__ = ["amp_definitely_not_available"]


def amp_definitely_not_available() -> bool:
    """Whether there is neither CUDA nor XLA."""
    return not (cuda.is_available() or find_spec("torch_xla"))
