"""``torch.ao.nn.quantized.modules.linear``: a linear layer of quantized tensors."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ..... import nn
from ....._ops import ops
from .....aten import torch
from .....nn.utils.fusion import fuse_linear_bn_weights
from .....nn.utils.parametrize import type_before_parametrizations
from ...intrinsic.modules import fused
from ...intrinsic.qat.modules import linear_fused
from .utils import WeightedQuantizedModule, _hide_packed_params_repr, _quantize_weight

__all__ = ["Linear", "LinearPackedParams"]


class LinearPackedParams(nn.Module):
    """The weight and the bias of a linear layer, packed for products.

    :param dtype: ``torch.qint8``, or ``torch.float16`` for a weight of floats.
    """

    _version = 3

    def __init__(self, dtype: Any = torch.qint8) -> None:
        super().__init__()
        self.dtype = dtype
        if dtype == torch.qint8:
            weight = torch._empty_affine_quantized([1, 1], scale=1.0, zero_point=0, dtype=dtype)
        elif dtype == torch.float16:
            weight = torch.zeros([1, 1], dtype=torch.float)
        self.set_weight_bias(weight, None)

    def set_weight_bias(self, weight: Any, bias: Any) -> None:
        """Pack *weight*, quantized or of floats as the dtype says, and *bias*."""
        self._packed_params = self._of_dtype("linear_prepack")(weight, bias)

    def _weight_bias(self) -> tuple[Any, Any]:
        found: tuple[Any, Any] = self._of_dtype("linear_unpack")(self._packed_params)
        return found

    def _of_dtype(self, name: str) -> Any:
        if self.dtype == torch.qint8:
            return getattr(ops.quantized, name)
        if self.dtype == torch.float16:
            return getattr(ops.quantized, name + "_fp16")
        raise RuntimeError("Unsupported dtype on dynamic quantized linear!")

    def forward(self, x: Any) -> Any:
        """*x*."""
        return x

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "dtype"] = self.dtype
        destination[prefix + "_packed_params"] = self._weight_bias()

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        version = local_metadata.get("version", None)
        if version is None or version < 2:
            self.dtype = torch.qint8
        else:
            self.dtype = state_dict.pop(prefix + "dtype")
        if version is None or version < 3:
            self.set_weight_bias(*(state_dict.pop(prefix + n) for n in ("weight", "bias")))
        elif version == 3:
            self.set_weight_bias(*state_dict.pop(prefix + "_packed_params"))
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, False, missing_keys, unexpected_keys, error_msgs
        )

    def __repr__(self) -> str:
        return repr(self._weight_bias())


class Linear(WeightedQuantizedModule):
    """A linear layer whose input, output and weight are quantized tensors.

    :ivar scale: with ``zero_point``, what outputs are quantized by.
    """

    _version = 3
    _FLOAT_MODULE: Any = (nn.Linear, nn.modules.linear.NonDynamicallyQuantizableLinear)

    def __init__(
        self, in_features: int, out_features: int, bias_: bool = True, dtype: Any = torch.qint8
    ) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, out_features
        bias = torch.zeros(out_features, dtype=torch.float) if bias_ else None
        size = [out_features, in_features]
        if dtype == torch.qint8:
            weight = torch._empty_affine_quantized(size, scale=1, zero_point=0, dtype=dtype)
        elif dtype == torch.float16:
            weight = torch.zeros(size, dtype=torch.float)
        else:
            raise RuntimeError("Unsupported dtype specified for quantized Linear!")
        self._packed_params = LinearPackedParams(dtype)
        self._packed_params.set_weight_bias(weight, bias)
        self.scale = 1.0
        self.zero_point = 0

    def _get_name(self) -> str:
        return "QuantizedLinear"

    def extra_repr(self) -> str:
        """Sizes, scale, zero point and scheme."""
        return (
            f"in_features={self.in_features}, out_features={self.out_features}, "
            f"scale={self.scale}, zero_point={self.zero_point}, qscheme={self.weight().qscheme()}"
        )

    def __repr__(self) -> str:
        return _hide_packed_params_repr(self, LinearPackedParams)

    def forward(self, x: Any) -> Any:
        """The quantized product of *x* ``[…, in_features]`` with the weight, plus the bias."""
        packed = self._packed_params._packed_params
        return ops.quantized.linear(x, packed, self.scale, self.zero_point)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        destination[prefix + "scale"] = torch.tensor(self.scale)
        destination[prefix + "zero_point"] = torch.tensor(self.zero_point)

    def _load_from_state_dict(
        self,
        state_dict: Any,
        prefix: str,
        local_metadata: Any,
        strict: bool,
        missing_keys: list[str],
        unexpected_keys: list[str],
        error_msgs: list[str],
    ) -> None:
        self.scale = float(state_dict.pop(prefix + "scale"))
        self.zero_point = int(state_dict.pop(prefix + "zero_point"))
        version = local_metadata.get("version", None)
        if version is None or version == 1:  # what is packed had no module of its own
            for name in ("weight", "bias"):
                state_dict[f"{prefix}_packed_params.{name}"] = state_dict.pop(prefix + name)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, False, missing_keys, unexpected_keys, error_msgs
        )

    def _weight_bias(self) -> tuple[Any, Any]:
        return self._packed_params._weight_bias()

    def weight(self) -> Any:
        """The quantized weight ``[out_features, in_features]``."""
        return self._weight_bias()[0]

    def bias(self) -> Any:
        """The bias ``[out_features]`` of floats, or None."""
        return self._weight_bias()[1]

    def set_weight_bias(self, w: Any, b: Any) -> None:
        """Take another weight and bias."""
        self._packed_params.set_weight_bias(w, b)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Linear:
        """The quantized layer of a layer of floats whose output was observed.

        Raises AssertionError for another module, or one without ``qconfig``.
        """
        if hasattr(mod, "weight_fake_quant"):
            if type_before_parametrizations(mod) == linear_fused.LinearBn1d:
                bn = mod.bn
                statistics = bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
                mod.weight, mod.bias = fuse_linear_bn_weights(mod.weight, mod.bias, *statistics)
            of_weight, of_output = mod.weight_fake_quant, mod.activation_post_process
        else:
            kinds = cls._FLOAT_MODULE
            kinds = kinds if isinstance(kinds, tuple) else (kinds,)
            names = ", ".join([kind.__name__ for kind in kinds])
            if type_before_parametrizations(mod) not in kinds:
                raise AssertionError(
                    f"nnq.{cls.__name__}.from_float only works for {names}, but got: {type(mod)}"
                )
            if not hasattr(mod, "qconfig"):
                raise AssertionError("Input float module must have qconfig defined")
            of_output = mod.activation_post_process
            of_weight = mod.qconfig.weight()
            if type_before_parametrizations(mod) == fused.LinearReLU:
                mod = mod[0]
        if not use_precomputed_fake_quant:
            of_weight(mod.weight)
        if of_weight.dtype != torch.qint8:
            raise AssertionError(
                f"Weight observer must have dtype torch.qint8, got {of_weight.dtype}"
            )
        scale, zero_point = of_output.calculate_qparams()
        made = cls(mod.in_features, mod.out_features, dtype=of_weight.dtype)
        made.set_weight_bias(_quantize_weight(mod.weight.float(), of_weight), mod.bias)
        made.scale, made.zero_point = float(scale), int(zero_point)
        return made

    @classmethod
    def from_reference(  # torch's name of the parameter
        cls, ref_qlinear: Any, output_scale: float, output_zero_point: int
    ) -> Linear:
        """The quantized layer of one that rounds floats."""
        made = cls(ref_qlinear.in_features, ref_qlinear.out_features)
        made.set_weight_bias(ref_qlinear.get_quantized_weight(), ref_qlinear.bias)
        made.scale, made.zero_point = float(output_scale), int(output_zero_point)
        return made


offer_listed(globals())
