"""``pad``: by a constant, or by the tensor's own elements (reflect, replicate, circular)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from mindtorch_storage import layout

from mindtorch.call.elementwise_meta import BOOL, UNSIGNED, refuse
from mindtorch.call.row import Out, op
from mindtorch.core.constants import contiguous_format
from mindtorch.core.operators import of, ops

__all__: list[str] = []


#: The modes by the numbers that ``_pad_enum`` has for them.
_MODES = ("reflect", "replicate", "circular", "constant")
_SAYS = {
    "reflect": "Pad the borders by reflecting what lies behind the outermost elements.",
    "replicate": "Pad the borders by repeating the outermost elements.",
}


def _check_sizes(mode: str, n: int, count: int) -> None:
    if mode and (count, n) in ((2, 2), (2, 3), (4, 3), (4, 4), (6, 4), (6, 5)):
        return
    raise NotImplementedError(
        f"Padding size {count} is not supported for {n}D input tensor.\n"
        "Supported combinations for non-constant padding:\n"
        "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
        "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
        "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
    )


def _check_padding(mode: str, n: int, shape: tuple[int, ...], padding: Sequence[int]) -> None:
    """Source: torch ATen/native/ReflectionPad.cpp, ReplicationPadding.cpp and Padding.h."""
    if len(padding) != 2 * n:
        got = f", but got: {len(padding)}" if mode == "reflect" else ""
        raise RuntimeError(f"padding size is expected to be {2 * n}{got}")
    ndim = len(shape)
    if ndim not in (n + 1, n + 2) or 0 in shape[ndim - n - 1 :]:
        raise RuntimeError(
            f"Expected {n + 1}D or {n + 2}D (batch mode) tensor with possibly 0 batch size and "
            f"other non-zero dimensions for input, but got: {list(shape)}"
        )
    pairs = list(zip(padding[::2], padding[1::2], strict=True))
    for i, pair in enumerate(pairs if mode == "reflect" else ()):
        if max(pair) >= shape[-1 - i]:
            raise RuntimeError(
                f"Argument #{4 + 2 * i}: Padding size should be less than the corresponding input "
                f"dimension, but got: padding {pair} at dimension {ndim - 1 - i} of input "
                f"{list(shape)}"
            )
    out = _padded_shape(shape, padding)
    if max(out[-n:]) < 1:
        had, got = zip(*[(f"{d}: {shape[i]}", f"{d}: {out[i]}") for d, i in _NAMED[-n:]])
        sizes = had[0] if n == 1 else f"{' '.join(had[:-1])}, {had[-1]}"
        space = " " if (mode, n) == ("replicate", 2) else ""
        raise RuntimeError(
            f"input ({sizes}{space}) is too small. Calculated output {' '.join(got)}"
        )
    if min(out) < 0:
        wrong = next(size for size in out if size < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {wrong}: {list(out)}")


#: The last dimensions by torch's names.
_NAMED = (("D", -3), ("H", -2), ("W", -1))


def _sources(mode: str, size: int, before: int, after: int) -> Any:
    """For each place of a padded dim, the place it is taken from."""
    places, last = np.arange(-before, size + after), size - 1
    if mode == "replicate":
        return places.clip(0, last)
    return last - np.abs(last - np.abs(places))


def _padded_shape(shape: Sequence[int], padding: Sequence[int]) -> tuple[int, ...]:
    out = list(shape)
    for i, (before, after) in enumerate(zip(padding[::2], padding[1::2], strict=True)):
        out[-1 - i] += before + after
    return tuple(out)


def _places(mode: str, shape: Sequence[int], padding: Sequence[int]) -> list[tuple[int, Any]]:
    """For each padded dim, from the last: where each place of the result is taken from."""
    pairs = zip(padding[::2], padding[1::2], strict=True)
    return [
        (len(shape) - 1 - i, _sources(mode, shape[-1 - i], *pair)) for i, pair in enumerate(pairs)
    ]


#: Up to so many elements a copy for each dim is as fast as one whole and the borders.
_FEW = 4096


def _framed(self: Any, axes: list[tuple[int, Any]], padding: Sequence[int]) -> Callable[..., Any]:
    """What copies the middle as a whole, and takes the borders of one dim after the other."""
    shape = _padded_shape(self.shape, padding)
    middle = [slice(None)] * self.ndim
    for (d, _), before in zip(axes, padding[::2], strict=True):
        middle[d] = slice(before, before + self.shape[d])
    borders, region = [], list(middle)
    for (d, places), before in zip(axes, padding[::2], strict=True):
        for part in (slice(before), slice(before + self.shape[d], shape[d])):
            border = (*region[:d], part, *region[d + 1 :])
            borders.append((border, tuple(region), d, places[part]))
        region[d] = slice(None)
    inside = tuple(middle)

    def kernel(self: Any, padding: Sequence[int]) -> Any:
        out = np.empty(shape, self.dtype)
        out[inside] = self
        for border, source, d, places in borders:
            out[border] = out[source].take(places, d)
        return out

    return kernel


def _runs(places: Any) -> list[tuple[slice, slice]]:
    """Where places follow one another: those, and which of all they are."""
    ends = [*((np.diff(places) != 1).nonzero()[0] + 1).tolist(), len(places)]
    starts = [0, *ends[:-1]]
    first = places[starts].tolist() if len(places) else []
    return [
        (slice(place, place + end - start), slice(start, end))
        for place, start, end in zip(first, starts, ends, strict=False)
    ]


def _like_images(shape: tuple[int, ...], like: Any) -> tuple[int, ...] | None:
    """Channels in the last place where *like*, images or volumes, has them there."""
    if layout.is_channels_last(tuple(like.shape), tuple(like.stride())):
        return layout.channels_last_strides(shape)
    return None


def _rows(name: str, mode: str, n: int) -> None:
    """``reflection_pad1d`` and its like, with their gradients."""
    base = f"{name}_pad{n}d"

    def meta(self: Any, padding: Sequence[int]) -> Out:
        _check_padding(mode, n, tuple(self.shape), padding)
        refuse(self.dtype, {base: BOOL | UNSIGNED}, self)
        shape = _padded_shape(self.shape, padding)
        return Out(shape, self.dtype, _like_images(shape, self))

    def prepare(self: Any, padding: Sequence[int]) -> Callable[..., Any]:
        axes = _places(mode, self.shape, padding)
        if self.size > _FEW and min(padding) >= 0:
            return _framed(self, axes, padding)

        def kernel(self: Any, padding: Sequence[int]) -> Any:
            for d, places in axes:
                self = self.take(places, d)
            return self

        return kernel

    def backward_meta(grad_output: Any, self: Any, padding: Sequence[int]) -> Out:
        shape = tuple(self.shape)
        return Out(shape, grad_output.dtype, _like_images(shape, self))

    def prepare_backward(grad_output: Any, self: Any, padding: Sequence[int]) -> Callable[..., Any]:
        shape, steps = list(grad_output.shape), []
        for d, places in _places(mode, self.shape, padding):
            shape[d] = self.shape[d]
            steps.append((d, _runs(places), tuple(shape)))

        def backward(grad_output: Any, self: Any, padding: Sequence[int]) -> Any:
            out = grad_output
            for d, runs, narrow in steps:
                wide, out = out, np.zeros(narrow, out.dtype)
                into, rows = out.swapaxes(0, d), wide.swapaxes(0, d)
                for run, part in runs:  # one after the other: places may come twice
                    into[run] += rows[part]
            return out

        return backward

    op(
        f"{base}(Tensor self, SymInt[{2 * n}] padding) -> Tensor",
        says=_SAYS[mode],
        meta=meta,
        prepare=prepare,
        half=False,
        module="nn",
        variants="function",
        autocast="" if base == "reflection_pad3d" else ("float32", ""),
        grad={"self": lambda g, c: getattr(ops, f"{base}_backward")(g, c.self, c.padding)},
        samples=f"pad{n}d",
    )
    op(
        f"{base}_backward(Tensor grad_output, Tensor self, SymInt[{2 * n}] padding) -> Tensor",
        meta=backward_meta,
        prepare=prepare_backward,
        variants="",
        grad={
            "grad_output": lambda g, c: getattr(ops, base)(g, c.padding),
            "self": lambda g, c: ops.zeros_like(c.self, memory_format=contiguous_format),
        },
    )


for _n in (1, 2, 3):
    _rows("reflection", "reflect", _n)
    _rows("replication", "replicate", _n)


def _pad(self: Any, pad: Sequence[int], mode: str, value: float | None) -> Any:
    if mode not in _MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    return _padded(self, pad, mode, value)


def _pad_by_number(self: Any, pad: Sequence[int], mode: int, value: float | None) -> Any:
    known = 0 <= mode < len(_MODES)
    if not known and value:
        raise RuntimeError(f"Invalid padding mode ({mode})")
    return _padded(self, pad, _MODES[mode] if known else "", value)


def _padded(self: Any, pad: Sequence[int], mode: str, value: float | None) -> Any:
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
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    _check_sizes(mode, n, len(pad))
    if mode == "circular":
        return _circular(self, pad)
    name = "reflection" if mode == "reflect" else "replication"
    return getattr(ops, f"{name}_pad{len(pad) // 2}d")(self, pad)


def _circular(self: Any, pad: Sequence[int]) -> Any:
    """Written piece by piece into a fresh tensor: the middle, then each side from the other.

    Source: torch aten/src/ATen/native/PadNd.cpp, _pad_circular_symint.
    """
    n = self.dim()
    if n - len(pad) // 2 not in (1, 2):
        raise RuntimeError(
            "Invalid padding size, expected 1 or 2 non-padded dimensions, which would be "
            f"equivalent to padding of length {(n - 1) * 2} or {(n - 2) * 2} respectively but got "
            f"{len(pad)}"
        )
    for i, size in enumerate(reversed(self.shape[n - len(pad) // 2 :])):
        before, after = pad[2 * i], pad[2 * i + 1]
        if before > size or after > size:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if before + after + size < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
    shape = _padded_shape(self.shape, pad)
    how = {"dtype": self.dtype, "layout": self.layout, "device": self.device}
    out = of("new_empty")(self, shape, **how)
    inner, source = out, self
    sides = [(self.dim() - 1 - i, pad[2 * i], pad[2 * i + 1]) for i in range(len(pad) // 2)]
    for d, before, after in sides:
        inner = inner.narrow(d, max(before, 0), shape[d] - max(before, 0) - max(after, 0))
        size = self.shape[d] - max(-before, 0) - max(-after, 0)
        source = source.narrow(d, max(-before, 0), size)
    inner.copy_(source)
    for d, before, after in sides:
        if before > 0:
            end = shape[d] - max(after, 0)
            out.narrow(d, 0, before).copy_(out.narrow(d, end - before, before))
        if after > 0:
            side = out.narrow(d, shape[d] - after, after)
            side.copy_(out.narrow(d, max(before, 0), after))
    return out


op(
    'pad(Tensor self, SymInt[] pad, str mode="constant", float? value=None) -> Tensor',
    says="Pad the borders with a constant, or by reflecting, replicating or repeating "
    "the elements.",
    composite=_pad,
    module="nn",
    variants="function",
    samples="pad",
)
op(
    "_pad_enum(Tensor self, SymInt[] pad, int mode, float? value=None) -> Tensor",
    says="Pad the borders as pad does, which knows the modes by their names.",
    composite=_pad_by_number,
    module="nn",
    variants="function",
    samples="_pad_enum",
    tags=("loops: functional",),
)
op(
    "_pad_circular(Tensor self, SymInt[] pad) -> Tensor",
    says="Pad the borders by repeating the elements.",
    composite=_circular,
    module="nn",
    variants="function",
    samples="_pad_circular",
)
