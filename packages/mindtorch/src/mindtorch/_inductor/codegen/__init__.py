"""``torch._inductor.codegen``: writers of kernels, which there are none of."""

from ...core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("common", "wrapper"))
