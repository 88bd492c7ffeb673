"""``torch.ao.quantization.stubs``: marks of where numbers become quantized, which pass them on."""

from __future__ import annotations

from typing import Any

from ... import nn
from ...aten import torch

__all__ = ["DeQuantStub", "QuantStub", "QuantWrapper"]


class QuantStub(nn.Module):
    """Where tensors become quantized: they pass as they are until a model is converted."""

    def __init__(self, qconfig: Any = None) -> None:
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """*x*."""
        return x


class DeQuantStub(nn.Module):
    """Where tensors become floats again: they pass as they are until a model is converted."""

    def __init__(self, qconfig: Any = None) -> None:
        super().__init__()
        if qconfig:
            self.qconfig = qconfig

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """*x*."""
        return x


class QuantWrapper(nn.Module):
    """A module between a :class:`QuantStub` and a :class:`DeQuantStub`."""

    quant: QuantStub
    dequant: DeQuantStub
    module: nn.Module

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        qconfig = getattr(module, "qconfig", None)
        self.quant, self.dequant = QuantStub(qconfig), DeQuantStub(qconfig)
        self.module = module
        self.train(module.training)

    def forward(self, X: torch.Tensor) -> torch.Tensor:
        """What the module computes."""
        return self.dequant(self.module(self.quant(X)))
