# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import conv as conv
from . import linear as linear
from . import rnn as rnn
from . import sparse as sparse
from . import utils as utils

Conv1d: Any
Conv2d: Any
Conv3d: Any
ConvTranspose1d: Any
ConvTranspose2d: Any
ConvTranspose3d: Any
Embedding: Any
EmbeddingBag: Any
GRU: Any
GRUCell: Any
LSTM: Any
LSTMCell: Any
Linear: Any
RNNCell: Any
