"""``torch.ao.nn.intrinsic.modules.fused``: layers that are computed as one, by their types.

As floats they are the layers in sequence.
"""

from __future__ import annotations

from typing import Any

from mindtorch.nn.utils.parametrize import type_before_parametrizations

from ..... import nn

__all__ = [
    "BNReLU2d",
    "BNReLU3d",
    "ConvAdd2d",
    "ConvAddReLU2d",
    "ConvBn1d",
    "ConvBn2d",
    "ConvBn3d",
    "ConvBnReLU1d",
    "ConvBnReLU2d",
    "ConvBnReLU3d",
    "ConvReLU1d",
    "ConvReLU2d",
    "ConvReLU3d",
    "LinearBn1d",
    "LinearLeakyReLU",
    "LinearReLU",
    "LinearTanh",
]


class _FusedModule(nn.Sequential):
    """Layers that are computed as one."""


def _check(parts: tuple[Any, ...], kinds: tuple[type, ...]) -> None:
    """Raise AssertionError for layers of other types than *kinds*."""
    found = tuple(type_before_parametrizations(part) for part in parts)
    *first, last = (kind.__name__ for kind in found)
    names = ", ".join(first) + ("," if len(first) > 1 else "")
    assert found == kinds, f"Incorrect types for input modules: {names} and {last}"


class ConvReLU1d(_FusedModule):
    """A convolution and ReLU."""

    def __init__(self, conv: Any, relu: Any) -> None:
        _check((conv, relu), (nn.Conv1d, nn.ReLU))
        super().__init__(conv, relu)


class ConvReLU2d(_FusedModule):
    """A convolution and ReLU."""

    def __init__(self, conv: Any, relu: Any) -> None:
        _check((conv, relu), (nn.Conv2d, nn.ReLU))
        super().__init__(conv, relu)


class ConvReLU3d(_FusedModule):
    """A convolution and ReLU."""

    def __init__(self, conv: Any, relu: Any) -> None:
        _check((conv, relu), (nn.Conv3d, nn.ReLU))
        super().__init__(conv, relu)


class LinearReLU(_FusedModule):
    """A linear layer and ReLU."""

    def __init__(self, linear: Any, relu: Any) -> None:
        _check((linear, relu), (nn.Linear, nn.ReLU))
        super().__init__(linear, relu)


class ConvBn1d(_FusedModule):
    """A convolution and the normalization of a batch."""

    def __init__(self, conv: Any, bn: Any) -> None:
        _check((conv, bn), (nn.Conv1d, nn.BatchNorm1d))
        super().__init__(conv, bn)


class ConvBn2d(_FusedModule):
    """A convolution and the normalization of a batch."""

    def __init__(self, conv: Any, bn: Any) -> None:
        _check((conv, bn), (nn.Conv2d, nn.BatchNorm2d))
        super().__init__(conv, bn)


class ConvBn3d(_FusedModule):
    """A convolution and the normalization of a batch."""

    def __init__(self, conv: Any, bn: Any) -> None:
        _check((conv, bn), (nn.Conv3d, nn.BatchNorm3d))
        super().__init__(conv, bn)


class ConvBnReLU1d(_FusedModule):
    """A convolution, the normalization of a batch and ReLU."""

    def __init__(self, conv: Any, bn: Any, relu: Any) -> None:
        _check((conv, bn, relu), (nn.Conv1d, nn.BatchNorm1d, nn.ReLU))
        super().__init__(conv, bn, relu)


class ConvBnReLU2d(_FusedModule):
    """A convolution, the normalization of a batch and ReLU."""

    def __init__(self, conv: Any, bn: Any, relu: Any) -> None:
        _check((conv, bn, relu), (nn.Conv2d, nn.BatchNorm2d, nn.ReLU))
        super().__init__(conv, bn, relu)


class ConvBnReLU3d(_FusedModule):
    """A convolution, the normalization of a batch and ReLU."""

    def __init__(self, conv: Any, bn: Any, relu: Any) -> None:
        _check((conv, bn, relu), (nn.Conv3d, nn.BatchNorm3d, nn.ReLU))
        super().__init__(conv, bn, relu)


class BNReLU2d(_FusedModule):
    """The normalization of a batch and ReLU."""

    def __init__(self, batch_norm: Any, relu: Any) -> None:
        _check((batch_norm, relu), (nn.BatchNorm2d, nn.ReLU))
        super().__init__(batch_norm, relu)


class BNReLU3d(_FusedModule):
    """The normalization of a batch and ReLU."""

    def __init__(self, batch_norm: Any, relu: Any) -> None:
        _check((batch_norm, relu), (nn.BatchNorm3d, nn.ReLU))
        super().__init__(batch_norm, relu)


class LinearBn1d(_FusedModule):
    """A linear layer and the normalization of a batch."""

    def __init__(self, linear: Any, bn: Any) -> None:
        _check((linear, bn), (nn.Linear, nn.BatchNorm1d))
        super().__init__(linear, bn)


class LinearLeakyReLU(_FusedModule):
    """A linear layer and leaky ReLU."""

    def __init__(self, linear: Any, leaky_relu: Any) -> None:
        _check((linear, leaky_relu), (nn.Linear, nn.LeakyReLU))
        super().__init__(linear, leaky_relu)


class LinearTanh(_FusedModule):
    """A linear layer and the hyperbolic tangent."""

    def __init__(self, linear: Any, tanh: Any) -> None:
        _check((linear, tanh), (nn.Linear, nn.Tanh))
        super().__init__(linear, tanh)


class ConvAdd2d(_FusedModule):
    """A convolution, to which another tensor is added.

    :param add: a function of two tensors.
    """

    def __init__(self, conv: Any, add: Any) -> None:
        super().__init__(conv)
        self.add = add

    def forward(self, x1: Any, x2: Any) -> Any:
        """The convolution of *x1*, with *x2* added."""
        return self.add(self[0](x1), x2)


class ConvAddReLU2d(_FusedModule):
    """A convolution, to which another tensor is added, and ReLU."""

    def __init__(self, conv: Any, add: Any, relu: Any) -> None:
        super().__init__(conv)
        self.add = add
        self.relu = relu

    def forward(self, x1: Any, x2: Any) -> Any:
        """What is positive of the convolution of *x1*, with *x2* added."""
        return self.relu(self.add(self[0](x1), x2))
