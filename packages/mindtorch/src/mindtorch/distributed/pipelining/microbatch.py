"""``torch.distributed.pipelining.microbatch``: a batch cut into microbatches, and put together."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from ...aten import torch
from ...fx.node import map_aggregate
from ...nn.attention.flex_attention import BlockMask
from ...tensor import Tensor
from ...utils._pytree import tree_flatten, tree_map, tree_unflatten
from ..tensor import DTensor

__all__ = ["TensorChunkSpec", "merge_chunks", "split_args_kwargs_into_chunks"]

#: For tests of numbers: give each microbatch all rows, with zeros in place of the others'.
_debug_mask_minibatches = False
#: The dimension that is cut if nobody names one.
DEFAULT_CHUNK_DIM = 0


class _CustomReducer:
    """Makes one value of those of all microbatches: *reduce_fn* of what there is and the next."""

    def __init__(self, init_value: Any, reduce_fn: Callable[[Any, Any], Any]) -> None:
        self.init_value = init_value
        self.reduce_fn = reduce_fn


class _LossReducer(_CustomReducer):
    """Makes one loss of those of all microbatches."""


sum_reducer = _LossReducer(torch.tensor(0.0), operator.add)


class TensorChunkSpec:
    """The dimension along which a tensor is cut."""

    split_dim: int

    def __init__(self, split_dim: int) -> None:
        self.split_dim = split_dim

    def __repr__(self) -> str:
        kind = type(self)
        return f"{kind.__module__}.{kind.__name__}({self.split_dim})"

    def __str__(self) -> str:
        return f"TensorChunkSpec({self.split_dim})"

    @staticmethod
    def from_tuple(chunk_dims: tuple[int, ...]) -> Any:
        """Make a tuple of specs of a tuple of dimensions, one for each positional argument."""
        return map_aggregate(chunk_dims, TensorChunkSpec)

    @staticmethod
    def from_dict(chunk_dims: dict[str, int]) -> Any:
        """Make a dict of specs of a dict of dimensions, one for each argument by keyword."""
        return map_aggregate(chunk_dims, TensorChunkSpec)


class _Replicate:
    """Says that every microbatch gets the whole value."""


def _is_mask(value: Any) -> bool:
    return isinstance(value, BlockMask)


def _split_block_mask(block_mask: BlockMask, num_chunks: int) -> list[BlockMask]:
    """Cut a mask of attention along its batch; one of a single row is for all rows.

    Raises AssertionError for fewer rows than chunks.
    """
    rows = block_mask.kv_num_blocks.size(0)
    if rows == 1:
        return [block_mask] * num_chunks
    if rows < num_chunks:
        raise AssertionError("Block mask has fewer batch size than the number of chunks. ")

    def cut(table: Any) -> Sequence[Any]:
        return [None] * num_chunks if table is None else torch.tensor_split(table, num_chunks, 0)

    def shifted(first: int) -> Callable[..., Any]:
        """The function of the mask for rows that are counted from *first*."""
        return lambda b, h, q, kv: block_mask.mask_mod(b + torch.full_like(b, first), h, q, kv)

    chunks, first = [], 0
    tables = (
        block_mask.kv_num_blocks,
        block_mask.kv_indices,
        block_mask.full_kv_num_blocks,
        block_mask.full_kv_indices,
    )
    for parts in zip(*map(cut, tables), strict=True):
        chunks.append(
            BlockMask.from_kv_blocks(
                kv_num_blocks=parts[0],
                kv_indices=parts[1],
                full_kv_num_blocks=parts[2],
                full_kv_indices=parts[3],
                BLOCK_SIZE=block_mask.BLOCK_SIZE,
                mask_mod=shifted(first),
                seq_lengths=block_mask.seq_lengths,
            )
        )
        first += parts[0].size(0)
    return chunks


def _like(whole: Any, local: Tensor, shape: Any) -> Any:
    """The distributed tensor placed as *whole* that has *local* here."""
    return DTensor.from_local(
        local,
        whole.device_mesh,
        whole.placements,
        shape=torch.Size(shape),
        stride=whole.stride(),
        run_check=False,
    )


def _with_dim(shape: Sequence[int], dim: int, size: int) -> list[int]:
    changed = list(shape)
    changed[dim] = size
    return changed


def _split_tensor(tensor: Any, spec: TensorChunkSpec, num_chunks: int) -> Sequence[Any]:
    """Cut a tensor; the parts of a distributed one are placed as it is.

    Raises AssertionError for fewer rows than chunks.
    """
    dim, size = spec.split_dim, tensor.size(spec.split_dim)
    if size < num_chunks:
        raise AssertionError(f"Tensor size {size} is smaller than num_chunks")
    chunks: Sequence[Any]
    if isinstance(tensor, DTensor):
        # What each process has is cut where it is: cutting the whole would gather it first.
        each, more = divmod(size, num_chunks)
        chunks = [
            _like(tensor, local, _with_dim(tensor.shape, dim, each + (i < more)))
            for i, local in enumerate(torch.tensor_split(tensor.to_local(), num_chunks, dim))
        ]
    else:
        chunks = torch.tensor_split(tensor, num_chunks, dim)
    if tensor.requires_grad and tensor.is_leaf:
        for chunk in chunks:  # backward of a stage reads gradients of what it was given
            chunk.retain_grad()
    return _masked(tensor, chunks, dim) if _debug_mask_minibatches else chunks


def _masked(whole: Any, chunks: Sequence[Any], dim: int) -> list[Any]:
    """For each chunk a tensor of the size of all, with zeros outside of it."""
    if isinstance(whole, DTensor):
        locals_ = [chunk.to_local() for chunk in chunks]
        made = _masked(whole.to_local(), locals_, dim)
        return [_like(whole, local, whole.shape) for local in made]
    made, first = [], 0
    for chunk in chunks:
        filled = torch.zeros_like(whole)
        filled.narrow(dim, first, chunk.size(dim)).copy_(chunk)
        made.append(filled)
        first += chunk.size(dim)
    return made


def _replicates(spec: Any) -> bool:
    return spec is _Replicate or isinstance(spec, _Replicate)


def _rows(value: Any, spec: Any, num_chunks: int) -> int:
    """Into how many chunks a value may be cut.

    Raises AssertionError for a spec that is none, ValueError for values that cannot be cut.
    """
    if _replicates(spec):
        return num_chunks
    if not isinstance(value, (Tensor, BlockMask)):
        raise ValueError(f"Unsupported chunk spec: {spec} and value: {value} combination.")
    if not isinstance(spec, TensorChunkSpec):
        raise AssertionError(f"Expected TensorChunkSpec, got {type(spec)}")
    if isinstance(value, Tensor):
        return int(value.size(spec.split_dim))
    if spec.split_dim != 0:
        raise AssertionError("BlockMask only supports split_dim=0")
    rows = int(value.kv_num_blocks.size(0))
    return num_chunks if rows == 1 else rows


def _cut(value: Any, spec: Any, num_chunks: int) -> Sequence[Any]:
    if _replicates(spec):
        return [value] * num_chunks
    if isinstance(value, Tensor):
        return _split_tensor(value, spec, num_chunks)
    return _split_block_mask(value, num_chunks)


def _shard_dict_of_args(args_dict: Any, args_chunk_spec: Any, num_chunks: int) -> list[Any]:
    """Cut the values of a dict: a dict for each chunk, of which there are fewer for few rows.

    Raises AssertionError for specs of other keys.
    """
    if not args_dict:
        return [{} for _ in range(num_chunks)]
    if len(args_dict) != len(args_chunk_spec):
        raise AssertionError(
            f"args_dict.keys() = {list(args_dict.keys())} "
            f"args_chunk_spec.keys() = {list(args_chunk_spec.keys())}"
        )
    values, structure = tree_flatten(args_dict, is_leaf=_is_mask)
    specs, _ = tree_flatten(args_chunk_spec, is_leaf=_is_mask)
    pairs = list(zip(values, specs, strict=True))
    num_chunks = min(*[_rows(value, spec, num_chunks) for value, spec in pairs], num_chunks)
    cut = [_cut(value, spec, num_chunks) for value, spec in pairs]
    return [tree_unflatten([parts[i] for parts in cut], structure) for i in range(num_chunks)]


def _default_spec(value: Any) -> Any:
    if isinstance(value, (Tensor, BlockMask)):
        return TensorChunkSpec(DEFAULT_CHUNK_DIM)
    return _Replicate()


def split_args_kwargs_into_chunks(
    args: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    chunks: int,
    args_chunk_spec: tuple[TensorChunkSpec, ...] | None = None,
    kwargs_chunk_spec: dict[str, TensorChunkSpec] | None = None,
) -> tuple[list[tuple[Any, ...]], list[dict[str, Any]]]:
    """Cut the arguments of a call into those of *chunks* calls, or fewer where rows are few.

    :param args_chunk_spec: how each is cut, nested as *args*. By default tensors are cut along
        their first dimension, and every call gets all of other values.

    Raises RuntimeError where positional arguments make other numbers of calls than the rest.
    """
    kwargs = kwargs or {}
    if args_chunk_spec is None:
        args_chunk_spec = tree_map(_default_spec, args, is_leaf=_is_mask)
    if kwargs_chunk_spec is None:
        kwargs_chunk_spec = tree_map(_default_spec, kwargs, is_leaf=_is_mask)

    def positional(count: int) -> list[Any]:
        return _shard_dict_of_args(dict(enumerate(args)), dict(enumerate(args_chunk_spec)), count)

    cut = positional(chunks)
    named = _shard_dict_of_args(kwargs, kwargs_chunk_spec, len(cut))
    if len(named) < len(cut):
        cut = positional(len(named))
    if len(cut) != len(named):
        raise RuntimeError(
            f"args and kwargs are split into different number of chunks: {len(cut)}, {len(named)}"
        )
    return [tuple(each[i] for i in range(len(each))) for each in cut], named


def _unmasked(parts: list[Tensor], dim: int) -> list[Tensor]:
    """The rows of each part that are not another's: see :data:`_debug_mask_minibatches`."""
    shape = parts[0].shape
    for part in parts[1:]:
        if part.shape != shape:
            raise AssertionError(f"Expected shape {shape}, got {part.shape}")
    made: list[Tensor] = []
    first = 0
    for rows in torch.tensor_split(torch.empty(*shape, device="meta"), len(parts), dim):
        made.append(parts[len(made)].narrow(dim, first, rows.size(dim)))
        first += rows.size(dim)
    return made


def _concatenated(parts: list[Any], dim: int) -> Any:
    """The tensor of all parts. Raises AssertionError for parts that are placed differently."""
    if _debug_mask_minibatches:
        parts = _unmasked(parts, dim)
    if not any(isinstance(part, DTensor) for part in parts):
        return torch.cat(parts, dim=dim)
    if not all(isinstance(part, DTensor) for part in parts):
        raise AssertionError(
            "merge_chunks: expected all values to be DTensors or none to be DTensors, got a mix"
        )
    placements = parts[0].placements
    for i, part in enumerate(parts[1:], 1):
        if part.placements != placements:
            raise AssertionError(
                f"merge_chunks: placement mismatch at chunk {i}: "
                f"expected {placements}, got {part.placements}"
            )
    local = torch.cat([part.to_local() for part in parts], dim=dim)
    size = sum(part.shape[dim] for part in parts)
    return _like(parts[0], local, _with_dim(parts[0].shape, dim, size))


def _merged(values: list[Any], spec: Any) -> Any:
    """One value of those of all chunks. Raises AssertionError for values that are to be equal."""
    if isinstance(spec, TensorChunkSpec):
        return _concatenated(values, spec.split_dim)
    if isinstance(spec, _CustomReducer):
        return reduce(spec.reduce_fn, values, spec.init_value)
    for value in values[1:]:
        if not value == values[0]:
            raise AssertionError(f"Expected {values[0]}, got {value}")
    return values[0]


def merge_chunks(chunks: list[Any], chunk_spec: Any) -> Any:
    """Put the results of all chunks together.

    :param chunk_spec: how each is put together, nested as a result: a :class:`TensorChunkSpec`
        concatenates, a reducer reduces, anything else stands for what is equal everywhere. By
        default all are concatenated along their first dimension.

    Raises ValueError for results that are nested otherwise.
    """
    if chunk_spec is None:
        first, structure = tree_flatten(chunks[0])
        specs: list[Any] = [TensorChunkSpec(DEFAULT_CHUNK_DIM)] * len(first)
    else:
        specs, structure = tree_flatten(chunk_spec)
    rows = []
    for chunk in chunks:
        leaves, _ = tree_flatten(chunk)
        if len(leaves) != len(specs):
            raise ValueError(f"Chunk {chunk} did not match chunk spec {chunk_spec}")
        rows.append(leaves)
    merged = [_merged([row[i] for row in rows], spec) for i, spec in enumerate(specs)]
    return tree_unflatten(merged, structure)
