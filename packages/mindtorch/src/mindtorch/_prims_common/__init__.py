"""``torch._prims_common``: small facts of dtypes, shapes and strides that libraries import."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from functools import reduce
from operator import mul
from typing import Any

from ..aten import torch
from ..aten.torch import Tensor

ShapeType = torch.Size | list[int] | tuple[int, ...]
StrideType = list[int] | tuple[int, ...]
DimsType = int | list[int] | tuple[int, ...]
DimsSequenceType = list[int] | tuple[int, ...]
NumberTypeType = type[bool] | type[int] | type[float] | type[complex]
NumberType = bool | int | float | complex
RealNumberType = bool | int | float
Number = (bool, int, float, complex)
Dim = int
IntLike = (int,)
FloatLike = (float,)
BoolLike = (bool,)
DeviceLikeType = str | torch.device | int
TensorLike = Tensor
TensorLikeType = Tensor
TensorSequenceType = list[Tensor] | tuple[Tensor, ...]
TensorOrNumberLikeType = Tensor | NumberType

_INTEGERS = (torch.uint8, torch.uint16, torch.uint32, torch.uint64) + (
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
)
_LOW_PRECISION = (torch.float16, torch.bfloat16, torch.complex32)
_COMPLEX_OF = {
    torch.bfloat16: torch.complex64,
    torch.float16: torch.complex32,
    torch.float32: torch.complex64,
    torch.float64: torch.complex128,
}
_REAL_OF = {
    torch.complex32: torch.float16,
    torch.complex64: torch.float32,
    torch.complex128: torch.float64,
}
_COMPUTED_IN = {
    torch.bfloat16: torch.float32,
    torch.float16: torch.float32,
    torch.complex32: torch.complex64,
}


class ELEMENTWISE_TYPE_PROMOTION_KIND(Enum):
    """How an elementwise op chooses its dtype."""

    DEFAULT = (0,)
    NO_OPMATH = (1,)
    INT_TO_FLOAT = (2,)
    ALWAYS_BOOL = (3,)
    COMPLEX_TO_FLOAT = (4,)
    BOOL_TO_LONG = (5,)


class REDUCTION_OUTPUT_TYPE_KIND(Enum):
    """How a reduction chooses its dtype."""

    SAME = (0,)
    COMPLEX_TO_FLOAT = (1,)
    KEEP_PROMOTED_TYPE = (2,)
    ALWAYS_BOOL = (3,)


class RETURN_TYPE(Enum):
    """What an op returns."""

    NEW = (0,)
    VIEW = (1,)
    INPLACE = (2,)
    NONE = (3,)


def is_boolean_dtype(dtype: torch.dtype) -> bool:
    """Whether it is bool."""
    return dtype is torch.bool


def is_integer_dtype(dtype: torch.dtype) -> bool:
    """Whether it is one of whole numbers; bool is none."""
    return dtype in _INTEGERS


def is_low_precision_dtype(dtype: torch.dtype) -> bool:
    """Whether it has half precision."""
    return dtype in _LOW_PRECISION


def is_float_dtype(dtype: torch.dtype) -> bool:
    """Whether it is one of real floating point numbers."""
    return dtype.is_floating_point


def is_complex_dtype(dtype: torch.dtype) -> bool:
    """Whether it is complex."""
    return dtype in _REAL_OF


def is_grad_dtype(dtype: torch.dtype) -> bool:
    """Whether its tensors may require a gradient."""
    return dtype.is_floating_point or is_complex_dtype(dtype)


def corresponding_real_dtype(dtype: torch.dtype) -> torch.dtype:
    """The dtype of the parts of a complex one."""
    return _REAL_OF[dtype]


def corresponding_complex_dtype(dtype: torch.dtype) -> torch.dtype:
    """The complex dtype with parts of a real one."""
    return _COMPLEX_OF[dtype]


def get_computation_dtype(dtype: torch.dtype) -> torch.dtype:
    """The dtype that an op computes in."""
    return _COMPUTED_IN.get(dtype, dtype)


def dtype_to_type(dtype: torch.dtype) -> type:
    """Python's type of its numbers: bool, int, float or complex."""
    if dtype is torch.bool:
        return bool
    if dtype in _INTEGERS:
        return int
    if dtype.is_floating_point:
        return float
    if dtype in _REAL_OF:
        return complex
    raise ValueError("Invalid dtype!")


def type_to_dtype(typ: type) -> torch.dtype:
    """The dtype of Python's numbers of that type."""
    if typ is bool:
        return torch.bool
    if typ is int:
        return torch.long
    default = torch.get_default_dtype()
    if typ is float:
        return default
    if typ is complex:
        return corresponding_complex_dtype(default)
    raise ValueError(f"Invalid type {typ}!")


def get_higher_dtype(a: Any, b: Any) -> torch.dtype | None:
    """The dtype that numbers of two dtypes, tensors or numbers have together."""

    def dtype(x: Any) -> torch.dtype | None:
        if x is None or isinstance(x, torch.dtype):
            return x
        return x.dtype if isinstance(x, Tensor) else type_to_dtype(type(x))

    first, second = dtype(a), dtype(b)
    if first is None or second is None:
        return second if first is None else first
    return torch.promote_types(first, second)


def dtype_or_default(dtype: torch.dtype | None) -> torch.dtype:
    """*dtype*, or the default one."""
    return torch.get_default_dtype() if dtype is None else dtype


def device_or_default(device: DeviceLikeType | None) -> DeviceLikeType:
    """*device*, or the host."""
    return torch.device("cpu") if device is None else device


def layout_or_default(layout: torch.layout | None) -> torch.layout:
    """*layout*, or ``torch.strided``."""
    return torch.strided if layout is None else layout


def canonicalize_device(device: DeviceLikeType) -> torch.device:
    """*device* as a ``torch.device``."""
    return device if isinstance(device, torch.device) else torch.device(device)


def canonicalize_dim(rank: int, idx: int, wrap_scalar: bool = True) -> int:
    """A dim counted from the front. Raises IndexError outside of the rank."""
    if rank < 0:
        raise IndexError(f"Rank cannot be negative but got {rank}")
    if rank == 0:
        if not wrap_scalar:
            raise IndexError(f"Dimension specified as {idx} but tensor has no dimensions")
        rank = 1
    if 0 <= idx < rank:
        return idx
    if -rank <= idx < 0:
        return idx + rank
    raise IndexError(
        f"Dimension out of range (expected to be in range of [{-rank}, {rank - 1}], but got {idx})"
    )


def canonicalize_dims(rank: int, indices: Any, wrap_scalar: bool = True) -> Any:
    """Dims counted from the front."""
    if isinstance(indices, int):
        return canonicalize_dim(rank, indices, wrap_scalar)
    return tuple(canonicalize_dim(rank, x, wrap_scalar) for x in indices)


def make_contiguous_strides_for(shape: ShapeType, row_major: bool = True) -> tuple[int, ...]:
    """The strides of a contiguous tensor of that shape."""
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    found = tuple(reversed(strides))
    if row_major or len(shape) < 2:
        return found
    return found[:-2] + (1, max(shape[-2], 1))


def make_channels_last_2d_strides_for(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a tensor with channels last: NHWC."""
    n_to_inner = make_contiguous_strides_for([shape[i] for i in (0, 2, 3, 1)])
    return (n_to_inner[0], n_to_inner[3], n_to_inner[1], n_to_inner[2])


def is_contiguous(a: Tensor) -> bool:
    """Whether *a* is contiguous."""
    return a.is_contiguous()


def is_contiguous_or_false(a: Tensor) -> bool:
    """Whether *a* is known to be contiguous."""
    return a.is_contiguous()


def is_same_shape(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes are the same."""
    return tuple(a) == tuple(b)


same_shape = is_same_shape


def is_cpu_scalar_tensor(a: Any) -> bool:
    """Whether *a* is a tensor of no dims on the host."""
    return isinstance(a, Tensor) and a.ndim == 0 and a.device.type == "cpu"


def is_expandable_to(shape: ShapeType, desired: ShapeType) -> bool:
    """Whether a tensor of *shape* can be expanded to *desired*."""
    if len(shape) > len(desired):
        return False
    return all(s in (1, d) for s, d in zip(reversed(shape), reversed(desired)))


def is_valid_permutation(rank: int, perm: DimsSequenceType) -> bool:
    """Whether *perm* names every dim once."""
    return isinstance(perm, Sequence) and sorted(perm) == list(range(rank))


def apply_perm(inp: Sequence[int], perm: Sequence[int]) -> list[int]:
    """The entries in the order of *perm*."""
    return [inp[p] for p in perm]


def invert_perm(perm: Sequence[int]) -> list[int]:
    """The permutation that takes *perm* back."""
    found = [0] * len(perm)
    for i, p in enumerate(perm):
        found[p] = i
    return found


def infer_size_shapes(a: ShapeType, b: ShapeType) -> tuple[int, ...]:
    """The shape that two shapes broadcast to."""
    return tuple(torch.broadcast_shapes(tuple(a), tuple(b)))


def prod(xs: Any) -> Any:
    """The product of numbers."""
    return reduce(mul, xs, 1)
