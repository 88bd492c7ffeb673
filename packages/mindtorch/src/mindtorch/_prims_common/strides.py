"""How elements lie in memory: what strides say, and which ones a result gets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from ..aten import torch
from ..aten.torch import Tensor
from ..core.dimension_order import outermost_first
from .kinds import ShapeType, StrideType, TensorLike
from .shapes import (
    apply_perm,
    check_same_shape,
    invert_perm,
    is_cpu_scalar_tensor,
    prod,
    validate_shape,
)

_memory_formats = {
    torch.contiguous_format,
    torch.preserve_format,
    torch.channels_last,
    torch.channels_last_3d,
}
#: Dims from the innermost to the outermost with channels last, by the rank.
_CHANNELS_LAST = {3: (1, 2, 0), 4: (1, 3, 2, 0), 5: (1, 4, 3, 2, 0)}


class K(NamedTuple):
    """The size and the stride of a dim; the one with the smaller stride is less."""

    size: int
    stride: int

    def __lt__(self, other: Any) -> bool:
        """Whether its elements lie closer together."""
        return bool(self.stride < other.stride)


# -- what a tensor's strides say -------------------------------------------------------------------


def check_contiguous_sizes_strides(
    sizes: Sequence[int], strides: Sequence[int], false_if_dde: bool = False
) -> bool:
    """Whether elements of these sizes lie one after the other; dims of size 1 do not count."""
    expected = at_least = 1
    for size, stride in reversed(tuple(zip(sizes, strides))):
        if size == 1:
            continue
        if stride not in (expected, at_least):
            return False
        expected *= size
        at_least *= max(size, 1)
    return True


def is_contiguous(a: Tensor, false_if_dde: bool = False) -> bool:
    """Whether *a* is contiguous."""
    return a.numel() < 2 or check_contiguous_sizes_strides(a.shape, a.stride())


def is_contiguous_or_false(a: Tensor) -> bool:
    """Whether *a* is known to be contiguous."""
    return is_contiguous(a, false_if_dde=True)


def _is_channels_last(a: Tensor, rank: int) -> bool:
    if a.ndim != rank:
        return False
    order = _CHANNELS_LAST[rank][::-1]
    return check_contiguous_sizes_strides(apply_perm(a.shape, order), apply_perm(a.stride(), order))


def is_channels_last_contiguous_2d(a: Tensor, false_if_dde: bool = False) -> bool:
    """Whether pictures lie with their channels innermost: NHWC."""
    return _is_channels_last(a, 4)


def is_channels_last_contiguous_3d(a: Tensor, false_if_dde: bool = False) -> bool:
    """Whether volumes lie with their channels innermost: NDHWC."""
    return _is_channels_last(a, 5)


def is_channels_last_contiguous(a: Tensor) -> bool:
    """Whether pictures or volumes lie with their channels innermost."""
    return is_channels_last_contiguous_2d(a) or is_channels_last_contiguous_3d(a)


def is_channels_last_contiguous_or_false_2d(a: Tensor) -> bool:
    """Whether this is known of pictures."""
    return is_channels_last_contiguous_2d(a, false_if_dde=True)


def is_channels_last_contiguous_or_false_3d(a: Tensor) -> bool:
    """Whether this is known of volumes."""
    return is_channels_last_contiguous_3d(a, false_if_dde=True)


def is_channels_last_contiguous_or_false(a: Tensor) -> bool:
    """Whether this is known of either."""
    return is_channels_last_contiguous(a)


def validate_memory_format(memory_format: torch.memory_format) -> None:
    """Raise RuntimeError if it is none."""
    torch._check(
        memory_format in _memory_formats,
        lambda: f"Received unknown memory format {memory_format}!",
    )


def is_contiguous_for_memory_format(
    a: Tensor, *, memory_format: torch.memory_format, false_if_dde: bool = False
) -> bool:
    """Whether *a* lies as *memory_format* says."""
    validate_memory_format(memory_format)
    if memory_format == torch.contiguous_format:
        return is_contiguous(a)
    if memory_format == torch.channels_last:
        return is_channels_last_contiguous_2d(a)
    torch._check(
        memory_format == torch.channels_last_3d,
        lambda: f"is_contiguous received unsupported memory format {memory_format}",
    )
    return is_channels_last_contiguous_3d(a)


def is_contiguous_for_memory_format_or_false(
    a: Tensor, *, memory_format: torch.memory_format
) -> bool:
    """Whether this is known."""
    return is_contiguous_for_memory_format(a, memory_format=memory_format, false_if_dde=True)


def are_strides_like_channels_last_or_false(shape: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether strides grow as with channels last, gaps allowed."""
    if len(shape) not in (4, 5) or strides[1] == 0:
        return False
    least = 0
    for d in _CHANNELS_LAST[len(shape)]:
        # A batch of one picture of one pixel lies either way: it counts as contiguous.
        if shape[d] == 0 or strides[d] < least or d == 0 and least == strides[1]:
            return False
        least = strides[d] * shape[d]
    return True


def suggest_memory_format(x: Tensor) -> torch.memory_format:
    """The memory format that a result of *x* gets."""
    if x.layout != torch.strided or not are_strides_like_channels_last_or_false(
        x.shape, x.stride()
    ):
        return torch.contiguous_format
    return torch.channels_last if x.ndim == 4 else torch.channels_last_3d


def _is_non_overlapping_and_dense_or_false(sizes: Sequence[int], strides: Sequence[int]) -> bool:
    """Whether elements of these sizes fill their memory, in any order of the dims."""
    if prod(sizes) < 2:
        return True
    if len(sizes) == 1:
        return strides[0] == 1
    outwards = sorted(map(K, sizes, strides))[::-1]
    return check_contiguous_sizes_strides(
        [k.size for k in outwards], [k.stride for k in outwards], false_if_dde=True
    )


def is_non_overlapping_and_dense_or_false(a: Tensor) -> bool:
    """Whether the elements of *a* fill their memory, in any order of the dims."""
    return not a.is_sparse and _is_non_overlapping_and_dense_or_false(a.shape, a.stride())


def _check_strides_helper(
    a: Tensor,
    b: Tensor,
    *,
    only_cuda: bool = True,
    significant_only: bool = True,
    allow_rhs_unbacked: bool = False,
) -> tuple[bool, int | None]:
    """Whether strides are the same, and if not, the first dim in which they differ."""
    if a.numel() and (not only_cuda or a.is_cuda or b.is_cuda):
        for i, size in enumerate(a.shape):
            if a.stride()[i] != b.stride()[i] and (size > 1 or not significant_only):
                return False, i
    return True, None


def check_significant_strides(
    a: Tensor, b: Tensor, *, only_cuda: bool = True, allow_rhs_unbacked: bool = False
) -> tuple[bool, int | None]:
    """Compare the strides of dims with more than one element: all the same, or the first other."""
    return _check_strides_helper(a, b, only_cuda=only_cuda, significant_only=True)


def check_all_strides(a: Tensor, b: Tensor, *, only_cuda: bool = True) -> tuple[bool, int | None]:
    """Compare the strides of all dims: all the same, or the first that is another."""
    return _check_strides_helper(a, b, only_cuda=only_cuda, significant_only=False)


# -- memory ----------------------------------------------------------------------------------------


def compute_required_storage_length(
    shape: ShapeType, strides: StrideType, storage_offset: int
) -> int:
    """How many elements memory must have for a tensor that lies so."""
    if prod(shape) == 0:
        return 0
    return 1 + storage_offset + sum((n - 1) * step for n, step in zip(shape, strides))


def check_in_bounds_for_storage(
    a: Any, shape: ShapeType, strides: StrideType, storage_offset: int
) -> None:
    """Raise ValueError if a tensor that lies so does not fit into the storage *a*."""
    required = compute_required_storage_length(shape, strides, storage_offset)
    if a.size() < required:
        raise ValueError(
            f"Can't view a storage of size {a.size()} with an offset of {storage_offset}, shape of "
            f"{shape!s}, and strides of {strides!s}, which requires a storage of size {required}"
        )


def clone_preserve_strides(x: Tensor) -> Tensor:
    """A copy of *x* that lies in its memory as *x* does, with what is between its elements."""
    needed = compute_required_storage_length(x.size(), x.stride(), x.storage_offset())
    buffer = torch.as_strided(x, (needed,), (1,), 0).clone()
    return torch.as_strided(buffer, x.size(), x.stride(), x.storage_offset())


# -- strides for a shape ---------------------------------------------------------------------------


def make_contiguous_strides_for(shape: ShapeType, row_major: bool = True) -> tuple[int, ...]:
    """The strides of a contiguous tensor of that shape.

    :param row_major: False: a batch of contiguous matrices that lie column by column.
    """
    validate_shape(shape)
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    found = tuple(reversed(strides))
    if row_major or len(shape) < 2:
        return found
    return (*found[:-2], 1, max(shape[-2], 1))


def _with_channels_last(shape: Sequence[int], rank: int, name: str) -> tuple[int, ...]:
    torch._check(
        len(shape) == rank,
        lambda: f"Only tensors of rank {rank} can use the {name} memory format",
    )
    strides, step = [0] * rank, 1
    for d in _CHANNELS_LAST[rank]:
        strides[d] = step
        step *= shape[d]
    return tuple(strides)


def make_channels_last_1d_strides_for(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of sequences with channels last: NLC."""
    return _with_channels_last(shape, 3, "channels_last_1d")


def make_channels_last_2d_strides_for(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of pictures with channels last: NHWC."""
    return _with_channels_last(shape, 4, "channels_last")


def make_channels_last_3d_strides_for(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of volumes with channels last: NDHWC."""
    return _with_channels_last(shape, 5, "channels_last_3d")


def make_channels_last_strides_for(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides with channels last, by the rank. Raises RuntimeError for another than 3 to 5."""
    rank = len(shape) if isinstance(shape, Sequence) else 1
    makers = {
        3: make_channels_last_1d_strides_for,
        4: make_channels_last_2d_strides_for,
        5: make_channels_last_3d_strides_for,
    }
    if rank not in makers:
        raise RuntimeError(f"no channels last format strides exist in {rank} dimensions")
    return makers[rank](shape)


# -- results of elementwise ops --------------------------------------------------------------------


def _with_dims(tensors: Sequence[Any]) -> list[Tensor]:
    """The tensors among operands of one shape; numbers and scalars of the host have no say."""
    if not tensors:
        raise ValueError("Can't compute elementwise output strides for zero tensors!")
    check_same_shape(*tensors, allow_cpu_scalar_tensors=True)
    return [a for a in tensors if isinstance(a, TensorLike) and not is_cpu_scalar_tensor(a)]


def compute_elementwise_output_logical_to_physical_perm(
    *tensors: Any, _skip_checks: bool = False, ambiguity_check: bool = False
) -> tuple[list[int], bool]:
    """The dims of an elementwise result from the outermost in memory to the innermost.

    And, with *ambiguity_check*, whether the operands leave open how two of them lie.
    """
    operands = list(tensors) if _skip_checks else _with_dims(tensors)
    if not operands:
        return [], False
    order, is_open = outermost_first(operands)
    return order, bool(ambiguity_check and is_open)


def compute_elementwise_output_strides(*tensors: Any) -> tuple[int, ...]:
    """The strides of the result of an elementwise op."""
    operands = _with_dims(tensors)
    ndim = operands[0].ndim if operands else 0
    if ndim < 2:
        return (1,) * ndim
    if len(operands) == 1:
        only = operands[0]
        dense = is_non_overlapping_and_dense_or_false(only)
        return only.stride() if dense else torch.empty_like(only).stride()
    perm, _ = compute_elementwise_output_logical_to_physical_perm(*operands, _skip_checks=True)
    inside = make_contiguous_strides_for(apply_perm(operands[0].shape, perm))
    return tuple(apply_perm(inside, invert_perm(perm)))
