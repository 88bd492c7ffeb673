"""``torch.functional``: the functions of ``torch`` that are Python in torch."""

from __future__ import annotations

from .aten.functions import (
    atleast_1d,
    atleast_2d,
    atleast_3d,
    block_diag,
    broadcast_shapes,
    broadcast_tensors,
    cartesian_prod,
    einsum,
    meshgrid,
    split,
    tensordot,
    unique,
    unravel_index,
)
from .aten.norms import cdist, norm
from .aten.rare_functions import chain_matmul
from .aten.register import FUNCTIONS
from .aten.spectral import stft
from .aten.uniques import unique_consecutive
from .call.torch_function import handle_torch_function as handle_torch_function
from .call.torch_function import has_torch_function as has_torch_function
from .call.torch_function import has_torch_function_unary as has_torch_function_unary
from .call.torch_function import has_torch_function_variadic as has_torch_function_variadic
from .linalg.factorizations import lu
from .linalg.lowrank import pca_lowrank, svd_lowrank
from .tensor import Tensor as Tensor

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "cdist",
    "chain_matmul",
    "einsum",
    "lu",
    "istft",
    "meshgrid",
    "norm",
    "pca_lowrank",
    "split",
    "stft",
    "svd_lowrank",
    "tensordot",
    "unique",
    "unique_consecutive",
    "unravel_index",
]

istft = FUNCTIONS["istft"]
