"""Factorizations that are Python in torch, in front of ops: ``torch.lu``."""

from __future__ import annotations

from typing import Any

from ..aten import torch
from ..call.intercept import overridable
from .utils import _symeig as symeig

__all__ = ["lu", "symeig"]


def lu(A: Any, pivot: bool = True, get_infos: bool = False, out: Any = None) -> Any:
    """The LU factorization of *A* in one matrix, and its pivots.

    :param get_infos: return what LAPACK says of each matrix too, and refuse no singular ones.
    :param out: tensors to write to, two or three.
    """
    found = torch._lu_with_info(A, pivot, not get_infos)
    count = 3 if get_infos else 2
    if out is None:
        return found if get_infos else tuple(found)[:count]
    if not isinstance(out, (tuple, list)):
        raise TypeError(f"argument 'out' must be tuple of Tensors, not {type(out).__name__}")
    if len(out) != count:
        raise TypeError(f"expected tuple of {count} elements but got {len(out)}")
    for target, value in zip(out, found, strict=False):
        target.resize_as_(value).copy_(value)
    return out


lu = overridable(lu)
