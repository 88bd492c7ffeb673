"""Transforms: functions with known Jacobians, between constrained and unconstrained spaces."""

from __future__ import annotations

from ..part_modules import adopt
from . import elementwise_transforms, joined_transforms, transform, vector_transforms
from .elementwise_transforms import (
    AbsTransform,
    AffineTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
)
from .elementwise_transforms import _clipped_sigmoid as _clipped_sigmoid
from .joined_transforms import (
    CatTransform,
    IndependentTransform,
    ReshapeTransform,
    StackTransform,
)
from .transform import ComposeTransform, Transform, identity_transform
from .transform import _InverseTransform as _InverseTransform
from .vector_transforms import (
    CorrCholeskyTransform,
    LowerCholeskyTransform,
    PositiveDefiniteTransform,
    SoftmaxTransform,
    StickBreakingTransform,
)

__all__ = [
    "AbsTransform",
    "AffineTransform",
    "CatTransform",
    "ComposeTransform",
    "CorrCholeskyTransform",
    "CumulativeDistributionTransform",
    "ExpTransform",
    "IndependentTransform",
    "LowerCholeskyTransform",
    "PositiveDefiniteTransform",
    "PowerTransform",
    "ReshapeTransform",
    "SigmoidTransform",
    "SoftplusTransform",
    "TanhTransform",
    "SoftmaxTransform",
    "StackTransform",
    "StickBreakingTransform",
    "Transform",
    "identity_transform",
]

adopt(__name__, elementwise_transforms, joined_transforms, transform, vector_transforms)
