"""Sparse inputs of ``gradcheck``: which of their elements can be moved, and where these stand."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

from ...aten import torch
from ...tensor import Tensor

__all__ = ["dense", "is_sparse", "refuse_sparse_outputs", "sites", "values_of", "with_all_elements"]


_IN_BLOCKS = (torch.sparse_bsr, torch.sparse_bsc)
_COMPRESSED = (torch.sparse_csr, torch.sparse_csc, *_IN_BLOCKS)


def is_sparse(t: Any) -> bool:
    """Whether *t* is a tensor of a sparse layout."""
    return isinstance(t, Tensor) and (t.is_sparse or t.layout in _COMPRESSED)


def dense(t: Any) -> Any:
    """*t*, in the strided layout."""
    return t.to_dense() if is_sparse(t) else t


def values_of(t: Any) -> Any:
    """The elements of *t* that are there."""
    if not is_sparse(t):
        return t
    return t._values() if t.is_sparse else t.values()


def sites(t: Any) -> Iterator[tuple[int, Any]]:
    """The number of each element of *t* that is there, row by row, and a view of it."""
    values = values_of(t.data)
    if not is_sparse(t):
        for row, index in enumerate(product(*[range(n) for n in t.shape])):
            yield row, values[index]
        return
    if t.is_sparse:
        numbers = torch.arange(t.numel()).reshape(t.shape)
        for part, place in zip(values, t._indices().t().tolist(), strict=True):
            rows = numbers[tuple(place)]
            for index in product(*[range(n) for n in part.shape]):
                yield int(rows[index]), part[index]
        return
    which = torch.arange(1, values.numel() + 1).reshape(values.shape)
    flat = values.view(-1)
    for row, number in enumerate(_with_values(t, which).to_dense().reshape(-1).tolist()):
        if number:
            yield row, flat[number - 1]


def with_all_elements(t: Any) -> Any:
    """A sparse *t* in which every element is there, zeros among them; another one as it is."""
    if not is_sparse(t):
        return t
    elements = t.detach().to_dense()
    if t.is_sparse:
        front = t.shape[: t.sparse_dim()]
        indices = torch.ones(front, dtype=torch.int8).nonzero().t()
        values = elements.reshape(-1, *t.shape[t.sparse_dim() :]).clone()
        made = torch.sparse_coo_tensor(indices, values, t.shape)._coalesced_(True)
    else:
        numbers = torch.arange(1, t.numel() + 1).reshape(t.shape)
        blocks = t.values().shape[-2:] if t.layout in _IN_BLOCKS else None
        full = numbers.to_sparse(layout=t.layout, blocksize=blocks)
        made = _with_values(full, elements.reshape(-1)[full.values() - 1])
    return made.requires_grad_(t.requires_grad)


def _with_values(t: Any, values: Any) -> Any:
    """A tensor of the compressed layout of *t* with other elements in the same places."""
    by_rows = t.layout in (torch.sparse_csr, torch.sparse_bsr)
    places = (t.crow_indices(), t.col_indices()) if by_rows else (t.ccol_indices(), t.row_indices())
    return torch.sparse_compressed_tensor(*places, values, t.shape, layout=t.layout)


def refuse_sparse_outputs(outputs: Any) -> None:
    """A derivative of a sparse result is one of its dense form."""
    if any(is_sparse(t) for t in outputs):
        raise ValueError(
            "Sparse output is not supported at gradcheck yet. Please call "
            "to_dense(masked_grad=...) on the output of fn for gradcheck."
        )
