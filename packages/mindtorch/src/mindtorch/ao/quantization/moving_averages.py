"""``torch.fused_moving_avg_obs_fake_quant``: follow the range of tensors, and round by it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from ...aten import torch
from ...call.intercept import PARSED, overridable

__all__ = ["fused_moving_avg_obs_fake_quant"]

#: A scale below this is widened: its inverse would overflow in half precision.
_SMALL = 6.1e-5


def chosen(low: float, high: float, least: int, most: int, symmetric: bool) -> tuple[float, int]:
    """The scale and the zero point of a range, as the integer kernels of the host want them.

    :param symmetric: zero lies in the middle, and the greater side has its last integer.
    """
    symmetric = symmetric and low < 0 < high
    if symmetric:
        half = np.float32((most - least) // 2)
        size = max(np.float32(-low) / (half + 1), np.float32(high) / half)
        low, high = float(-size * (half + 1)), float(size * half)
    low, high = min(low, 0.0), max(high, 0.0)
    scale = (high - low) / (most - least)
    if np.float32(scale) == 0 or np.isinf(np.float32(1) / np.float32(scale)):
        scale = 0.1
    if scale < _SMALL:
        factor = _SMALL / scale
        if low == 0:
            high = _SMALL * (most - least)
        elif high == 0:
            low = -_SMALL * (most - least)
        else:
            low, high = low * factor, high * factor
        scale = _SMALL
    scale = float(np.float32(scale))
    # Of the two ends, the one that loses fewer digits gives the zero point.
    from_low, from_high = least - low / scale, most - high / scale
    first = abs(least) + abs(low / scale) < abs(most) + abs(high / scale)
    place = from_low if first else from_high
    if symmetric:
        place = (least + most) / 2
    if place < least:
        return scale, least
    return scale, most if place > most else int(np.rint(place))


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
            found = [chosen(*pair, quant_min, quant_max, symmetric_quant) for pair in ends]
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
