"""``torch.norm``: a function in front of the vector norms, as torch has it in Python."""

from __future__ import annotations

from typing import Any

from .intercept import overridable
from .ops.call import ops
from .tensor import Tensor

__all__ = ["norm"]


def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: Any = None,
    keepdim: bool = False,
    out: Any = None,
    dtype: Any = None,
) -> Any:
    """The *p*-norm of *input* over *dim*, by default of all elements.

    Raises RuntimeError for a name of a matrix norm where *dim* names no two dimensions, and
    NotImplementedError for the nuclear norm, which needs singular values.
    Source: torch functional.py, norm.
    """
    input.layout  # noqa: B018  (what is no tensor fails here, with Python's own text)
    dims = [dim] if isinstance(dim, int) else dim
    order: Any = 2.0 if p is None else p
    if isinstance(order, str):
        if order != "fro" or not (dim is None or isinstance(dim, int) or len(dim) <= 2):
            raise _matrix_norm_refusal(order, range(input.dim()) if dims is None else dims)
        order = 2
    options = {"dtype": dtype} if out is None else {"dtype": dtype, "out": out}
    return ops.linalg_vector_norm(input, order, dims, keepdim, **options)


def _matrix_norm_refusal(order: str, dims: Any) -> Exception:
    """Source: torch aten/src/ATen/native/LinearAlgebra.cpp, linalg_matrix_norm."""
    if order not in ("fro", "nuc"):
        return RuntimeError(f"linalg.matrix_norm: Order {order} not supported.")
    if len(dims) != 2:
        found = " ".join(map(str, dims))
        return RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {found}")
    return NotImplementedError("norm(): the nuclear norm needs singular values, which are not here")


norm = overridable(norm)
