"""Convolutions."""

from __future__ import annotations

import math
from typing import Any

from ...core.module_names import spelled_out
from ...core.operators import ops
from ...tensor import Tensor as Tensor
from .. import functional as F
from .. import init
from ..common_types import _size_1_t as _size_1_t
from ..common_types import _size_2_t as _size_2_t
from ..common_types import _size_3_t as _size_3_t
from ..functional.tuples import _pair as _pair
from ..functional.tuples import _single as _single
from ..functional.tuples import _triple as _triple
from ..parameter import Parameter
from ..parameter import UninitializedParameter as UninitializedParameter
from .lazy import LazyModuleMixin as LazyModuleMixin
from .module import Module, _ntuple
from .utils import _reverse_repeat_tuple as _reverse_repeat_tuple

__all__ = ["Conv1d", "Conv2d", "Conv3d"]

_PADDING_MODES = {"zeros", "reflect", "replicate", "circular"}
_PADDING_WORDS = {"same", "valid"}


def _reversed_twice(pairs: Any) -> tuple[int, ...]:
    """Per-dimension padding in the order of ``pad``: last dimension first, both sides."""
    return tuple(n for pair in reversed(tuple(pairs)) for n in pair)


@spelled_out("forward")
class _ConvNd(Module):
    """What convolutions over any number of dimensions share."""

    __constants__ = [
        "stride",
        "padding",
        "dilation",
        "groups",
        "padding_mode",
        "output_padding",
        "in_channels",
        "out_channels",
        "kernel_size",
    ]

    #: Spatial dimensions.
    _n_: int

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        padding: Any,
        dilation: tuple[int, ...],
        transposed: bool,
        output_padding: tuple[int, ...],
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in _PADDING_WORDS:
                raise ValueError(
                    f"Invalid padding string {padding!r}, should be one of {_PADDING_WORDS}"
                )
            if padding == "same" and any(s != 1 for s in stride):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in _PADDING_MODES:
            raise ValueError(
                f"padding_mode must be one of {_PADDING_MODES}, but got "
                f"padding_mode='{padding_mode}'"
            )
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = kernel_size
        self.stride = stride
        self.padding = padding
        self.dilation = dilation
        self.transposed = transposed
        self.output_padding = output_padding
        self.groups = groups
        self.padding_mode = padding_mode
        if not isinstance(padding, str):
            around: Any = [(n, n) for n in padding]
        elif padding == "same":
            totals = [d * (k - 1) for d, k in zip(dilation, kernel_size)]
            around = [(total // 2, total - total // 2) for total in totals]
        else:
            around = [(0, 0)] * len(kernel_size)
        self._reversed_padding_repeated_twice: Any = _reversed_twice(around)
        if isinstance(padding, str):  # torch has a list here, a tuple below
            self._reversed_padding_repeated_twice = list(self._reversed_padding_repeated_twice)
        shape = (out_channels, in_channels // groups, *kernel_size)
        if transposed:
            shape = (in_channels, out_channels // groups, *kernel_size)
        self.weight = Parameter(ops.empty(shape, device=device, dtype=dtype))
        if bias:
            self.bias = Parameter(ops.empty(out_channels, device=device, dtype=dtype))
        else:
            self.register_parameter("bias", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw weight and bias anew, uniform within ``1 / sqrt(fan_in)``."""
        # A negative slope of sqrt(5) makes the bound exactly that.
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def extra_repr(self) -> str:
        parts = [
            f"{self.in_channels}, {self.out_channels}",
            f"kernel_size={self.kernel_size}",
            f"stride={self.stride}",
        ]
        if self.padding != (0,) * len(self.padding):
            parts.append(f"padding={self.padding}")
        if self.dilation != (1,) * len(self.dilation):
            parts.append(f"dilation={self.dilation}")
        if self.output_padding != (0,) * len(self.output_padding):
            parts.append(f"output_padding={self.output_padding}")
        if self.groups != 1:
            parts.append(f"groups={self.groups}")
        if self.bias is None:
            parts.append("bias=False")
        if self.padding_mode != "zeros":
            parts.append(f"padding_mode={self.padding_mode}")
        return ", ".join(parts)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        self.__dict__.setdefault("padding_mode", "zeros")

    def _conv_forward(self, input: Any, weight: Any, bias: Any) -> Any:
        convolve = getattr(F, f"conv{self._n_}d")
        padding = self.padding
        if self.padding_mode != "zeros":
            input = F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode)
            padding = (0,) * self._n_
        return convolve(input, weight, bias, self.stride, padding, self.dilation, self.groups)

    def forward(self, input: Any) -> Any:
        try:
            own = self._parameters
            weight, bias = own["weight"], own["bias"]
        except KeyError:  # somebody computes them: parametrizations, weight norm
            weight, bias = self.weight, self.bias
        return self._conv_forward(input, weight, bias)


@spelled_out()
class _Conv(_ConvNd):
    """A convolution that is not transposed."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        dilation: Any = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        n = self._n_
        super().__init__(
            in_channels,
            out_channels,
            _ntuple(kernel_size, n),
            _ntuple(stride, n),
            padding if isinstance(padding, str) else _ntuple(padding, n),
            _ntuple(dilation, n),
            False,
            (0,) * n,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )


class Conv1d(_Conv):
    """Cross-correlation of (N, C, L) or (C, L) with ``weight``.

    :param padding: elements of zeros on both sides, or ``"same"`` or ``"valid"``.
    :param padding_mode: ``zeros``, ``reflect``, ``replicate`` or ``circular``.
    """

    _n_ = 1


class Conv2d(_Conv):
    """Cross-correlation of (N, C, H, W) or (C, H, W) with ``weight``.

    :param padding: elements of zeros on both sides, or ``"same"`` or ``"valid"``.
    :param padding_mode: ``zeros``, ``reflect``, ``replicate`` or ``circular``.
    """

    _n_ = 2


class Conv3d(_Conv):
    """Cross-correlation of (N, C, D, H, W) or (C, D, H, W) with ``weight``.

    :param padding: elements of zeros on both sides, or ``"same"`` or ``"valid"``.
    :param padding_mode: ``zeros``, ``reflect``, ``replicate`` or ``circular``.
    """

    _n_ = 3
