"""Bags of embeddings: sums, means or maxima of rows of a table."""

from __future__ import annotations

from typing import Any

from mindtorch_autograd import no_grad

from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor

_MODES = {"sum": 0, "mean": 1, "max": 2}


def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Tensor:
    """The sum, mean or maximum of the rows of *weight* that each bag names.

    :param offsets: of a flat *input* where its bags begin; a two-dimensional one has a bag a row.
    :param per_sample_weights: factors of the rows, for sums.
    :param include_last_offset: the last of *offsets* is the end of the last bag.
    """
    if weight.dtype == ops.long and input.is_floating_point():
        warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage "
            "`embedding_bag(weight, input, ...)` is deprecated, and should now be "
            "`embedding_bag(input, weight, ...)`.",
        )
        input, weight = weight, input
    factors = per_sample_weights
    if factors is not None and factors.size() != input.size():
        raise ValueError(
            f"embedding_bag: If per_sample_weights ({factors.shape}) is not None, then "
            f"it must have the same shape as the input ({input.shape})"
        )
    if weight.dim() != 2:
        raise ValueError(
            f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}"
        )
    if input.dim() == 2 and input.is_nested:  # a bag is a sample
        include_last_offset, offsets = True, input.offsets()  # type: ignore[attr-defined]  # nested
        input = input.values().reshape(-1)
        if factors is not None:
            if not factors.is_nested:
                raise ValueError(
                    "If input is nested, then per_sample_weights must be nested if specified"
                )
            factors = factors.values().reshape(-1)
    elif input.dim() == 2:  # a bag is a row
        if offsets is not None:
            raise ValueError(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch "
                f"of fixed length sequences. However, found offsets of type {_type_name(offsets)}"
            )
        total, row = input.numel(), input.size(1)
        offsets = ops.arange(0, total, row, dtype=input.dtype, device=input.device)
        input = input.reshape(-1)
        factors = None if factors is None else factors.reshape(-1)
        include_last_offset = False
    elif input.dim() != 1:
        raise ValueError(
            f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}"
        )
    elif offsets is None or offsets.dim() != 1:
        found = " but got None" if offsets is None else ""
        raise ValueError(f"offsets has to be a 1D Tensor{found}")
    if mode not in _MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    for option, what in (
        (scale_grad_by_freq, "scaling the gradient by the frequency"),
        (sparse, "sparse weights"),
    ):
        if option and mode == "max":
            raise ValueError(f"max mode does not support {what}")
    if max_norm is not None:
        with no_grad():
            ops.embedding_renorm_(weight.detach(), input, max_norm, norm_type)
    if factors is not None and mode != "sum":
        raise NotImplementedError(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported "
            f"for mode='sum' (got mode='{mode}'). Please open a feature request on GitHub."
        )
    return ops.embedding_bag(
        weight, input, offsets, scale_grad_by_freq, _MODES[mode], sparse, factors,
        include_last_offset, padding_idx,
    )[0]  # fmt: skip


def _type_name(value: Any) -> str:
    return (
        str(type(value)).replace("'mindtorch.tensor.", "'torch.").replace("'mindtorch.", "'torch.")
    )
