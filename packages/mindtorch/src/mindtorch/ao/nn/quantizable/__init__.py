"""``torch.ao.nn.quantizable``: modules of quantized numbers, refused when made."""

from __future__ import annotations

from ...._unavailable import QUANTIZED, offer

offer(
    globals(),
    QUANTIZED,
    classes="LSTM LSTMCell MultiheadAttention",
)
