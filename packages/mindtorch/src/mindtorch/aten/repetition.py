"""Rows that repeat elements: ``repeat``, ``tile``, ``repeat_interleave``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch_storage import layout
from mindtorch_storage.dtype import from_numpy

from mindtorch.call.elementwise_meta import not_implemented
from mindtorch.call.row import Out, op
from mindtorch.core.constants import contiguous_format
from mindtorch.core.operators import ops

__all__: list[str] = []

wrap_dim = layout.wrap_dim


def _repeat_meta(self: Any, repeats: Sequence[int]) -> Out:
    shape = tuple(self.shape)
    if len(repeats) < len(shape):
        raise RuntimeError(
            "Number of dimensions of repeat dims can not be smaller than number of dimensions "
            "of tensor"
        )
    padded = (1,) * (len(repeats) - len(shape)) + shape
    out = tuple(r * s for r, s in zip(repeats, padded, strict=True))
    if any(s < 0 for s in out):
        bad = next(s for s in out if s < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {bad}: {list(out)}")
    return Out(out, self.dtype)


def _repeat(self: Any, repeats: Sequence[int]) -> Any:
    if not repeats:
        return self.copy()
    found = np.tile(self, repeats)
    # Of nothing numpy makes a view of what is given, with its place and strides.
    return found if found.size else np.empty(found.shape, found.dtype)


def _repeat_grad(g: Any, c: Any) -> Any:
    shape = tuple(c.self.shape)
    repeats = tuple(c.repeats)
    if 0 in repeats:
        return g.new_zeros(shape)
    extra = len(repeats) - len(shape)
    if extra:
        g = g.sum(tuple(range(extra)))
        repeats = repeats[extra:]
    if all(r == 1 for r in repeats):
        return g
    sizes: list[int] = []
    sums: list[int] = []
    for r, s in zip(repeats, shape, strict=True):
        if r != 1:
            sums.append(len(sizes))
            sizes.append(r)
        sizes.append(s)
    return g.reshape(sizes).sum(sums)


op(
    "repeat(Tensor self, SymInt[] repeats) -> Tensor",
    says="""Repeat the whole tensor along each dimension, as a copy.

    >>> torch.tensor([1, 2]).repeat(2, 2)
    tensor([[1, 2, 1, 2],
            [1, 2, 1, 2]])
    """,
    meta=_repeat_meta,
    kernel=_repeat,
    half=False,
    variants="method",
    grad={"self": _repeat_grad},
    samples="repeat",
    tangent="linear",
)


def _tile(self: Any, dims: Sequence[int]) -> Any:
    missing = self.dim() - len(dims)
    return self.repeat((1,) * missing + tuple(dims) if missing > 0 else dims)


op(
    "tile(Tensor self, SymInt[] dims) -> Tensor",
    says="""Repeat the whole tensor along its last dimensions, as a copy.

    >>> torch.tile(torch.tensor([1, 2]), (2,))
    tensor([1, 2, 1, 2])
    """,
    composite=_tile,
    samples="tile",
)


def _repeats(repeats: Any, output_size: int | None) -> Any:
    if repeats.dtype.char not in "ilq":
        raise not_implemented("repeat_interleave_cpu", from_numpy(repeats.dtype))
    if repeats.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if not repeats.size:
        return repeats.copy()
    if output_size is not None:
        if output_size < 0:
            raise RuntimeError(
                f"Trying to create tensor with negative dimension {output_size}: [{output_size}]"
            )
        if output_size != repeats.sum():
            raise RuntimeError("allocated size does not match required size")
    if (repeats < 0).any():
        raise RuntimeError("repeats can not be negative")
    return np.repeat(np.arange(repeats.size, dtype=repeats.dtype), repeats)


def _repeats_infer(repeats: Any, output_size: int | None) -> Out | None:
    if output_size is None:
        if repeats.device.type != "meta":
            return None
        raise RuntimeError("cannot repeat_interleave a meta tensor without output_size")
    return Out((output_size,), repeats.dtype)


op(
    "repeat_interleave.Tensor(Tensor repeats, *, SymInt? output_size=None) -> Tensor",
    kernel=_repeats,
    infer=_repeats_infer,
    half=False,
    variants="function",
    samples="repeats",
    tags=("symbols: repeat_interleave", "data_dependent_output", "keeps_bits", "loops: functional"),
)


def _repeat_interleave_tensor(self: Any, repeats: Any, dim: Any, output_size: Any) -> Any:
    if dim is not None and not self.dim():
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    if repeats.dim() == 0 or (repeats.dim() == 1 and repeats.shape[0] == 1):
        size = self.numel() if dim is None else self.shape[wrap_dim(dim, self.dim())]
        repeats = repeats.reshape((1,)).expand((size,))
    elif repeats.dim() != 1:
        raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
    if dim is None:
        self, dim = self.flatten(), 0
    d = wrap_dim(dim, self.dim())
    if repeats.shape[0] != self.shape[d]:
        raise RuntimeError(
            "repeats must have the same size as input along dim, but got "
            f"repeats.size(0) = {repeats.shape[0]} and input.size({dim}) = {self.shape[d]}"
        )
    return self.index_select(dim, ops.repeat_interleave(repeats, output_size=output_size))


def _repeat_interleave_int(self: Any, repeats: int, dim: Any, output_size: Any) -> Any:
    if dim is None:
        self, dim = self.flatten(), 0
    d = wrap_dim(dim, self.dim())
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    shape = tuple(self.shape)
    if output_size is not None and output_size != shape[d] * repeats:
        raise RuntimeError(
            f"repeat_interleave: Invalid output_size, expected {shape[d] * repeats} but got "
            f"{output_size}"
        )
    wide = self.unsqueeze(d + 1).expand((*shape[: d + 1], repeats, *shape[d + 1 :]))
    return ops.clone(wide, memory_format=contiguous_format).flatten(d, d + 1)


op(
    "repeat_interleave.self_Tensor(Tensor self, Tensor repeats, int? dim=None, *, "
    "SymInt? output_size=None) -> Tensor",
    says="""Repeat each element, or each slice along a dimension.

    >>> torch.repeat_interleave(torch.tensor([1, 2]), torch.tensor([1, 3]))
    tensor([1, 2, 2, 2])
    """,
    composite=_repeat_interleave_tensor,
    samples="repeat_interleave_tensor",
)
op(
    "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, "
    "SymInt? output_size=None) -> Tensor",
    composite=_repeat_interleave_int,
    samples="repeat_interleave_int",
)
