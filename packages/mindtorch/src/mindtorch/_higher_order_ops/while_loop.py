"""``torch.while_loop``: a loop as an op."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch

__all__ = ["while_loop"]


def while_loop(
    cond_fn: Callable[..., Any], body_fn: Callable[..., Any], carried_inputs: Any
) -> Any:
    """Apply *body_fn* to what is carried as long as *cond_fn* of it is true; returns what is left.

    Raises RuntimeError for other than functions, and for a condition that is no single truth.
    """
    if not callable(cond_fn) or not callable(body_fn):
        raise RuntimeError("Expect cond_fn and body_fn to be callable.")
    carried = carried_inputs
    while _truth(cond_fn(*carried)):
        after = body_fn(*carried)
        if not isinstance(after, (tuple, list)):
            after = (after,)
        if len(after) != len(carried):
            raise AssertionError(
                "body_fn should return the same number of elements as carried_inputs"
            )
        carried = type(carried)(after)
    return carried


def _truth(found: Any) -> bool:
    if isinstance(found, torch.Tensor):
        if found.dtype != torch.bool or found.numel() != 1:
            raise RuntimeError(
                f"cond_fn must return a boolean scalar tensor or a boolean but got {found}"
            )
        return bool(found)
    if not isinstance(found, bool):
        raise RuntimeError(
            f"cond_fn must return a boolean scalar tensor or a boolean but got {type(found)}"
        )
    return found
