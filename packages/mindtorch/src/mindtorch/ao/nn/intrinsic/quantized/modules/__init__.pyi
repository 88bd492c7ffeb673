# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import bn_relu as bn_relu
from . import conv_add as conv_add
from . import conv_relu as conv_relu
from . import linear_relu as linear_relu

BNReLU2d: Any
BNReLU3d: Any
ConvAdd2d: Any
ConvAddReLU2d: Any
ConvReLU1d: Any
ConvReLU2d: Any
ConvReLU3d: Any
LinearLeakyReLU: Any
LinearReLU: Any
LinearTanh: Any
