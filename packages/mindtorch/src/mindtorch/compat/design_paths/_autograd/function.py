"""Functions with a gradient of their own."""

from mindtorch.autograd.function import Function

__all__ = ["Function"]
