"""Dtypes that operators of several backends can be given together."""

from __future__ import annotations

from ....aten import torch
from .backend_config import DTypeConfig, DTypeWithConstraints

_SMALLEST = 2**-12

#: Quantized activations, and weights that are quantized as well.
WEIGHTED = DTypeConfig(torch.quint8, torch.quint8, torch.qint8, torch.float)
#: Quantized activations.
PLAIN = DTypeConfig(torch.quint8, torch.quint8)
#: Half precision.
HALF = DTypeConfig(torch.float16, torch.float16, torch.float16, torch.float16)
#: Quantized weights, for activations that are rounded as they come.
DYNAMIC = DTypeConfig(torch.quint8, torch.float, torch.qint8, torch.float, is_dynamic=True)
#: Weights of half precision.
DYNAMIC_HALF = DTypeConfig(torch.float16, torch.float, torch.float16, torch.float, is_dynamic=True)
#: Quantized activations, with weights that are floats.
FLOAT_WEIGHT = DTypeConfig(torch.quint8, torch.quint8, torch.float, torch.float)
#: Quantized weights alone.
WEIGHT_ONLY = DTypeConfig(torch.float, torch.float, torch.quint8)
#: Quantized weights alone, of four bits.
WEIGHT_ONLY_4BIT = DTypeConfig(torch.float, torch.float, torch.quint4x2)

#: Signed activations whose scales are not too small.
SIGNED_ACTIVATION = DTypeWithConstraints(torch.qint8, scale_min_lower_bound=_SMALLEST)
#: Weights within -127 and 127.
SIGNED_WEIGHT = DTypeWithConstraints(torch.qint8, -127, 127, scale_min_lower_bound=_SMALLEST)
#: Signed activations with weights.
SIGNED_WEIGHTED = DTypeConfig(SIGNED_ACTIVATION, SIGNED_ACTIVATION, SIGNED_WEIGHT, torch.float)
#: Signed activations.
SIGNED_PLAIN = DTypeConfig(SIGNED_ACTIVATION, SIGNED_ACTIVATION)
