"""How weights of recurrent layers are packed for products."""

from __future__ import annotations

from typing import Any

from ......_ops import ops
from ......aten import torch

__all__ = ["check_dtype", "pack_weight_bias"]


def pack_weight_bias(qweight: Any, bias: Any, dtype: Any) -> Any:
    """*qweight* and *bias* packed: quantized for ``qint8``, else in half precision."""
    if dtype == torch.qint8:
        return ops.quantized.linear_prepack(qweight, bias)
    return ops.quantized.linear_prepack_fp16(qweight, bias)


def check_dtype(observer: Any) -> Any:
    """The dtype of weights that *observer* makes. Raises RuntimeError where layers have not it."""
    dtype = observer().dtype
    if dtype not in (torch.qint8, torch.float16):
        raise RuntimeError(f"Unsupported dtype for dynamic RNN quantization: {dtype}")
    return dtype
