"""Numbers rounded by a range that follows them: ``fused_moving_avg_obs_fake_quant``.

Source: torch aten/src/ATen/native/quantized/cpu/fused_obs_fake_quant.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import no_grad
from mindtorch_storage.dtype import bool_, float32

from ..call.device_checks import refuse_apart
from ..call.row import op
from ..core.errors import expected_scalar_type
from ..core.operators import of, ops
from .quantization_parameters import choose_parameters

__all__: list[str] = []

_NAME = "_fused_moving_avg_obs_fq_helper"


def _is_on(switch: Any) -> bool:
    return int(switch.item().real) != 0


def _follow(running: Any, now: Any, weight: float) -> None:
    """Move *running* towards *now*; to it, if there was nothing before."""
    if not running.numel():
        running.resize_(now.shape).copy_(now)
        return
    if running.numel() == now.numel():  # where it is not, the rounding refuses what follows
        before = running.reshape(now.shape)
        moved = now.where(before.isinf(), before + (now - before) * weight)
        running.copy_(moved.reshape(running.shape))


def _check_ranges(given: Sequence[Any], rows: bool) -> None:
    if not rows:
        for t in given:
            if t.numel() > 1:
                raise RuntimeError(
                    f"a Tensor with {t.numel()} elements cannot be converted to Scalar"
                )
        for t in given[2:]:
            t.select(0, 0)  # refuses what has no first element
    for t in given[:2]:
        if t.dtype is not float32:
            raise expected_scalar_type(float32, t.dtype)


def _observe(
    self: Any, running_min: Any, running_max: Any, choice: Any, weight: float, ch_axis: int,
    rows: bool,
) -> None:  # fmt: skip
    if rows and ch_axis:
        raise RuntimeError(
            "Per-channel FakeQuant in fused_moving_avg_obs_fake_quant is only supported on "
            "axis == 0"
        )
    now = ops.aminmax(ops.flatten(self, 1), dim=1) if rows else ops.aminmax(self)
    for t in (self, running_min, running_max):
        if t.dtype is not float32:
            raise expected_scalar_type(float32, t.dtype)
    if rows and not running_min.numel():
        for given in choice:
            given.resize_((self.shape[0],))
    for running, found in zip((running_min, running_max), now, strict=True):
        _follow(running, found, weight)


def _choose(
    running_min: Any, running_max: Any, scale: Any, zero_point: Any, low: int, high: int,
    symmetric: bool,
) -> None:  # fmt: skip
    """Write the scales and zero points of the ranges."""
    ends = zip(running_min.reshape(-1).tolist(), running_max.reshape(-1).tolist(), strict=False)
    found = [choose_parameters(*pair, low, high, symmetric=symmetric, single=True) for pair in ends]
    for given, numbers in zip((scale, zero_point), zip(*found, strict=True), strict=True):
        if given.numel() == len(numbers):  # where it is not, the rounding refuses it
            given.copy_(ops.tensor(list(numbers), dtype=given.dtype).reshape(given.shape))


def _helper(
    self: Any, observer_on: Any, fake_quant_on: Any, running_min: Any, running_max: Any, scale: Any,
    zero_point: Any, averaging_const: float, quant_min: int, quant_max: int, ch_axis: int,
    per_row_fake_quant: bool, symmetric_quant: bool,
) -> Any:  # fmt: skip
    given = (self, observer_on, fake_quant_on, running_min, running_max, scale, zero_point)
    refuse_apart(f"aten::{_NAME}", given)
    if self.device.type == "meta":
        return ops.empty_like(self), ops.empty_like(self, dtype=bool_)
    if ch_axis >= self.dim():
        raise RuntimeError(
            "Error in fused_moving_avg_obs_fake_quant_cpu: ch_axis must be < self.dim()"
        )
    rows, ends, choice = per_row_fake_quant, (quant_min, quant_max), (scale, zero_point)
    with no_grad():
        if _is_on(observer_on):
            _observe(self, running_min, running_max, choice, averaging_const, ch_axis, rows)
        rounds = _is_on(fake_quant_on)
        if rounds:
            _check_ranges((running_min, running_max, *choice), rows)
            _choose(running_min, running_max, *choice, *ends, symmetric_quant)
    if rounds and rows:
        by_channel = of("fake_quantize_per_channel_affine_cachemask")
        return by_channel(self, *choice, ch_axis, *ends)
    if not rounds:
        return self.clone(), ops.ones_like(self, dtype=bool_)
    name = "_fake_quantize_per_tensor_affine_cachemask_tensor_qparams"
    return of(name)(self, *choice, fake_quant_on, *ends)


def _functional(self: Any, on: Any, rounds: Any, *rest: Any) -> Any:
    """The same on copies of what is written, which follow the results."""
    written = [t.clone() for t in rest[:4]]
    return (*of(_NAME)(self, on, rounds, *written, *rest[4:]), *written)


def _fused(self: Any, *rest: Any) -> Any:
    if not self.numel():
        return self.clone()
    return of(_NAME)(self, *rest)[0]


def _arguments(*marks: str) -> str:
    names = ("running_min", "running_max", "scale", "zero_point")
    written = ", ".join(f"Tensor{mark} {name}" for mark, name in zip(marks, names, strict=True))
    return (
        f"(Tensor self, Tensor observer_on, Tensor fake_quant_on, {written}, "
        "float averaging_const, int quant_min, int quant_max, int ch_axis, "
        "bool per_row_fake_quant=False, bool symmetric_quant=False)"
    )


_WRITTEN = _arguments("(a!)", "(b!)", "(c!)", "(d!)")
op(
    f"_fused_moving_avg_obs_fq_helper{_WRITTEN} -> (Tensor output, Tensor mask)",
    says="Round to what quantised numbers can hold, by a range that follows the numbers, and say "
    "which elements lay in it.",
    composite=_helper,
    kinds={"functional": "tensors"},
    variants="function",
    grad={
        "self": lambda g, c: ops.fake_quantize_per_tensor_affine_cachemask_backward(g[0], c.result1)
    },
    tangent="not implemented",
    samples="moving_averages",
    tags=("one_gradient",),
)
op(
    f"_fused_moving_avg_obs_fq_helper_functional{_arguments(*[''] * 4)} -> (Tensor output, "
    "Tensor mask, Tensor running_min_out, Tensor running_max_out, Tensor scale_out, "
    "Tensor zero_point_out)",
    composite=_functional,
    variants="",
    batch="whole_loop",
    samples="moving_averages",
)
op(
    f"fused_moving_avg_obs_fake_quant{_WRITTEN} -> Tensor",
    says="Round to what quantised numbers can hold, by a range that follows the numbers.",
    composite=_fused,
    variants="function",
    samples="moving_averages",
    tags=("loops: functional",),
)
