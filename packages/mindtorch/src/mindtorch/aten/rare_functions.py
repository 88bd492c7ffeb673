"""Functions of ``torch`` that few programs call, each made of others."""

from __future__ import annotations

from ..call.intercept import PYTHON, _flat, call_overridden, overrides
from ..core.operators import ops, written_parser
from ..core.warning import warn_once
from ..tensor import Tensor

__all__ = [
    "chain_matmul",
]


def chain_matmul(*matrices: Tensor, out: Tensor | None = None) -> Tensor:
    """The product of *matrices*, multiplied in the order that costs least."""
    if overrides(*_flat(matrices), depth=2):
        return call_overridden(chain_matmul, matrices, {}, PYTHON)
    if not all(isinstance(matrix, Tensor) for matrix in matrices):
        written_parser("torch.chain_matmul").parse((matrices,))
    warn_once(
        "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
        "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than "
        "multiple parameters."
    )
    if not matrices:
        raise RuntimeError("chain_matmul(): Expected one or more matrices")
    for matrix in matrices:
        if matrix.dim() != 2:
            raise RuntimeError(f"Tensor dimension is {matrix.dim()}, expected 2 instead.")
    several = len(matrices) > 1
    found = ops.linalg_multi_dot(list(matrices)) if several else matrices[0].clone()
    return found if out is None else out.resize_as_(found).copy_(found)
