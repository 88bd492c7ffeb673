"""``pad``: by a constant, or by the tensor's own elements (reflect, replicate, circular)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch.ops.call import ops
from mindtorch.ops.row import op

__all__: list[str] = []


def _check_sizes(mode: str, n: int, count: int) -> None:
    if (count, n) in ((2, 2), (2, 3), (4, 3), (4, 4), (6, 4), (6, 5)):
        return
    raise NotImplementedError(
        f"Padding size {count} is not supported for {n}D input tensor.\n"
        "Supported combinations for non-constant padding:\n"
        "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
        "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
        "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
    )


def _sources(mode: str, size: int, before: int, after: int) -> list[int]:
    """For each place of a padded dim, the place it is taken from."""
    places = range(-before, size + after)
    if mode == "circular":
        return [p % size for p in places]
    if mode == "replicate":
        return [min(max(p, 0), size - 1) for p in places]
    last = size - 1
    return [-p if p < 0 else 2 * last - p if p > last else p for p in places]


def _pad(self: Any, pad: Sequence[int], mode: str, value: float | None) -> Any:
    shape = tuple(self.shape)
    n = len(shape)
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * n:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {len(pad)} and input of dimension {n}"
        )
    if mode == "constant":
        return ops.constant_pad_nd(self, pad, 0.0 if value is None else value)
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    _check_sizes(mode, n, len(pad))
    pairs = len(pad) // 2
    if 0 in shape[n - pairs - 1 :]:
        raise RuntimeError(
            f"Expected {pairs + 1}D or {pairs + 2}D (batch mode) tensor with possibly 0 batch "
            f"size and other non-zero dimensions for input, but got: {list(shape)}"
        )
    for i in range(pairs):
        before, after, size = pad[2 * i], pad[2 * i + 1], shape[n - 1 - i]
        if mode == "reflect" and (before >= size or after >= size):
            raise RuntimeError(
                f"Argument #{4 + 2 * i}: Padding size should be less than the corresponding input "
                f"dimension, but got: padding ({before}, {after}) at dimension {n - 1 - i} of "
                f"input {list(shape)}"
            )
        if mode == "circular" and (before > size or after > size):
            raise RuntimeError("Padding value causes wrapping around more than once.")
    out = self
    for i in range(pairs):
        before, after = pad[2 * i], pad[2 * i + 1]
        if before or after:
            d = n - 1 - i
            where = _sources(mode, shape[d], before, after)
            out = out.index_select(d, ops.tensor(where, device=self.device))
    return out.clone() if out is self else out


op(
    'pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor',
    composite=_pad,
    module="nn",
    variants="function",
    samples="pad",
)
