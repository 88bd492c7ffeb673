# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import intrinsic as intrinsic
from . import qat as qat
from . import quantizable as quantizable
from . import quantized as quantized
from . import sparse as sparse

