"""What a gradient scaler does on the device: unscale gradients, look for overflow, set the scale.

Made of ops alone, so that nothing waits for a device: whether there was an overflow is itself a
tensor, and the next scale follows from it without anybody having looked.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_storage import float32, int32

from ..call.elementwise_meta import not_implemented
from ..call.row import op
from ..core.operators import ops
from ..core.signature import META

__all__ = ["STEPS"]


def _check_single(tensor: Any, name: str, dtype: Any, kind: str) -> None:
    """Refuse what is not one number of *dtype*."""
    if tensor.numel() != 1:
        raise RuntimeError(f"{name} must be a 1-element tensor.")
    if tensor.dtype is not dtype:
        raise RuntimeError(f"{name} must be {kind} tensor.")


def _unscale(self: Sequence[Any], found_inf: Any, inv_scale: Any) -> None:
    """Multiply each tensor by *inv_scale*; *found_inf* becomes 1 where one was not finite."""
    if not self:
        return
    _check_single(inv_scale, "inv_scale", float32, "a float")
    _check_single(found_inf, "found_inf", float32, "a float")
    factor = inv_scale.reshape(())
    for grad in self:
        if grad._sig_ & META:
            continue
        if not grad.is_floating_point():
            raise not_implemented("_amp_foreach_non_finite_check_and_unscale_cpu", grad.dtype)
        bad = ops.isfinite(grad).all().logical_not()
        if type(bad) is not type(found_inf):  # of a class that has parts elsewhere: all are asked
            found_inf.fill_(max(found_inf.item(), float(bad.item())))
            grad.mul_(factor.item())
            continue
        found_inf.copy_(ops.maximum(found_inf, bad.to(float32)))
        grad.mul_(factor)


def _update(
    self: Any,
    growth_tracker: Any,
    found_inf: Any,
    scale_growth_factor: float,
    scale_backoff_factor: float,
    growth_interval: int,
) -> Any:
    """Shrink the scale after an overflow; let it grow after enough steps without one."""
    _check_single(growth_tracker, "growth_tracker", int32, "an int")
    _check_single(self, "current_scale", float32, "a float")
    _check_single(found_inf, "found_inf", float32, "a float")
    shape = self.shape
    overflow = found_inf.reshape(shape) != 0
    good = growth_tracker.reshape(shape) + 1
    due = good == growth_interval
    grown = self * scale_growth_factor
    grown = ops.where(due & ops.isfinite(grown), grown, self)
    scale = ops.where(overflow, self * scale_backoff_factor, grown)
    count = ops.where(overflow | due, ops.zeros_like(good), good)
    self.copy_(scale)
    growth_tracker.copy_(count.reshape(growth_tracker.shape))
    return self


STEPS = [
    op(
        "_amp_foreach_non_finite_check_and_unscale_(Tensor(a!)[] self, Tensor(b!) found_inf, "
        "Tensor inv_scale) -> ()",
        composite=_unscale,
        variants="function",
    ),
    op(
        "_amp_update_scale_(Tensor(a!) self, Tensor(b!) growth_tracker, Tensor found_inf, "
        "float scale_growth_factor, float scale_backoff_factor, int growth_interval) -> Tensor(a!)",
        composite=_update,
        variants="function",
    ),
]
