# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import constants as constants

PT2ArchiveReader: Any
PT2ArchiveWriter: Any
def is_pt2_package(serialized_model: Any) -> Any: ...
