"""Rows of a table by index."""

from __future__ import annotations

from mindtorch_autograd import no_grad

from ...core.operators import ops
from ...tensor import Tensor


def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Tensor:
    """The rows of *weight* that *input* names.

    :param padding_idx: a row that gets no gradient.
    :param max_norm: rows that are used are first scaled down in place to this norm.
    """
    if padding_idx is None:
        padding_idx = -1
    else:
        rows = weight.size(0)
        if not -rows <= padding_idx < rows:
            raise AssertionError("Padding_idx must be within num_embeddings")
        if padding_idx < 0:
            padding_idx += rows
    if max_norm is not None:
        input = input.contiguous()
        with no_grad():
            ops.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    return ops.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)
