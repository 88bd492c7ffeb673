"""The numbers that change nothing: what stands in a reduction for elements that do not count."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..tensor import Tensor

__all__ = ["_reduction_identity"]


def _number(dtype: Any, name: str) -> Any:
    """The number that changes no result of the reduction *name* over *dtype*; None if unknown."""
    if name in ("sum", "cumsum", "norm"):
        return 0
    if name in ("prod", "cumprod"):
        return 1
    if name == "logsumexp" and dtype.is_complex:
        return -torch.inf + 0j
    if dtype is torch.bool:
        return None
    if name in ("amax", "argmax", "logaddexp", "logsumexp"):
        return -torch.inf if dtype.is_floating_point else torch.iinfo(dtype).min
    if name in ("amin", "argmin"):
        return torch.inf if dtype.is_floating_point else torch.iinfo(dtype).max
    return None


def _reduction_identity(op_name: str, input: Tensor, *args: Any) -> Tensor | None:
    """Return the scalar that stands for masked-out elements of *input*, of its dtype and device.

    None for ``mean``, ``var`` and ``std``, of which no number is neutral.

    Raises NotImplementedError for a dtype that the reduction has no neutral number of.
    """
    name, dtype = op_name.rsplit(".", 1)[-1], input.dtype
    if name in ("mean", "var", "std"):
        return None
    if name == "median":  # computed by nanmedian
        dtype = dtype if dtype.is_floating_point else torch.float32
        return torch.tensor(torch.nan, dtype=dtype, device=input.device)
    number = _number(dtype, name)
    if name == "norm" and args and args[0] == -torch.inf:
        if not dtype.is_floating_point:
            raise AssertionError(f"input must be floating point, got {dtype}")
        number = torch.inf
    if number is None:
        raise NotImplementedError(f"identity of {name} on {dtype} input")
    return torch.tensor(number, dtype=dtype, device=input.device)
