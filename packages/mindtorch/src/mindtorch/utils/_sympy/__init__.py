"""``torch.utils._sympy``: names of symbols, where sympy is installed: no size is one here."""

from ...core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("symbol",))
