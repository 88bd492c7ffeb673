"""Transforms: functions with known Jacobians, between constrained and unconstrained spaces."""

from __future__ import annotations

from ..core.module_names import adopt
from . import _elementwise_transforms, _joined_transforms, _transform, _vector_transforms
from . import constraints as constraints  # programs look for them here too
from ._elementwise_transforms import (
    AbsTransform,
    AffineTransform,
    CumulativeDistributionTransform,
    ExpTransform,
    PowerTransform,
    SigmoidTransform,
    SoftplusTransform,
    TanhTransform,
)
from ._elementwise_transforms import _clipped_sigmoid as _clipped_sigmoid
from ._joined_transforms import (
    CatTransform,
    IndependentTransform,
    ReshapeTransform,
    StackTransform,
)
from ._transform import ComposeTransform, Transform, identity_transform
from ._transform import _InverseTransform as _InverseTransform
from ._vector_transforms import (
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

adopt(__name__, _elementwise_transforms, _joined_transforms, _transform, _vector_transforms)
