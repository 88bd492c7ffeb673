# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.fx.node import Argument as _Any_
from mindtorch.tensor.legacy import tensor_type as tensor_type

Any = _Any_
TENSOR_TYPES: Any
annotations: Any
