"""``torch.functional``: the functions of ``torch`` that are Python in torch."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .factorizations import lu
from .functions import (
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
from .norms import cdist, norm
from .rare_functions import chain_matmul
from .spectral import stft
from .uniques import unique_consecutive

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
    "meshgrid",
    "norm",
    "split",
    "stft",
    "tensordot",
    "unique",
    "unique_consecutive",
    "unravel_index",
]


def __getattr__(name: str) -> Any:
    if name in ("istft", "pca_lowrank", "svd_lowrank"):
        return getattr(import_module("mindtorch"), name)
    raise AttributeError(f"module 'torch.functional' has no attribute '{name}'")
