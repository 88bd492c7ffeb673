"""The loss over sequences of labels, the old name of a loss, and a linear map with its loss."""

from __future__ import annotations

import math
from typing import Any

from ...core.warning import warn
from ...tensor import Tensor
from .. import functional as F
from .linear import Linear
from .linear_cross_entropy_options import LinearCrossEntropyOptions
from .loss import NLLLoss, _Loss, _WeightedLoss

__all__ = ["CTCLoss", "LinearCrossEntropyLoss", "NLLLoss2d"]

#: What the loss shows of itself, behind the sizes of its linear map.
_SETTINGS = ("reduction", "ignore_index", "label_smoothing", "options")


class CTCLoss(_Loss):
    """:func:`torch.nn.functional.ctc_loss` as a layer."""

    __constants__ = ["blank", "reduction"]

    def __init__(
        self, blank: int = 0, reduction: str = "mean", zero_infinity: bool = False
    ) -> None:
        super().__init__(reduction=reduction)
        self.blank = blank
        self.zero_infinity = zero_infinity

    def forward(
        self, log_probs: Tensor, targets: Tensor, input_lengths: Tensor, target_lengths: Tensor
    ) -> Tensor:
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
        warn(
            "`NLLLoss2d` has been deprecated. Please use `NLLLoss` instead as a drop-in "
            "replacement and see https://pytorch.org/docs/main/nn.html#torch.nn.NLLLoss for more "
            "details.",
            FutureWarning,
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
        options: LinearCrossEntropyOptions | None = None,
    ) -> None:  # fmt: skip
        if not 0 <= label_smoothing <= 1:
            raise RuntimeError(
                f"expected label_smoothing to be in range [0, 1], got {label_smoothing}"
            )
        if weight is not None and weight.shape != (num_classes,):
            raise RuntimeError(
                f"expected weight shape to be {(num_classes,)}, got {tuple(weight.shape)}"
            )
        super().__init__(weight, None, None, reduction)
        self.num_classes = num_classes
        self.out_features = out_features
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing
        self.options = options
        scores = math.prod(out_features, start=num_classes)
        self.linear = Linear(in_features, scores, bias=bias, device=device, dtype=dtype)

    def forward(self, input: Any, target: Any) -> Any:
        scores = (self.num_classes, *self.out_features)
        weight, bias = self.linear.weight, self.linear.bias
        if self.out_features:
            weight = weight.view(*scores, -1)
            bias = None if bias is None else bias.view(scores)
        return F.linear_cross_entropy(
            input,
            weight,
            target,
            linear_bias=bias,
            weight=self.weight,
            reduction=self.reduction,
            ignore_index=self.ignore_index,
            label_smoothing=self.label_smoothing,
            options=self.options,
        )

    def extra_repr(self) -> str:
        names = ("out_features", "bias", *_SETTINGS)
        own = {"bias": self.linear.bias is not None}
        shown = [f"{n}={own[n] if n in own else getattr(self, n)}" for n in names]
        start = f"in_features={self.linear.in_features}, num_classes={self.num_classes}"
        return ", ".join([start, *shown])
