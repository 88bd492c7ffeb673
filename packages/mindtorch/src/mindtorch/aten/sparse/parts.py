"""Sparse tensors from arrays, and what kernels read of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_dispatch import DispatchKey as K
from mindtorch_storage import can_cast, int64

from ...backends.functionality_kernels import FunctionalityKernels
from ...core import signature as S
from ...core.errors import cannot_cast
from ...core.layout_names import short_name
from ...core.operators import ops
from ...core.warning import warn_once
from ...tensor import Tensor
from ...tensor.construction import wrap
from ...tensor.sparse_content import Compressed, Coo, become, sparse_tensor

__all__ = [
    "COMPRESSED", "COO", "DENSE", "array", "by_number", "compressed_tensor", "coo_tensor",
    "flat_indices", "is_sparse", "shown", "with_values",
]  # fmt: skip


def array(t: Tensor) -> np.ndarray[Any, Any]:
    """The numbers of a dense tensor."""
    return t._host_()


def is_sparse(t: Any) -> bool:
    """Whether *t* is a sparse tensor of any layout."""
    return isinstance(t, Tensor) and bool(t._sig_ & S.SPARSE_LAYOUTS)


def coo_tensor(
    indices: Any, values: Any, shape: Sequence[int], coalesced: bool | None = None
) -> Tensor:
    """A COO tensor of *indices* and *values*, tensors or arrays.

    Of fewer than two elements the coordinates are sorted, and none is there twice.
    """
    indices, values = _tensor(indices), _tensor(values)
    if coalesced is None:
        coalesced = values._a_.shape[0] < 2
    return sparse_tensor(Coo(indices, values, coalesced), tuple(shape))


def compressed_tensor(
    layout: Any, compressed: Any, plain: Any, values: Any, shape: Sequence[int]
) -> Tensor:
    """A tensor of a compressed *layout* of tensors or arrays."""
    content = Compressed(layout, _tensor(compressed), _tensor(plain), _tensor(values))
    return sparse_tensor(content, tuple(shape))


def shown(t: Tensor) -> Tensor:
    """*t*, which a program gets. Torch warns once that compressed layouts are new."""
    if t._sig_ & S.SPARSE_CSR:
        warn_once(
            f"Sparse {short_name(t.layout).upper()} tensor support is in beta state. If you miss "
            "a functionality in the sparse tensor support, please submit a feature request to "
            "https://github.com/pytorch/pytorch/issues.",
            site="compressed sparse tensors",
        )
    return t


def _tensor(value: Any) -> Tensor:
    return value if isinstance(value, Tensor) else wrap(value)


def with_values(t: Tensor, values: Any) -> Tensor:
    """Like *t* with other *values* at the same places."""
    return sparse_tensor(t._content_._replace(values=_tensor(values)), t._a_.shape)


def flat_indices(t: Tensor) -> np.ndarray[Any, Any]:
    """The coordinates of a COO tensor, each as one number: those of the same place are equal.

    Raises RuntimeError for a coordinate outside of the tensor.
    """
    content = t._content_
    indices = array(content.indices)
    sizes = t._a_.shape[: content.sparse_dim]
    check_bounds(indices, sizes)
    return by_number(indices, sizes)


def by_number(indices: np.ndarray[Any, Any], sizes: Sequence[int]) -> np.ndarray[Any, Any]:
    """Coordinates in a block of *sizes* as places in it."""
    flat = np.zeros(indices.shape[1], np.int64)
    for row, size in zip(indices, sizes, strict=True):
        flat *= size
        flat += row
    return flat


def check_bounds(indices: np.ndarray[Any, Any], sizes: Sequence[int]) -> None:
    """Refuse coordinates outside of *sizes*, in the words of torch's check of invariants."""
    if not indices.size:
        return
    for dim, (least, most) in enumerate(zip(indices.min(1), indices.max(1), strict=True)):
        if least < 0:
            raise RuntimeError(f"found negative index {least} for dim {dim}")
        if most >= sizes[dim]:
            raise RuntimeError(
                f"size is inconsistent with indices: for dim {dim}, size is {sizes[dim]} but "
                f"found index {most}"
            )


def _write(target: Tensor, result: Tensor) -> None:
    """Make *target*, which an in-place op or ``out=`` was given, the *result*.

    Raises RuntimeError where its dtype cannot hold the result's.
    """
    if target is result:
        return
    dtype = target.dtype
    if result.dtype is not dtype and not can_cast(result.dtype, dtype):
        raise cannot_cast(result.dtype, dtype)
    if not is_sparse(target):
        if target._a_.shape != result._a_.shape:
            target.resize_(result.shape)
        target.copy_(result.to_dense() if is_sparse(result) else result)
        return
    if not is_sparse(result):
        raise RuntimeError("a dense result does not fit into a sparse tensor")
    content = result._content_
    if result.dtype is not dtype:
        content = content._replace(values=content.values._to_(None, dtype))
    become(target, content, result._a_.shape)


#: Kernels of COO tensors, of compressed ones, and of dense ones that take tensors, not arrays.
COO = FunctionalityKernels(K.SparseCPU, _write)
COMPRESSED = FunctionalityKernels(K.SparseCsrCPU, _write)
DENSE = FunctionalityKernels(K.CPU, _write)


def as_int64(t: Tensor) -> Tensor:
    """Indices as COO tensors have them."""
    return t if t.dtype is int64 else ops._to_copy(t, dtype=int64)
