"""``torch.ao.quantization.quantize``: names of ``torch.ao.quantization``."""

from __future__ import annotations

from . import (
    add_quant_dequant,
    convert,
    prepare,
    prepare_qat,
    propagate_qconfig_,
    quantize,
    quantize_dynamic,
    quantize_qat,
    swap_module,
)

__all__ = [
    "add_quant_dequant",
    "convert",
    "prepare",
    "prepare_qat",
    "propagate_qconfig_",
    "quantize",
    "quantize_dynamic",
    "quantize_qat",
    "swap_module",
]
