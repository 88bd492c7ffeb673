# Written by `python -m tests.stubs --write`; see tests/stubs.
from typing import Any
from . import binary as binary
from . import core as core
from . import creation as creation
from . import passthrough as passthrough
from . import reductions as reductions
from . import unary as unary

MaskedTensor: Any
def is_masked_tensor(obj: Any, /) -> Any: ...
