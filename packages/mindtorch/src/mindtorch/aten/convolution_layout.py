"""How the results of convolutions and their gradients are laid out: channels_last, or in rows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage import bfloat16, float32, layout
from mindtorch_storage import dtype as dtypes

from mindtorch.backends.parallel import get_num_threads

__all__ = ["channels_last", "is_strided", "suggests_channels_last", "weight_strides"]


def channels_last(
    shape: Any, input: Any, weight: Any, strided: bool, groups: int
) -> tuple[int, ...] | None:
    """Strides of images of *shape*, channels_last where the input or the weight suggests it.

    Volumes are laid out so by oneDNN alone.

    :param strided: whether windows lie apart, or have gaps.
    Source: torch aten/src/ATen/native/ConvUtils.h, thnn_conv_use_channels_last and
    mkldnn_conv_use_channels_last.
    """
    if len(shape) not in (4, 5) or not (
        suggests_channels_last(input) or suggests_channels_last(weight)
    ):
        return None
    if len(shape) == 4:
        return layout.channels_last_strides(shape)
    if _is_for_onednn(input, weight, strided, groups):
        return layout.channels_last_3d_strides(shape)
    return None


def _is_for_onednn(input: Any, weight: Any, strided: bool, groups: int) -> bool:
    """Whether torch gives a convolution to oneDNN. Source: Convolution.cpp, use_mkldnn."""
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
    threads = strided or images >= 16 or tuple(last) != (1, 1) or get_num_threads() > 1
    large = min(last) > 3 or images * math.prod(rest[:3]) > _LARGE
    return dtype is float32 and threads and (groups > 1 or images > 1 or large)


#: From so many elements on (without those of the last dim) oneDNN is the faster one.
_LARGE = 20480


def is_strided(stride: Sequence[int], dilation: Sequence[int]) -> bool:
    return any(n != 1 for n in (*stride, *dilation))


def suggests_channels_last(t: Any) -> bool:
    if isinstance(t, np.ndarray):
        if t.flags.c_contiguous:
            return False
        strides = tuple([s // t.itemsize for s in t.strides])
    else:
        strides = tuple(t.stride())
    return layout.is_channels_last(tuple(t.shape), strides)


def weight_strides(input: Any, weight: Any, strided: bool, groups: int) -> tuple[int, ...] | None:
    """Strides of a weight's gradient: the weight's own where it is one row of channels."""
    shape = tuple(weight.shape)
    if len(shape) == 4 and shape[2] == shape[3] == 1 and not suggests_channels_last(weight):
        return None
    return channels_last(shape, input, weight, strided, groups)
