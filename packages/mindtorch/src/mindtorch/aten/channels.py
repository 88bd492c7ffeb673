"""Channels in another order: ``channel_shuffle``.

Source: torch aten/src/ATen/native/ChanelShuffle.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage import layout

from ..call.elementwise_meta import UNSIGNED, refuse
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.dims import laid_out
from ..core.operators import ops

__all__: list[str] = []


def _meta(self: Any, groups: int) -> Out:
    sizes = tuple(self.shape)
    if len(sizes) < 3:
        raise RuntimeError(
            f"channel_shuffle expects input with > 2 dims, but got input with sizes {list(sizes)}"
        )
    if groups <= 0:
        raise RuntimeError(
            f"Number of groups to divide channels in must be positive. Value of groups:{groups}"
        )
    if sizes[1] % groups:
        raise RuntimeError(
            "Number of channels must be divisible by groups. "
            f"Got {sizes[1]} channels and {groups} groups."
        )
    refuse(self.dtype, {"channel_shuffle": UNSIGNED}, self)
    return Out(sizes, self.dtype, _strides(sizes, tuple(self.stride())))


def _strides(sizes: tuple[int, ...], strides: tuple[int, ...]) -> Any:
    """Those of the result: channels last where the images are."""
    return layout.channels_last_strides(sizes) if layout.is_channels_last(sizes, strides) else None


def _shuffled(x: Any, groups: int) -> Any:
    n, channels, *rest = x.shape
    parted = x.reshape((n, groups, channels // groups, *rest))
    made = np.ascontiguousarray(parted.swapaxes(1, 2)).reshape(x.shape)
    strides = _strides(x.shape, tuple([s // x.itemsize for s in x.strides]))
    return made if strides is None else laid_out(made, strides)


op(
    "channel_shuffle(Tensor self, SymInt groups) -> Tensor",
    says="Interleave groups of channels.",
    meta=_meta,
    kernel=_shuffled,
    half=False,
    out=OutForm(function=False),
    grad={"self": lambda g, c: ops.channel_shuffle(g, c.self.size(1) // c.groups)},
    variants="function",
    samples="channel_shuffle",
)
