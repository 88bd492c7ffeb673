"""How the results of convolutions and their gradients are laid out: channels_last, or in rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from mindtorch_storage import bfloat16, float32, layout, output_layout
from mindtorch_storage import dtype as dtypes

from mindtorch.backends.parallel import get_num_threads

from ..tensor.layout import empty_strides

__all__ = [
    "Kind",
    "channels_last",
    "kind_of",
    "nothing_strides",
    "suggests_channels_last",
    "weight_strides",
]


class Kind(NamedTuple):
    """What of a convolution's arguments decides who computes it.

    :ivar strided: windows lie apart, or have gaps.
    :ivar past_stride: it is transposed, and some output padding is not below its stride.
    """

    strided: bool
    groups: int
    past_stride: bool = False


def kind_of(
    stride: Sequence[int],
    dilation: Sequence[int],
    transposed: bool,
    output_padding: Sequence[int],
    groups: int,
) -> Kind:
    """The :class:`Kind` of a convolution of these arguments."""
    strided = any(n != 1 for n in (*stride, *dilation))
    past = transposed and any(
        more >= step for more, step in zip(output_padding, stride, strict=False)
    )
    return Kind(strided, groups, past)


def nothing_strides(shape: Any, input: Any) -> tuple[int, ...] | None:
    """Strides of the result without images or channels: the input's, where it has that shape.

    torch multiplies input and weight then, and views the product in the shape.
    """
    shape = tuple(shape)
    if shape != tuple(input.shape):
        return None
    if isinstance(input, np.ndarray):
        strides = tuple([s // input.itemsize for s in empty_strides(input)])
    else:
        strides = tuple(input.stride())
    return output_layout.elementwise_strides(shape, [(shape, strides)])


def channels_last(shape: Any, input: Any, weight: Any, kind: Kind) -> tuple[int, ...] | None:
    """Strides of images of *shape*, channels_last where the input or the weight suggests it.

    Volumes are laid out so by oneDNN alone.

    Source: torch aten/src/ATen/native/ConvUtils.h, thnn_conv_use_channels_last and
    mkldnn_conv_use_channels_last.
    """
    if len(shape) not in (4, 5) or not (
        suggests_channels_last(input) or suggests_channels_last(weight)
    ):
        return None
    if len(shape) == 4:
        return layout.channels_last_strides(shape)
    if _is_for_onednn(input, weight, kind):
        return layout.channels_last_3d_strides(shape)
    return None


def _is_for_onednn(input: Any, weight: Any, kind: Kind) -> bool:
    """Whether torch gives a convolution to oneDNN. Source: Convolution.cpp, use_mkldnn."""
    if kind.past_stride:
        return False
    if isinstance(input, np.ndarray):
        dtype = dtypes.from_numpy(input.dtype)
    elif input.is_meta:
        return False
    else:
        dtype = input.dtype
    if dtype is bfloat16:  # float16 on some processors only
        return True
    images, *rest = input.shape
    last = weight.shape[-2:]
    threads = kind.strided or images >= 16 or tuple(last) != (1, 1) or get_num_threads() > 1
    large = min(last) > 3 or images * math.prod(rest[:3]) > _LARGE
    return dtype is float32 and threads and (kind.groups > 1 or images > 1 or large)


#: From so many elements on (without those of the last dim) oneDNN is the faster one.
_LARGE = 20480


def suggests_channels_last(t: Any) -> bool:
    if isinstance(t, np.ndarray):
        if t.flags.c_contiguous:
            return False
        strides = tuple([s // t.itemsize for s in t.strides])
    else:
        strides = tuple(t.stride())
    return layout.is_channels_last(tuple(t.shape), strides)


def weight_strides(input: Any, weight: Any, kind: Kind) -> tuple[int, ...] | None:
    """Strides of a weight's gradient: the weight's own where it is one row of channels.

    oneDNN has the strides of channels_last for that, too.
    """
    shape = tuple(weight.shape)
    point = len(shape) == 4 and shape[2] == shape[3] == 1
    if point and not (suggests_channels_last(weight) or _is_for_onednn(input, weight, kind)):
        return None
    return channels_last(shape, input, weight, kind)
