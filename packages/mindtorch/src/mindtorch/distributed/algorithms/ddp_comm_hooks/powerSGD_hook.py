"""PowerSGD: gradients as products of two thin matrices (Vogels and others, 2019)."""

from __future__ import annotations

import logging
import math
from typing import Any

from ....aten import torch
from ....futures import Future
from ....tensor import Tensor
from ... import distributed_c10d as dist
from ..._c10d.buckets import GradBucket
from . import default_hooks as default

__all__ = ["PowerSGDState", "batched_powerSGD_hook", "powerSGD_hook"]

logger = logging.getLogger(__name__)


def _orthogonalize(matrices: Tensor, epsilon: float = 0) -> None:
    """Make the columns of each matrix orthonormal, in place."""
    if len(matrices.shape) != 3 or matrices.shape[2] > matrices.shape[1]:
        raise AssertionError("matrices must be 3D with no more columns than rows")
    for matrix in matrices:
        for i in range(matrix.shape[1]):
            column = matrix[:, i : i + 1]
            column /= torch.norm(column) + epsilon
            rest = matrix[:, i + 1 :]
            if rest.numel():
                rest -= torch.sum(column * rest, dim=0) * column


def _should_compress(
    num_rows: int, num_cols: int, matrix_approximation_rank: int, min_compression_rate: float
) -> tuple[bool, int, int]:
    before = num_rows * num_cols
    after = (num_rows + num_cols) * matrix_approximation_rank
    return after * min_compression_rate < before, before, after


class PowerSGDState:
    """What the hooks know: settings, the errors they have made, and their matrices."""

    def __init__(
        self,
        process_group: Any,
        matrix_approximation_rank: int = 1,
        start_powerSGD_iter: int = 1_000,
        min_compression_rate: float = 2,
        use_error_feedback: bool = True,
        warm_start: bool = True,
        orthogonalization_epsilon: float = 0,
        random_seed: int = 0,
        compression_stats_logging_frequency: int = 10_000,
        batch_tensors_with_same_shape: bool = False,
    ) -> None:
        if (use_error_feedback or warm_start) and start_powerSGD_iter <= 1:
            raise ValueError(
                "Expect `start_powerSGD_iter` > 1 if `use_error_feedback` or `warm_start` is "
                "enabled, because PowerSGD can only be applied after the first two iterations in "
                "DDP."
            )
        self.process_group = process_group
        self.matrix_approximation_rank = matrix_approximation_rank
        self.start_powerSGD_iter = start_powerSGD_iter
        self.min_compression_rate = min_compression_rate
        self.use_error_feedback = use_error_feedback
        self.warm_start = warm_start
        self.orthogonalization_epsilon = orthogonalization_epsilon
        self.rng = torch.Generator().manual_seed(random_seed)
        self.error_dict: dict[int, Tensor] = {}
        self.p_memory_dict: dict[int, Any] = {}
        self.q_memory_dict: dict[int, Any] = {}
        self.iter = 0
        self.total_numel_before_compression = 0
        self.total_numel_after_compression = 0
        self.compression_stats_logging_frequency = max(1, compression_stats_logging_frequency)
        self.next_stats_report = 0
        self.batch_tensors_with_same_shape = batch_tensors_with_same_shape

    def maybe_increase_iter(self, bucket: GradBucket) -> None:
        """Count an iteration at the end of its last bucket."""
        if bucket.is_last():
            self.iter += 1

    def compression_stats(self) -> tuple[float, int, int]:
        """How much smaller what was sent is, and both numbers of elements."""
        rate = (
            self.total_numel_before_compression / self.total_numel_after_compression
            if self.total_numel_after_compression
            else 0
        )
        return rate, self.total_numel_before_compression, self.total_numel_after_compression


def _reduce(tensor: Tensor, group: Any) -> None:
    dist.all_reduce(tensor.div_(group.size()), group=group)


def _approximate(state: PowerSGDState, group: Any, key: Any, matrix: Tensor) -> Tensor:
    """The product of two thin matrices that is close to the average of *matrix*."""
    rows, cols = matrix.shape
    rank = min(rows, cols, state.matrix_approximation_rank)
    q = state.q_memory_dict.get(key) if state.warm_start else None
    if q is None:
        q = torch.randn(cols, rank, generator=state.rng, dtype=torch.float32)
        q = q.to(matrix.device, matrix.dtype)
    q = q.clone()
    _orthogonalize(q.unsqueeze(0), state.orthogonalization_epsilon)
    p = matrix @ q
    _reduce(p, group)
    _orthogonalize(p.unsqueeze(0), state.orthogonalization_epsilon)
    q = matrix.t() @ p
    _reduce(q, group)
    if state.warm_start:
        state.p_memory_dict[key], state.q_memory_dict[key] = p, q
    state.total_numel_after_compression += p.numel() + q.numel()
    return p @ q.t()


def _done(buffer: Tensor) -> Any:
    fut: Any = Future()
    fut.set_result(buffer)
    return fut


def _with_error(state: PowerSGDState, index: int, buffer: Tensor) -> Tensor | None:
    """Add what was lost before; the sum, to see what will be lost now."""
    if not state.use_error_feedback:
        return None
    error = state.error_dict.get(index)
    if error is None:
        state.error_dict[index] = torch.zeros_like(buffer)
    else:
        buffer.add_(error)
    return buffer.clone()


def powerSGD_hook(state: PowerSGDState, bucket: GradBucket) -> Any:
    """Average each gradient that is a large matrix as two thin ones, the others as they are."""
    group = state.process_group if state.process_group is not None else dist.group.WORLD
    buffer = bucket.buffer()
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return default._allreduce_fut(group, buffer)
    whole = _with_error(state, bucket.index(), buffer)
    for i, gradient in enumerate(bucket.gradients()):
        matrix = gradient.view(gradient.shape[0], -1) if gradient.dim() else gradient.view(1, 1)
        rows, cols = matrix.shape
        state.total_numel_before_compression += matrix.numel()
        wanted, _, _ = _should_compress(
            rows, cols, state.matrix_approximation_rank, state.min_compression_rate
        )
        if gradient.dim() > 1 and wanted:
            matrix.copy_(_approximate(state, group, (bucket.index(), i), matrix))
        else:
            _reduce(gradient, group)
            state.total_numel_after_compression += gradient.numel()
    if whole is not None:
        state.error_dict[bucket.index()] = whole - buffer
    state.maybe_increase_iter(bucket)
    return _done(buffer)


def batched_powerSGD_hook(state: PowerSGDState, bucket: GradBucket) -> Any:
    """Average all gradients of a bucket as one square matrix, this as two thin ones."""
    group = state.process_group if state.process_group is not None else dist.group.WORLD
    buffer = bucket.buffer()
    if state.iter < state.start_powerSGD_iter:
        state.maybe_increase_iter(bucket)
        return default._allreduce_fut(group, buffer)
    length = buffer.shape[0]
    side = math.ceil(math.sqrt(length))
    state.total_numel_before_compression += length
    whole = _with_error(state, bucket.index(), buffer)
    square = torch.zeros(side * side, dtype=buffer.dtype, device=buffer.device)
    square[:length].copy_(buffer)
    near = _approximate(state, group, bucket.index(), square.view(side, side))
    buffer.copy_(near.reshape(-1)[:length])
    if whole is not None:
        state.error_dict[bucket.index()] = whole - buffer
    state.maybe_increase_iter(bucket)
    return _done(buffer)
