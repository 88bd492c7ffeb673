"""``torch.sparse.spdiags``: a sparse matrix of its diagonals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...call.row import op
from ...core import constants
from ...core.layout_names import layout_name
from ...tensor import Tensor
from ..derivatives import not_implemented_for
from .compressing import compress
from .parts import array, coo_tensor

__all__: list[str] = []


def _diagonal_places(width: int, offsets: Any, shape: Sequence[int]) -> Any:
    """The coordinates that diagonals of *width* numbers come to, and which of them lie inside."""
    columns = np.broadcast_to(np.arange(width), (len(offsets), width))
    rows = columns - offsets[:, None]
    inside = (rows >= 0) & (rows < shape[0]) & (columns < shape[1])
    return rows, columns, inside


def _spdiags(diagonals: Tensor, offsets: Tensor, shape: Sequence[int], layout: Any) -> Tensor:
    lines = diagonals if diagonals.dim() == 2 else diagonals.unsqueeze(0)
    if diagonals.dim() not in (1, 2):
        raise RuntimeError("Diagonals must be vector or matrix")
    if len(shape) != 2:
        raise RuntimeError("Output shape must be 2d")
    places = offsets if offsets.dim() == 1 else offsets.unsqueeze(0)
    if offsets.dim() > 1:
        raise RuntimeError("Offsets must be scalar or vector")
    if offsets.dtype.name != "int64":
        raise RuntimeError(
            f"Offset Tensor must have dtype Long but got {offsets.dtype.scalar_type}"
        )
    if lines._a_.shape[0] != places._a_.shape[0]:
        raise RuntimeError(
            f"Number of diagonals ({lines._a_.shape[0]}) does not match the number of offsets "
            f"({places._a_.shape[0]})"
        )
    if layout not in (None, constants.sparse_coo, constants.sparse_csc, constants.sparse_csr):
        raise RuntimeError(
            "Only output layouts (Sparse, SparseCsc, SparseCsr) are supported, got "
            f"{layout_name(layout)}"
        )
    numbers = array(places)
    if len(np.unique(numbers)) != len(numbers):
        raise RuntimeError("Offset tensor contains duplicate values")
    rows, columns, inside = _diagonal_places(lines._a_.shape[1], numbers, shape)
    indices = np.stack([rows[inside], columns[inside]])
    made = coo_tensor(indices, array(lines)[inside], shape)
    return made if layout in (None, constants.sparse_coo) else compress(made, layout)


op(
    "_spdiags(Tensor diagonals, Tensor offsets, int[] shape, Layout? layout=None) -> Tensor",
    says="""Return a sparse matrix of diagonals; the columns of *diagonals* are those of the matrix.

    >>> torch.sparse.spdiags(torch.ones(1, 2), torch.tensor([1]), (2, 2)).to_dense()
    tensor([[0., 1.],
            [0., 0.]])
    """,
    module="sparse",
    variants="function",
    composite=_spdiags,
    kinds={"functional": "explicit"},
    grad=not_implemented_for("_spdiags", "diagonals"),
    samples="spdiags",
)
