"""Functions of ``torch`` that few programs call, each made of others."""

from __future__ import annotations

from functools import partial

from ..call.intercept import PYTHON, overridable
from ..core.operators import ops
from ..core.warning import warn_once
from ..tensor import Tensor

__all__ = ["chain_matmul"]


@partial(overridable, style=PYTHON)
def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of *matrices*, multiplied in the order that costs least."""
    if all(isinstance(matrix, Tensor) for matrix in matrices):
        warn_once(
            "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. "
            "Use torch.linalg.multi_dot instead, which accepts a list of two or more tensors "
            "rather than multiple parameters."
        )
    if out is None:
        return ops.chain_matmul(matrices)
    return ops.chain_matmul(matrices, out=out)
