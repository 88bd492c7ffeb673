"""``torch.ao.nn.quantized.dynamic``: modules of quantized numbers, refused when made."""

from __future__ import annotations

from ...._unavailable import QUANTIZED, offer

offer(
    globals(),
    QUANTIZED,
    classes="Conv1d Conv2d Conv3d ConvTranspose1d ConvTranspose2d ConvTranspose3d GRU GRUCell LSTM "
    "LSTMCell Linear RNNCell",
)
