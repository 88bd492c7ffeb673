"""``torch.torch_version``: where torch has :mod:`mindtorch.compat.torch_version`."""

from mindtorch.compat.torch_version import InvalidVersion as InvalidVersion
from mindtorch.compat.torch_version import TorchVersion
from mindtorch.compat.torch_version import __version__ as __version__

__all__ = ["TorchVersion"]
