"""``torch.norm`` and ``torch.cdist``: functions in front of ops, as torch has them in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..call.intercept import overridable
from ..core.operators import of, ops
from ..tensor import Tensor
from ..tensor.types import _DTypeLike

__all__ = ["cdist", "norm"]

_MODES = {
    "use_mm_for_euclid_dist_if_necessary": None,
    "use_mm_for_euclid_dist": 1,
    "donot_use_mm_for_euclid_dist": 2,
}


def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: int | Sequence[int] | None = None,
    keepdim: bool = False,
    out: Tensor | None = None,
    dtype: _DTypeLike | None = None,
) -> Tensor:
    """The *p*-norm of *input* over *dim*, by default of all elements.

    Raises RuntimeError for a name of a matrix norm where *dim* names no two dimensions.
    Source: torch functional.py, norm.
    """
    input.layout  # noqa: B018  (what is no tensor fails here, with Python's own text)
    dims = [dim] if isinstance(dim, int) else dim
    order: Any = 2.0 if p is None else p
    if input.is_sparse:
        order = 2.0 if order == "fro" else order
        return of("norm.ScalarOpt_dim")(input, order, tuple(dims or ()), keepdim)
    if isinstance(order, str):
        if order != "fro" or not (dim is None or isinstance(dim, int) or len(dim) <= 2):
            places = list(range(input.dim())) if dims is None else dims
            if order == "nuc" and len(places) == 2:
                more = {"dtype": dtype} if out is None else {"dtype": dtype, "out": out}
                return ops.linalg_matrix_norm(input, order, places, keepdim, **more)
            raise _matrix_norm_refusal(input, order, places)
        order = 2
    options = {"dtype": dtype} if out is None else {"dtype": dtype, "out": out}
    return ops.linalg_vector_norm(input, order, dims, keepdim, **options)


def _matrix_norm_refusal(input: Any, order: str, dims: Any) -> Exception:
    """Source: torch aten/src/ATen/native/LinearAlgebra.cpp, linalg_matrix_norm."""
    if input.dim() < 2:
        return RuntimeError(
            "linalg.matrix_norm: The input tensor A must have at least 2 dimensions."
        )
    if order not in ("fro", "nuc"):
        return RuntimeError(f"linalg.matrix_norm: Order {order} not supported.")
    found = " ".join(map(str, dims))
    return RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {found}")


norm = overridable(norm)


def cdist(
    x1: Tensor,
    x2: Tensor,
    p: float = 2.0,
    compute_mode: str = "use_mm_for_euclid_dist_if_necessary",
) -> Tensor:
    """The *p*-distances of all rows of *x1* ``(…, n, k)`` to all of *x2* ``(…, m, k)``.

    :param compute_mode: whether Euclidean distances may be taken by a product of matrices.

    Raises ValueError for another mode. Source: torch functional.py, cdist.
    """
    if compute_mode not in _MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    return ops.cdist(x1, x2, p, _MODES[compute_mode])


cdist = overridable(cdist)
