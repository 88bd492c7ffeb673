"""``torch.masked``: reductions and normalizations of the elements that a mask keeps.

The functions take ``mask=``, a boolean tensor that broadcasts to the input: true where an element
counts. :class:`MaskedTensor` carries its mask through the usual operators.
"""

from __future__ import annotations

from .maskedtensor.core import MaskedTensor, is_masked_tensor  # first: see Note [Masked tensors]
from .maskedtensor.creation import as_masked_tensor, masked_tensor

from ._ops import (  # isort: skip
    _canonical_dim,
    _combine_input_and_mask,
    _input_mask,
    _output_mask,
    _reduction_identity,
    _where,
    amax,
    amin,
    argmax,
    argmin,
    cumprod,
    cumsum,
    log_softmax,
    logaddexp,
    logsumexp,
    mean,
    median,
    norm,
    normalize,
    prod,
    softmax,
    softmin,
    std,
    sum,
    var,
)

__all__ = [
    "MaskedTensor",
    "amax",
    "amin",
    "argmax",
    "argmin",
    "as_masked_tensor",
    "cumprod",
    "cumsum",
    "is_masked_tensor",
    "log_softmax",
    "logaddexp",
    "logsumexp",
    "masked_tensor",
    "mean",
    "median",
    "norm",
    "normalize",
    "prod",
    "softmax",
    "softmin",
    "std",
    "sum",
    "var",
]


def __dir__() -> list[str]:
    return sorted(
        [
            *__all__,
            "_canonical_dim",
            "_combine_input_and_mask",
            "_input_mask",
            "_output_mask",
            "_reduction_identity",
            "_where",
        ]
    )
