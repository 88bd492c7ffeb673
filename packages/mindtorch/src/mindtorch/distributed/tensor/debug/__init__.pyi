# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from mindtorch.distributed.tensor.debug._comm_mode import CommDebugMode as CommDebugMode

def visualize_sharding(dtensor: Any, header: Any = "", use_rich: Any = False) -> Any: ...
