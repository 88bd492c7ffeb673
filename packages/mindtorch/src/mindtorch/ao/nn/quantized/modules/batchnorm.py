"""``torch.ao.nn.quantized.modules.batchnorm``: batch norms of quantized images."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ....._ops import ops
from .....aten import torch
from .....nn.modules import batchnorm
from ...intrinsic.modules import fused

__all__ = ["BatchNorm2d", "BatchNorm3d"]


class _BatchNorm(batchnorm._BatchNorm):
    """What both share: statistics of floats, and what outputs are quantized by."""

    _PLACES_: int
    #: Of the op that computes outputs: ``_relu`` where it keeps the positive ones.
    _KIND_ = ""
    _NNI_BN_RELU_MODULE: Any
    scale: Any
    zero_point: Any

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(num_features, eps, momentum, True, True, device=device, dtype=dtype)
        self.register_buffer("scale", torch.tensor(1.0, device=device, dtype=dtype))
        self.register_buffer("zero_point", torch.tensor(0, device=device, dtype=dtype))

    def _get_name(self) -> str:
        return f"QuantizedBatchNorm{self._PLACES_}d"

    def _check_input_dim(self, input: Any) -> None:
        if len(input.shape) != self._PLACES_ + 2:
            raise ValueError("Input shape must be `(N, C, H, W)`!")

    def forward(self, input: Any) -> Any:
        """Quantized images, normed by the statistics that were kept."""
        norm = getattr(ops.quantized, f"batch_norm{self._PLACES_}d{self._KIND_}")
        statistics = self.running_mean, self.running_var, self.eps
        if self._KIND_:
            self._check_input_dim(input)
        return norm(input, self.weight, self.bias, *statistics, self.scale, self.zero_point)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The quantized norm of one of floats whose output was observed."""
        scale, zero_point = mod.activation_post_process.calculate_qparams()
        if type(mod) is cls._NNI_BN_RELU_MODULE:
            mod = mod[0]
        return cls._like_(mod, cls(mod.num_features, mod.eps), scale, zero_point)

    @classmethod
    def from_reference(cls, bn: Any, output_scale: Any, output_zero_point: Any) -> Any:
        """The quantized norm of one that rounds floats."""
        options = {"device": bn.weight.device, "dtype": bn.weight.dtype}
        made = cls(bn.num_features, bn.eps, bn.momentum, **options)
        return cls._like_(bn, made, output_scale, output_zero_point)

    @classmethod
    def _like_(cls, mod: Any, made: Any, scale: Any, zero_point: Any) -> Any:
        made.weight, made.bias = mod.weight, mod.bias
        made.running_mean, made.running_var = mod.running_mean, mod.running_var
        made.scale, made.zero_point = scale, zero_point
        return made


class BatchNorm2d(_BatchNorm):
    """A batch norm of quantized images ``[N, C, H, W]``."""

    _PLACES_ = 2
    _NNI_BN_RELU_MODULE = fused.BNReLU2d


class BatchNorm3d(_BatchNorm):
    """A batch norm of quantized volumes ``[N, C, D, H, W]``."""

    _PLACES_ = 3
    _NNI_BN_RELU_MODULE = fused.BNReLU3d


offer_listed(globals())
