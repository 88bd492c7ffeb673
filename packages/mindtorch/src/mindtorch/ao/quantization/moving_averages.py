"""``torch.fused_moving_avg_obs_fake_quant``: follow the range of tensors, and round by it."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...aten import torch
from ...aten.quantization_parameters import choose_parameters
from ...call.intercept import PARSED, overridable

__all__ = ["fused_moving_avg_obs_fake_quant"]


def _followed(running: Any, now: Any, weight: float) -> None:
    """Move *running* towards *now*; to it, if there was nothing before."""
    if running.shape != now.shape:
        running.resize_(now.shape).copy_(now)
        return
    running.copy_(now.where(running.isinf(), running + weight * (now - running)))


@partial(overridable, style=PARSED)
def fused_moving_avg_obs_fake_quant(
    self: Any,
    observer_on: Any,
    fake_quant_on: Any,
    running_min: Any,
    running_max: Any,
    scale: Any,
    zero_point: Any,
    averaging_const: float,
    quant_min: int,
    quant_max: int,
    ch_axis: int,
    per_row_fake_quant: bool = False,
    symmetric_quant: bool = False,
) -> Any:
    """Follow the range of *self* in *running_min* and *running_max*, and round *self* by it.

    *scale* and *zero_point* are written. Neither is done where its switch, a tensor, is zero.
    """
    if ch_axis >= self.dim():
        raise RuntimeError(
            "Error in fused_moving_avg_obs_fake_quant_cpu: ch_axis must be < self.dim()"
        )
    observing, rounding = int(observer_on.item()) == 1, int(fake_quant_on.item()) == 1
    if observing:
        with torch.no_grad():
            if per_row_fake_quant:
                rows = self.transpose(0, ch_axis).flatten(1).float()
                now = torch.aminmax(rows, dim=1)
            else:
                now = torch.aminmax(self.float())
            _followed(running_min, now.min, averaging_const)
            _followed(running_max, now.max, averaging_const)
            ends = zip(running_min.reshape(-1).tolist(), running_max.reshape(-1).tolist())
            found = [
                choose_parameters(
                    *pair, quant_min, quant_max, symmetric=symmetric_quant, single=True
                )
                for pair in ends
            ]
            if per_row_fake_quant:
                scale.resize_(len(found))
                zero_point.resize_(len(found))
            scale.copy_(torch.tensor([s for s, _ in found], dtype=scale.dtype).reshape(scale.shape))
            places = torch.tensor([z for _, z in found], dtype=zero_point.dtype)
            zero_point.copy_(places.reshape(zero_point.shape))
    if not rounding:
        return self.clone() if observing else self
    if per_row_fake_quant:
        return torch.fake_quantize_per_channel_affine(
            self, scale, zero_point, ch_axis, quant_min, quant_max
        )
    return torch.fake_quantize_per_tensor_affine(self, scale, zero_point, quant_min, quant_max)
