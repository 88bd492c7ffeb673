"""``torch.quantized_lstm`` and ``torch.quantized_gru``: operators that ``torch`` has by name."""

from __future__ import annotations

from .._ops import ops

__all__ = ["quantized_gru", "quantized_lstm"]

quantized_lstm = ops.aten.quantized_lstm
quantized_gru = ops.aten.quantized_gru
