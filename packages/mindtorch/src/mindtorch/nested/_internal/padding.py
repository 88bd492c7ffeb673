"""Between nested tensors and tensors whose samples are padded to one length."""

from __future__ import annotations

from typing import Any

from ...aten import torch
from .nested_tensor import NestedTensor, nested_from_padded, owners, places
from .recording import values_of

__all__ = ["unpadded"]


def padded(nt: Any, padding: Any, length: int) -> Any:
    """The samples in rows of *length*, with *padding* after their end; differentiable."""
    r = nt._ragged_idx
    values = values_of(nt)
    rows = values.transpose(r - 1, 0) if r > 1 else values
    samples, own = nt._size[0], nt._offsets.diff()
    at = owners(nt._offsets) * length + places(nt._offsets)
    kept = places(nt._offsets) < length
    start = int(nt._offsets[0])
    rows = rows[start : start + at.shape[0]]
    if bool((own > length).any()):
        at, rows = at[kept], rows[kept]
    flat = torch.full((samples * length, *rows.shape[1:]), padding, dtype=rows.dtype,
                      device=rows.device)  # fmt: skip
    found = flat.index_copy(0, at, rows).unflatten(0, (samples, length))
    return found.transpose(r, 1) if r > 1 else found


def unpadded(tensor: Any, nt: Any) -> Any:
    """The nested tensor with the samples of *nt* whose rows *tensor* has, padded."""
    return nested_from_padded(tensor, nt._offsets, nt._ragged_idx)


def to_padded_tensor_default(self: Any, padding: float, output_size: Any = None) -> Any:
    """The samples as rows of one tensor, filled up to the longest, or to *output_size*."""
    if self._lengths is not None:
        raise RuntimeError("to_padded_tensor(): not supported for nested tensors with holes")
    if output_size is not None:
        length = output_size[self._ragged_idx]
    elif self._max_seqlen_tensor is not None:
        length = self._max_seqlen
    else:
        length = self._values.shape[0]
    return padded(self, padding, length)


NestedTensor._serve_padded = to_padded_tensor_default
