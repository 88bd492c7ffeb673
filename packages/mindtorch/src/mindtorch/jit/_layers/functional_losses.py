"""Losses of ``torch.nn.functional``."""

from __future__ import annotations

from ..._ops import ops
from ...nn.functional.reductions import get_enum
from ...tensor import Tensor
from . import home

aten = ops.aten


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Tensor,
    target_lengths: Tensor,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    number = get_enum(reduction)
    return aten.ctc_loss(
        log_probs, targets, input_lengths, target_lengths, blank, number, zero_infinity
    )


home("torch.nn.functional", globals())
