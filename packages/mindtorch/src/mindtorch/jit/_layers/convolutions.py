"""Convolutions."""

from __future__ import annotations

from ..._ops import ops
from ...nn import functional as F
from ...tensor import Tensor
from .layer import Layer, stand_for_layers

aten = ops.aten


class Conv1d(Layer):
    bias: Tensor | None
    _reversed_padding_repeated_twice: list[int]

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        if self.padding_mode != "zeros":
            return aten.conv1d(
                F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode),
                weight, bias, self.stride, [0], self.dilation, self.groups,
            )  # fmt: skip
        return aten.conv1d(
            input, weight, bias, self.stride, self.padding, self.dilation, self.groups
        )


class Conv2d(Layer):
    bias: Tensor | None
    _reversed_padding_repeated_twice: list[int]

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        if self.padding_mode != "zeros":
            return aten.conv2d(
                F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode),
                weight, bias, self.stride, [0, 0], self.dilation, self.groups,
            )  # fmt: skip
        return aten.conv2d(
            input, weight, bias, self.stride, self.padding, self.dilation, self.groups
        )


class Conv3d(Layer):
    bias: Tensor | None
    _reversed_padding_repeated_twice: list[int]

    def forward(self, input: Tensor) -> Tensor:
        return self._conv_forward(input, self.weight, self.bias)

    def _conv_forward(self, input: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        if self.padding_mode != "zeros":
            return aten.conv3d(
                F.pad(input, self._reversed_padding_repeated_twice, mode=self.padding_mode),
                weight, bias, self.stride, [0, 0, 0], self.dilation, self.groups,
            )  # fmt: skip
        return aten.conv3d(
            input, weight, bias, self.stride, self.padding, self.dilation, self.groups
        )


class _ConvTransposeNd(Layer):
    bias: Tensor | None
    _reversed_padding_repeated_twice: list[int]

    def _output_padding(self, input: Tensor, output_size: list[int] | None, dims: int) -> list[int]:
        """What is added to one side of the output, so that it has the size that is asked for."""
        found: list[int] = []
        if output_size is None:
            for each in self.output_padding:
                found.append(each)
            return found
        first = input.dim() - dims
        if len(output_size) == first + dims:
            output_size = output_size[first:]
        stride: list[int] = []
        padding: list[int] = []
        dilation: list[int] = []
        kernel: list[int] = []
        for s, p, d, k in zip(self.stride, self.padding, self.dilation, self.kernel_size):
            stride.append(s)
            padding.append(p)
            dilation.append(d)
            kernel.append(k)
        if len(output_size) != dims:
            raise ValueError(
                f"ConvTranspose{dims}D: for {input.dim()}D input, output_size must have {dims} or "
                f"{first + dims} elements (got {len(output_size)})"
            )
        for i in range(dims):
            least = (input.size(i + first) - 1) * stride[i] - 2 * padding[i]
            least += dilation[i] * (kernel[i] - 1) + 1
            if output_size[i] < least or output_size[i] > least + stride[i] - 1:
                raise ValueError(
                    f"requested an output size of {output_size}, which is out of reach"
                )
            found.append(output_size[i] - least)
        return found


class ConvTranspose1d(_ConvTransposeNd):
    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        more = self._output_padding(input, output_size, 1)
        return aten.conv_transpose1d(
            input, self.weight, self.bias, self.stride, self.padding, more, self.groups,
            self.dilation,
        )  # fmt: skip


class ConvTranspose2d(_ConvTransposeNd):
    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        more = self._output_padding(input, output_size, 2)
        return aten.conv_transpose2d(
            input, self.weight, self.bias, self.stride, self.padding, more, self.groups,
            self.dilation,
        )  # fmt: skip


class ConvTranspose3d(_ConvTransposeNd):
    def forward(self, input: Tensor, output_size: list[int] | None = None) -> Tensor:
        more = self._output_padding(input, output_size, 3)
        return aten.conv_transpose3d(
            input, self.weight, self.bias, self.stride, self.padding, more, self.groups,
            self.dilation,
        )  # fmt: skip


class MaxUnpool1d(Layer):
    def forward(
        self, input: Tensor, indices: Tensor, output_size: list[int] | None = None
    ) -> Tensor:
        return F.max_unpool1d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool2d(Layer):
    def forward(
        self, input: Tensor, indices: Tensor, output_size: list[int] | None = None
    ) -> Tensor:
        return F.max_unpool2d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


class MaxUnpool3d(Layer):
    def forward(
        self, input: Tensor, indices: Tensor, output_size: list[int] | None = None
    ) -> Tensor:
        return F.max_unpool3d(
            input, indices, self.kernel_size, self.stride, self.padding, output_size
        )


stand_for_layers(globals())
