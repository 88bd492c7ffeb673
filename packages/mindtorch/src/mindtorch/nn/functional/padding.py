"""Padding at the ends of the last dimensions."""

from __future__ import annotations

from typing import Any

from ...ops.call import ops

_MODES = ("reflect", "replicate", "circular")


def pad(input: Any, pad: Any, mode: str = "constant", value: float | None = None) -> Any:
    """*input* with ``pad[0]``, ``pad[1]`` elements before and after the last dimension, and so on
    backwards; negative numbers cut off.

    :param mode: ``constant`` (with *value*), ``reflect``, ``replicate`` or ``circular``.
    """
    pad = tuple(pad)
    n, ndim = len(pad), input.dim()
    # Source of the texts: torch aten/src/ATen/native/PadNd.cpp, _pad_enum_symint.
    if n % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if n > 2 * ndim:
        raise RuntimeError(
            "Padding length should be less than or equal to two times the input dimension but got "
            f"padding length {n} and input of dimension {ndim}"
        )
    if mode == "constant":
        return ops.constant_pad_nd(input, pad, 0.0 if value is None else value)
    if mode not in _MODES:
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if value is not None and value != 0:
        raise RuntimeError(f'Padding mode "{mode}" doesn\'t take in value argument')
    # The last k dimensions, with one or two that are not padded before them.
    if n not in (2, 4, 6) or ndim - n // 2 not in (1, 2):
        raise NotImplementedError(
            f"Padding size {n} is not supported for {ndim}D input tensor.\n"
            "Supported combinations for non-constant padding:\n"
            "  - 2D or 3D input: padding size = 2 (pads last dimension)\n"
            "  - 3D or 4D input: padding size = 4 (pads last 2 dimensions)\n"
            "  - 4D or 5D input: padding size = 6 (pads last 3 dimensions)"
        )
    return _gathered(input, pad, mode)


def _gathered(input: Any, pad: tuple[int, ...], mode: str) -> Any:
    """One index_select per padded dimension: each output element copies one input element."""
    ndim = input.dim()
    _CHECKS[mode](input, pad)
    for i in range(len(pad) // 2):
        dim = ndim - 1 - i
        before, after = pad[2 * i], pad[2 * i + 1]
        if before == 0 == after:
            continue
        n = input.size(dim)
        index = ops.arange(-before, n + after, device=input.device)
        if mode == "replicate":
            index = index.clamp(0, n - 1)
        elif mode == "circular":
            index = index % n
        else:
            index = index.abs()
            index = (n - 1) - ((n - 1) - index).abs()
        input = input.index_select(dim, index)
    return input


def _shape(input: Any) -> str:
    return str(list(input.shape))


def _check_reflect(input: Any, pad: tuple[int, ...]) -> None:
    """Source: torch aten/src/ATen/native/ReflectionPad.cpp, Padding.h."""
    ndim = input.dim()
    for i in range(len(pad) // 2):
        dim = ndim - 1 - i
        before, after = pad[2 * i], pad[2 * i + 1]
        if before >= input.size(dim) or after >= input.size(dim):
            raise RuntimeError(
                f"Argument #{4 + 2 * i}: Padding size should be less than the corresponding input "
                f"dimension, but got: padding ({before}, {after}) at dimension {dim} of input "
                f"{_shape(input)}"
            )


def _check_replicate(input: Any, pad: tuple[int, ...]) -> None:
    """Source: torch aten/src/ATen/native/ReplicationPadding.cpp."""


def _check_circular(input: Any, pad: tuple[int, ...]) -> None:
    """Source: torch aten/src/ATen/native/PadNd.cpp, _pad_circular_symint."""
    ndim = input.dim()
    for i in range(len(pad) // 2):
        size = input.size(ndim - 1 - i)
        before, after = pad[2 * i], pad[2 * i + 1]
        if before > size or after > size:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if before + after + size < 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")


_CHECKS = {
    "reflect": _check_reflect,
    "replicate": _check_replicate,
    "circular": _check_circular,
}
