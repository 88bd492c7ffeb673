"""``rrelu``: negative numbers times a slope that is drawn for each of them.

Source: torch aten/src/ATen/native/Activation.cpp.
"""

from __future__ import annotations

from typing import Any

from ..call.device_checks import refuse_apart
from ..call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, refuse
from ..call.row import op
from ..core import signature as S
from ..core.constants import contiguous_format
from ..core.dims import scalar_name
from ..core.errors import devices_differ
from ..core.operators import ops

__all__: list[str] = []

_SEEDED = ("nondeterministic_seeded",)
_C_KINDS = {"float64": "double"}
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
    refuse_apart("aten::rrelu_with_noise", (self, noise))
    if noise.device != self.device:  # torch gives memory that nobody wrote
        raise devices_differ(self.device, noise.device)
    if tuple(self.shape) != tuple(noise.shape):
        raise RuntimeError(
            "noise tensor shape must match self tensor shape. Got self.shape = "
            f"{list(self.shape)} noise.shape = {list(noise.shape)}"
        )
    _real(lower, upper, kind=_C_KINDS.get(self.dtype.name, "float"))
    if training and not float(lower) <= float(upper) and self.device.type != "meta":
        raise RuntimeError(
            "Expected from <= to to be true, but got false.  (Could this error message be "
            "improved?  If so, please report an enhancement request to PyTorch.)"
        )
    if not training:
        return ops.leaky_relu(self.contiguous(), (float(lower) + float(upper)) / 2)
    if self.device.type == "meta":
        return ops.empty_like(self)
    refuse(self.dtype, {"rrelu_with_noise_out_cpu": INTEGRAL | BOOL | COMPLEX | {"float16"}}, self)
    _check(self, noise)
    self = self.contiguous()
    below = self <= 0
    # The host draws for the negative numbers alone, which it counts; a device waits for no count.
    streamed = self._sig_ & S.STREAMED
    shape = tuple(self.shape) if streamed else (int(below.sum().item()),)
    slopes = ops.empty(shape, dtype=ops.float64, device=self.device)
    slopes.uniform_(float(lower), float(upper), generator=generator)
    slopes = slopes.to(noise.dtype)
    if streamed:
        noise.copy_(slopes.masked_fill_(~below, 1))
    else:
        noise.fill_(1).masked_scatter_(below, slopes)
    return self * noise


def _with_noise_returned(
    self: Any, noise: Any, lower: Any, upper: Any, training: bool, generator: Any
) -> Any:
    noise = noise.clone()
    return ops.rrelu_with_noise(self, noise, lower, upper, training, generator), noise


def _real(*numbers: Any, kind: str = "double") -> None:
    if any(isinstance(number, complex) for number in numbers):
        raise RuntimeError(f"value cannot be converted to type {kind} without overflow")


def _refuse_bounds(lower: Any, upper: Any) -> None:
    _real(lower, upper)
    if float(lower) > float(upper):
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")


def _rrelu(self: Any, lower: Any, upper: Any, training: bool, generator: Any) -> Any:
    _refuse_bounds(lower, upper)
    noise = ops.empty_like(self, memory_format=contiguous_format)
    return ops.rrelu_with_noise(self, noise, lower, upper, training, generator)


def _rrelu_(self: Any, lower: Any, upper: Any, training: bool, generator: Any) -> Any:
    _refuse_bounds(lower, upper)
    noise = ops.empty_like(self, memory_format=contiguous_format)
    return ops.rrelu_with_noise_(self, noise, lower, upper, training, generator)


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
    says="Multiply negative elements by random slopes while training, and keep the "
    "slopes in noise.",
    composite=_with_noise,
    kinds={"functional": "explicit", "inplace": "explicit"},
    module="nn",
    variants="function",
    inplace=True,
    grad={
        "self": lambda g, c: ops.rrelu_with_noise_backward(
            g, c.self, c.noise, c.lower, c.upper, c.training, False
        )
    },
    inplace_grad={
        "self": lambda g, c: ops.rrelu_with_noise_backward(
            g, c.result, c.noise, c.lower, c.upper, c.training, True
        )
    },
    random=True,
    samples="rrelu_with_noise",
    tags=(*_SEEDED, "not_under_vmap"),
    node=(0, 1),
)
op(
    f"rrelu_with_noise_functional(Tensor self, Tensor noise, {_ARGUMENTS})"
    " -> (Tensor, Tensor noise_out)",
    composite=_with_noise_returned,
    kinds={"functional": "explicit"},
    variants="",
    grad={
        "self": lambda g, c: ops.rrelu_with_noise_backward(
            g[0], c.self, c.result1, c.lower, c.upper, c.training, False
        )
    },
    random=True,
    tags=(*_SEEDED, "not_under_vmap", "one_gradient"),
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
    says="Multiply negative elements by random slopes while training, by their mean otherwise.",
    composite=_rrelu,
    variants="function",
    random=True,
    samples="rrelu",
    tags=(*_SEEDED, "not_under_vmap"),
)
op(
    f"rrelu_(Tensor(a!) self, {_ARGUMENTS}) -> Tensor(a!)",
    composite=_rrelu_,
    variants="function",
    random=True,
    samples="rrelu",
    tags=(*_SEEDED, "not_under_vmap"),
)
