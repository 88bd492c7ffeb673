"""Shapes and dims: whether they are right, and what follows from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from operator import mul
from typing import Any, TypeGuard

from ..aten import torch
from ..aten.torch import Tensor
from .kinds import Dim, DimsSequenceType, FloatLike, IntLike, Number, ShapeType, StrideType

# -- numbers ---------------------------------------------------------------------------------------


def prod(xs: Any) -> Any:
    """The product of numbers."""
    return reduce(mul, xs, 1)


def set_correction(unbiased: bool | None = None, correction: Any = None) -> Any:
    """What a variance subtracts from the number of elements. Raises RuntimeError if said twice."""
    if correction is not None and unbiased is not None:
        raise RuntimeError("cannot specify both correction and unbiased arguments")
    if correction is None:
        correction = 0.0 if unbiased is False else 1.0
    if not isinstance(correction, (*IntLike, *FloatLike)):
        raise ValueError("correction argument should be integer or float")
    return torch.sym_float(correction)


# -- checks ----------------------------------------------------------------------------------------


def validate_dim_length(length: Any) -> None:
    """Raise RuntimeError if a size is negative."""
    if isinstance(length, IntLike):
        torch._check(length >= 0)
    elif length < 0:
        raise AssertionError(f"length must be non-negative, got {length}")


def validate_shape(shape: ShapeType) -> None:
    """Raise an error if *shape* is none."""
    if not isinstance(shape, Sequence):
        raise AssertionError(f"shape must be a Sequence, got {type(shape)}")
    for length in shape:
        validate_dim_length(length)


def validate_strides(strides: StrideType) -> None:
    """Raise AssertionError if *strides* are none."""
    if not isinstance(strides, Sequence):
        raise AssertionError(f"strides must be a Sequence, got {type(strides)}")
    for stride in strides:
        if stride < 0:
            raise AssertionError(f"stride must be non-negative, got {stride}")


def _check_dims(**dims: Any) -> None:
    for name, dim in dims.items():
        if not isinstance(dim, Dim):
            raise AssertionError(f"{name} must be Dim, got {type(dim)}")


def validate_idx(rank: int, idx: int) -> None:
    """Raise AssertionError if *idx*, counted from the front, is no dim; 0 always is one."""
    _check_dims(idx=idx, rank=rank)
    if idx != 0 and not 0 <= idx < rank:
        raise AssertionError(f"idx {idx} is out of bounds for rank {rank}")


def validate_dimension_indices(rank: int, indices: DimsSequenceType) -> None:
    """Raise AssertionError if one of *indices*, counted from the front, is no dim."""
    for idx in indices:
        validate_idx(rank, idx)


def validate_exclusive_idx(rank: int, ex_idx: int) -> None:
    """Raise AssertionError if *ex_idx* is not the end of some dims."""
    _check_dims(ex_idx=ex_idx, rank=rank)
    if not 0 < ex_idx <= rank:
        raise AssertionError(
            f"ex_idx {ex_idx} is out of bounds for rank {rank} (must be in (0, rank])"
        )


def validate_no_repeating_dims(dims: Sequence[int]) -> None:
    """Raise RuntimeError if a dim is named twice."""
    if len(dims) != len(set(dims)):
        raise RuntimeError("duplicate value in the list of dims")


def is_valid_permutation(rank: int, perm: DimsSequenceType) -> bool:
    """Whether *perm* names every dim once."""
    return isinstance(perm, Sequence) and sorted(perm) == list(range(rank))


def is_same_shape(a: Sequence[int], b: Sequence[int]) -> bool:
    """Whether two shapes are the same."""
    return tuple(a) == tuple(b)


def same_shape(a: ShapeType, b: ShapeType, *, allow_rhs_unbacked: bool = False) -> bool:
    """Whether two shapes are the same."""
    return is_same_shape(a, b)


def is_cpu_scalar_tensor(a: object) -> TypeGuard[Tensor]:
    """Whether *a* is a tensor of no dims on the host."""
    return isinstance(a, Tensor) and a.ndim == 0 and a.device.type == "cpu"


def compared_tensors(what: str, args: Any, allow_cpu_scalar_tensors: bool) -> Iterator[Tensor]:
    """The operands whose *what* has to be the same: no numbers, no scalars of the host if allowed.

    Raises RuntimeError for what is neither a number nor a tensor.
    """
    for arg in args:
        if isinstance(arg, Number) or allow_cpu_scalar_tensors and is_cpu_scalar_tensor(arg):
            continue
        if not isinstance(arg, Tensor):
            raise RuntimeError(f"Unexpected type when checking for same {what}, {type(arg)!s}!")
        yield arg


def check_same_shape(*args: Any, allow_cpu_scalar_tensors: bool) -> None:
    """Raise RuntimeError if tensors have different shapes, or something is no operand."""
    shape = None
    for t in compared_tensors("shape", args, allow_cpu_scalar_tensors):
        shape = t.shape if shape is None else shape
        if not is_same_shape(shape, t.shape):
            raise RuntimeError(f"Shape {t.shape} is not the expected shape {shape}!")


# -- dims ------------------------------------------------------------------------------------------


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
    if isinstance(indices, Dim):
        return canonicalize_dim(rank, indices, wrap_scalar)
    return tuple(canonicalize_dim(rank, x, wrap_scalar) for x in indices)


def reduction_dims(shape: ShapeType, dims: Sequence[int] | None) -> tuple[int, ...]:
    """The dims that a reduction is over; None: all of them."""
    if dims is None:
        return tuple(range(len(shape)))
    found: tuple[int, ...] = canonicalize_dims(len(shape), tuple(dims))
    validate_no_repeating_dims(found)
    return found


def apply_perm(inp: Sequence[Any], perm: Sequence[int]) -> list[Any]:
    """The entries in the order of *perm*."""
    return [inp[p] for p in perm]


def invert_perm(perm: Sequence[int]) -> list[int]:
    """The permutation that takes *perm* back."""
    found = [-1] * len(perm)
    for i, p in enumerate(perm):
        found[p] = i
    return found


# -- shapes ----------------------------------------------------------------------------------------


def extract_shape(*args: Any, allow_cpu_scalar_tensors: bool) -> ShapeType | None:
    """The shape that all tensors have; None where there is none, or something is no operand."""
    shape = of_scalars = None
    for arg in args:
        if isinstance(arg, Number):
            continue
        if not isinstance(arg, Tensor):
            return None
        if allow_cpu_scalar_tensors and is_cpu_scalar_tensor(arg):
            of_scalars = arg.shape
            continue
        shape = arg.shape if shape is None else shape
        if not is_same_shape(shape, arg.shape):
            return None
    return of_scalars if shape is None else shape


def extract_dims_from_varargs(dims: Any) -> Any:
    """The dims of ``f(*dims)``, which may be one sequence."""
    if not dims or not isinstance(dims[0], Sequence):
        return dims
    if len(dims) != 1:
        raise AssertionError(
            f"Expected exactly 1 element in dims when first element is a Sequence, got {len(dims)}"
        )
    return dims[0]


def extract_shape_from_varargs(shape: Any, validate: bool = True) -> Any:
    """The shape of ``f(*shape)``, which may be one sequence."""
    if len(shape) == 1 and isinstance(shape[0], Sequence):
        shape = shape[0]
    if validate:
        validate_shape(shape)
    return shape


def infer_size_shapes(a: ShapeType, b: ShapeType) -> tuple[int, ...]:
    """The shape that two shapes broadcast to."""
    ndim = max(len(a), len(b))
    first, second = ((1,) * (ndim - len(s)) + tuple(s) for s in (a, b))
    # From the back: the last dim in which they do not fit is the one that is told.
    for i in reversed(range(ndim)):
        m, n = first[i], second[i]
        torch._check(
            m == n or 1 in (m, n),
            lambda m=m, n=n, i=i: (  # type: ignore[misc]
                f"The size of tensor a ({m}) must match the size of tensor b ({n}) at non-jagged "
                f"dimension {i}"
            ),
        )
    return tuple(n if m == 1 else m for m, n in zip(first, second))


def infer_size(shape: ShapeType, numel: int) -> tuple[int, ...]:
    """*shape* with the size for -1, where *numel* elements have it. Raises RuntimeError if not."""
    open_dim, known = None, 1
    for i, size in enumerate(shape):
        if size == -1:
            torch._check(open_dim is None, lambda: "only one dimension can be inferred")
            open_dim = i
            continue
        torch._check(
            size >= 0,
            lambda size=size: (  # type: ignore[misc]
                f"invalid shape dimension {size}. If this was symbolic, it was assumed to not be "
                "-1.If this was meant to be inferred, please explicitly pass in -1."
            ),
        )
        known *= size

    def invalid() -> str:
        return f"shape '{list(shape)}' is invalid for input of size {numel}"

    if open_dim is None:
        torch._check(numel == known, invalid)
        return tuple(shape)

    def ambiguous() -> str:
        return (
            f"cannot reshape tensor of 0 elements into shape {list(shape)} because the unspecified "
            "dimension size -1 can be any value and is ambiguous"
        )

    torch._check(known != 0, invalid if numel else ambiguous)
    torch._check(numel % known == 0, invalid)
    found = list(shape)
    found[open_dim] = numel // known
    return tuple(found)


def compute_reduction_output_shape(shape: ShapeType, dimensions: Sequence[int]) -> tuple[int, ...]:
    """The shape without some dims."""
    validate_dimension_indices(len(shape), dimensions)  # type: ignore[arg-type]
    return tuple(size for i, size in enumerate(shape) if i not in dimensions)


def is_expandable_to(shape: ShapeType, desired: ShapeType) -> bool:
    """Whether a tensor of *shape* can be expanded to *desired*."""
    if len(shape) > len(desired):
        return False
    return all(s in (1, d) for s, d in zip(reversed(shape), reversed(desired)))
