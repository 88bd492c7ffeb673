"""Masks of reductions and normalizations: of which elements, and what stands for the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten import torch
from ..autograd.function import Function
from ..tensor import Tensor
from ._identities import _reduction_identity
from ._sparse import broadcast, kept_elements
from .maskedtensor.core import is_masked_tensor
from .maskedtensor.creation import as_masked_tensor

__all__ = [
    "_any",
    "_canonical_dim",
    "_combine_input_and_mask",
    "_input_mask",
    "_output_mask",
    "_where",
]

_REDUCTIONS = frozenset(
    "sum prod amax amin argmax argmin mean median norm var std logsumexp".split()
)
_NORMALIZATIONS = frozenset("softmax log_softmax softmin normalize cumsum cumprod".split())


def _canonical_dim(dim: Any, ndim: int) -> tuple[int, ...]:
    """Return *dim* as a sorted tuple of dimensions from the front; all for None and ``()``.

    Raises IndexError for a dimension that is not there, RuntimeError for one given twice.
    """
    if dim is None or dim == ():
        return tuple(range(ndim))
    ndim = max(ndim, 1)
    dims: list[int] = []
    for d in (dim,) if isinstance(dim, (int, torch.SymInt)) else dim:
        if d in dims:
            raise RuntimeError(f"dim={d} appears multiple times in the list of dims")
        if not -ndim <= d < ndim:
            raise IndexError(
                f"Dimension out of range (expected to be in range of [{-ndim}, {ndim - 1}], "
                f"but got {d})"
            )
        dims.append(d % ndim)
    return tuple(sorted(dims))


def _any(input: Tensor, dim: tuple[int, ...], keepdim: bool) -> Tensor:
    """Whether any element is true along all of *dim*."""
    for d in reversed(dim):
        input = input.any(dim=d, keepdim=keepdim)
    return input


def _where(mask: Tensor, input: Tensor, fill_value: Any) -> Tensor:
    """Return *input* where *mask* is true, elsewhere *fill_value*.

    Of a sparse *mask* and *input* the result has the elements that the mask keeps, and no others.

    Raises ValueError for layouts that torch does not take, AssertionError for two that differ.
    """
    _check_layout("_where", mask)
    if mask.layout is torch.strided:
        return torch.where(mask, input, fill_value)
    return kept_elements(mask, input, fill_value)


def _check_layout(name: str, t: Any) -> None:
    if t.layout not in (torch.strided, torch.sparse_coo, torch.sparse_csr):
        raise ValueError(
            f"{name} expects strided or sparse COO or sparse CSR tensor but got {t.layout}"
        )


def _input_mask(input: Any, *args: Any, **kwargs: Any) -> Tensor:
    """Return the keyword ``mask`` as a boolean tensor of the shape and layout of *input*.

    Raises ValueError if there is none, IndexError if it has more dimensions than *input*.
    """
    _check_layout("_input_mask", input)
    mask = kwargs.get("mask")
    if mask is None:
        raise ValueError("_input_mask requires explicit mask")
    if mask.shape != input.shape:
        if mask.ndim > input.ndim:
            raise IndexError(
                "_input_mask expected broadcastable mask (got mask dimensionality higher than of "
                "the input)"
            )
        if mask.layout is torch.strided:
            mask = torch.broadcast_to(mask.clone(), input.shape)
        else:
            mask = broadcast(mask, input.shape)
    return _in_layout_of(input, mask).to(dtype=torch.bool)


def _in_layout_of(input: Any, mask: Any) -> Any:
    if input.layout is torch.strided:
        return mask.to_dense()
    if input.layout is torch.sparse_csr:
        return mask if mask.layout is torch.sparse_csr else mask.to_sparse_csr()
    if mask.layout is torch.strided:
        return mask.to_sparse(input.sparse_dim()).coalesce()
    return mask.to_sparse_coo().coalesce()


def _output_mask(op: Callable[..., Any], input: Any, *args: Any, **kwargs: Any) -> Tensor:
    """Return which elements of the result of ``op(input, *args, **kwargs)`` mean something.

    Raises ValueError for what is no reduction or normalization of this module.
    """
    if not callable(op):
        raise ValueError(f"_output_mask expected masked operation (got {type(op).__name__} object)")
    name = op.__name__
    if name in _NORMALIZATIONS:
        return _input_mask(input, *args, **kwargs)
    if name not in _REDUCTIONS:
        raise ValueError(
            f"_output_mask expected masked operation (got callable {op.__module__}.{name})"
        )
    if name == "norm":
        args = args[1:]  # its first argument is the order
    dim = args[0] if args else kwargs.get("dim")
    mask = _input_mask(input, *args, **kwargs)
    return _any(mask, _canonical_dim(dim, input.ndim), bool(kwargs.get("keepdim", False)))


def _filled(op: Callable[..., Any], input: Any, mask: Any, *args: Any) -> Tensor:
    if mask is None:
        return input
    mask = _input_mask(input, mask=mask)
    if not callable(op):
        raise ValueError(
            f"_combine_input_and_mask expected masked operation (got {type(op).__name__} object)"
        )
    return _where(mask, input, _reduction_identity(op.__name__, input, *args))


class Combine(Function):
    """The data of a masked tensor with neutral numbers; its gradient has the mask."""

    @staticmethod
    def forward(ctx: Any, op: Any, input: Any, mask: Any, *args: Any) -> Any:
        ctx.save_for_backward(mask)
        ctx.others = (None,) * (1 + len(args))
        return _filled(op, input, mask, *args)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        (mask,) = ctx.saved_tensors
        data = grad_output.get_data() if is_masked_tensor(grad_output) else grad_output
        return None, as_masked_tensor(data, mask), *ctx.others


def _combine_input_and_mask(op: Callable[..., Any], input: Any, mask: Any, *args: Any) -> Tensor:
    """Return *input* with the neutral number of *op* where *mask* (its own, if any) is false."""
    if is_masked_tensor(input):
        return Combine.apply(op, input.get_data(), input.get_mask(), *args)
    return _filled(op, input, mask, *args)
