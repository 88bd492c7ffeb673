"""``torch.torch_version``: where torch has :mod:`mindtorch.compat.torch_version`."""

from mindtorch.compat.torch_version import (
    InvalidVersion,
    TorchVersion,
    __version__,
)

__all__ = [
    "InvalidVersion",
    "TorchVersion",
    "__version__",
]
