"""``torch.ao.nn.quantized.modules.activation``: activations of quantized tensors."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ..... import nn
from ....._ops import ops
from .....aten import torch
from .....core.warning import warn

__all__ = ["ELU", "Hardswish", "LeakyReLU", "PReLU", "ReLU6", "Sigmoid", "Softmax"]


def observed(mod: Any) -> tuple[float, int]:
    """The scale and the zero point of what *mod* gave while it was observed."""
    scale, zero_point = mod.activation_post_process.calculate_qparams()
    return float(scale), int(zero_point)


class ReLU6(nn.ReLU):
    """What is between 0 and 6 of a quantized tensor."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """*input*, bounded."""
        return ops.quantized.relu6(input, self.inplace)

    def _get_name(self) -> str:
        return "QuantizedReLU6"

    @staticmethod
    def from_float(mod: Any, use_precomputed_fake_quant: bool = False) -> ReLU6:
        """The layer of one of floats."""
        return ReLU6(mod.inplace)


class Hardswish(nn.Hardswish):
    """The hard swish, with a *scale* and a *zero_point* for its outputs."""

    scale: Any
    zero_point: Any

    def __init__(
        self, scale: float, zero_point: int, device: Any = None, dtype: Any = None
    ) -> None:
        super().__init__()
        self.register_buffer("scale", torch.tensor(scale, device=device, dtype=dtype))
        self.register_buffer("zero_point", torch.tensor(zero_point, device=device, dtype=dtype))

    def forward(self, input: Any) -> Any:
        """The function of quantized numbers."""
        return ops.quantized.hardswish(input, self.scale, self.zero_point)

    def _get_name(self) -> str:
        return "QuantizedHardswish"

    @staticmethod
    def from_float(mod: Any, use_precomputed_fake_quant: bool = False) -> Hardswish:
        """The layer of one of floats that was observed."""
        return Hardswish(*observed(mod))

    @classmethod
    def from_reference(cls, mod: Any, scale: Any, zero_point: Any) -> Hardswish:
        """The layer of one of floats."""
        return cls(float(scale), int(zero_point))


class ELU(nn.ELU):
    """The ELU, with a *scale* and a *zero_point* for its outputs."""

    def __init__(self, scale: float, zero_point: int, alpha: float = 1.0) -> None:
        super().__init__(alpha)
        self.scale, self.zero_point = scale, zero_point

    def forward(self, input: Any) -> Any:
        """The function of quantized numbers. Raises ValueError for a tensor that is none."""
        if not input.is_quantized:
            raise ValueError("Input to 'quantized.elu' must be quantized!")
        return ops.quantized.elu(input, self.scale, self.zero_point, self.alpha)

    def _get_name(self) -> str:
        return "QuantizedELU"

    @staticmethod
    def from_float(mod: Any, use_precomputed_fake_quant: bool = False) -> ELU:
        """The layer of one of floats that was observed."""
        return ELU(*observed(mod), mod.alpha)

    @classmethod
    def from_reference(cls, mod: Any, scale: Any, zero_point: Any) -> ELU:
        """The layer of one of floats."""
        return cls(float(scale), int(zero_point), mod.alpha)


class LeakyReLU(nn.LeakyReLU):
    """The leaky ReLU, with a *scale* and a *zero_point* for its outputs."""

    scale: Any
    zero_point: Any

    def __init__(
        self,
        scale: float,
        zero_point: int,
        negative_slope: float = 1e-2,
        inplace: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(negative_slope, inplace)
        self.register_buffer("scale", torch.tensor(scale, device=device, dtype=dtype))
        self.register_buffer("zero_point", torch.tensor(zero_point, device=device, dtype=dtype))

    def forward(self, input: Any) -> Any:
        """The function of quantized numbers."""
        return ops.quantized.leaky_relu(
            input, self.negative_slope, self.inplace, self.scale, self.zero_point
        )

    def _get_name(self) -> str:
        return "QuantizedLeakyReLU"

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> LeakyReLU:
        """The layer of one of floats that was observed."""
        return cls(*observed(mod), mod.negative_slope, mod.inplace)

    @classmethod
    def from_reference(cls, mod: Any, scale: Any, zero_point: Any) -> LeakyReLU:
        """The layer of one of floats."""
        return cls(float(scale), int(zero_point), mod.negative_slope, mod.inplace)


class Sigmoid(nn.Sigmoid):
    """The sigmoid, with a scale and a zero point for its outputs."""

    def __init__(self, output_scale: float, output_zero_point: int) -> None:
        super().__init__()
        self.output_scale, self.output_zero_point = output_scale, output_zero_point

    def forward(self, input: Any) -> Any:
        """The function of quantized numbers."""
        return ops.quantized.sigmoid(input, self.output_scale, self.output_zero_point)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Sigmoid:
        """The layer of one of floats that was observed."""
        return cls(*observed(mod))


class Softmax(nn.Softmax):
    """The softmax along *dim*, with a *scale* and a *zero_point* for its outputs."""

    def __init__(self, dim: int | None = None, scale: float = 1.0, zero_point: int = 0) -> None:
        super().__init__()
        self.dim = dim
        self.scale, self.zero_point = scale, zero_point

    def forward(self, input: Any) -> Any:
        """The function of quantized numbers."""
        dim = self.dim
        if dim is None:
            dim = nn.functional._get_softmax_dim("softmax", input.dim(), 3)
        return ops.quantized.softmax(input, dim, self.scale, self.zero_point)

    def _get_name(self) -> str:
        return "QuantizedSoftmax"

    @staticmethod
    def from_float(mod: Any, use_precomputed_fake_quant: bool = False) -> Softmax:
        """The layer of one of floats that was observed."""
        return Softmax(mod.dim, *observed(mod))

    @classmethod
    def from_reference(cls, mod: Any, scale: Any, zero_point: Any) -> Softmax:
        """The layer of one of floats."""
        return cls(mod.dim, float(scale), int(zero_point))


class PReLU(nn.Module):
    """The PReLU, with a scale and a zero point for its outputs.

    :ivar weight: ``quint8``, of *num_parameters* slopes.
    """

    def __init__(
        self, output_scale: float, output_zero_point: int, num_parameters: int = 1
    ) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.scale, self.zero_point = output_scale, output_zero_point
        slopes = torch.randn(num_parameters, dtype=torch.float)
        self.set_weight(torch.quantize_per_tensor(slopes, 1.0, 0, torch.quint8))

    def set_weight(self, w: Any) -> None:
        """Let *w*, a quantized tensor, be the slopes."""
        self.weight = w

    def forward(self, input: Any) -> Any:
        """The function of quantized numbers."""
        return ops.quantized.prelu(input, self.weight, self.scale, self.zero_point)

    def _get_name(self) -> str:
        return "QuantizedPReLU"

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> PReLU:
        """The layer of one of floats that was observed."""
        return cls._with_slopes_(mod, *observed(mod))

    @classmethod
    def from_reference(cls, mod: Any, scale: Any, zero_point: Any) -> PReLU:
        """The layer of one of floats."""
        return cls._with_slopes_(mod, float(scale), int(zero_point))

    @classmethod
    def _with_slopes_(cls, mod: Any, scale: float, zero_point: int) -> PReLU:
        """The layer with the slopes of *mod*, quantized by what observes its weight."""
        made = cls(scale, zero_point, mod.num_parameters)
        slopes, observer = mod.weight.float(), mod.qconfig.weight()
        observer(slopes)
        if observer.dtype != torch.quint8:
            warn(
                f"PReLU's weight observer should have dtype quint8 but got {observer.dtype}",
            )
        by, place = observer.calculate_qparams()
        made.set_weight(torch.quantize_per_tensor(slopes, float(by), int(place), torch.quint8))
        return made


offer_listed(globals())
