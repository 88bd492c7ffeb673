"""``torch._custom_op``: an older way to make ops; ``torch.library.custom_op`` took its place."""

from mindtorch.core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("autograd", "impl"))
