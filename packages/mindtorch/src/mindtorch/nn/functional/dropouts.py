"""Dropout: elements or whole channels set to zero while training."""

from __future__ import annotations

from ...core.operators import ops
from ...core.warning import warn
from ...tensor import Tensor


def _check(p: float) -> None:
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Elements set to zero with probability *p*, the others scaled by ``1 / (1 - p)``."""
    _check(p)
    if inplace:
        return ops.dropout_(input, p, training)
    return ops.dropout(input, p, training)


def _feature_dropout(input: Tensor, p: float, training: bool, inplace: bool) -> Tensor:
    """Dropout of all that shares the first two dimensions."""
    if inplace:
        return ops.feature_dropout_(input, p, training)
    return ops.feature_dropout(input, p, training)


def dropout1d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Dropout of whole channels of (N, C, L) or (C, L)."""
    _check(p)
    ndim = input.dim()
    if ndim != 2 and ndim != 3:
        raise RuntimeError(
            f"dropout1d: Expected 2D or 3D input, but received a {ndim}D input. Note that "
            "dropout1d exists to provide channel-wise dropout on inputs with 1 spatial dimension, "
            "a channel dimension, and an optional batch dimension (i.e. 2D or 3D inputs)."
        )
    if ndim == 3:
        return _feature_dropout(input, p, training, inplace)
    batch = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _feature_dropout(batch, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def _warn_of_dimensions(name: str, ndim: int, spatial: int) -> None:
    if ndim < spatial + 1 or ndim > spatial + 2:
        warn(
            f"{name}: Received a {ndim}-D input to {name}, which is deprecated and will result in "
            "an error in a future release. To retain the behavior and silence this warning, please "
            f"use dropout instead. Note that {name} exists to provide channel-wise dropout on "
            f"inputs with {spatial} spatial dimensions, a channel dimension, and an optional batch "
            f"dimension (i.e. {spatial + 1}D or {spatial + 2}D inputs)."
        )


def dropout2d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Dropout of whole channels of (N, C, H, W)."""
    _check(p)
    ndim = input.dim()
    _warn_of_dimensions("dropout2d", ndim, 2)
    if ndim == 3:
        warn(
            "dropout2d: Received a 3D input to dropout2d and assuming that channel-wise 1D dropout "
            "behavior is desired - input is interpreted as shape (N, C, L), where C is the channel "
            "dim. This behavior will change in a future release to interpret the input as one "
            "without a batch dimension, i.e. shape (C, H, W). To maintain the 1D channel-wise "
            "dropout behavior, please switch to using dropout1d instead.",
        )
    return _feature_dropout(input, p, training, inplace)


def dropout3d(
    input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Tensor:
    """Dropout of whole channels of (N, C, D, H, W) or (C, D, H, W)."""
    _check(p)
    ndim = input.dim()
    _warn_of_dimensions("dropout3d", ndim, 3)
    if ndim == 5:
        return _feature_dropout(input, p, training, inplace)
    batch = input.unsqueeze_(0) if inplace else input.unsqueeze(0)
    result = _feature_dropout(batch, p, training, inplace)
    return result.squeeze_(0) if inplace else result.squeeze(0)


def alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """Dropout that keeps mean and variance of what SELU gives."""
    _check(p)
    if inplace:
        return ops.alpha_dropout_(input, p, training)
    return ops.alpha_dropout(input, p, training)


def feature_alpha_dropout(
    input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False
) -> Tensor:
    """:func:`alpha_dropout` of whole channels."""
    _check(p)
    if inplace:
        return ops.feature_alpha_dropout_(input, p, training)
    return ops.feature_alpha_dropout(input, p, training)
