# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import conv as conv
from . import linear as linear
from . import rnn as rnn
from mindtorch.ao.nn.quantized.dynamic.modules.cells import GRUCell as GRUCell
from mindtorch.ao.nn.quantized.dynamic.modules.cells import LSTMCell as LSTMCell
from mindtorch.ao.nn.quantized.dynamic.modules.cells import RNNCell as RNNCell
from mindtorch.ao.nn.quantized.dynamic.modules.linear import Linear as Linear
from mindtorch.ao.nn.quantized.dynamic.modules.rnn import GRU as GRU
from mindtorch.ao.nn.quantized.dynamic.modules.rnn import LSTM as LSTM

Conv1d: Any
Conv2d: Any
Conv3d: Any
ConvTranspose1d: Any
ConvTranspose2d: Any
ConvTranspose3d: Any
