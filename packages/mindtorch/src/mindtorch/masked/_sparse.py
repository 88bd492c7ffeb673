"""Sparse tensors under masks: the elements that a mask keeps, and reductions of what is left.

An element that is not specified is one that does not count. What a mask keeps is specified, also
where the tensor specifies nothing: it is 0 there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..aten import torch
from ..tensor import Tensor
from ._identities import _reduction_identity

__all__ = ["broadcast", "kept_elements", "reduced"]

#: Their sums are computed in float32 and rounded once.
_HALF = frozenset((torch.float16, torch.bfloat16))


def broadcast(t: Tensor, shape: Sequence[int]) -> Tensor:
    """*t*, of layout sparse COO or CSR, in a *shape* that it broadcasts to."""
    if t.layout is torch.sparse_csr:
        return broadcast(t.to_sparse_coo(), shape).to_sparse_csr()
    t = t.coalesce()
    places, values = t.indices(), t.values()
    more = len(shape) - t.dim()
    places = torch.cat([places.new_zeros(more, len(values)), places])
    values = values.expand(-1, *shape[len(places) :])
    for d, size in enumerate((*(1,) * more, *t.shape)[: len(places)]):
        if size == 1 != shape[d]:
            row = torch.arange(shape[d], device=t.device).repeat_interleave(len(values))
            places = places.repeat(1, shape[d])
            places[d] = row
            values = values.repeat(shape[d], *(1,) * (values.dim() - 1))
    return torch.sparse_coo_tensor(places, values, tuple(shape)).coalesce()


def _numbered(places: Tensor, sizes: Sequence[int]) -> Tensor:
    """The number of each place, counted through all of them in order."""
    numbers = places.new_zeros(places.shape[1])
    for row, size in zip(places, sizes, strict=True):
        numbers = numbers * size + row
    return numbers


def kept_elements(mask: Tensor, input: Tensor, fill_value: Any) -> Tensor:
    """Return the elements of *input* that *mask* keeps, and no others.

    In dense dimensions, where there must be elements beside them, those are *fill_value*.

    Raises AssertionError where layout, shape or dense dimensions of the two differ.
    """
    for fact, ours, theirs in (
        ("layout", mask.layout, input.layout),
        ("shape", mask.shape, input.shape),
        ("dense_dim()", mask.dense_dim(), input.dense_dim()),
    ):
        if ours != theirs:
            raise AssertionError(f"mask.{fact} must match input.{fact}: {ours} vs {theirs}")
    if input.layout is torch.sparse_csr:
        kept = kept_elements(mask.to_sparse_coo(), input.to_sparse_coo(), fill_value)
        return kept.to_sparse_csr()
    input = input.coalesce()
    sizes = input.shape[: input.sparse_dim()]
    keeps = mask.values()
    some = keeps.flatten(1).any(1) if keeps.dim() > 1 else keeps
    places, keeps = mask.indices()[:, some], keeps[some]
    own, asked = _numbered(input.indices(), sizes), _numbered(places, sizes)
    found = torch.searchsorted(own, asked)
    there = torch.cat([own, own.new_full((1,), -1)])[found] == asked
    found = torch.where(there, found, len(own))
    values = input.values()
    values = torch.cat([values, values.new_zeros(1, *values.shape[1:])])[found]
    if keeps.dim() > 1:
        there = there.view(-1, *(1,) * (keeps.dim() - 1))
        values = torch.where(keeps | ~there, values, fill_value)
    return torch.sparse_coo_tensor(places, values, input.shape)._coalesced_(True)


def reduced(
    op: Callable[..., Any], input: Tensor, dims: tuple[int, ...], keepdim: bool, dtype: Any
) -> Tensor:
    """Return *op* over *dims* of what *input*, sparse COO or CSR, specifies, in *dtype*.

    NotImplemented for what torch has not, either: dense dimensions, but for sums.

    Raises what torch does for CSR without *keepdim*: RuntimeError of sums and products, else
    AssertionError.
    """
    if input.layout is torch.sparse_csr:
        return _reduced_csr(op, input, dims, keepdim, dtype)
    return _reduced_coo(op, input, dims, keepdim, dtype)


def _lines(op: Callable[..., Any], values: Tensor, line: Tensor, count: int) -> Tensor:
    """*op* over the values of each of *count* lines; *line* is that of each value."""
    wide = values.float() if values.dtype in _HALF else values
    index = line.view(-1, *(1,) * (wide.dim() - 1)).expand_as(wide)
    into = wide.new_empty(count, *wide.shape[1:])
    made = into.scatter_reduce(0, index, wide, op.__name__, include_self=False)
    return made.to(dtype=values.dtype)


def _reduced_coo(
    op: Callable[..., Any], input: Tensor, dims: tuple[int, ...], keepdim: bool, dtype: Any
) -> Tensor:
    n = input.sparse_dim()
    places, values = input._indices(), input._values().to(dtype=dtype)
    gone = [d for d in dims if d < n]
    inner = [d + 1 - n for d in dims if n <= d < input.dim()]
    if inner:
        if op is not torch.sum:
            return NotImplemented
        values = op(values, dim=inner, keepdim=keepdim)
    if len(gone) == n:
        if len(values) or op in (torch.sum, torch.prod):
            total = op(values, dim=0)
        else:  # of nothing there is no extreme
            total = _reduction_identity(op.__name__, values)
        return (total[(None,) * n] if keepdim else total).to(dtype=dtype).to_sparse()
    sizes = [1 if d in dims else size for d, size in enumerate(input.shape)]
    if keepdim:
        places = places.clone()
        places[gone] = 0
    else:
        places = places[[d for d in range(n) if d not in gone]]
        sizes = [size for d, size in enumerate(input.shape) if d not in dims]
    if places.numel():
        places, line = torch.unique(places, return_inverse=True, dim=1)
        values = _lines(op, values, line, places.shape[1])
    return torch.sparse_coo_tensor(places, values, sizes, dtype=dtype, device=input.device)


def _reduced_csr(
    op: Callable[..., Any], input: Tensor, dims: tuple[int, ...], keepdim: bool, dtype: Any
) -> Tensor:
    native = op in (torch.sum, torch.prod)
    if not keepdim:
        error = RuntimeError if native else AssertionError
        raise error("reduction operations on CSR tensors with keepdim=False is unsupported")
    values, rows, columns = (
        input.values().to(dtype=dtype),
        input.crow_indices(),
        input.col_indices(),
    )
    if dims == (0,):
        columns, column = torch.unique(columns, return_inverse=True)
        values = _lines(op, values, column, len(columns))
        rows, shape = rows.new_tensor([0, len(columns)]), (1, input.shape[1])
    elif dims == (1,):
        lengths = rows.diff()
        filled = lengths != 0
        numbers = filled.cumsum(0)
        if native:
            line = (numbers - 1).repeat_interleave(lengths)
            values = _lines(op, values, line, int(filled.sum()))
        else:
            values = torch.segment_reduce(values, op.__name__, lengths=lengths)[filled]
        rows = torch.cat([rows.new_zeros(1), numbers])
        columns, shape = columns.new_zeros(len(values)), (input.shape[0], 1)
    else:
        some = min(len(values), 1)
        values = op(values, 0, True) if some else values
        rows, columns = rows.new_tensor([0, some]), columns.new_zeros(some)
        shape = (1, 1 if native else some)
    return torch.sparse_csr_tensor(rows, columns, values, shape, dtype=dtype, device=input.device)
