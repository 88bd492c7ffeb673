"""Gradients; they live in :mod:`mindtorch.autograd`."""

from mindtorch.autograd.function import Function

from . import engine, function, grad_mode, graph

__all__ = ["Function", "engine", "function", "grad_mode", "graph"]
