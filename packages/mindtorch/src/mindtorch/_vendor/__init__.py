"""``torch._vendor``: what torch ships of other projects."""

from ..core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("packaging",))
