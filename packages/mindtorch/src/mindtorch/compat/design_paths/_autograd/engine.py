"""Going through the graph."""

from mindtorch.autograd import backward, grad

__all__ = ["backward", "grad"]
