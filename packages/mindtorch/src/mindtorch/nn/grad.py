"""``torch.nn.grad``: the gradients of convolutions as functions."""

from __future__ import annotations

from typing import Any

from .._ops import ops
from .modules.utils import _pair, _single, _triple

__all__ = [
    "conv1d_input",
    "conv1d_weight",
    "conv2d_input",
    "conv2d_weight",
    "conv3d_input",
    "conv3d_weight",
]

_SEVERAL = {1: _single, 2: _pair, 3: _triple}


def _backward(
    n: int, grad_output: Any, input: Any, weight: Any, stride: Any, padding: Any, dilation: Any,
    groups: int, which: int,
) -> Any:  # fmt: skip
    several = _SEVERAL[n]
    mask = (which == 0, which == 1, False)
    return ops.aten.convolution_backward(
        grad_output, input, weight, None, several(stride), several(padding), several(dilation),
        False, [0], groups, mask,
    )[which]  # fmt: skip


def _of_input(n: int) -> Any:
    def conv_input(
        input_size: Any,
        weight: Any,
        grad_output: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Any:
        """The gradient of a convolution with regard to its input, of shape *input_size*."""
        input = grad_output.new_empty(1).expand(input_size)
        return _backward(n, grad_output, input, weight, stride, padding, dilation, groups, 0)

    conv_input.__name__ = conv_input.__qualname__ = f"conv{n}d_input"
    return conv_input


def _of_weight(n: int) -> Any:
    def conv_weight(
        input: Any,
        weight_size: Any,
        grad_output: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
    ) -> Any:
        """The gradient of a convolution with regard to its weight, of shape *weight_size*."""
        weight = grad_output.new_empty(1).expand(weight_size)
        return _backward(n, grad_output, input, weight, stride, padding, dilation, groups, 1)

    conv_weight.__name__ = conv_weight.__qualname__ = f"conv{n}d_weight"
    return conv_weight


conv1d_input, conv2d_input, conv3d_input = _of_input(1), _of_input(2), _of_input(3)
conv1d_weight, conv2d_weight, conv3d_weight = _of_weight(1), _of_weight(2), _of_weight(3)
