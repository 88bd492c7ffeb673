# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import dynamic as dynamic
from . import functional as functional
from . import modules as modules
from . import reference as reference
from mindtorch.ao.nn.quantized.modules.activation import ELU as ELU
from mindtorch.ao.nn.quantized.modules.activation import Hardswish as Hardswish
from mindtorch.ao.nn.quantized.modules.activation import LeakyReLU as LeakyReLU
from mindtorch.ao.nn.quantized.modules.activation import PReLU as PReLU
from mindtorch.ao.nn.quantized.modules.activation import ReLU6 as ReLU6
from mindtorch.ao.nn.quantized.modules.activation import Sigmoid as Sigmoid
from mindtorch.ao.nn.quantized.modules.activation import Softmax as Softmax
from mindtorch.ao.nn.quantized.modules.batchnorm import BatchNorm2d as BatchNorm2d
from mindtorch.ao.nn.quantized.modules.batchnorm import BatchNorm3d as BatchNorm3d
from mindtorch.ao.nn.quantized.modules.boundaries import DeQuantize as DeQuantize
from mindtorch.ao.nn.quantized.modules.boundaries import Quantize as Quantize
from mindtorch.ao.nn.quantized.modules.conv import Conv1d as Conv1d
from mindtorch.ao.nn.quantized.modules.conv import Conv2d as Conv2d
from mindtorch.ao.nn.quantized.modules.conv import Conv3d as Conv3d
from mindtorch.ao.nn.quantized.modules.conv import ConvTranspose1d as ConvTranspose1d
from mindtorch.ao.nn.quantized.modules.conv import ConvTranspose2d as ConvTranspose2d
from mindtorch.ao.nn.quantized.modules.conv import ConvTranspose3d as ConvTranspose3d
from mindtorch.ao.nn.quantized.modules.dropout import Dropout as Dropout
from mindtorch.ao.nn.quantized.modules.embedding_ops import Embedding as Embedding
from mindtorch.ao.nn.quantized.modules.embedding_ops import EmbeddingBag as EmbeddingBag
from mindtorch.ao.nn.quantized.modules.functional_modules import FXFloatFunctional as FXFloatFunctional
from mindtorch.ao.nn.quantized.modules.functional_modules import FloatFunctional as FloatFunctional
from mindtorch.ao.nn.quantized.modules.functional_modules import QFunctional as QFunctional
from mindtorch.ao.nn.quantized.modules.linear import Linear as Linear
from mindtorch.ao.nn.quantized.modules.normalization import GroupNorm as GroupNorm
from mindtorch.ao.nn.quantized.modules.normalization import InstanceNorm1d as InstanceNorm1d
from mindtorch.ao.nn.quantized.modules.normalization import InstanceNorm2d as InstanceNorm2d
from mindtorch.ao.nn.quantized.modules.normalization import InstanceNorm3d as InstanceNorm3d
from mindtorch.ao.nn.quantized.modules.normalization import LayerNorm as LayerNorm
from mindtorch.nn.modules.pooling import MaxPool2d as MaxPool2d

LSTM: Any
MultiheadAttention: Any
