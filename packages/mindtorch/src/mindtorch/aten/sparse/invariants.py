"""What indices and values have to fulfil to make up a sparse tensor.

Sizes are looked at whenever a tensor is made. Whether coordinates lie inside, and pointers ascend,
takes a look at numbers: only where ``check_invariants`` is on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...call.elementwise_meta import not_implemented
from ...call.row import op
from ...core import constants
from ...core.dims import size_at
from ...tensor import Tensor
from ...tensor.sparse_content import BLOCKS, BY_COLUMN
from .parts import array, by_number, check_bounds

__all__ = ["check_compressed", "check_coo", "check_sizes"]


def check_sizes(indices: Tensor, values: Tensor, shape: Sequence[int] | None = None) -> None:
    """Refuse indices and values that do not fit each other or *shape*.

    Raises RuntimeError.
    """
    if indices.dim() != 2:
        if shape is not None and indices.dim():
            _check_rank(indices, values, shape)
        raise RuntimeError(f"indices must be sparse_dim x nnz, but got: {list(indices.shape)}")
    nnz = values._a_.shape[0]
    if indices._a_.shape[1] != nnz:
        raise RuntimeError(
            "indices and values must have same nnz, but got nnz from indices: "
            f"{indices._a_.shape[1]}, nnz from values: {nnz}"
        )
    if shape is None:
        return
    sparse_dim = _check_rank(indices, values, shape)
    expected = [nnz, *shape[sparse_dim:]]
    if list(values.shape) != expected:
        raise RuntimeError(
            f"values has incorrect size, expected {expected}, got {list(values.shape)}"
        )


def _check_rank(indices: Tensor, values: Tensor, shape: Sequence[int]) -> int:
    """How many dimensions the indices are of. Raises RuntimeError if *shape* has not all."""
    sparse_dim, dense_dim = indices._a_.shape[0], values.dim() - 1
    if len(shape) != sparse_dim + dense_dim:
        raise RuntimeError(
            "'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = "
            f"{len(shape)}, sparse_dim = {sparse_dim}, dense_dim = {dense_dim}"
        )
    return sparse_dim


def check_coo(
    indices: Tensor, values: Tensor, shape: Sequence[int], is_coalesced: bool | None = None
) -> None:
    """Refuse what is no COO tensor of *shape*, coordinates included. Raises RuntimeError."""
    if indices.dim() == 2 and len(shape) != indices._a_.shape[0] + values.dim() - 1:
        raise RuntimeError(
            "number of dimensions must be sparse_dim "
            f"({indices._a_.shape[0]}) + dense_dim ({values.dim() - 1}), but got {len(shape)}"
        )
    check_sizes(indices, values, shape)
    numbers = array(indices)
    check_bounds(numbers, shape)
    if is_coalesced and numbers.shape[1] > 1:
        flat = by_number(numbers, shape[: numbers.shape[0]])
        if not (flat[1:] > flat[:-1]).all():
            raise RuntimeError(
                "cannot set is_coalesced to true if indices correspond to uncoalesced COO tensor"
            )


op(
    "_validate_sparse_coo_tensor_args(Tensor indices, Tensor values, int[] size, "
    "bool? is_coalesced=None, bool? check_pinning=None) -> ()",
    composite=lambda indices, values, size, is_coalesced, check_pinning: check_coo(
        indices, values, size, is_coalesced
    ),
    variants="function",
    samples="coo_parts",
)


#: What lines are called: by column or not, of blocks or not.
_LINES = {
    (False, False): "rows",
    (True, False): "columns",
    (False, True): "row blocks",
    (True, True): "column blocks",
}


def _names(layout: Any) -> tuple[str, str]:
    """What a *layout* calls its compressed and its plain indices."""
    if layout in BY_COLUMN:
        return "ccol_indices", "row_indices"
    return "crow_indices", "col_indices"


def compressed_dims(
    layout: Any, compressed: Tensor, plain: Tensor, values: Tensor
) -> tuple[int, int, int]:
    """How many dimensions are of the batch, of a block and dense. Raises RuntimeError."""
    compressed_name, plain_name = _names(layout)
    block = 2 if layout in BLOCKS else 0
    batch = compressed.dim() - 1
    if compressed.dim() < 1:
        raise RuntimeError(
            f"{compressed_name} must have dimensionality >= 1 but got {compressed.dim()}"
        )
    if compressed.dim() != plain.dim():
        raise RuntimeError(
            f"{compressed_name} and {plain_name} dimensionalities must be equal but got "
            f"{compressed.dim()} and {plain.dim()}, respectively"
        )
    dense = values.dim() - batch - block - 1
    if dense < 0:
        raise RuntimeError(
            f"values must have dimensionality > sum of batch and block dimensionalities (={batch} "
            f"+ {block}) but got {values.dim()}"
        )
    return batch, block, dense


def check_compressed(
    layout: Any, compressed: Tensor, plain: Tensor, values: Tensor, shape: Sequence[int]
) -> None:
    """Refuse what is no tensor of a compressed *layout*, numbers included.

    Raises RuntimeError, in the words of torch's ``_validate_sparse_compressed_tensor_args_worker``.
    """
    by_column = layout in BY_COLUMN
    compressed_name, plain_name = _names(layout)
    dims = "ncols" if by_column else "nrows"
    other = "nrows" if by_column else "ncols"
    batch, block, dense = compressed_dims(layout, compressed, plain, values)
    if len(shape) != batch + 2 + dense:
        raise RuntimeError(
            "tensor dimensionality must be sum of batch, base, and dense dimensionalities "
            f"(={batch} + 2 + {dense}) but got {len(shape)}"
        )
    rows, columns = shape[batch : batch + 2]
    blocksize = tuple(values.shape[batch + 1 : batch + 3]) if block else (1, 1)
    nnz = plain._a_.shape[-1]
    if list(values.shape[: batch + 1]) != list(plain.shape):
        raise RuntimeError(
            f"{plain_name}.shape[-1] must be equal to nnz (={values._a_.shape[batch]}) as defined "
            f"by values.shape[{batch}], but got {nnz}"
        )
    for dim, (size, step) in enumerate(zip((rows, columns), blocksize, strict=True)):
        if not step or size % step:
            raise RuntimeError(
                f"tensor shape[{dim + batch}] (={size}) must be divisible with blocksize[{dim}] "
                f"(={step}) as defined by values shape"
            )
    lines = (columns // blocksize[1]) if by_column else (rows // blocksize[0])
    width = (rows // blocksize[0]) if by_column else (columns // blocksize[1])
    if compressed._a_.shape[-1] != lines + 1:
        raise RuntimeError(
            f"{compressed_name}.shape[-1] must be equal to the number of "
            f"{_LINES[by_column, block > 0]} + 1 (={lines + 1}), but got "
            f"{compressed._a_.shape[-1]}"
        )
    if compressed.dtype is not plain.dtype:
        raise RuntimeError(
            f"{compressed_name} and {plain_name} must have the same dtype, bot got "
            f"{compressed.dtype.scalar_type} and {plain.dtype.scalar_type}, respectively"
        )
    if compressed.dtype.name not in ("int32", "int64"):
        raise RuntimeError(
            f"{compressed_name} and {plain_name} dtype must be Int or Long, but got "
            f"{compressed.dtype.scalar_type}"
        )
    _check_pointers(
        array(compressed), array(plain), (compressed_name, plain_name), (dims, other),
        lines, width, nnz,
    )  # fmt: skip


def _check_pointers(
    compressed: np.ndarray[Any, Any],
    plain: np.ndarray[Any, Any],
    names: tuple[str, str],
    sizes: tuple[str, str],
    lines: int,
    width: int,
    nnz: int,
) -> None:
    name, plain_name = names
    first, last = compressed[..., 0], compressed[..., -1]
    counts = compressed[..., 1:] - compressed[..., :-1]
    for holds, text in (
        ((first == 0).all(), f"`{name}[..., 0] == 0` is not satisfied."),
        ((last == nnz).all(), f"`{name}[..., -1] == nnz` is not satisfied."),
        (
            (counts >= 0).all() and (counts <= width).all(),
            f"`0 <= {name}[..., 1:] - {name}[..., :-1] <= {sizes[1]}` is not satisfied.",
        ),
        (
            plain.size == 0 or (plain.min() >= 0 and plain.max() < width),
            f"`0 <= {plain_name} < {sizes[1]}` is not satisfied.",
        ),
        (
            _ascend(compressed.reshape(-1, lines + 1), plain.reshape(-1, nnz)),
            f"`{plain_name}[..., {name}[..., i - 1]:{name}[..., i]] for all i = 1, ..., "
            f"{sizes[0]} are sorted and distinct along the last dimension values` is not "
            "satisfied.",
        ),
    ):
        if not holds:
            raise RuntimeError(text)


def _ascend(compressed: np.ndarray[Any, Any], plain: np.ndarray[Any, Any]) -> bool:
    """Whether the indices of each line ascend."""
    for starts, line in zip(compressed, plain, strict=True):
        falls = np.flatnonzero(line[1:] <= line[:-1]) + 1
        if not np.isin(falls, starts).all():
            return False
    return True


op(
    "_validate_sparse_compressed_tensor_args(Tensor compressed_indices, Tensor plain_indices, "
    "Tensor values, int[] size, Layout layout, bool? check_pinning=None) -> ()",
    composite=lambda compressed, plain, values, size, layout, check_pinning: check_compressed(
        layout, compressed, plain, values, size
    ),
    variants="function",
    samples="compressed_parts",
)
_LAYOUTS = {
    "csr": (constants.sparse_csr, "crow_indices", "col_indices"),
    "csc": (constants.sparse_csc, "ccol_indices", "row_indices"),
    "bsr": (constants.sparse_bsr, "crow_indices", "col_indices"),
    "bsc": (constants.sparse_bsc, "ccol_indices", "row_indices"),
}


def _of_layout(layout: Any) -> Any:
    def check(compressed: Any, plain: Any, values: Any, size: Any, check_pinning: Any) -> None:
        check_compressed(layout, compressed, plain, values, size)

    return check


for _short, (_layout, _compressed, _plain) in _LAYOUTS.items():
    op(
        f"_validate_sparse_{_short}_tensor_args(Tensor {_compressed}, Tensor {_plain}, "
        "Tensor values, int[] size, bool? check_pinning=None) -> ()",
        composite=_of_layout(_layout),
        variants="function",
        samples=f"{_short}_parts",
    )


def _check_indices(
    is_crow: bool, compressed_idx: Any, plain_idx: Any, cdim: int, dim: int, nnz: int
) -> None:
    names = ("crow_indices", "col_indices") if is_crow else ("ccol_indices", "row_indices")
    sizes = ("nrows", "ncols") if is_crow else ("ncols", "nrows")
    for name, t, count, what in (
        (names[0], compressed_idx, cdim + 1, f"{sizes[0]} + 1"),
        (names[1], plain_idx, nnz, "nnz"),
    ):
        if size_at(t, -1) != count:
            raise RuntimeError(
                f"{name} have wrong shape: {name}.shape[-1] = {t.shape[-1]} is not equal to "
                f"{what} = {count}"
            )
    if compressed_idx.dtype is not plain_idx.dtype:
        raise RuntimeError(
            f"Found dtype {compressed_idx.dtype.scalar_type} but expected "
            f"{plain_idx.dtype.scalar_type}"
        )
    if compressed_idx.dtype.name not in ("int32", "int64"):
        raise not_implemented("compressed_index_invariance_checks_cpu", compressed_idx.dtype)
    _check_pointers(array(compressed_idx), array(plain_idx), names, sizes, cdim, dim, nnz)


op(
    "_validate_compressed_sparse_indices(bool is_crow, Tensor compressed_idx, Tensor plain_idx, "
    "int cdim, int dim, int nnz) -> ()",
    composite=_check_indices,
    kinds={"functional": "backends"},
    variants="function",
    samples="compressed_indices",
    tags=("not_on_meta",),
)
