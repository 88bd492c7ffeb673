# Written by `python -m tests.stubs --write`; see tests/stubs.
from . import _internal as _internal
from . import _utils as _utils
from . import file_check as file_check
from mindtorch.testing._comparison import assert_allclose as assert_allclose
from mindtorch.testing._comparison import assert_close as assert_close
from mindtorch.testing._creation import make_tensor as make_tensor
from mindtorch.testing.file_check import FileCheck as FileCheck

