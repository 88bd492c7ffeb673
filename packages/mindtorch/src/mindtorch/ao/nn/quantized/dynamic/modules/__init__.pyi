# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import conv as conv
from . import linear as linear
from . import rnn as rnn

Conv1d: Any
Conv2d: Any
Conv3d: Any
ConvTranspose1d: Any
ConvTranspose2d: Any
ConvTranspose3d: Any
GRU: Any
GRUCell: Any
LSTM: Any
LSTMCell: Any
Linear: Any
RNNCell: Any
