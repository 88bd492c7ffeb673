# Written by `python -m tests.stubs --write`; see tests/stubs.
from mindtorch.compat.torch_version import InvalidVersion as InvalidVersion
from mindtorch.compat.torch_version import TorchVersion as TorchVersion
from mindtorch.compat.torch_version import __version__ as __version__

