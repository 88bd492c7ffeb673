"""Convolutions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._building import Builder, Value
from ..._registration import TRANSLATIONS, translates


def many(values: Any, count: int) -> list[int]:
    values = [values] if isinstance(values, int) else list(values)
    return values * count if len(values) == 1 else values


def batched(g: Builder, input: Value, spatial: int) -> tuple[Value, bool]:
    """*input* with a batch dimension, and whether that was added."""
    if input.rank == spatial + 2:
        return input, False
    return g.unsqueeze(input, 0), True


@translates("convolution")
def convolution(
    g: Builder,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: int | Sequence[int],
    padding: int | Sequence[int],
    dilation: int | Sequence[int],
    transposed: bool,
    output_padding: int | Sequence[int],
    groups: int,
) -> Value:
    spatial = weight.rank - 2
    value, added = batched(g, input, spatial)
    pads = many(padding, spatial)
    attributes: dict[str, Any] = {
        "strides": many(stride, spatial),
        "pads": [*pads, *pads],
        "dilations": many(dilation, spatial),
        "group": groups,
    }
    if transposed:
        attributes["output_padding"] = many(output_padding, spatial)
        found = g.op("ConvTranspose", value, weight, bias, **attributes)
    else:
        found = g.op("Conv", value, weight, bias, **attributes)
    return g.axes("Squeeze", found, [0]) if added else found


@translates("_convolution")
def private_convolution(
    g: Builder,
    input: Value,
    weight: Value,
    bias: Value | None,
    stride: Any,
    padding: Any,
    dilation: Any,
    transposed: bool,
    output_padding: Any,
    groups: int,
    *_: Any,
) -> Value:
    return convolution(
        g, input, weight, bias, stride, padding, dilation, transposed, output_padding, groups
    )


def _plain(
    g: Builder,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Any = 1,
    padding: Any = 0,
    dilation: Any = 1,
    groups: int = 1,
) -> Value:
    return convolution(g, input, weight, bias, stride, padding, dilation, False, 0, groups)


def _named(
    g: Builder,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Any = 1,
    padding: str = "valid",
    dilation: Any = 1,
    groups: int = 1,
) -> Value:
    spatial = weight.rank - 2
    begins = ends = [0] * spatial
    dilations = many(dilation, spatial)
    if padding == "same":
        whole = [d * (k - 1) for d, k in zip(dilations, weight.sizes[2:], strict=True)]
        begins = [w // 2 for w in whole]
        ends = [w - w // 2 for w in whole]
    value, added = batched(g, input, spatial)
    found = g.op(
        "Conv",
        value,
        weight,
        bias,
        strides=many(stride, spatial),
        pads=[*begins, *ends],
        dilations=dilations,
        group=groups,
    )
    return g.axes("Squeeze", found, [0]) if added else found


def _transposed(
    g: Builder,
    input: Value,
    weight: Value,
    bias: Value | None = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Value:
    return convolution(
        g, input, weight, bias, stride, padding, dilation, True, output_padding, groups
    )


for _rank in (1, 2, 3):
    TRANSLATIONS[f"conv{_rank}d"] = _plain
    TRANSLATIONS[f"conv{_rank}d.padding"] = _named
TRANSLATIONS["_convolution_mode"] = _named
TRANSLATIONS["conv_transpose1d"] = _transposed
TRANSLATIONS["conv_transpose2d.input"] = _transposed
TRANSLATIONS["conv_transpose3d.input"] = _transposed


@translates("conv_tbc")
def conv_tbc(g: Builder, self: Value, weight: Value, bias: Value, pad: int = 0) -> Value:
    # times, batch, channels; the weight is kernel, in, out
    value = g.op("Transpose", self, perm=[1, 2, 0])
    kernel = g.op("Transpose", weight, perm=[2, 1, 0])
    found = g.op("Conv", value, kernel, bias, pads=[pad, pad])
    return g.op("Transpose", found, perm=[2, 0, 1])


@translates("im2col")
def im2col(g: Builder, self: Value, kernel: Any, dilation: Any, padding: Any, stride: Any) -> Value:
    (kh, kw), (dh, dw) = many(kernel, 2), many(dilation, 2)
    (ph, pw), (sh, sw) = many(padding, 2), many(stride, 2)
    value = self if self.rank == 4 else g.unsqueeze(self, 0)
    height, width = (self.shape or ())[-2:]
    value = g.op("Pad", value, g.ints([0, 0, ph, pw, 0, 0, ph, pw])) if ph or pw else value
    rows = (height + 2 * ph - dh * (kh - 1) - 1) // sh + 1
    columns = (width + 2 * pw - dw * (kw - 1) - 1) // sw + 1
    down = np.arange(kh)[:, None] * dh + np.arange(rows) * sh
    right = np.arange(kw)[:, None] * dw + np.arange(columns) * sw
    taken = g.op("Gather", g.op("Gather", value, g.const(down), axis=2), g.const(right), axis=4)
    # batch, channels, kernel's rows, rows, kernel's columns, columns
    turned = g.op("Transpose", taken, perm=[0, 1, 2, 4, 3, 5])
    return g.reshape(turned, g.out.shape)


@translates("col2im")
def col2im(
    g: Builder, self: Value, size: Any, kernel: Any, dilation: Any, padding: Any, stride: Any
) -> Value:
    value = self if self.rank == 3 else g.unsqueeze(self, 0)
    pads = many(padding, 2)
    found = g.op(
        "Col2Im",
        value,
        g.ints(size),
        g.ints(many(kernel, 2)),
        dilations=many(dilation, 2),
        pads=[*pads, *pads],
        strides=many(stride, 2),
    )
    return found if self.rank == 3 else g.axes("Squeeze", found, [0])
