"""How :class:`~torch.nn.LinearCrossEntropyLoss` may split its work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from ...aten import torch

__all__ = ["LinearCrossEntropyOptions"]

_Policy = Literal["accurate", "balanced", "compact", "auto"]


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """Hints on memory and speed. Here the work is done in one piece, whatever they say.

    :param batch_chunk_size: how many samples at a time.
    :param chunking_method: how to find that number: ``"auto"``, ``"aspect_ratio"`` or
        ``"aspect_ratio:<factor>"``.
    """

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: _Policy = "auto"
    acc_dtype: Any = None

    def __post_init__(self) -> None:
        size = self.batch_chunk_size
        if size is not None and (not isinstance(size, int) or size <= 0):
            raise ValueError(f"batch_chunk_size must be positive int or None, got {size!r}")
        if self.chunking_method is not None:
            method, colon, factor = self.chunking_method.partition(":")
            known = method == "aspect_ratio" or (method == "auto" and not colon)
            if not known or (colon and not (factor.isdecimal() and int(factor))):
                raise ValueError(f"invalid chunking_method: {self.chunking_method!r}")
        if self.acc_policy not in get_args(_Policy):
            raise ValueError(f"invalid acc_policy: {self.acc_policy!r}")
        dtypes = (None, torch.float16, torch.bfloat16, torch.float32, torch.float64)
        if not any(self.acc_dtype is d for d in dtypes):
            shown = ", ".join(map(str, dtypes))
            raise ValueError(
                f"acc_dtype must be one of {{{shown}}}, got {self.acc_dtype}. Pass acc_dtype=None "
                "to let the op pick automatically."
            )
