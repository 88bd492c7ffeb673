"""Kernels of quantized tensors that work on each element: activations and bounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...core.operators import of
from ...tensor.construction import wrap
from ...tensor.quantizer import PerTensor, quantizer_of, steps_of
from .kernels import (
    dequantized,
    laid_out,
    of_one_scale,
    over_steps,
    quantized,
    requantized,
)

__all__ = ["by_numbers", "clipped"]


def clipped(self: Any, low: Any = None, high: Any = None) -> Any:
    """*self* with the integers of the numbers *low* and *high* for bounds."""
    quantizer, steps = of_one_scale(self), steps_of(self._a_)
    for bound, nearer in ((low, np.maximum), (high, np.minimum)):
        if bound is not None:
            step = quantizer.quantized(np.asarray(bound, np.float32), self.dtype)
            steps = nearer(steps, step)
    return over_steps(laid_out(self, steps), quantizer)


def by_numbers(self: Any, name: str, *args: Any, quantizer: PerTensor | None = None) -> Any:
    """What the op *name* gives of the numbers of *self*, in the integers of *quantizer*.

    :param quantizer: that of *self*, where it is not given.
    """
    of_one_scale(self)
    return requantized(self, of(name)(wrap(dequantized(self)), *args)._a_, quantizer)


def _unit(self: Any) -> PerTensor:
    """What results between 0 and 1 are rounded by: steps of the dtype fill that range."""
    if self.dtype.name == "qint32":
        return PerTensor(2.0**-32, 0)
    return PerTensor(1 / 256, -128 if self.dtype.name == "qint8" else 0)


def _both_signs(self: Any) -> PerTensor:
    """The same for results between -1 and 1."""
    if self.dtype.name == "qint32":
        return PerTensor(2.0**-31, 0)
    return PerTensor(1 / 128, 0 if self.dtype.name == "qint8" else 128)


def _relu(self: Any) -> Any:
    of_one_scale(self)
    return clipped(self, 0.0)


quantized("relu")(_relu)
quantized("clamp", forms=False)(clipped)
quantized("hardtanh")(clipped)


@quantized("sigmoid", forms=False)
def _sigmoid(self: Any) -> Any:
    return by_numbers(self, "sigmoid", quantizer=_unit(self))


@quantized("tanh", forms=False)
def _tanh(self: Any) -> Any:
    return by_numbers(self, "tanh", quantizer=_both_signs(self))


@quantized("hardsigmoid", forms=False)
def _hardsigmoid(self: Any) -> Any:
    return by_numbers(self, "hardsigmoid", quantizer=_unit(self))


def _with_own_scale(name: str) -> Callable[..., Any]:
    def kernel(self: Any, *args: Any) -> Any:
        return by_numbers(self, name, *args)

    return kernel


@quantized("gelu", forms=False)
def _gelu(self: Any, approximate: str) -> Any:
    scale, zero_point = of_one_scale(self)
    single = PerTensor(float(np.float32(scale)), zero_point)  # torch hands it on in a tensor
    return by_numbers(self, "gelu", approximate, quantizer=single)


@quantized("gelu_", forms=False)
def _gelu_(self: Any, approximate: str) -> Any:
    return self.copy_(_gelu(self, approximate))


for _name, _forms in (("leaky_relu", True), ("threshold", False)):
    quantized.register(_name, _with_own_scale(_name), forms=_forms)


@quantized("_prelu_kernel", forms=False)
def _prelu(self: Any, weight: Any) -> Any:
    numbers, slopes = dequantized(self), dequantized(weight)
    return requantized(self, np.where(numbers > 0, numbers, numbers * slopes), quantizer_of(self))
