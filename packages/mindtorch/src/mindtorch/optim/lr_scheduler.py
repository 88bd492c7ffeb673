"""``torch.optim.lr_scheduler``: learning rates that change from epoch to epoch or step to step."""

from __future__ import annotations

from ..core.module_names import living_in
from ..tensor import Tensor as Tensor
from .cycles import CosineAnnealingWarmRestarts, CyclicLR
from .one_cycle import OneCycleLR
from .optimizer import Optimizer as Optimizer
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
    _enable_get_lr_call,
    _LRScheduler,
    _warn_get_lr_called_within_step,
)
from .schedules import _per_group as _format_param  # noqa: F401  (by torch's names)
from .schedules import _put as _update_param_group_val  # noqa: F401  # by torch's name
from .sequences import ChainedScheduler, SequentialLR

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]

living_in(
    __name__,
    _LRScheduler,
    _enable_get_lr_call,
    _warn_get_lr_called_within_step,
    *[globals()[_name] for _name in __all__],
)
