# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import activation as activation
from . import rnn as rnn

LSTM: Any
LSTMCell: Any
MultiheadAttention: Any
