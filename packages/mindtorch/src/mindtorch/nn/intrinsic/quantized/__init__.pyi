# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import dynamic as dynamic
from . import modules as modules

BNReLU2d: Any
BNReLU3d: Any
ConvReLU1d: Any
ConvReLU2d: Any
ConvReLU3d: Any
LinearReLU: Any
