"""The loss over sequences of labels, the old name of a loss, and a linear map with its loss."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ...ops.call import ops
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .loss import NLLLoss, _Loss, _WeightedLoss

__all__ = ["CTCLoss", "LinearCrossEntropyLoss", "NLLLoss2d"]


class CTCLoss(_Loss):
    """:func:`torch.nn.functional.ctc_loss` as a layer."""

    __constants__ = ["blank", "reduction"]

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(self, log_probs: Any, targets: Any, input_lengths: Any, target_lengths: Any) -> Any:
        return F.ctc_loss(
            log_probs,
            targets,
            input_lengths,
            target_lengths,
            self.blank,
            self.reduction,
            self.zero_infinity,
        )


class NLLLoss2d(NLLLoss):
    """The old name of :class:`NLLLoss`."""

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        warnings.warn(
            "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in "
            "replacement and see https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more "
            "details.",
            FutureWarning,
            stacklevel=2,
        )
        return super().__new__(cls)


class LinearCrossEntropyLoss(_WeightedLoss):
    """A linear map to scores of classes, and their cross entropy with the targets.

    :param out_features: further dimensions of the result of the linear map, behind the classes.
    """

    __constants__ = ["num_classes", "out_features", "reduction", "ignore_index", "label_smoothing"]

    def __init__(
        self, in_features: int, num_classes: int, *, out_features: tuple[int, ...] = (),
        bias: bool = False, device: Any = None, dtype: Any = None, reduction: str = "mean",
        weight: Any = None, ignore_index: int | None = None, label_smoothing: float = 0.0,
        options: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(weight, None, None, reduction)
        self.in_features = in_features
        self.num_classes = num_classes
        self.out_features = out_features
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        self.options = options
        shape = (num_classes, *out_features, in_features)
        self.linear_weight = Parameter(ops.empty(shape, device=device, dtype=dtype))
        if bias:
            self.linear_bias = Parameter(ops.empty(shape[:-1], device=device, dtype=dtype))
        else:
            self.register_parameter("linear_bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the linear map anew, uniform within ``1 / sqrt(in_features)``."""
        bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
        init.uniform_(self.linear_weight, -bound, bound)
        if self.linear_bias is not None:
            init.uniform_(self.linear_bias, -bound, bound)

    def forward(self, input: Any, target: Any) -> Any:
        return F.linear_cross_entropy(
            input,
            self.linear_weight,
            target,
            linear_bias=self.linear_bias,
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )
