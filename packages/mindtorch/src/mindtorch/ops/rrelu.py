"""``rrelu``: negative numbers times a slope that is drawn for each of them.

Source: torch aten/src/ATen/native/Activation.cpp.
"""

from __future__ import annotations

from typing import Any

from .call import ops
from .dims import scalar_name
from .row import op

__all__: list[str] = []

_SEEDED = ("nondeterministic_seeded",)
_ARGUMENTS = (
    "Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, "
    "Generator? generator=None"
)


def _check(self: Any, noise: Any) -> None:
    if self.dtype is not noise.dtype and self.device.type != "meta":
        raise RuntimeError(
            f"expected scalar type {scalar_name(self.dtype)} but found {scalar_name(noise.dtype)}"
        )


def _with_noise(
    self: Any, noise: Any, lower: Any, upper: Any, training: bool, generator: Any
) -> Any:
    if not training:
        return ops.leaky_relu(self, (float(lower) + float(upper)) / 2)
    if self.device.type == "meta":
        return ops.empty_like(self)
    if self.dtype.is_complex or not self.dtype.is_floating_point:
        from .meta import not_implemented  # only for the refusal

        raise not_implemented("rrelu_with_noise_out_cpu", self.dtype)
    self = self.contiguous()
    below = self <= 0
    count = int(below.sum().item())
    slopes = ops.empty((count,), dtype=ops.float64, device=self.device)
    slopes.uniform_(float(lower), float(upper), generator=generator)
    noise.fill_(1).masked_scatter_(below, slopes.to(noise.dtype))
    return ops.where(below, self * noise, self)


def _rrelu(self: Any, lower: Any, upper: Any, training: bool, generator: Any) -> Any:
    if float(lower) > float(upper):
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    noise = ops.empty_like(self)
    return ops.rrelu_with_noise(self, noise, lower, upper, training, generator)


def _backward(
    grad_output: Any, self: Any, noise: Any, lower: Any, upper: Any, training: bool,
    self_is_result: bool,
) -> Any:  # fmt: skip
    if training and float(upper) - float(lower) > 1e-6:
        return noise.mul(grad_output)
    slope = (float(lower) + float(upper)) / 2
    return ops.leaky_relu_backward(grad_output, self, slope, self_is_result)


op(
    f"rrelu_with_noise(Tensor self, Tensor(b!) noise, {_ARGUMENTS}) -> Tensor",
    composite=_with_noise,
    kinds={"functional": "explicit"},
    module="nn",
    variants="function",
    grad={
        "self": lambda g, c: ops.rrelu_with_noise_backward(
            g, c.self, c.noise, c.lower, c.upper, c.training, False
        )
    },
    random=True,
    samples="rrelu_with_noise",
    tags=_SEEDED,
)
op(
    "rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, "
    "Scalar upper, bool training, bool self_is_result) -> Tensor",
    composite=_backward,
    kinds={"functional": "explicit"},
    variants="",
    grad={
        "grad_output": lambda g, c: ops.rrelu_with_noise_backward(
            g, c.self, c.noise, c.lower, c.upper, c.training, False
        ),
        "self": lambda g, c: ops.zeros_like(c.grad_output),
    },
)
op(
    f"rrelu(Tensor self, {_ARGUMENTS}) -> Tensor",
    composite=_rrelu,
    variants="function",
    inplace=True,
    random=True,
    samples="rrelu",
    tags=_SEEDED,
)
