"""New memory under ``torch.use_deterministic_algorithms``: filled with what is no number."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..core import signature as S
from ..core.errors import not_implemented_for
from . import Tensor
from .construction import wrap
from .tensor_impl import alias_of

__all__ = ["fill_new", "fill_tail", "no_number", "state"]


class _State:
    """What is switched on, in the whole process."""

    enabled = False
    warn_only = False
    fills = True  # ``torch.utils.deterministic.fill_uninitialized_memory``


state = _State

_INTEGERS = frozenset(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64))
#: What is left to the calls below: other devices, and whatever stands for another tensor.
ELSEWHERE = S.META | S.PYTHON | S.FUNCTIONAL | S.BATCHED | S.PENDING | S.LAZY | S.SPARSE_LAYOUTS


def no_number(dtype: Any) -> Any:
    """What stands for memory that nobody wrote.

    Raises NotImplementedError for dtypes of which torch does not know it either.
    Source: torch aten/src/ATen/native/TensorFactories.cpp, fill_empty_deterministic_.
    """
    name = dtype.name
    if name.startswith(("float", "bfloat", "complex")) and not name.startswith("float4"):
        return float("nan")
    if name == "bool":
        return True
    if name not in _INTEGERS:
        raise not_implemented_for("fill_empty_deterministic_", dtype)
    return int(np.iinfo(dtype.np).max)


def fill_new(made: Any, change: int = 0) -> None:
    """Fill a tensor that was made just now; *change* tells how often it counts as changed."""
    if not state.enabled or not state.fills or not isinstance(made, Tensor):
        return
    if made._sig_ & ELSEWHERE or not made._a_.size:
        return
    value = no_number(made.dtype)
    if made._sig_ & S.CPU:
        made._a_[...] = value
    else:
        made.detach().fill_(value)
    alias_of(made).value = change


def fill_tail(t: Any, nbytes: int) -> None:
    """Fill what the storage of *t* has grown by since it had *nbytes*."""
    if not t._sig_ & ELSEWHERE:
        storage = t.untyped_storage()
        if storage.nbytes() > nbytes:
            first = -(-nbytes // t.element_size())
            whole = wrap(np.empty(0, t._a_.dtype))._to_(t.device).set_(storage)
            whole[first:].fill_(no_number(t.dtype))
