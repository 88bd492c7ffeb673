"""Quantized tensors: how they are made, and the kernels of their ops.

The package is loaded when somebody asks for an op that makes or asks quantized tensors; ``linear``
and ``recurrent``, the ops of the namespace ``quantized``, when one of these is asked for.
"""

from __future__ import annotations

from . import activation, copies, kernels, making, pooling, reduction, views

__all__ = ["activation", "copies", "kernels", "making", "pooling", "reduction", "views"]
