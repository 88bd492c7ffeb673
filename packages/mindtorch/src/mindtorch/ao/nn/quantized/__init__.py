"""``torch.ao.nn.quantized``: modules of quantized numbers, refused when made."""

from __future__ import annotations

from ...._unavailable import QUANTIZED, offer

#: Filled below.
__all__: list[str] = []

offer(
    globals(),
    QUANTIZED,
    classes="BatchNorm2d BatchNorm3d Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d "
    "ConvTranspose3d DeQuantize Dropout ELU Embedding EmbeddingBag FXFloatFunctional "
    "FloatFunctional GroupNorm Hardswish InstanceNorm1d InstanceNorm2d InstanceNorm3d LSTM "
    "LayerNorm LeakyReLU Linear MultiheadAttention PReLU QFunctional Quantize ReLU6 Sigmoid "
    "Softmax",
)


def __dir__() -> list[str]:
    return sorted(__all__)
