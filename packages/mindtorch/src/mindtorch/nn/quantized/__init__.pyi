# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import dynamic as dynamic
from . import functional as functional
from . import modules as modules
from mindtorch.ao.nn.quantized.modules.functional_modules import FXFloatFunctional as FXFloatFunctional
from mindtorch.ao.nn.quantized.modules.functional_modules import FloatFunctional as FloatFunctional

BatchNorm2d: Any
BatchNorm3d: Any
Conv1d: Any
Conv2d: Any
Conv3d: Any
ConvTranspose1d: Any
ConvTranspose2d: Any
ConvTranspose3d: Any
DeQuantize: Any
Dropout: Any
ELU: Any
Embedding: Any
EmbeddingBag: Any
GroupNorm: Any
Hardswish: Any
InstanceNorm1d: Any
InstanceNorm2d: Any
InstanceNorm3d: Any
LSTM: Any
LayerNorm: Any
LeakyReLU: Any
Linear: Any
MultiheadAttention: Any
PReLU: Any
QFunctional: Any
Quantize: Any
ReLU6: Any
Sigmoid: Any
Softmax: Any
