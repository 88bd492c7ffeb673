"""How :class:`~torch.nn.LinearCrossEntropyLoss` may split its work."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

__all__ = ["LinearCrossEntropyOptions"]


@dataclass(frozen=True)
class LinearCrossEntropyOptions:
    """Hints on memory and speed. Here the work is done in one piece, whatever they say."""

    allow_retain_graph: bool = False
    batch_chunk_size: int | None = None
    chunking_method: str | None = "auto"
    acc_policy: Literal["accurate", "balanced", "compact", "auto"] = "auto"
    acc_dtype: Any = None
