"""Whether what all processes write makes whole tensors of a checkpoint."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterator
from math import prod
from typing import Any

from .metadata import ChunkStorageMetadata, Metadata, TensorStorageMetadata
from .planner import SavePlan

__all__: list[str] = []


def _validate_global_plan(global_plan: list[SavePlan], metadata: Metadata) -> list[str]:
    """What is wrong with the chunks of each tensor, as texts; empty where nothing is."""
    found: list[str] = []
    for key, value in metadata.state_dict_metadata.items():
        if not isinstance(value, TensorStorageMetadata) or not len(value.size):
            continue
        found += [
            f"key:{key} has out of bounds chunk: tensor-size:{value.size} chunk: {chunk}"
            for chunk in value.chunks
            if not _lies_inside(chunk, value.size)
        ]
        found += [
            f"key:{key} has overlapping chunks: {one} {other}" for one, other in _overlaps(value)
        ]
        whole, parts = prod(value.size), sum(prod(chunk.sizes) for chunk in value.chunks)
        if len(global_plan) > 1 and parts != whole:
            found.append(f"key:{key} invalid fill tensor-volume: {whole} chunks-volume: {parts}")
    return found


def _lies_inside(chunk: ChunkStorageMetadata, size: Any) -> bool:
    spans = zip(chunk.offsets, chunk.sizes, size, strict=True)
    return all(begin >= 0 and n >= 0 and begin + n <= limit for begin, n, limit in spans)


def _overlap(one: ChunkStorageMetadata, other: ChunkStorageMetadata) -> bool:
    spans = zip(one.offsets, one.sizes, other.offsets, other.sizes, strict=True)
    return all(a < b + m and b < a + n for a, n, b, m in spans)


def _overlaps(
    value: TensorStorageMetadata,
) -> Iterator[tuple[ChunkStorageMetadata, ChunkStorageMetadata]]:
    """Pairs of chunks with elements in common.

    Each is compared with those only that it meets along the largest dimension.
    """
    chunks, dims = value.chunks, range(len(value.size))
    along = max(dims, key=lambda d: value.size[d])
    before: list[tuple[int, int]] = []  # where a chunk ends, and its number
    order = sorted(range(len(chunks)), key=lambda i: (chunks[i].offsets[along], chunks[i].offsets))
    for i in order:
        begin = chunks[i].offsets[along]
        del before[: bisect_left(before, (begin + 1, -1))]
        yield from [(chunks[i], chunks[j]) for _, j in before if _overlap(chunks[i], chunks[j])]
        insort(before, (begin + chunks[i].sizes[along], i))
