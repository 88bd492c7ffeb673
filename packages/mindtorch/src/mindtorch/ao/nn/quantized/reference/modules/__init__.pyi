# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import conv as conv
from . import linear as linear
from . import rnn as rnn
from . import sparse as sparse
from . import utils as utils
from mindtorch.ao.nn.quantized.reference.modules.conv import Conv1d as Conv1d
from mindtorch.ao.nn.quantized.reference.modules.conv import Conv2d as Conv2d
from mindtorch.ao.nn.quantized.reference.modules.conv import Conv3d as Conv3d
from mindtorch.ao.nn.quantized.reference.modules.conv import ConvTranspose1d as ConvTranspose1d
from mindtorch.ao.nn.quantized.reference.modules.conv import ConvTranspose2d as ConvTranspose2d
from mindtorch.ao.nn.quantized.reference.modules.conv import ConvTranspose3d as ConvTranspose3d
from mindtorch.ao.nn.quantized.reference.modules.linear import Linear as Linear
from mindtorch.ao.nn.quantized.reference.modules.rnn import GRU as GRU
from mindtorch.ao.nn.quantized.reference.modules.rnn import GRUCell as GRUCell
from mindtorch.ao.nn.quantized.reference.modules.rnn import LSTM as LSTM
from mindtorch.ao.nn.quantized.reference.modules.rnn import LSTMCell as LSTMCell
from mindtorch.ao.nn.quantized.reference.modules.rnn import RNNCell as RNNCell
from mindtorch.ao.nn.quantized.reference.modules.sparse import Embedding as Embedding
from mindtorch.ao.nn.quantized.reference.modules.sparse import EmbeddingBag as EmbeddingBag

