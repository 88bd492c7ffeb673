"""``torch.linalg``: linear algebra on batches of matrices.

Each function is that of an op row, called ``linalg_x`` there as in torch.
"""

from __future__ import annotations

from typing import Any

from .._C import _linalg
from .._C import _LinAlgError as LinAlgError
from ..core.submodules import computed as _computed

__all__ = [
    "LinAlgError",
    "cholesky",
    "cholesky_ex",
    "cond",
    "cross",
    "det",
    "diagonal",
    "eig",
    "eigh",
    "eigvals",
    "eigvalsh",
    "householder_product",
    "inv",
    "inv_ex",
    "ldl_factor",
    "ldl_factor_ex",
    "ldl_solve",
    "lstsq",
    "lu",
    "lu_factor",
    "lu_factor_ex",
    "lu_solve",
    "matmul",
    "matrix_exp",
    "matrix_norm",
    "matrix_power",
    "matrix_rank",
    "multi_dot",
    "norm",
    "pinv",
    "qr",
    "slogdet",
    "solve",
    "solve_ex",
    "solve_triangular",
    "svd",
    "svdvals",
    "tensorinv",
    "tensorsolve",
    "vander",
    "vecdot",
    "vector_norm",
]


__getattr__, __dir__ = _computed(__name__, __all__, lambda name: getattr(_linalg, f"linalg_{name}"))
