"""``torch.ao.nn.quantized.modules.normalization``: layer, group and instance norms."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ..... import nn
from ....._ops import ops
from .....aten import torch
from .activation import observed

__all__ = ["GroupNorm", "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "LayerNorm"]


class _Norm:
    """What the quantized norms share, mixed into the norm of floats they are named after."""

    scale: Any
    zero_point: Any
    #: ``_like(mod, scale, zero_point)``: the quantized norm of one of floats.
    _like_: Any

    def _take_(
        self: Any, weight: Any, bias: Any, scale: Any, zero_point: Any, **options: Any
    ) -> None:
        self.weight, self.bias = weight, bias
        self.register_buffer("scale", torch.tensor(scale, **options))
        self.register_buffer("zero_point", torch.tensor(zero_point, **options))

    def _get_name(self) -> str:
        return f"Quantized{type(self).__name__}"

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Any:
        """The quantized norm of one of floats that was observed."""
        return cls._like_(mod, *observed(mod))


class _Reference(_Norm):
    """The same, for the norms that are also made of a reference module."""

    @classmethod
    def from_reference(cls, mod: Any, scale: Any, zero_point: Any) -> Any:
        """The quantized norm of one of floats."""
        return cls._like_(mod, float(scale), int(zero_point))


class LayerNorm(_Reference, nn.LayerNorm):
    """A layer norm, with a *scale* and a *zero_point* for its outputs."""

    def __init__(
        self,
        normalized_shape: Any,
        weight: Any,
        bias: Any,
        scale: float,
        zero_point: int,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        nn.LayerNorm.__init__(
            self, normalized_shape, eps, elementwise_affine, device=device, dtype=dtype
        )
        self._take_(weight, bias, scale, zero_point, device=device, dtype=dtype)

    def forward(self, input: Any) -> Any:
        """Quantized numbers, normed."""
        return ops.quantized.layer_norm(
            input,
            self.normalized_shape,
            weight=self.weight,
            bias=self.bias,
            eps=self.eps,
            output_scale=self.scale,
            output_zero_point=self.zero_point,
        )

    @classmethod
    def _like_(cls, mod: Any, scale: float, zero_point: int) -> LayerNorm:
        affine = mod.weight, mod.bias
        return cls(
            mod.normalized_shape, *affine, scale, zero_point, mod.eps, mod.elementwise_affine
        )


class GroupNorm(_Norm, nn.GroupNorm):
    """A group norm, with a *scale* and a *zero_point* for its outputs."""

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        weight: Any,
        bias: Any,
        scale: float,
        zero_point: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        nn.GroupNorm.__init__(
            self, num_groups, num_channels, eps, affine, device=device, dtype=dtype
        )
        self._take_(weight, bias, scale, zero_point, device=device, dtype=dtype)

    def forward(self, input: Any) -> Any:
        """Quantized numbers, normed by groups of channels."""
        affine = self.weight, self.bias
        return ops.quantized.group_norm(
            input, self.num_groups, *affine, self.eps, self.scale, self.zero_point
        )

    @classmethod
    def _like_(cls, mod: Any, scale: float, zero_point: int) -> GroupNorm:
        sizes, affine = (mod.num_groups, mod.num_channels), (mod.weight, mod.bias)
        return cls(*sizes, *affine, scale, zero_point, mod.eps, mod.affine)


class _InstanceNorm(_Reference):
    """What the instance norms share, whatever the number of places."""

    def __init__(
        self: Any,
        num_features: int,
        weight: Any,
        bias: Any,
        scale: float,
        zero_point: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        kept = momentum, affine, track_running_stats
        super().__init__(num_features, eps, *kept, device=device, dtype=dtype)
        self._take_(weight, bias, scale, zero_point, device=device, dtype=dtype)

    def forward(self: Any, input: Any) -> Any:
        """Quantized numbers, each image and channel normed."""
        return ops.quantized.instance_norm(
            input, self.weight, self.bias, self.eps, self.scale, self.zero_point
        )

    @classmethod
    def _like_(cls: Any, mod: Any, scale: float, zero_point: int) -> Any:
        # Like torch, which hands *affine* to the place of *momentum*: it prints.
        affine = mod.weight, mod.bias
        return cls(mod.num_features, *affine, scale, zero_point, mod.eps, mod.affine)


class InstanceNorm1d(_InstanceNorm, nn.InstanceNorm1d):
    """An instance norm of sequences."""


class InstanceNorm2d(_InstanceNorm, nn.InstanceNorm2d):
    """An instance norm of images."""


class InstanceNorm3d(_InstanceNorm, nn.InstanceNorm3d):
    """An instance norm of volumes."""


offer_listed(globals())
