"""What reference modules, functions and operators become in the kernels of quantized numbers."""

from __future__ import annotations

import operator
from typing import Any

from .... import nn
from ...._ops import ops
from ....aten import torch
from ...nn import intrinsic as nni
from ...nn import quantized as nnq
from ...nn.intrinsic import quantized as nniq
from ...nn.intrinsic.quantized import dynamic as nniqd
from ...nn.quantized import dynamic as nnqd
from ...nn.quantized import reference as nnqr
from ..backend_config import operators

F = nn.functional
_CONVOLUTIONS = ("Conv1d", "Conv2d", "Conv3d")
_TRANSPOSED = ("ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d")
#: Modules with weights, between quantized tensors.
STATIC = {getattr(nnqr, n): getattr(nnq, n) for n in ("Linear", *_CONVOLUTIONS, *_TRANSPOSED)}
#: Modules in one with others: the reference module in them, and what they become.
STATIC_FUSED: dict[Any, tuple[Any, Any]] = {
    nni.LinearReLU: (nnqr.Linear, nniq.LinearReLU),
    nni.LinearLeakyReLU: (nnqr.Linear, nniq.LinearLeakyReLU),
    nni.LinearTanh: (nnqr.Linear, nniq.LinearTanh),
    nni.ConvReLU1d: (nnqr.Conv1d, nniq.ConvReLU1d),
    nni.ConvReLU2d: (nnqr.Conv2d, nniq.ConvReLU2d),
    nni.ConvReLU3d: (nnqr.Conv3d, nniq.ConvReLU3d),
}
#: Convolutions that are added to something: there are no kernels of them here.
SUMS = (nni.ConvAdd2d, nni.ConvAddReLU2d)
#: Modules whose inputs are rounded as they come.
DYNAMIC = {
    getattr(nnqr, n): getattr(nnqd, n)
    for n in ("Linear", "GRUCell", "LSTMCell", "RNNCell", "LSTM", "GRU")
}
DYNAMIC_FUSED = {nni.LinearReLU: (nnqr.Linear, nniqd.LinearReLU)}
#: Modules of which the weights alone are quantized.
WEIGHT_ONLY = {nnqr.Embedding: nnq.Embedding, nnqr.EmbeddingBag: nnq.EmbeddingBag}
#: Modules without a reference module.
PLAIN: dict[Any, Any] = {
    nn.BatchNorm2d: nnq.BatchNorm2d,
    nn.BatchNorm3d: nnq.BatchNorm3d,
    nni.BNReLU2d: nniq.BNReLU2d,
    nni.BNReLU3d: nniq.BNReLU3d,
    nn.LeakyReLU: nnq.LeakyReLU,
    nn.Hardswish: nnq.Hardswish,
    nn.ELU: nnq.ELU,
    nn.Dropout: nnq.Dropout,
    nn.PReLU: nnq.PReLU,
    nn.Softmax: nnq.Softmax,
    nn.InstanceNorm1d: nnq.InstanceNorm1d,
    nn.InstanceNorm2d: nnq.InstanceNorm2d,
    nn.InstanceNorm3d: nnq.InstanceNorm3d,
    nn.LayerNorm: nnq.LayerNorm,
}
_Q = ops.quantized
#: Functions with weights: alone, and with ReLU.
STATIC_FUNCTIONS: dict[Any, tuple[Any, Any]] = {
    F.linear: (_Q.linear, _Q.linear_relu),
    F.conv1d: (_Q.conv1d, _Q.conv1d_relu),
    F.conv2d: (_Q.conv2d, _Q.conv2d_relu),
    F.conv3d: (_Q.conv3d, _Q.conv3d_relu),
    F.conv_transpose1d: (_Q.conv_transpose1d, None),
    F.conv_transpose2d: (_Q.conv_transpose2d, None),
    F.conv_transpose3d: (_Q.conv_transpose3d, None),
}
PREPACK: dict[Any, Any] = {
    F.conv1d: _Q.conv1d_prepack,
    F.conv2d: _Q.conv2d_prepack,
    F.conv3d: _Q.conv3d_prepack,
    F.conv_transpose1d: _Q.conv_transpose1d_prepack,
    F.conv_transpose2d: _Q.conv_transpose2d_prepack,
    F.conv_transpose3d: _Q.conv_transpose3d_prepack,
}
LINEAR_PREPACK = {torch.qint8: _Q.linear_prepack, torch.float16: _Q.linear_prepack_fp16}
PREPACKING = (*PREPACK.values(), *LINEAR_PREPACK.values())
#: Functions whose inputs are rounded as they come, by the dtypes of these and the weight.
DYNAMIC_FUNCTIONS: dict[Any, dict[Any, tuple[Any, Any]]] = {
    F.linear: {
        (torch.quint8, torch.qint8): (_Q.linear_dynamic, _Q.linear_relu_dynamic),
        (torch.float16, torch.float16): (_Q.linear_dynamic_fp16, _Q.linear_relu_dynamic_fp16),
    },
}
#: Operators of two tensors: alone, and with ReLU.
BINARY: dict[Any, tuple[Any, Any]] = {
    operator.add: (_Q.add, _Q.add_relu),
    torch.add: (_Q.add, _Q.add_relu),
    operator.mul: (_Q.mul, _Q.mul_relu),
    torch.mul: (_Q.mul, _Q.mul_relu),
    torch.matmul: (_Q.matmul, _Q.matmul),
    operator.matmul: (_Q.matmul, _Q.matmul),
}
#: Functions that are told their scale, and arguments that their kernels have not.
WITH_SCALE: dict[Any, tuple[Any, tuple[str, ...]]] = {
    F.elu: (_Q.elu, ("inplace",)),
    F.hardswish: (_Q.hardswish, ("inplace",)),
    F.instance_norm: (
        _Q.instance_norm,
        ("running_mean", "running_var", "use_input_stats", "momentum"),
    ),
    F.layer_norm: (_Q.layer_norm, ()),
    F.leaky_relu: (_Q.leaky_relu, ()),
    F.dropout: (_Q.dropout, ("inplace",)),
}
#: What else runs on quantized tensors as it is.
_AS_IT_IS = (*operators.SAME_SCALE, *operators.FIXED_RANGES)
_METHODS = tuple(one for one in _AS_IT_IS if isinstance(one, str))
_MODULES = tuple(one for one in _AS_IT_IS if isinstance(one, type))
_FUNCTIONS = tuple(one for one in _AS_IT_IS if not isinstance(one, str | type))
RUNNING = {
    "call_module": (*_MODULES, *PLAIN),
    "call_function": (*_FUNCTIONS, torch.cat, *WITH_SCALE),
    "call_method": _METHODS,
}
