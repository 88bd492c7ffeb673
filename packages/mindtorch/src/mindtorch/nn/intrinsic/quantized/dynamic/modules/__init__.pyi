# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import linear_relu as linear_relu

LinearReLU: Any
