"""Pooling layers."""

from __future__ import annotations

from typing import Any

from ...core.module_names import spelled_out
from ...tensor import Tensor as Tensor
from .. import functional as F
from ..common_types import _ratio_2_t as _ratio_2_t
from ..common_types import _ratio_3_t as _ratio_3_t
from ..common_types import _size_1_t as _size_1_t
from ..common_types import _size_2_opt_t as _size_2_opt_t
from ..common_types import _size_2_t as _size_2_t
from ..common_types import _size_3_opt_t as _size_3_opt_t
from ..common_types import _size_3_t as _size_3_t
from ..common_types import _size_any_opt_t as _size_any_opt_t
from ..common_types import _size_any_t as _size_any_t
from ..functional.tuples import _pair as _pair
from ..functional.tuples import _single as _single
from ..functional.tuples import _triple as _triple
from .module import Module, _ntuple

__all__ = [
    "AdaptiveAvgPool1d",
    "AdaptiveAvgPool2d",
    "AvgPool1d",
    "AvgPool2d",
    "MaxPool1d",
    "MaxPool2d",
]


@spelled_out("forward")
class _MaxPoolNd(Module):
    """The largest element of each window.

    :param stride: the kernel's size, where None.
    :param return_indices: return where the elements are, too.
    """

    __constants__ = [
        "kernel_size",
        "stride",
        "padding",
        "dilation",
        "return_indices",
        "ceil_mode",
    ]

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        dilation: Any = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def extra_repr(self) -> str:
        names = ("kernel_size", "stride", "padding", "dilation", "ceil_mode")
        return ", ".join(f"{name}={getattr(self, name)}" for name in names)

    def forward(self, input: Any) -> Any:
        return getattr(F, f"max_pool{self._n_}d")(
            input,
            self.kernel_size,
            self.stride,
            self.padding,
            self.dilation,
            ceil_mode=self.ceil_mode,
            return_indices=self.return_indices,
        )


class MaxPool1d(_MaxPoolNd):
    """The largest element of each window of (N, C, L) or (C, L)."""

    _n_ = 1


class MaxPool2d(_MaxPoolNd):
    """The largest element of each window of (N, C, H, W) or (C, H, W)."""

    _n_ = 2


class _AvgPoolNd(Module):
    __constants__ = ["kernel_size", "stride", "padding", "ceil_mode", "count_include_pad"]

    def __init__(
        self,
        kernel_size: Any,
        stride: Any,
        padding: Any,
        ceil_mode: bool,
        count_include_pad: bool,
    ) -> None:
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = kernel_size if stride is None else stride
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def _arguments_(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in _AvgPoolNd.__constants__)

    def extra_repr(self) -> str:
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AvgPool1d(_AvgPoolNd):
    """The mean of each window of (N, C, L) or (C, L)."""

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        window = _ntuple(kernel_size, 1)
        steps = None if stride is None else _ntuple(stride, 1)
        super().__init__(window, steps, _ntuple(padding, 1), ceil_mode, count_include_pad)

    def forward(self, input: Any) -> Any:
        return F.avg_pool1d(input, *self._arguments_())


class AvgPool2d(_AvgPoolNd):
    """The mean of each window of (N, C, H, W) or (C, H, W).

    :param divisor_override: divide by this in place of the window's size.
    """

    __constants__ = [*_AvgPoolNd.__constants__, "divisor_override"]

    def __init__(
        self,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None:
        super().__init__(kernel_size, stride, padding, ceil_mode, count_include_pad)
        self.divisor_override = divisor_override

    def forward(self, input: Any) -> Any:
        arguments: tuple[Any, ...] = (*self._arguments_(), self.divisor_override)
        return F.avg_pool2d(input, *arguments)


class _AdaptiveAvgPoolNd(Module):
    __constants__ = ["output_size"]

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def extra_repr(self) -> str:
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(_AdaptiveAvgPoolNd):
    """Means over windows that give ``output_size``."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool1d(input, self.output_size)


class AdaptiveAvgPool2d(_AdaptiveAvgPoolNd):
    """Means over windows that give ``output_size``; None keeps the input's size."""

    def forward(self, input: Tensor) -> Tensor:
        return F.adaptive_avg_pool2d(input, self.output_size)
