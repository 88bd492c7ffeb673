"""Losses, written in core operators."""

from __future__ import annotations

from typing import Any

from mindtorch_storage import bfloat16, float16

from .._ops import ops
from ..tensor import Tensor
from .activations import log_sigmoid
from .decomposition_table import Decompositions, in_float32, number_like, options_of
from .reductions import sum_all

__all__ = ["LOSSES"]

aten = ops.aten
LOSSES = Decompositions()


def _reduced(losses: Any, reduction: int) -> Any:
    if reduction == 0:
        return losses
    return aten.mean.default(losses) if reduction == 1 else sum_all(losses)


@LOSSES.register(aten.mse_loss.default)
@in_float32
def _mse_loss(self: Tensor, target: Tensor, reduction: int = 1) -> Any:
    return _reduced((self - target) ** 2, reduction)


@LOSSES.register(aten.smooth_l1_loss.default)
@in_float32
def _smooth_l1_loss(self: Tensor, target: Tensor, reduction: int = 1, beta: Any = 1.0) -> Any:
    far = aten.abs.default(self - target)
    is_near = aten.lt.Scalar(far, beta)
    losses = aten.where.self(is_near, far**2 * 0.5 / beta, far - 0.5 * beta)
    return _reduced(losses, reduction)


@LOSSES.register(aten.huber_loss.default)
@in_float32
def _huber_loss(self: Tensor, target: Tensor, reduction: int = 1, delta: Any = 1.0) -> Any:
    far = aten.abs.default(self - target)
    is_near = aten.lt.Scalar(far, delta)
    losses = aten.where.self(is_near, far * 0.5 * far, (far - 0.5 * delta) * delta)
    return _reduced(losses, reduction)


@LOSSES.register(aten.soft_margin_loss.default)
@in_float32
def _soft_margin_loss(self: Tensor, target: Tensor, reduction: int = 1) -> Any:
    losses = aten.log1p.default(aten.exp.default(aten.neg.default(self) * target))
    return _reduced(losses, reduction)


@LOSSES.register(aten.binary_cross_entropy.default)
@in_float32
def _binary_cross_entropy(
    self: Tensor, target: Tensor, weight: Tensor | None = None, reduction: int = 1
) -> Any:
    options = options_of(self)
    factor = target - 1
    other = aten.log1p.default(aten.neg.default(self))
    other = factor * aten.maximum.default(other, aten.full.default([], -100, **options))
    own = aten.log.default(self)
    own = target * aten.maximum.default(own, aten.full.default([], -100, **options))
    losses = other - own
    return _reduced(losses if weight is None else losses * weight, reduction)


@LOSSES.register(aten.binary_cross_entropy_with_logits.default)
@in_float32
def _binary_cross_entropy_with_logits(
    self: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: int = 1,
) -> Any:
    first = (1 - target) * self
    if pos_weight is None:
        losses = first - log_sigmoid(self)
    else:
        losses = first - ((pos_weight - 1) * target + 1) * log_sigmoid(self)
    return _reduced(losses if weight is None else losses * weight, reduction)


@LOSSES.register(aten.nll_loss_forward.default)
def _nll_loss_forward(
    self: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignore_index: int
) -> Any:
    if weight is not None or self.dtype in (float16, bfloat16):
        return NotImplemented
    along = 0 if self.dim() < 2 else 1
    counted = aten.ne.Scalar(target, ignore_index)
    place = aten.unsqueeze.default(aten.where.self(counted, target, number_like(0, target)), along)
    picked = aten.squeeze.dims(aten.gather.default(self, along, place), [along])
    losses = aten.neg.default(picked)
    counted = aten.ne.Scalar(target, ignore_index)
    losses = aten.where.self(counted, losses, number_like(0, losses))
    total = aten.full.default([], 0.0, **options_of(self))
    if reduction == 0 and self.dim() > 1:
        return losses, total
    if reduction == 1:
        count = aten.sum.dim_IntList(aten.ne.Scalar(target, ignore_index), [])
        total = aten._to_copy.default(count, dtype=self.dtype, device=self.device)
        return sum_all(losses) / total, total
    return sum_all(losses), total
