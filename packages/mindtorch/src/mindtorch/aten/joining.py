"""Several tensors as one: ``cat``, ``stack`` and their relatives, ``meshgrid``."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from mindtorch_storage import layout
from mindtorch_storage.dtype import from_numpy
from mindtorch_storage.promotion import promote_types

from mindtorch.aten.prepared import of_arrays
from mindtorch.aten.reflected import watched
from mindtorch.call.elementwise_meta import common_dtype
from mindtorch.call.forms import NoFormula, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core import signature as S
from mindtorch.core.dims import contiguous, element_strides, laid_out, wrap_dim
from mindtorch.core.operators import of, onto, ops

__all__: list[str] = []


def _is_void(shape: Sequence[int]) -> bool:
    """``torch.zeros(0)`` joins with anything, whatever its number of dims (a legacy of torch)."""
    return len(shape) == 1 and shape[0] == 0


def _common_dtype(tensors: Sequence[Any]) -> Any:
    found = tensors[0].dtype
    same = found.np
    for t in tensors[1:]:
        if t._a_.dtype is not same:
            found = promote_types(found, t.dtype)
            same = found.np
    return found


def _cat_meta(tensors: Sequence[Any], dim: int) -> Out:
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    shapes = [t._a_.shape for t in tensors]
    if () in shapes:
        at = shapes.index(())
        raise RuntimeError(f"zero-dimensional tensor (at position {at}) cannot be concatenated")
    dtype = _common_dtype(tensors)
    real = [i for i, shape in enumerate(shapes) if not _is_void(shape)]
    if not real:  # whatever the dim
        return Out((0,), dtype)
    first = shapes[real[0]]
    d = wrap_dim(dim, len(first))
    before, after, total = first[:d], first[d + 1 :], 0
    for i in real:
        shape = shapes[i]
        if len(shape) != len(first):
            raise RuntimeError(
                f"Tensors must have same number of dimensions: got {len(first)} and {len(shape)}"
            )
        if shape[:d] != before or shape[d + 1 :] != after:
            m, n = next((m, n) for k, (m, n) in enumerate(zip(first, shape)) if k != d and m != n)
            raise RuntimeError(
                f"Sizes of tensors must match except in dimension {d}. "
                f"Expected size {m} but got size {n} for tensor number {i} in the list."
            )
        total += shape[d]
    out = (*before, total, *after)
    return Out(out, dtype, joined_strides(out, ((shapes[i], tensors[i].stride()) for i in real)))


def joined_strides(out: tuple[int, ...], parts: Iterable[Any]) -> Any:
    """channels_last where every part suggests it, else contiguous (None)."""
    if len(out) in (4, 5) and all(layout.is_channels_last(tuple(s), tuple(t)) for s, t in parts):
        return layout.channels_last_strides(out)
    return None


def _facts(arrays: Iterable[Any]) -> Iterator[Any]:
    """Shape and strides of ndarrays, one after the other: often the first says enough."""
    for a in arrays:
        item = a.itemsize
        yield a.shape, tuple([s // item for s in a.strides])


def _common(arrays: Sequence[Any]) -> np.dtype[Any]:
    """The numpy dtype that all are promoted to."""
    found = from_numpy(arrays[0].dtype)
    for a in arrays[1:]:
        if a.dtype != found.np:
            found = promote_types(found, from_numpy(a.dtype))
    common: np.dtype[Any] = found.np
    return common


def _joined(
    tensors: Sequence[Any], dtype: np.dtype[Any], axis: int, shape: tuple[int, ...]
) -> Callable[[Any, int], Any]:
    """What joins arrays like *tensors* along an axis of theirs, as one of *dtype* and *shape*.

    It takes the arguments of the op, whose dim is this axis if *shape* has no dimension more.
    """
    concatenate = of_arrays(np.concatenate)
    same = all(t.dtype == dtype for t in tensors)
    if same and all(t.flags.c_contiguous for t in tensors):
        if len(shape) == tensors[0].ndim:
            return concatenate  # its axis is the op's dim
        return lambda tensors, dim: concatenate(tensors, axis).reshape(shape)

    def kernel(tensors: Any, dim: int) -> Any:
        if not same:
            tensors = [t.astype(dtype, copy=False) for t in tensors]
        return contiguous(concatenate(tensors, axis)).reshape(shape)

    return kernel


def _prepare_cat(tensors: Sequence[Any], dim: int) -> Callable[..., Any]:
    real = [i for i, t in enumerate(tensors) if not _is_void(t.shape)]
    if not real:
        return lambda tensors, dim: np.concatenate(tensors)
    parts = [tensors[i] for i in real]
    d = wrap_dim(dim, parts[0].ndim)
    shape = parts[0].shape
    shape = (*shape[:d], sum([t.shape[d] for t in parts]), *shape[d + 1 :])
    strides = joined_strides(shape, _facts(parts))
    join = _joined(parts, _common(tensors), d, shape)  # what is void has a dtype, too
    if len(real) < len(tensors) or strides is not None:
        return lambda tensors, dim: laid_out(join([tensors[i] for i in real], dim), strides)
    return join


def _cat_grad(g: Any, c: Any) -> list[Any]:
    out, start = [], 0
    for t in c.tensors_facts:
        shape = tuple(t.shape)
        if _is_void(shape):
            out.append(g.new_zeros((0,)))
            continue
        dim = wrap_dim(c.dim, len(shape))
        size = shape[dim]
        out.append(g.narrow(dim, start, size))
        start += size
    return out


op(
    "cat(Tensor[] tensors, int dim=0) -> Tensor",
    says="""Join tensors along an existing dimension.
    All sizes but that of dim must agree; dtypes are promoted.

    >>> torch.cat([torch.tensor([[1, 2]]), torch.tensor([[3, 4]])], dim=1)
    tensor([[1, 2, 3, 4]])
    """,
    meta=_cat_meta,
    prepare=_prepare_cat,
    half=False,
    variants="function",
    out=OutForm(dtype="joined", overlap="apart"),
    grad={"tensors": _cat_grad},
    samples="cat",
    tangent="linear",
    tags=("moves", "moves_mask"),
    autocast=("promote", ""),
)


def _block_sizes(shape: Sequence[int]) -> tuple[int, int]:
    """Rows and columns of what stands on the diagonal."""
    if len(shape) == 2:
        return shape[0], shape[1]
    return 1, shape[0] if len(shape) else 1


def _block_diag(tensors: Sequence[Any]) -> Any:
    """Written block by block into zeros. Source: torch TensorShape.cpp, block_diag."""
    if not len(tensors):
        return ops.empty((1, 0))
    for i, t in enumerate(tensors):
        if t.dim() > 2:
            raise RuntimeError(
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. "
                f"Input {i} has {t.dim()} dimensions"
            )
        if t.device != tensors[0].device:
            text = (
                "nput tensors must all be on the same device. "
                f"Input 0 is on device {tensors[0].device} and input {i} is on device {t.device}"
            )
            if (t._sig_ | tensors[0]._sig_) & S.META:  # in the words of the decomposition
                raise RuntimeError(f"I{text}.")
            raise RuntimeError(f"torch.block_diag: i{text}")
    dtype = common_dtype(*tensors)
    sizes = [_block_sizes(t.shape) for t in tensors]
    whole = tuple([sum(side) for side in zip(*sizes, strict=True)])
    out = tensors[0].new_zeros(whole, dtype=dtype)
    row = column = 0
    for t, (height, width) in zip(tensors, sizes, strict=True):
        block = out.narrow(0, row, height).narrow(1, column, width)
        block.copy_(t.expand((height, width)))
        row, column = row + height, column + width
    return out


def _block_diag_grad(g: Any, c: Any) -> list[Any]:
    """Source: torch csrc/autograd/FunctionsManual.cpp, block_diag_backward."""
    out, row, column = [], 0, 0
    for t in c.tensors_facts:
        shape = tuple(t.shape)
        if shape == (0,):  # without the row that it took
            out.append(g.new_zeros((0,)))
            continue
        height, width = _block_sizes(shape)
        part = of("slice.Tensor")(g, 0, row, row + height, 1)
        part = of("slice.Tensor")(part, 1, column, column + width, 1)
        for _ in range(2 - len(shape)):
            part = part.squeeze(-1)
        out.append(part)
        row, column = row + height, column + width
    return out


op(
    "block_diag(Tensor[] tensors) -> Tensor",
    says="Put matrices along the diagonal of a larger one.",
    composite=_block_diag,
    kinds={"functional": "explicit"},
    variants="",
    grad={"tensors": _block_diag_grad},
    samples="block_diag",
    batch="whole_loop",
    tangent="linear",
)
for _name in ("concat", "concatenate"):
    op(
        f"{_name}(Tensor[] tensors, int dim=0) -> Tensor",
        says="Join tensors along an existing dimension, as cat does.",
        composite=lambda tensors, dim: ops.cat(tensors, dim),
        variants="function",
        out=OutForm(dtype="joined", gradient="cat"),
        samples="cat",
    )


def check_equal_sizes(tensors: Sequence[Any]) -> None:
    """Refuse to stack tensors of different sizes. Raises RuntimeError."""
    first = tensors[0]._a_.shape
    for i, t in enumerate(tensors):
        if t._a_.shape != first:
            raise RuntimeError(
                f"stack expects each tensor to be equal size, but got {list(first)} at entry 0 "
                f"and {list(t.shape)} at entry {i}"
            )


def _stack_meta(tensors: Sequence[Any], dim: int) -> Out:
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    first = tensors[0]._a_.shape
    d = wrap_dim(dim, len(first) + 1)
    check_equal_sizes(tensors)
    shape = (*first[:d], len(tensors), *first[d:])
    strides = _stacked_strides(tuple(first), d, [tuple(t.stride()) for t in tensors])
    return Out(shape, _common_dtype(tensors), strides)


def _stacked_strides(
    first: tuple[int, ...], d: int, strides: Sequence[tuple[int, ...]]
) -> tuple[int, ...] | None:
    """Those of what torch joins: along the dim that then is split, or a new one at the end."""
    count = len(strides)
    if d == len(first):
        parts = [((*first, 1), (*t, 1)) for t in strides]
        found: tuple[int, ...] | None = joined_strides((*first, count), parts)
        return found
    shape = (*first[:d], count * first[d], *first[d + 1 :])
    found = joined_strides(shape, [(first, t) for t in strides])
    if found is None:
        return None
    return layout.view_strides(shape, found, (*first[:d], count, *first[d:]))


def _stack_grad(g: Any, c: Any) -> Any:
    if not watched(g):
        return g.unbind(c.dim)
    parts = []
    for i, fact in enumerate(c.tensors_facts):
        part = g.select(c.dim, i)
        real = fact is not None and not fact.dtype.is_complex and g.dtype.is_complex
        parts.append(ops.real(part) if real else part)
    return parts


def _prepare_stack(tensors: Sequence[Any], dim: int) -> Callable[..., Any]:
    first = tensors[0].shape
    d = wrap_dim(dim, len(first) + 1)
    shape = (*first[:d], len(tensors), *first[d:])
    strides = _stacked_strides(first, d, [element_strides(t) for t in tensors])
    if strides is not None:
        common = _common(tensors)

        def kernel(tensors: Any, dim: int) -> Any:
            return laid_out(np.stack([t.astype(common, copy=False) for t in tensors], d), strides)

        return kernel
    if d == 0 and first:
        return _joined(tensors, _common(tensors), 0, shape)
    rows = (math.prod(first[:d]), math.prod(first[d:]))
    join = _joined([t.reshape(rows) for t in tensors], _common(tensors), 1, shape)
    return lambda tensors, dim: join([t.reshape(rows) for t in tensors], dim)


op(
    "stack(Tensor[] tensors, int dim=0) -> Tensor",
    says="""Join tensors of one shape along a new dimension.
    Dtypes are promoted.

    >>> torch.stack([torch.tensor([1, 2]), torch.tensor([3, 4])], dim=1)
    tensor([[1, 3],
            [2, 4]])
    """,
    meta=_stack_meta,
    prepare=_prepare_stack,
    half=False,
    variants="function",
    out=OutForm(dtype="joined", overlap="apart"),
    grad={"tensors": _stack_grad},
    samples="stack",
    tangent="linear",
    tags=("one_more_dim", "moves", "moves_mask"),
    autocast=("promote", ""),
)
op(
    "_stack(Tensor[] tensors, int dim=0) -> Tensor",
    says="Join tensors of one shape along a new dimension, as stack does.",
    meta=_stack_meta,
    prepare=_prepare_stack,
    half=False,
    variants="function",
    out=OutForm(dtype="joined", overlap="apart"),
    grad=NoFormula(),
    samples="_stack",
    tags=("one_more_dim", "moves"),
)


def _at_least(t: Any, n: int) -> Any:
    """``atleast_nd``: 1-d tensors become rows, 2-d ones get a last dim."""
    dims = t.dim()
    if dims == 0:
        t = t.reshape((1,) * n)
    elif n == 2 and dims == 1:
        t = t.unsqueeze(0)
    elif n == 3 and dims == 1:
        t = t.unsqueeze(0).unsqueeze(-1)
    elif n == 3 and dims == 2:
        t = t.unsqueeze(-1)
    return t


def _need(name: str, tensors: Sequence[Any]) -> None:
    if not tensors:
        raise RuntimeError(f"{name} expects a non-empty TensorList")


def _hstack(tensors: Sequence[Any], **out: Any) -> Any:
    _need("hstack", tensors)
    parts = [_at_least(t, 1) for t in tensors]
    return ops.cat(parts, 0 if parts[0].dim() == 1 else 1, **out)


def _vstack(tensors: Sequence[Any], **out: Any) -> Any:
    _need("vstack", tensors)
    return ops.cat([_at_least(t, 2) for t in tensors], 0, **out)


def _dstack(tensors: Sequence[Any], **out: Any) -> Any:
    _need("dstack", tensors)
    return ops.cat([_at_least(t, 3) for t in tensors], 2, **out)


def _column_stack(tensors: Sequence[Any], **out: Any) -> Any:
    _need("column_stack", tensors)
    columns = [t.reshape((t.numel(), 1)) if t.dim() <= 1 else t for t in tensors]
    return ops.hstack(columns, **out)


for _name, _function, _says in (
    (
        "hstack",
        _hstack,
        """Join tensors side by side: along dimension 1, vectors along 0.

    >>> torch.hstack([torch.tensor([1, 2]), torch.tensor([3])])
    tensor([1, 2, 3])
    """,
    ),
    (
        "vstack",
        _vstack,
        """Join tensors on top of each other: along dimension 0, vectors as rows.

    >>> torch.vstack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 2],
            [3, 4]])
    """,
    ),
    ("row_stack", _vstack, "Join tensors on top of each other, as vstack does."),
    ("dstack", _dstack, "Join tensors along the third dimension."),
    (
        "column_stack",
        _column_stack,
        """Join tensors side by side, vectors as columns.

    >>> torch.column_stack([torch.tensor([1, 2]), torch.tensor([3, 4])])
    tensor([[1, 3],
            [2, 4]])
    """,
    ),
):
    op(
        f"{_name}(Tensor[] tensors) -> Tensor",
        says=_says,
        composite=_function,
        variants="function",
        out=OutForm(dtype="joined"),
        out_kernel=onto(_function),
        batch="no_fallback" if _name == "column_stack" else "",
        samples="stacks",
    )


def _meshgrid(tensors: Sequence[Any], indexing: str = "ij") -> tuple[Any, ...]:
    if not tensors:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for t in tensors[1:]:
        if t.dtype != tensors[0].dtype:
            raise RuntimeError("meshgrid expects all tensors to have the same dtype")
        if t.device != tensors[0].device:
            raise RuntimeError("meshgrid expects all tensors to have the same device")
    for t in tensors:
        if t.dim() > 1:
            raise RuntimeError(
                f"torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: {t}"
            )
    swap = False
    parts = list(tensors)
    if indexing == "xy":
        swap = len(parts) >= 2
        if swap:
            parts[0], parts[1] = parts[1], parts[0]
    elif indexing != "ij":
        raise RuntimeError(
            f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}'
        )
    shape = tuple([t.numel() for t in parts])
    ones = (1,) * len(parts)
    grids = [t.view((*ones[:k], -1, *ones[k + 1 :])).expand(shape) for k, t in enumerate(parts)]
    if swap:
        grids[0], grids[1] = grids[1], grids[0]
    return tuple(grids)


op(
    "meshgrid(Tensor[] tensors) -> Tensor[]",
    says="Return the grids of coordinates that vectors span.",
    composite=_meshgrid,
    variants="function",
    samples="meshgrid",
)
op(
    "meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]",
    composite=_meshgrid,
    variants="function",
    samples="meshgrid_indexing",
)
