"""What results of calls are known by in torch's cache of fake tensors; here nothing is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .._prims_common.strides import suggest_memory_format
from .meta_utils import is_sparse_any

__all__ = [
    "DispatchCacheInfo",
    "TensorMetadata",
    "disable_fake_tensor_cache",
    "extract_tensor_metadata",
]


@dataclass(frozen=True)
class DispatchCacheInfo:
    """How often results of calls were known: nothing is kept of calls here."""

    hits: int
    misses: int
    bypasses: dict[str, int]
    size: int


@contextmanager
def disable_fake_tensor_cache(fake_mode: Any) -> Iterator[None]:
    """Inside, nothing is kept of calls, nor is it outside."""
    yield


@dataclass(slots=True)
class TensorMetadata:
    """All facts of a tensor but its numbers."""

    dtype: Any
    shape: tuple[int, ...]
    stride: tuple[int, ...]
    device: Any
    layout: Any
    #: None where it has none.
    memory_format: Any
    storage_offset: int
    storage_bytes: int | None
    requires_grad: bool
    is_quantized: bool
    is_conj: bool
    is_neg: bool
    is_inference: bool
    is_sparse: bool
    is_coalesced: bool | None
    dense_dim: int | None
    sparse_dim: int | None


def extract_tensor_metadata(t: Any) -> TensorMetadata:
    """The facts of *t*."""
    sparse = is_sparse_any(t)
    memory_format: Any = None if sparse else suggest_memory_format(t)
    if memory_format is not None and not t.is_contiguous(memory_format=memory_format):
        memory_format = None
    return TensorMetadata(
        t.dtype,
        t.shape,
        () if sparse else t.stride(),
        t.device,
        t.layout,
        memory_format,
        t.storage_offset(),
        None if sparse else t.untyped_storage().nbytes(),
        t.requires_grad,
        t.is_quantized,
        t.is_conj(),
        t.is_neg(),
        t.is_inference(),
        t.is_sparse,
        t.is_coalesced() if t.is_sparse else None,
        t.dense_dim() if sparse else None,
        t.sparse_dim() if sparse else None,
    )
