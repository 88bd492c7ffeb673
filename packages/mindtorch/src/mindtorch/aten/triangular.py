"""Diagonals and triangles: ``tril``, ``triu``, ``diag``, ``diag_embed``."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage import can_cast

from mindtorch.aten.replacement import diagonal_of
from mindtorch.call.elementwise_meta import UNSIGNED, refuse_array
from mindtorch.call.forms import InplaceForm, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import scalar_name, wrap_dim
from mindtorch.core.operators import of, ops

__all__: list[str] = []


def _triangle_meta(name: str) -> Any:
    def meta(self: Any, diagonal: int) -> Out:
        if len(self.shape) < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return Out(tuple(self.shape), self.dtype)

    return meta


#: Masks of more elements are made each time: what is prepared is kept.
_KEPT = 4096


def _triangle(name: str) -> Any:
    """``prepare`` of the triangle *name*."""
    upper = name == "triu"

    def prepare(self: Any, diagonal: int) -> Any:
        refuse_array(self, {name: UNSIGNED})
        rows, columns = self.shape[-2:]
        zero = np.zeros((), self.dtype)

        def lower() -> Any:
            return np.tri(rows, columns, k=diagonal - upper, dtype=bool)

        kept = lower() if rows * columns <= _KEPT else None

        def kernel(self: Any, diagonal: int) -> Any:
            mask = lower() if kept is None else kept
            made = np.where(mask, zero, self) if upper else np.where(mask, self, zero)
            return np.ascontiguousarray(made)

        return kernel

    return prepare


for _name, _says in (
    (
        "tril",
        """Return the lower triangle of matrices, zeros above it.
        The last two dimensions are the matrices.

    >>> torch.tril(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 0],
            [3, 4]])
    """,
    ),
    (
        "triu",
        """Return the upper triangle of matrices, zeros below it.
        The last two dimensions are the matrices.

    >>> torch.triu(torch.tensor([[1, 2], [3, 4]]))
    tensor([[1, 2],
            [0, 4]])
    """,
    ),
):

    def _grad(g: Any, c: Any, _name: str = _name) -> Any:
        return getattr(g, _name)(c.diagonal)

    op(
        f"{_name}(Tensor self, SymInt diagonal=0) -> Tensor",
        says=_says,
        meta=_triangle_meta(_name),
        prepare=_triangle(_name),
        half=False,
        inplace=InplaceForm(overlap="idempotent"),
        out=OutForm(overlap="unchecked"),
        grad={"self": _grad},
        tangent="linear",
        batch="whole_loop",
        samples="tril",
        tags=("loops: inplace", "of_matrices"),
    )


def _diag_embed_meta(self: Any, offset: int, dim1: int, dim2: int) -> Out:
    shape = tuple(self.shape)
    n = len(shape) + 1
    a, b = wrap_dim(dim1, n), wrap_dim(dim2, n)
    if a == b:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    size = shape[-1] + abs(offset)
    rest = list(shape[:-1])
    for d in sorted((a, b)):
        rest.insert(d, size)
    return Out(tuple(rest), self.dtype)


def _diag_embed(self: Any, offset: int, dim1: int, dim2: int) -> Any:
    n = self.ndim + 1
    a, b = dim1 % n, dim2 % n
    size = self.shape[-1] + abs(offset)
    rest = list(self.shape[:-1])
    for d in sorted((a, b)):
        rest.insert(d, size)
    out = np.zeros(rest, self.dtype)
    diagonal_of(out, offset, a, b)[...] = self
    return out


op(
    "diag_embed(Tensor self, int offset=0, int dim1=-2, int dim2=-1) -> Tensor",
    says="""Put the last dimension on the diagonal of new matrices.

    >>> torch.diag_embed(torch.tensor([1, 2]))
    tensor([[1, 0],
            [0, 2]])
    """,
    meta=_diag_embed_meta,
    kernel=_diag_embed,
    half=False,
    out=OutForm(function=False),
    grad={"self": lambda g, c: g.diagonal(c.offset, c.dim1, c.dim2)},
    samples="diag_embed",
    tags=("needs_whole",),
    batch="whole_loop",
)


def _diag(self: Any, diagonal: int) -> Any:
    n = self.dim()
    if n not in (1, 2):
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {n}D")
    if n == 1:
        return ops.diag_embed(self, diagonal)
    return ops.diagonal_copy(self, diagonal, 0, 1)


def _diag_onto(target: Any, self: Any, diagonal: int) -> None:
    if self.dim() == 1:
        if not can_cast(self.dtype, target.dtype):
            raise RuntimeError(
                f"diag: result type {scalar_name(self.dtype)} can't be cast to the desired out= "
                f"type {scalar_name(target.dtype)}"
            )
        of("diag_embed.out")(self, diagonal, -2, -1, out=target)
    elif self.dim() == 2:
        ops.diagonal_copy(self, diagonal, 0, 1, out=target)
    else:
        _diag(self, diagonal)  # says it


op(
    "diag(Tensor self, int diagonal=0) -> Tensor",
    says="""Return a copy of the diagonal of a matrix, or a matrix with a vector on its diagonal.

    >>> torch.diag(torch.tensor([[1, 2], [3, 4]]))
    tensor([1, 4])
    """,
    composite=_diag,
    out=True,
    out_kernel=_diag_onto,
    samples="diag",
)
op(
    "diagflat(Tensor self, int offset=0) -> Tensor",
    says="Return a matrix with the flattened input on its diagonal.",
    composite=lambda self, offset: self.contiguous().view((-1,)).diag(offset),
    samples="diagflat",
    tags=("loops: functional",),
)
