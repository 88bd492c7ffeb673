"""``torch._C._functorch``: samples of batches, and whether ops without a batching rule may run."""

from __future__ import annotations

from ..functionality.batching import batch, batched, is_sample
from ..functionality.fallback_switches import (
    _is_vmap_fallback_enabled,
    _set_vmap_fallback_enabled,
    _set_vmap_fallback_warning_enabled,
)
from ..tensor import Tensor

__all__ = [
    "_add_batch_dim",
    "_is_vmap_fallback_enabled",
    "_remove_batch_dim",
    "_set_vmap_fallback_enabled",
    "_set_vmap_fallback_warning_enabled",
    "get_unwrapped",
    "is_batchedtensor",
    "is_legacy_batchedtensor",
]


def is_batchedtensor(t: Tensor, /) -> bool:
    """Whether *t* is one sample of a batch."""
    return is_sample(t)


def is_legacy_batchedtensor(t: Tensor, /) -> bool:
    """Whether *t* is a sample of the ``vmap`` that there was before: never."""
    return False


def get_unwrapped(t: Tensor, /) -> Tensor:
    """The batch of which *t* is a sample. Raises RuntimeError where it is none."""
    if not is_sample(t):
        raise RuntimeError("No wrappers present!")
    value: Tensor = t._batched.value
    return value


def _add_batch_dim(t: Tensor, batch_dim: int, level: int, /) -> Tensor:
    """One sample of *t* in the ``vmap`` of *level*."""
    return batch(t, batch_dim, level)


def _remove_batch_dim(t: Tensor, level: int, batch_size: int, out_dim: int, /) -> Tensor:
    """What *t* is for the whole batch of ``vmap`` *level*, the samples along *out_dim*."""
    n = t.dim() + 1
    if not -n <= out_dim < n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got "
            f"{out_dim})"
        )
    out_dim %= n
    found = batched(t, level)
    if found is None:
        return t.unsqueeze(out_dim).expand(*t.shape[:out_dim], batch_size, *t.shape[out_dim:])
    if found.bdim == out_dim:
        return found.value
    return found.value.movedim(found.bdim, out_dim)
