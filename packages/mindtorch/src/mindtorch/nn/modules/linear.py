"""Linear maps."""

from __future__ import annotations

import math
from typing import Any

from mindtorch_autograd import no_grad

from ...core.operators import ops
from ...tensor import Tensor as Tensor
from .. import functional as F
from .. import init
from ..parameter import Parameter, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module

__all__ = ["Bilinear", "Identity", "LazyLinear", "Linear"]


class Identity(Module):
    """Gives back its input; takes any arguments."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Tensor) -> Tensor:
        return input


class Linear(Module):
    """``x @ weight.T + bias``, with ``weight`` of shape (out_features, in_features)."""

    __constants__ = ["in_features", "out_features"]

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = Parameter(ops.empty((out_features, in_features), device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(ops.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, uniform within ``1 / sqrt(in_features)``."""
        # A negative slope of sqrt(5) makes the bound exactly that.
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            inputs = init._calculate_fan_in_and_fan_out(self.weight)[0]
            within = 1 / math.sqrt(inputs) if inputs else 0
            init.uniform_(self.bias, -within, within)

    def forward(self, input: Any) -> Any:
        try:
            own = self._parameters
            weight, bias = own["weight"], own["bias"]
        except KeyError:  # somebody computes them: parametrizations, weight norm
            weight, bias = self.weight, self.bias
        return F.linear(input, weight, bias)

    def extra_repr(self) -> str:
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"bias={self.bias is not None}"
        )


class NonDynamicallyQuantizableLinear(Linear):
    """The output projection of attention; a class of its own so that checkpoints fit."""


class Bilinear(Module):
    """``x1 @ weight @ x2 + bias``: linear in each of two inputs."""

    __constants__ = ["in1_features", "in2_features", "out_features"]

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got (in1_features={in1_features})")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        shape = (out_features, in1_features, in2_features)
        self.weight = Parameter(ops.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(ops.empty(out_features, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, uniform within ``1 / sqrt(in1_features)``."""
        within = 1 / math.sqrt(self.weight.size(1))
        for drawn in (self.weight, self.bias):
            if drawn is not None:
                init.uniform_(drawn, -within, within)

    def forward(self, input1: Tensor, input2: Tensor) -> Tensor:
        return F.bilinear(input1, input2, self.weight, self.bias)

    def extra_repr(self) -> str:
        return (
            f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
            f"out_features={self.out_features}, bias={self.bias is not None}"
        )


class LazyLinear(LazyModuleMixin, Linear):
    """:class:`Linear` that learns ``in_features`` from its first input."""

    cls_to_become = Linear

    def __init__(
        self, out_features: int, bias: bool = True, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__(0, 0, False)
        self.weight = UninitializedParameter(device=device, dtype=dtype)
        self.out_features = out_features
        if bias:
            self.bias = UninitializedParameter(device=device, dtype=dtype)

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, once their shapes are known."""
        if self.in_features != 0 and not self.has_uninitialized_params():
            super().reset_parameters()

    def initialize_parameters(self, input: Any) -> None:
        """Take the number of features from *input*."""
        if self.has_uninitialized_params():
            with no_grad():
                self.in_features = input.shape[-1]
                shapes = (self.out_features, self.in_features), (self.out_features,)
                for parameter, shape in zip((self.weight, self.bias), shapes, strict=True):
                    if parameter is not None:
                        parameter.materialize(shape)
                self.reset_parameters()
        if self.in_features == 0:
            found, known = input.shape[-1], self.weight.shape[-1]
            if found != known:
                raise AssertionError(
                    f"The in_features inferred from input: {found} is not equal to in_features "
                    f"from self.weight: {known}"
                )
            self.in_features = found
