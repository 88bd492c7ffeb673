"""``torch.utils._sympy``: sizes that are symbols, as sympy computes with them.

Nothing here is imported before a program makes a symbol, nor is sympy.
"""

from ...core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("functions", "numbers", "solve", "symbol", "value_ranges"))
