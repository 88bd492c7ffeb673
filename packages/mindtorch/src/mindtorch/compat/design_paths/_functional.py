"""Every op as a function: those of ``torch``, and ``pad_sequence``."""

from typing import Any

from mindtorch.aten import torch as _torch
from mindtorch.nn.utils.rnn import pad_sequence

__all__ = ["pad_sequence"]


def __getattr__(name: str) -> Any:
    return getattr(_torch, name)
