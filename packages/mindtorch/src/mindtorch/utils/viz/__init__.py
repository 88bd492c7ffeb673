"""``torch.utils.viz``: pictures of memory."""

from ...core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("_cycles",))
