"""Normalizations of ``torch.nn.functional``."""

from __future__ import annotations

from ..._ops import ops
from ...tensor import Tensor
from . import home

aten = ops.aten


def layer_norm(
    input: Tensor,
    normalized_shape: list[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Tensor:
    return aten.layer_norm(input, normalized_shape, weight, bias, eps, True)


def rms_norm(
    input: Tensor,
    normalized_shape: list[int],
    weight: Tensor | None = None,
    eps: float | None = None,
) -> Tensor:
    return aten.rms_norm(input, normalized_shape, weight, eps)


home("torch.nn.functional", globals())
