"""The layouts that the data of a masked tensor may have, and how functions of elements see them.

Data and mask of a sparse layout specify the same places. Functions of elements run on what is
specified there; what is not specified does not count.
"""

from __future__ import annotations

from typing import Any

from ...aten import torch

__all__: list[str] = []

LAYOUTS = (torch.strided, torch.sparse_coo, torch.sparse_csr)


def alike(data: Any, mask: Any) -> tuple[Any, Any]:
    """*data* and *mask*, sparse ones with the places of *mask*.

    Raises TypeError where their layouts differ.
    """
    if data.layout != mask.layout:
        raise TypeError("data and mask must have the same layout.")
    if data.layout is torch.sparse_coo:
        data, mask = data.coalesce(), mask.coalesce()
    if data.layout in LAYOUTS[1:] and data._nnz() != mask._nnz():
        data = data.to_dense().sparse_mask(mask)
    return data, mask


def places(x: Any) -> tuple[Any, ...]:
    """The indices of what a sparse tensor specifies; nothing of a strided one."""
    if x.layout is torch.sparse_coo:
        return (x.indices(),)
    return (x.crow_indices(), x.col_indices()) if x.layout is torch.sparse_csr else ()


def same_places(a: Any, b: Any) -> bool:
    """Whether two tensors of one layout specify the same elements."""
    return all(torch.equal(i, j) for i, j in zip(places(a), places(b), strict=True))


def elements(x: Any) -> Any:
    """What functions of elements run on: the values of a sparse tensor."""
    return x.values() if x.layout in LAYOUTS[1:] else x


def placed(values: Any, like: Any) -> Any:
    """*values* where the elements of *like* are."""
    if like.layout is torch.sparse_coo:
        return torch.sparse_coo_tensor(like.indices(), values, like.size())
    if like.layout is torch.sparse_csr:
        return torch.sparse_csr_tensor(like.crow_indices(), like.col_indices(), values, like.size())
    return values
