"""``torch._vendor.packaging``: versions."""

from ...core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("version",))
