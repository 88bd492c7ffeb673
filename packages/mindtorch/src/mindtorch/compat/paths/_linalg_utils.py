"""``torch._linalg_utils``: where torch has :mod:`mindtorch.linalg.utils`."""

from mindtorch.linalg.utils import (
    _symeig,
    basis,
    bform,
    eig,
    get_floating_dtype,
    is_sparse,
    lstsq,
    matmul,
    matrix_rank,
    qform,
    solve,
    symeig,
)

__all__ = [
    "_symeig",
    "basis",
    "bform",
    "eig",
    "get_floating_dtype",
    "is_sparse",
    "lstsq",
    "matmul",
    "matrix_rank",
    "qform",
    "solve",
    "symeig",
]
