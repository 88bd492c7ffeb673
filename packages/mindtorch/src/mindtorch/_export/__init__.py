"""``torch._export``: what classes of tensors use of export, which there is none of."""

from ..core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("wrappers",))
