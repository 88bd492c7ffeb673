# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.onnx import _refusing as _refusing

