"""Passes that change a module, and what runs them."""

from ....core.submodules import reached as _reached

__getattr__ = _reached(__name__, ("pass_base", "pass_manager"))
