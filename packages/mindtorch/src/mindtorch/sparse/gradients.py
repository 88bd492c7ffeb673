"""``as_sparse_gradcheck``: a ``gradcheck`` for functions of sparse tensors.

Source: torch sparse/__init__.py, as_sparse_gradcheck.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..aten import torch
from ..tensor import Tensor

__all__ = ["as_sparse_gradcheck"]


def as_sparse_gradcheck(gradcheck: Callable[..., bool]) -> Callable[..., bool]:
    """A function like *gradcheck* whose inputs, and results, may be sparse tensors.

    A sparse input is taken apart: its elements are varied, its indices stay. With ``masked=False``
    the elements that it has not are zeros that are varied, too.
    """

    @wraps(gradcheck)
    def checked(func: Callable[..., Any], inputs: Any, **kwargs: Any) -> bool:
        masked = kwargs.pop("masked", False)
        given = inputs if isinstance(inputs, (list, tuple)) else (inputs,)
        parts: list[Any] = []
        rebuild: list[Callable[[Any], Any]] = []
        for value in given:
            part, again = _apart(value, masked)
            parts.append(part)
            rebuild.append(again)

        def of_parts(*values: Any) -> Any:
            results = func(*[again(v) for again, v in zip(rebuild, values, strict=True)])
            if isinstance(results, (list, tuple)):
                return tuple([_dense(r, masked) for r in results])
            return _dense(results, masked)

        return gradcheck(of_parts, tuple(parts), **kwargs)

    return checked


def _is_sparse(value: Any) -> bool:
    return isinstance(value, Tensor) and value.layout is not torch.strided


def _apart(value: Any, masked: bool) -> tuple[Any, Callable[[Any], Any]]:
    """What of an input is varied, and how the input comes of it again."""
    if not _is_sparse(value) or not value.requires_grad:
        return value, lambda v: v
    whole = value.detach()
    layout = whole.layout
    if not masked:
        options = {"layout": layout}
        if layout in (torch.sparse_bsr, torch.sparse_bsc):
            options["blocksize"] = whole._content_.blocksize
        return whole.to_dense().requires_grad_(True), lambda v: v.to_sparse(**options)
    if layout is torch.sparse_coo:
        whole = whole.coalesce()
        indices, shape = whole.indices(), whole.shape
        return whole.values().requires_grad_(True), lambda v: torch.sparse_coo_tensor(
            indices, v, shape, is_coalesced=True
        )
    content, shape = whole._content_, whole.shape
    return content.values.clone().requires_grad_(True), lambda v: torch.sparse_compressed_tensor(
        content.compressed, content.plain, v, shape, layout=layout
    )


def _dense(result: Any, masked: bool) -> Any:
    return result.to_dense(masked_grad=masked) if _is_sparse(result) else result
