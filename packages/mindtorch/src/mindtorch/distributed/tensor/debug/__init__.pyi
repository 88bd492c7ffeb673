# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any

CommDebugMode: Any
def visualize_sharding(dtensor: Any, header: Any = "", use_rich: Any = False) -> Any: ...
