"""``torch.ao.nn.quantized.reference.modules.utils``: layers that compute with rounded weights."""

from __future__ import annotations

from typing import Any

from ...... import nn
from ......core.unavailable import QUANTIZED
from .rounding import PLAIN, quantized, rounded, take

__all__ = ["ReferenceQuantizedModule"]

_FACTS = ("weight_qscheme", "weight_dtype")
_TENSORS = ("weight_scale", "weight_zero_point")


class ReferenceQuantizedModule(nn.Module):
    """A layer whose weight is quantized and floats again before it is used."""

    def _init_weight_qparams(self, weight_qparams: dict[str, Any] | None, device: Any) -> None:
        given = PLAIN if weight_qparams is None else weight_qparams
        self.is_decomposed = given.get("is_decomposed", False)
        if self.is_decomposed:
            raise NotImplementedError(f"a reference module with decomposed operators {QUANTIZED}")
        take(self, "weight", given, device)
        self.weight_quant_min = given.get("quant_min")
        self.weight_quant_max = given.get("quant_max")

    def get_weight(self) -> Any:
        """The weight as the layer uses it: floats that were rounded."""
        return rounded(self, "weight")

    def get_quantized_weight(self) -> Any:
        """The weight as the quantized layer has it."""
        return quantized(self, "weight")

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        super()._save_to_state_dict(destination, prefix, keep_vars)
        for name in _FACTS:
            destination[prefix + name] = getattr(self, name)

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
        for name in _FACTS:
            if prefix + name in state_dict:
                setattr(self, name, state_dict.pop(prefix + name))
        for name in _TENSORS:
            if prefix + name in state_dict:  # there may be more of them than before
                setattr(self, name, state_dict[prefix + name].detach().clone())
        if prefix + "weight_axis" in state_dict:
            self.weight_axis_int = int(state_dict[prefix + "weight_axis"])
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, False, missing_keys, unexpected_keys, error_msgs
        )
