"""Reductions of masked tensors, by the functions of ``torch.masked``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..._ops import ops
from ...aten import torch
from ...core.warning import warn
from ...tensor import Tensor
from .. import _ops as masked
from .core import FUNCTIONS, OPERATORS, is_masked_tensor, unsupported
from .creation import as_masked_tensor, masked_tensor
from .layouts import elements

__all__: list[str] = []

REDUCE_NAMES = "sum mean amin amax argmin argmax prod all norm var std".split()


def _masked_all(data: Any, dim: Any = None, keepdim: bool = False, mask: Any = None) -> Any:
    kept = data if mask is None else data.masked_fill(~mask, True)
    return kept.all() if dim is None else torch.all(kept, dim=dim, keepdim=keepdim)


def _multidim_any(mask: Any, dim: Any, keepdim: bool) -> Any:
    for d in sorted([dim] if isinstance(dim, int) else dim, reverse=True):
        mask = torch.any(mask, dim=d, keepdim=keepdim)
    return mask


def _of_all(name: str, mt: Any) -> Any:
    """The reduction *name* over every dimension."""
    mask = elements(mt.get_mask())
    if name == "all":
        result = _masked_all(mt.get_data(), mask=mask)
    elif mt.is_sparse_coo() and name in ("argmin", "argmax"):
        result = _flat_place(
            mt.get_data(), getattr(masked, name)(elements(mt.get_data()), mask=mask)
        )
    elif mt.is_sparse:
        result = getattr(masked, name)(masked_tensor(elements(mt.get_data()), mask))
    else:
        result = getattr(masked, name)(mt, mask=mask)
    return as_masked_tensor(result, torch.any(mask))


def _flat_place(data: Any, at: Any) -> Any:
    """The place in the flattened tensor of the specified element *at*, as torch computes it."""
    sizes = torch.tensor(data.size(), device=data.device)
    strides = data.size().numel() / sizes.cumprod(0)
    return torch.sum(data.indices().unbind(1)[int(at)] * strides)


def _of_dims(name: str, input: Any, dim: Any, keepdim: bool, dtype: Any) -> Any:
    """The reduction *name* over *dim*."""
    if input.is_sparse:
        said = unsupported(f"The sparse version of {name}", "reductions")
        warn(said)
        return NotImplemented
    if not is_masked_tensor(input):
        raise TypeError("Input to reduce_dim must be a MaskedTensor")
    mask = input.get_mask()
    if name == "all":
        result = _masked_all(input.get_data(), dim, keepdim, mask)
    else:
        result = getattr(masked, name)(input, dim=dim, keepdim=keepdim, dtype=dtype, mask=mask)
    return as_masked_tensor(result, _multidim_any(mask, dim, keepdim))


def _reducing(name: str) -> Callable[..., Any]:
    def reduce(*args: Any, **kwargs: Any) -> Any:
        if len(args) == 1 and not kwargs:
            return _of_all(name, args[0])
        return _of_dims(name, *_reduce_dim_args(*args, **kwargs))

    return reduce


def _reduce_dim_args(input: Any, dim: Any, keepdim: bool = False, dtype: Any = None) -> Any:
    return input, dim, keepdim, dtype


NATIVE_REDUCE_MAP = {getattr(ops.aten, name): _reducing(name) for name in REDUCE_NAMES}
TORCH_REDUCE_MAP = {getattr(torch, name): _reducing(name) for name in REDUCE_NAMES}
TENSOR_REDUCE_MAP = {getattr(Tensor, name): _reducing(name) for name in REDUCE_NAMES}
NATIVE_REDUCE_FNS = list(NATIVE_REDUCE_MAP)
TORCH_REDUCE_FNS = list(TORCH_REDUCE_MAP)
TENSOR_REDUCE_FNS = list(TENSOR_REDUCE_MAP)
_REDUCTIONS = NATIVE_REDUCE_MAP | TORCH_REDUCE_MAP | TENSOR_REDUCE_MAP


def _is_reduction(fn: Any) -> bool:
    """Whether *fn*, an operator, function or method, is a reduction of masked tensors."""
    return fn in _REDUCTIONS


def _apply_reduction(fn: Any, *args: Any, **kwargs: Any) -> Any:
    """Reduce a masked tensor by *fn*; NotImplemented for other functions."""
    return _REDUCTIONS[fn](*args, **kwargs) if fn in _REDUCTIONS else NotImplemented


OPERATORS.update(_REDUCTIONS)
FUNCTIONS.update(_REDUCTIONS)
