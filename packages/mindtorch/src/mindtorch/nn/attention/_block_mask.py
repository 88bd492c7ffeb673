"""Masks by blocks of queries and keys."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from ...aten import torch
from .. import functional as F
from ._place_functions import _arguments, create_mask, noop_mask

__all__ = [
    "BlockMask",
    "create_block_mask",
]

_DEFAULT_SPARSE_BLOCK_SIZE = 128
Mod = Callable[..., Any]


def _round_up_to_multiple(x: int, multiple: int) -> int:
    return (x + multiple - 1) // multiple * multiple


def _ordered_to_dense(num_blocks_in_row: Any, col_indices: Any, num_cols: int) -> Any:
    """Which blocks are in use, from how many there are in a row and which come first."""
    used = torch.arange(col_indices.size(-1), device=col_indices.device) < (
        num_blocks_in_row.unsqueeze(-1)
    )
    dense = torch.zeros(
        (*col_indices.shape[:-1], num_cols + 1), dtype=torch.int32, device=col_indices.device
    )
    at = torch.where(used, col_indices.long(), num_cols)
    return dense.scatter_(-1, at, 1)[..., :num_cols].contiguous()


def _dense_to_ordered(dense_mask: Any) -> tuple[Any, Any]:
    """How many blocks are in use in each row, and the numbers of all, those in use first."""
    dense = dense_mask.to(torch.int32)
    counts = dense.sum(-1)
    order = torch.argsort(dense, dim=-1, descending=True, stable=True)
    return counts.to(torch.int32).contiguous(), order.to(torch.int32).contiguous()


def _transpose_ordered(num_blocks_in_row: Any, col_indices: Any) -> tuple[Any, Any]:
    dense = _ordered_to_dense(num_blocks_in_row, col_indices, col_indices.size(-1))
    return _dense_to_ordered(dense.transpose(-2, -1))


def _adjust_num_blocks_and_indices(
    num_blocks: Any, indices: Any, new_num_rows: int, new_num_cols: int
) -> tuple[Any, Any]:
    kept = indices[:, :, :new_num_rows, :new_num_cols]
    counts = num_blocks[:, :, :new_num_rows]
    used = torch.arange(kept.size(-1), device=kept.device) < counts.unsqueeze(-1)
    return ((kept < new_num_cols) & used).sum(-1).to(torch.int32), kept


def _convert_mask_to_block_mask(
    mask: Any,
    Q_BLOCK_SIZE: int = _DEFAULT_SPARSE_BLOCK_SIZE,
    KV_BLOCK_SIZE: int = _DEFAULT_SPARSE_BLOCK_SIZE,
    separate_full_blocks: bool = False,
) -> tuple[Any, Any]:
    """Which blocks show something, and (apart from those) which show everything."""
    mask = mask if mask.dim() == 4 else mask.expand((1,) * (4 - mask.dim()) + tuple(mask.shape))
    b, h, q, kv = mask.shape
    if q % Q_BLOCK_SIZE:
        raise AssertionError(f"Q length ({q}) must be divisible by Q_BLOCK_SIZE ({Q_BLOCK_SIZE})")
    if kv % KV_BLOCK_SIZE:
        raise AssertionError(
            f"KV length ({kv}) must be divisible by KV_BLOCK_SIZE ({KV_BLOCK_SIZE})"
        )
    parted = mask.reshape(b, h, q // Q_BLOCK_SIZE, Q_BLOCK_SIZE, kv // KV_BLOCK_SIZE, KV_BLOCK_SIZE)
    counts = parted.to(torch.int64).sum((3, 5))
    if not separate_full_blocks:
        return (counts > 0).to(torch.int8), None
    full = counts == Q_BLOCK_SIZE * KV_BLOCK_SIZE
    return ((counts > 0) & ~full).to(torch.int8), full.to(torch.int8)


def _convert_block_mask_to_mask(
    block_mask: Any,
    KV_BLOCK_SIZE: int = _DEFAULT_SPARSE_BLOCK_SIZE,
    Q_BLOCK_SIZE: int = _DEFAULT_SPARSE_BLOCK_SIZE,
) -> Any:
    wide = block_mask.repeat_interleave(Q_BLOCK_SIZE, -2)
    return wide.repeat_interleave(KV_BLOCK_SIZE, -1)


_TENSORS = (
    "kv_num_blocks kv_indices full_kv_num_blocks full_kv_indices q_num_blocks q_indices "
    "full_q_num_blocks full_q_indices"
).split()


class BlockMask:
    """Which blocks of keys each block of queries sees, and the function that tells it exactly.

    ``kv_num_blocks`` (B, H, rows) counts the blocks in part seen, ``kv_indices`` has their numbers
    first; ``full_…`` those of blocks that are seen whole, ``q_…`` the same by columns.
    """

    def __init__(
        self,
        seq_lengths: tuple[int, int],
        kv_num_blocks: Any,
        kv_indices: Any,
        full_kv_num_blocks: Any,
        full_kv_indices: Any,
        q_num_blocks: Any,
        q_indices: Any,
        full_q_num_blocks: Any,
        full_q_indices: Any,
        BLOCK_SIZE: tuple[int, int] = (_DEFAULT_SPARSE_BLOCK_SIZE, _DEFAULT_SPARSE_BLOCK_SIZE),
        mask_mod: Mod = noop_mask,
        *,
        dq_write_order: Any = None,
        dq_write_order_full: Any = None,
        dq_kv_order: Any = None,
        dq_kv_order_spt: bool | None = None,
    ) -> None:
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        self.seq_lengths = seq_lengths
        self.kv_num_blocks = kv_num_blocks
        self.kv_indices = kv_indices
        self.full_kv_num_blocks = full_kv_num_blocks
        self.full_kv_indices = full_kv_indices
        self.q_num_blocks = q_num_blocks
        self.q_indices = q_indices
        self.full_q_num_blocks = full_q_num_blocks
        self.full_q_indices = full_q_indices
        self.dq_write_order = dq_write_order
        self.dq_write_order_full = dq_write_order_full
        self.dq_kv_order = dq_kv_order
        self.dq_kv_order_spt = dq_kv_order_spt
        self.BLOCK_SIZE = BLOCK_SIZE
        self.mask_mod = mask_mod

    @classmethod
    def from_kv_blocks(
        cls,
        kv_num_blocks: Any,
        kv_indices: Any,
        full_kv_num_blocks: Any = None,
        full_kv_indices: Any = None,
        BLOCK_SIZE: Any = _DEFAULT_SPARSE_BLOCK_SIZE,
        mask_mod: Mod | None = None,
        seq_lengths: tuple[int, int] | None = None,
        compute_q_blocks: bool = True,
        *,
        dq_write_order: Any = None,
        dq_write_order_full: Any = None,
        dq_kv_order: Any = None,
    ) -> BlockMask:
        """A mask from its blocks by rows; those by columns are found."""
        if kv_indices.dim() < 2:
            raise RuntimeError("BlockMask must have at least 2 dimensions")
        if (full_kv_num_blocks is None) != (full_kv_indices is None):
            raise AssertionError(
                "full_kv_num_blocks and full_kv_indices must be both provided or omitted"
            )
        q_blocks = full_q_blocks = (None, None)
        if compute_q_blocks:
            q_blocks = _transpose_ordered(kv_num_blocks, kv_indices)
            if full_kv_num_blocks is not None:
                full_q_blocks = _transpose_ordered(full_kv_num_blocks, full_kv_indices)
        size = (BLOCK_SIZE, BLOCK_SIZE) if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
        if seq_lengths is None:
            seq_lengths = (kv_indices.shape[-2] * size[0], kv_indices.shape[-1] * size[1])
        return cls(
            seq_lengths, kv_num_blocks, kv_indices, full_kv_num_blocks, full_kv_indices, *q_blocks,
            *full_q_blocks, BLOCK_SIZE=size, mask_mod=mask_mod or noop_mask,
            dq_write_order=dq_write_order, dq_write_order_full=dq_write_order_full,
        )  # fmt: skip

    def as_tuple(self, flatten: bool = True) -> tuple[Any, ...]:
        """All parts, in the order of the constructor's arguments."""
        size: tuple[Any, ...] = tuple(self.BLOCK_SIZE) if flatten else (self.BLOCK_SIZE,)
        lengths: tuple[Any, ...] = tuple(self.seq_lengths) if flatten else (self.seq_lengths,)
        parts = [getattr(self, name) for name in _TENSORS]
        return (*lengths, *parts, *size, self.mask_mod)

    @property
    def shape(self) -> tuple[int, ...]:
        """Batches, heads, queries and keys."""
        return (*self.kv_indices.shape[:-2], *self.seq_lengths)

    def numel(self) -> int:
        """How many pairs of queries and keys there are."""
        return math.prod(self.shape)

    def sparsity(self) -> float:
        """How many percent of pairs are in blocks that are not seen."""
        seen = int(self.kv_num_blocks.sum().item())
        if self.full_kv_num_blocks is not None:
            seen += int(self.full_kv_num_blocks.sum().item())
        covered = seen * self.BLOCK_SIZE[0] * self.BLOCK_SIZE[1]
        return 100 * (1 - covered / self.numel())

    def to_dense(self) -> Any:
        """1 for blocks that are seen, at least in part: (B, H, rows, columns)."""
        columns = self.kv_indices.shape[-1]
        dense = _ordered_to_dense(self.kv_num_blocks, self.kv_indices, columns)
        if self.full_kv_num_blocks is not None:
            dense = dense | _ordered_to_dense(
                self.full_kv_num_blocks, self.full_kv_indices, columns
            )
        return dense

    def to_string(self, grid_size: Any = (20, 20), limit: int = 4) -> str:
        """A picture of the blocks: dark are seen, half dark in part of what one sign covers."""
        dense = self.to_dense()
        *batch, rows, columns = dense.shape
        if isinstance(grid_size, int):
            if grid_size == -1:
                high, wide = rows, columns
            else:
                high = wide = grid_size
        else:
            high, wide = (n if g == -1 else g for g, n in zip(grid_size, (rows, columns)))
        tall = max(math.ceil(rows / high), 1)
        broad = max(math.ceil(columns / wide), 1)
        text = []
        for n, at in enumerate(_numbers(batch)):
            if n == limit:
                text.append("...")
                text.append("To print out more, set BlockMask.to_string(limit=N)")
                text.append(
                    "You can also index (BlockMask[batch, head]) to choose a specific batch or head"
                )
                break
            image = dense[at]
            lines = []
            for r in range(0, rows, tall):
                line = ""
                for c in range(0, columns, broad):
                    part = image[r : r + tall, c : c + broad]
                    share = float(part.sum().item()) / part.numel()
                    line += "██" if share == 1 else "░░" if share > 0 else "  "
                lines.append(line)
            text.append(f"{at}\n" + "\n".join(lines) + "\n")
        return "\n".join(text)

    def __str__(self) -> str:
        text = f"BlockMask(shape={self.shape}, sparsity={self.sparsity():.2f}%, \n"
        return text + self.to_string(grid_size=(20, 20), limit=4).strip() + "\n)"

    def __repr__(self) -> str:
        return str(self)

    def __getitem__(self, index: Any) -> BlockMask:
        index = (index,) if not isinstance(index, tuple) else index
        if len(index) > 3:
            raise AssertionError(f"index must have at most 3 elements, got {len(index)}")
        # A number would take its dimension away.
        index = tuple([slice(i + n, i + n + 1) if isinstance(i, int) and i < 0 else
                       slice(i, i + 1) if isinstance(i, int) else i
                       for i, n in zip(index, self.kv_num_blocks.shape)])  # fmt: skip
        parts = {
            name: None if getattr(self, name) is None else getattr(self, name)[index]
            for name in _TENSORS[:4]
        }
        return BlockMask.from_kv_blocks(
            parts["kv_num_blocks"],
            parts["kv_indices"],
            parts["full_kv_num_blocks"],
            parts["full_kv_indices"],
            BLOCK_SIZE=self.BLOCK_SIZE,
            mask_mod=_sliced_mask_mod_error,
            seq_lengths=self.seq_lengths,
            compute_q_blocks=self.q_indices is not None,
        )

    def _adjust(self, new_q_len: int, new_kv_len: int) -> BlockMask:
        """The upper left part, for fewer queries and keys."""
        rows = (new_q_len + self.BLOCK_SIZE[0] - 1) // self.BLOCK_SIZE[0]
        columns = (new_kv_len + self.BLOCK_SIZE[1] - 1) // self.BLOCK_SIZE[1]
        counts, indices = _adjust_num_blocks_and_indices(
            self.kv_num_blocks, self.kv_indices, rows, columns
        )
        full: tuple[Any, Any] = (None, None)
        if self.full_kv_num_blocks is not None:
            full = _adjust_num_blocks_and_indices(
                self.full_kv_num_blocks, self.full_kv_indices, rows, columns
            )
        return BlockMask.from_kv_blocks(
            counts, indices, *full, self.BLOCK_SIZE, self.mask_mod,
            seq_lengths=(new_q_len, new_kv_len),
        )  # fmt: skip

    def to(self, device: Any) -> BlockMask:
        """The same on *device*."""
        held = {name: getattr(self, name) for name in _TENSORS}
        parts: dict[str, Any] = {k: None if t is None else t.to(device) for k, t in held.items()}
        return BlockMask(
            self.seq_lengths, BLOCK_SIZE=self.BLOCK_SIZE, mask_mod=self.mask_mod, **parts
        )


def _sliced_mask_mod_error(batch: Any, head: Any, token_q: Any, token_kv: Any) -> Any:
    raise RuntimeError(
        "Cannot use mask_mod from a sliced BlockMask. When you slice a BlockMask using [], the "
        "mask_mod function is not preserved. "
    )


def _numbers(sizes: list[int]) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = [()]
    for size in sizes:
        found = [(*at, i) for at in found for i in range(size)]
    return found


def _create_sparse_block_from_block_mask(
    block_mask: tuple[Any, Any],
    mask_mod: Mod | None,
    seq_lengths: tuple[int, int],
    Q_BLOCK_SIZE: int = _DEFAULT_SPARSE_BLOCK_SIZE,
    KV_BLOCK_SIZE: int = _DEFAULT_SPARSE_BLOCK_SIZE,
) -> BlockMask:
    partial, full = block_mask
    counts, indices = _dense_to_ordered(partial)
    full_counts, full_indices = (None, None) if full is None else _dense_to_ordered(full)
    return BlockMask.from_kv_blocks(
        counts,
        indices,
        full_counts,
        full_indices,
        BLOCK_SIZE=(Q_BLOCK_SIZE, KV_BLOCK_SIZE),
        mask_mod=mask_mod,
        seq_lengths=seq_lengths,
    )


def create_block_mask(
    mask_mod: Mod,
    B: int | None,
    H: int | None,
    Q_LEN: int,
    KV_LEN: int,
    device: Any = None,
    BLOCK_SIZE: Any = _DEFAULT_SPARSE_BLOCK_SIZE,
    _compile: bool = False,
    separate_full_blocks: bool = True,
    compute_dq_write_order: bool = False,
    dq_kv_order: bool = True,
) -> BlockMask:
    """The mask by blocks that a function of places makes."""
    if _arguments(mask_mod) != 4:
        raise AssertionError(f"create-block_mask requires a mask_mod function! Got {mask_mod}")
    q_size, kv_size = (BLOCK_SIZE,) * 2 if isinstance(BLOCK_SIZE, int) else BLOCK_SIZE
    mask = create_mask(mask_mod, B, H, Q_LEN, KV_LEN, device)
    more_q = _round_up_to_multiple(Q_LEN, q_size) - Q_LEN
    more_kv = _round_up_to_multiple(KV_LEN, kv_size) - KV_LEN
    if more_q or more_kv:
        mask = F.pad(mask, (0, more_kv, 0, more_q))
    blocks = _convert_mask_to_block_mask(mask, q_size, kv_size, separate_full_blocks)
    return _create_sparse_block_from_block_mask(blocks, mask_mod, (Q_LEN, KV_LEN), q_size, kv_size)
