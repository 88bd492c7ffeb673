"""Transposed convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...core.deprecation import deprecated
from ...core.module_names import spelled_out
from .. import functional as F
from ..functional.tuples import _single
from .conv import _ConvNd
from .module import _ntuple

__all__ = ["ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]


class _ConvTransposeNd(_ConvNd):
    """The gradient of a convolution with regard to its input, as a layer.

    :param output_padding: elements added on one side of the result's shape.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: tuple[int, ...],
        stride: tuple[int, ...],
        padding: tuple[int, ...],
        dilation: tuple[int, ...],
        transposed: bool,
        output_padding: tuple[int, ...],
        groups: int,
        bias: bool,
        padding_mode: str,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(
            in_channels,
            out_channels,
            kernel_size,
            stride,
            padding,
            dilation,
            transposed,
            output_padding,
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def _output_padding(
        self,
        input: Any,
        output_size: Any,
        stride: Sequence[int],
        padding: Sequence[int],
        kernel_size: Sequence[int],
        num_spatial_dims: int,
        dilation: Sequence[int] | None = None,
    ) -> Any:
        """What must be added so that the result has the spatial size *output_size*.

        Raises ValueError where no padding gives it.
        """
        if output_size is None:
            return _single(self.output_padding)
        n, dims = num_spatial_dims, input.dim()
        extra = 2 if dims == n + 2 else 1
        if len(output_size) == n + extra:
            output_size = output_size[extra:]
        if len(output_size) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {dims}D input, output_size must have {n} or {n + extra} "
                f"elements (got {len(output_size)})"
            )
        spread = (1,) * n if dilation is None else dilation
        least = [
            (input.size(i + extra) - 1) * stride[i]
            - 2 * padding[i]
            + spread[i] * (kernel_size[i] - 1)
            + 1
            for i in range(n)
        ]
        most = [size + stride[i] - 1 for i, size in enumerate(least)]
        if any(not low <= w <= high for w, low, high in zip(output_size, least, most, strict=True)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range from {least} "
                f"to {most} (for an input of {input.size()[2:]})"
            )
        return [w - low for w, low in zip(output_size, least, strict=True)]


class _ConvTransposeMixin(_ConvTransposeNd):
    """The older name of :class:`_ConvTransposeNd`."""

    @deprecated(
        "`_ConvTransposeMixin` is a deprecated internal class. Please consider using public APIs.",
        category=FutureWarning,
    )
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


@spelled_out("__init__", "forward")
class _Transposed(_ConvTransposeNd):
    """A transposed convolution as programs make one."""

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: Any,
        stride: Any = 1,
        padding: Any = 0,
        output_padding: Any = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: Any = 1,
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
            _ntuple(padding, n),
            _ntuple(dilation, n),
            True,
            _ntuple(output_padding, n),
            groups,
            bias,
            padding_mode,
            device,
            dtype,
        )

    def forward(self, input: Any, output_size: Any = None) -> Any:
        convolve = getattr(F, f"conv_transpose{self._n_}d")
        more = self._output_padding(
            input,
            output_size,
            self.stride,
            self.padding,
            self.kernel_size,
            self._n_,
            self.dilation,
        )
        return convolve(
            input,
            self.weight,
            self.bias,
            self.stride,
            self.padding,
            more,
            self.groups,
            self.dilation,
        )


class ConvTranspose1d(_Transposed):
    """Transposed convolution of (N, C, L) or (C, L)."""

    _n_ = 1


class ConvTranspose2d(_Transposed):
    """Transposed convolution of (N, C, H, W) or (C, H, W)."""

    _n_ = 2


class ConvTranspose3d(_Transposed):
    """Transposed convolution of (N, C, D, H, W) or (C, D, H, W)."""

    _n_ = 3
