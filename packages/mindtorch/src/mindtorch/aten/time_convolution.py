"""``conv_tbc``: convolution over time of sequences laid out as time, batch, channels."""

from __future__ import annotations

from typing import Any

from ..call.forms import OutForm
from ..call.row import op
from ..core.operators import ops

__all__: list[str] = []


def _check(self: Any, weight: Any, bias: Any, pad: int) -> None:
    if self.dim() != 3:
        raise RuntimeError("Input must have 3 dims: time, batch, in_channel")
    if weight.dim() != 3:
        raise RuntimeError(
            "Weight tensor must have 3 dims: kernel_width, in_channels, out_channels."
        )
    if bias.dim() != 1:
        raise RuntimeError("Bias must be 1-D")
    if self.shape[2] != weight.shape[1]:
        raise RuntimeError("Input dim 2 (input channels) is not == dim 1 in the weight tensor")
    if weight.shape[2] != bias.shape[0]:
        raise RuntimeError("Bias size must equal dim 2 in the weight tensor (output channels).")
    length = self.shape[0] + 2 * pad - weight.shape[0] + 1
    if length < 0:
        sizes = [length, self.shape[1], weight.shape[2]]
        raise RuntimeError(f"Trying to create tensor with negative dimension {length}: {sizes}")


def _conv_tbc(self: Any, weight: Any, bias: Any, pad: int) -> Any:
    _check(self, weight, bias, pad)
    width, inner, channels = weight.shape
    time, batch, _ = self.shape
    length = time + 2 * pad - width + 1
    padded = ops.constant_pad_nd(self, (0, 0, 0, 0, pad, pad)) if pad else self
    windows = ops.cat([padded.narrow(0, k, length) for k in range(width)], 2)
    rows = windows.reshape((length * batch, width * inner))
    found = ops.addmm(bias.to(self.dtype), rows, weight.reshape((width * inner, channels)))
    return found.reshape((length, batch, channels))


def _backward(self: Any, input: Any, weight: Any, bias: Any, pad: int) -> Any:
    width, inner, channels = weight.shape
    length, batch, _ = self.shape
    padded = ops.constant_pad_nd(input, (0, 0, 0, 0, pad, pad)) if pad else input
    windows = ops.cat([padded.narrow(0, k, length) for k in range(width)], 2)
    rows, gradients = (x.reshape((length * batch, x.shape[2])) for x in (windows, self))
    of_weight = rows.t().mm(gradients).reshape((width, inner, channels))
    of_rows = gradients.mm(weight.reshape((width * inner, channels)).t())
    parts = of_rows.reshape((length, batch, width, inner)).unbind(2)
    of_input = sum(
        ops.constant_pad_nd(part, (0, 0, 0, 0, k - pad, width - 1 - k - pad))
        for k, part in enumerate(parts)
    )
    return of_input, of_weight, gradients.sum((0,))


op(
    "conv_tbc(Tensor self, Tensor weight, Tensor bias, int pad=0) -> Tensor",
    says="Convolve sequences of (time, batch, channels) with a weight of (width, in, out).",
    composite=_conv_tbc,
    kinds={"functional": "explicit", "out": "explicit"},
    grad={
        "self, weight, bias": lambda g, c: ops.conv_tbc_backward(g, c.self, c.weight, c.bias, c.pad)
    },
    variants="function",
    tangent="not implemented",
    out=OutForm(function=False, meta="native"),
    samples="conv_tbc",
    autocast=("lower precision", "lower precision"),
    tags=("loops: functional",),
)
op(
    "conv_tbc_backward(Tensor self, Tensor input, Tensor weight, Tensor bias, int pad)"
    " -> (Tensor, Tensor, Tensor)",
    composite=_backward,
    variants="",
)
