"""``torch.optim.lr_scheduler``: learning rates that change from epoch to epoch or step to step."""

from __future__ import annotations

from .one_cycle import OneCycleLR
from .plateau import ReduceLROnPlateau
from .schedules import (
    EPOCH_DEPRECATION_WARNING,  # noqa: F401  (torch has it here too)
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    LRScheduler,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
    _LRScheduler,  # noqa: F401  (the same)
)

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "StepLR",
]
