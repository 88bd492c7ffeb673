"""Channels in another order: ``channel_shuffle``.

Source: torch aten/src/ATen/native/ChanelShuffle.cpp.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage import layout

from ..call.elementwise_meta import UNSIGNED, refuse
from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.operators import ops
from .derivatives import not_implemented_for

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


def _prepare(x: Any, groups: int) -> Callable[..., Any]:
    shape = n, channels, *rest = x.shape
    parts = (n, groups, channels // groups, *rest)
    return lambda x, _: x.reshape(parts).swapaxes(1, 2).copy().reshape(shape)


op(
    "channel_shuffle(Tensor self, SymInt groups) -> Tensor",
    says="Interleave groups of channels.",
    meta=_meta,
    prepare=_prepare,
    half=False,
    out=OutForm(function=False),
    grad={"self": lambda g, c: ops.channel_shuffle(g, c.self.size(1) // c.groups)},
    variants="function",
    samples="channel_shuffle",
)
op(
    "native_channel_shuffle(Tensor self, SymInt groups) -> Tensor",
    says="Interleave groups of channels, without a gradient.",
    composite=lambda self, groups: ops.channel_shuffle(self, groups),
    kinds={"functional": "explicit"},
    grad=not_implemented_for("native_channel_shuffle", "self"),
    variants="function",
    samples="channel_shuffle",
    tags=("loops: functional",),
)
