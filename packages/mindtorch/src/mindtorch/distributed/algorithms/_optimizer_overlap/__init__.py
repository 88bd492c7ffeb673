"""Optimizers that step while gradients are still reduced; not available yet."""

from __future__ import annotations

from typing import Any


def _as_overlapped_optim(optim_cls: type, params: Any, *args: Any, **kwargs: Any) -> Any:
    """Refuse: no optimizer is registered."""
    raise ValueError(f"Optimizer {optim_cls} is not registered for overlapping")
