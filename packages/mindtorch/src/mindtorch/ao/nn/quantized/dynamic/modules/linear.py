"""``torch.ao.nn.quantized.dynamic.modules.linear``: a linear layer with a quantized weight."""

from __future__ import annotations

from typing import Any

from mindtorch.core.unavailable import offer_listed

from ...... import nn
from ......_ops import ops
from ......aten import torch
from ....intrinsic.modules import fused
from ....qat.dynamic.modules import linear as qat_linear
from ...modules.linear import Linear as QuantizedLinear
from ...modules.utils import _quantize_weight
from .observing import weight_observer_of

__all__ = ["Linear"]

_FLOATS = (
    nn.Linear,
    nn.modules.linear.NonDynamicallyQuantizableLinear,
    fused.LinearReLU,
    qat_linear.Linear,
)


class Linear(QuantizedLinear):
    """A linear layer of floats whose weight is quantized, or in half precision.

    Inputs are rounded to integers by the range of each; outputs are floats.
    """

    _version = 4
    version: int | None

    def __init__(
        self, in_features: int, out_features: int, bias_: bool = True, dtype: Any = torch.qint8
    ) -> None:
        super().__init__(in_features, out_features, bias_, dtype=dtype)
        self.version = 4

    def forward(self, x: Any) -> Any:
        """The product of *x* ``[…, in_features]`` with the weight, plus the bias."""
        packed, dtype = self._packed_params._packed_params, self._packed_params.dtype
        if dtype == torch.qint8:
            if self.version is None or self.version < 4:  # files of before used all 8 bits
                found = ops.quantized.linear_dynamic(x, packed)
            else:
                found = ops.quantized.linear_dynamic(x, packed, reduce_range=True)
        elif dtype == torch.float16:
            found = ops.quantized.linear_dynamic_fp16(x, packed)
        else:
            raise RuntimeError("Unsupported dtype on dynamic quantized linear!")
        return found.to(x.dtype)

    def _get_name(self) -> str:
        return "DynamicQuantizedLinear"

    def extra_repr(self) -> str:
        """Sizes, dtype of the weight and scheme."""
        dtype = self._packed_params.dtype
        text = f"in_features={self.in_features}, out_features={self.out_features}, dtype={dtype}"
        if dtype == torch.qint8:
            text += f", qscheme={self.weight().qscheme()}"
        return text

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, *rest: Any
    ) -> None:
        self.version = local_metadata.get("version", None)
        super()._load_from_state_dict(state_dict, prefix, local_metadata, *rest)

    @classmethod
    def from_float(cls, mod: Any, use_precomputed_fake_quant: bool = False) -> Linear:
        """The layer with the weight of *mod*, quantized as its ``qconfig`` says.

        Raises AssertionError for another module, or one without ``qconfig``.
        """
        if type(mod) not in _FLOATS:
            raise AssertionError(
                "nn.quantized.dynamic.Linear.from_float only works for one of"
                f"{[kind.__name__ for kind in _FLOATS]}, got {type(mod)}"
            )
        if not hasattr(mod, "qconfig"):
            raise AssertionError("Input float module must have qconfig defined")
        if type(mod) is fused.LinearReLU:
            mod = mod[0]
        observer = weight_observer_of(mod)()
        dtype = observer.dtype
        if dtype not in (torch.qint8, torch.float16):
            raise AssertionError(
                "The only supported dtypes for dynamic quantized linear are qint8 and float16, "
                f"got: {dtype}"
            )
        observer(mod.weight)
        weight = mod.weight.float()
        if dtype == torch.qint8:
            weight = _quantize_weight(weight, observer)
        made = cls(mod.in_features, mod.out_features, dtype=dtype)
        made.set_weight_bias(weight, mod.bias)
        return made

    @classmethod
    def from_reference(cls, ref_qlinear: Any) -> Linear:  # type: ignore[override]  # torch's own
        """The layer of one that rounds floats."""
        made = cls(
            ref_qlinear.in_features, ref_qlinear.out_features, dtype=ref_qlinear.weight_dtype
        )
        made.set_weight_bias(ref_qlinear.get_quantized_weight(), ref_qlinear.bias)
        return made


offer_listed(globals())
