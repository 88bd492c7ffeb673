"""Transposed convolutions."""

from __future__ import annotations

from typing import Any

from ...core.module_names import spelled_out
from .. import functional as F
from .conv import _ConvNd
from .module import _ntuple

__all__ = ["ConvTranspose1d", "ConvTranspose2d", "ConvTranspose3d"]


@spelled_out("__init__", "forward")
class _ConvTransposeNd(_ConvNd):
    """The gradient of a convolution with regard to its input, as a layer.

    :param output_padding: elements added on one side of the result's shape.
    """

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
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
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
        more = self._output_padding(input, output_size)
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

    def _output_padding(self, input: Any, output_size: Any) -> tuple[int, ...]:
        """What must be added so that the result has the spatial size *output_size*.

        Raises ValueError where no padding gives it.
        """
        if output_size is None:
            return self.output_padding
        n, dims = self._n_, input.dim()
        extra = 2 if dims == n + 2 else 1
        wanted = list(output_size)
        if len(wanted) == n + extra:
            wanted = wanted[extra:]
        if len(wanted) != n:
            raise ValueError(
                f"ConvTranspose{n}D: for {dims}D input, output_size must have {n} or {n + extra} "
                f"elements (got {len(wanted)})"
            )
        least = [
            (input.size(i + extra) - 1) * s - 2 * p + d * (k - 1) + 1
            for i, (s, p, d, k) in enumerate(
                zip(self.stride, self.padding, self.dilation, self.kernel_size, strict=True)
            )
        ]
        most = [size + s - 1 for size, s in zip(least, self.stride, strict=True)]
        if any(not low <= w <= high for w, low, high in zip(wanted, least, most, strict=True)):
            raise ValueError(
                f"requested an output size of {output_size}, but valid sizes range from {least} "
                f"to {most} (for an input of {input.size()[2:]})"
            )
        return tuple(w - low for w, low in zip(wanted, least, strict=True))


class ConvTranspose1d(_ConvTransposeNd):
    """Transposed convolution of (N, C, L) or (C, L)."""

    _n_ = 1


class ConvTranspose2d(_ConvTransposeNd):
    """Transposed convolution of (N, C, H, W) or (C, H, W)."""

    _n_ = 2


class ConvTranspose3d(_ConvTransposeNd):
    """Transposed convolution of (N, C, D, H, W) or (C, D, H, W)."""

    _n_ = 3
