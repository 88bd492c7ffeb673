# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import nn as nn
from . import ns as ns
from . import pruning as pruning
from . import quantization as quantization

