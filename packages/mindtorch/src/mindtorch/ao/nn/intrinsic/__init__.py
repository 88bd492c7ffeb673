"""``torch.ao.nn.intrinsic``: modules of quantized numbers, refused when made."""

from __future__ import annotations

from ...._unavailable import QUANTIZED, offer

offer(
    globals(),
    QUANTIZED,
    classes="BNReLU2d BNReLU3d ConvAdd2d ConvAddReLU2d ConvBn1d ConvBn2d ConvBn3d ConvBnReLU1d "
    "ConvBnReLU2d ConvBnReLU3d ConvReLU1d ConvReLU2d ConvReLU3d LinearBn1d LinearLeakyReLU "
    "LinearReLU LinearTanh",
)
