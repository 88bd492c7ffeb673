"""Channels for pixels and back: ``pixel_shuffle`` and ``pixel_unshuffle``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_autograd.errors import invalid_gradient

from mindtorch.aten.factory import like
from mindtorch.aten.pooling_window import finisher, like_input
from mindtorch.call.elementwise_meta import UNSIGNED, refuse_array
from mindtorch.call.row import Out, op
from mindtorch.core.operators import ops

__all__: list[str] = []


def _check(name: str, argument: str, self: Any, factor: int) -> tuple[int, ...]:
    shape = tuple(self.shape)
    if len(shape) < 3:
        raise RuntimeError(
            f"{name} expects input to have at least 3 dimensions, but got input with {len(shape)} "
            "dimension(s)"
        )
    if factor <= 0:
        raise RuntimeError(f"{name} expects a positive {argument}, but got {factor}")
    return shape


def _shuffle_meta(self: Any, upscale_factor: int) -> Out:
    """Source of the texts: torch aten/src/ATen/native/PixelShuffle.cpp."""
    r = upscale_factor
    *lead, c, h, w = _check("pixel_shuffle", "upscale_factor", self, r)
    if c % (r * r):
        raise RuntimeError(
            "pixel_shuffle expects its input's 'channel' dimension to be divisible by the square "
            f"of upscale_factor, but input.size(-3)={c} is not divisible by {r * r}"
        )
    shape = (*lead, c // (r * r), h * r, w * r)
    return Out(shape, self.dtype, like_input(shape, self))


def _prepare_shuffle(self: Any, upscale_factor: int) -> Callable[..., Any]:
    refuse_array(self, {"pixel_shuffle": UNSIGNED})
    r = upscale_factor
    *lead, c, h, w = self.shape
    n = len(lead)
    return _rearranged(
        self,
        (*lead, c // (r * r), r, r, h, w),
        (*range(n + 1), n + 3, n + 1, n + 4, n + 2),
        (*lead, c // (r * r), h * r, w * r),
    )


def _rearranged(
    self: Any, parts: tuple[int, ...], order: tuple[int, ...], shape: tuple[int, ...]
) -> Callable[..., Any]:
    """What sees arrays like *self* as *parts*, in another order, and as *shape* again."""
    finished = finisher(self, shape)
    return lambda self, *_: finished(self.reshape(parts).transpose(order).copy())


def _unshuffle_meta(self: Any, downscale_factor: int) -> Out:
    r = downscale_factor
    *lead, c, h, w = _check("pixel_unshuffle", "downscale_factor", self, r)
    for what, dim, size in (("height", -2, h), ("width", -1, w)):
        if size % r:
            raise RuntimeError(
                f"pixel_unshuffle expects {what} to be divisible by downscale_factor, but "
                f"input.size({dim})={size} is not divisible by {r}"
            )
    if not self.numel() and self.device.type != "meta":
        return like(self)  # the kernel copies it and looks no further
    shape = (*lead, c * r * r, h // r, w // r)
    return Out(shape, self.dtype, like_input(shape, self))


def _prepare_unshuffle(self: Any, downscale_factor: int) -> Callable[..., Any]:
    if not self.size:
        return lambda self, *_: self.copy("K")
    refuse_array(self, {"pixel_unshuffle": UNSIGNED})
    r = downscale_factor
    *lead, c, h, w = self.shape
    n = len(lead)
    return _rearranged(
        self,
        (*lead, c, h // r, r, w // r, r),
        (*range(n + 1), n + 2, n + 4, n + 1, n + 3),
        (*lead, c * r * r, h // r, w // r),
    )


def _unshuffle_grad(g: Any, c: Any) -> Any:
    back, shape = ops.pixel_shuffle(g, c.downscale_factor), c.self.shape
    if back.shape != shape:  # of no elements: what was copied as it was comes back spread out
        text = f"got {list(back.shape)} but expected shape compatible with {list(shape)}"
        raise invalid_gradient(type(c).__name__, 0, text)
    return back


op(
    "pixel_shuffle(Tensor self, int upscale_factor) -> Tensor",
    says="""Rearrange groups of r * r channels into images r times as high and wide.

    >>> torch.nn.functional.pixel_shuffle(torch.arange(4.).view(1, 4, 1, 1), 2)
    tensor([[[[0., 1.],
              [2., 3.]]]])
    """,
    meta=_shuffle_meta,
    prepare=_prepare_shuffle,
    half=False,
    variants="function",
    grad={"self": lambda g, c: ops.pixel_unshuffle(g, c.upscale_factor)},
    samples="pixel_shuffle",
    tangent="linear",
)
op(
    "pixel_unshuffle(Tensor self, int downscale_factor) -> Tensor",
    says="Rearrange blocks of r * r pixels into channels.",
    meta=_unshuffle_meta,
    prepare=_prepare_unshuffle,
    half=False,
    variants="function",
    grad={"self": _unshuffle_grad},
    samples="pixel_unshuffle",
    tangent="linear",
)
