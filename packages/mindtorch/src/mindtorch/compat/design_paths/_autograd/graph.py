"""What nodes save."""

from mindtorch.autograd.graph import saved_tensors_hooks

__all__ = ["saved_tensors_hooks"]
