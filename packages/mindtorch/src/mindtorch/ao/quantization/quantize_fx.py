"""``torch.ao.quantization.quantize_fx``: quantization of graphs, refused when called."""

from __future__ import annotations

from ..._unavailable import QUANTIZED, offer

offer(
    globals(),
    QUANTIZED,
    "convert_fx convert_to_reference_fx fuse_fx prepare_fx prepare_qat_fx",
)
