"""Functions of ``torch.*`` that are no op: questions about tensors, and switches."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from operator import mul
from typing import Any

import mindtorch_storage as st

from ..call.intercept import PYTHON, call_overridden, overridable, overrides
from ..core.operators import ops
from ..core.pickling import torch_module
from ..core.size import Size
from ..core.warning import warn_once
from ..tensor import Tensor
from .register import FUNCTIONS

__all__ = [
    "atleast_1d",
    "atleast_2d",
    "atleast_3d",
    "block_diag",
    "broadcast_shapes",
    "broadcast_tensors",
    "cartesian_prod",
    "einsum",
    "is_storage",
    "is_tensor",
    "meshgrid",
    "unique",
    "split",
    "tensordot",
    "typename",
    "unravel_index",
]


def is_tensor(obj: Any, /) -> bool:
    """Whether *obj* is a tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj: Any, /) -> bool:
    """Whether *obj* is a storage."""
    return isinstance(obj, (st.UntypedStorage, st.TypedStorage))


def typename(obj: Any, /) -> str:
    """The type's name: ``torch.FloatTensor`` for a tensor."""
    if isinstance(obj, Tensor):
        return obj.type()
    module = getattr(obj, "__module__", "") or ""
    prefix = _prefix(module)
    if hasattr(obj, "__qualname__"):
        return prefix + obj.__qualname__
    if hasattr(obj, "__name__"):
        return prefix + obj.__name__
    return _prefix(type(obj).__module__) + type(obj).__qualname__


def _prefix(module: str) -> str:
    """A module as a prefix, under the name that torch's users know."""
    if module in ("", "builtins", "__builtin__"):
        return ""
    return torch_module(module) + "."


def broadcast_shapes(*shapes: Any) -> Size:
    """The shape to which all *shapes* broadcast. Raises RuntimeError if they do not."""
    for shape in shapes:
        if not isinstance(shape, (int, tuple, list, str)):
            raise RuntimeError(
                "Input shapes should be of type ints, a tuple of ints, or a list of ints, got "
                f"{shape}"
            )
    return Size(st.layout.broadcast_shapes_checked(*shapes))


def unravel_index(indices: Tensor, shape: int | Sequence[int]) -> tuple[Tensor, ...]:
    """The coordinates in a tensor of *shape* that flat *indices* stand for, one tensor each.

    Raises TypeError for indices or sizes that are no whole numbers, ValueError for negative sizes.
    Source: torch/functional.py, unravel_index.
    """
    if indices.is_complex() or indices.is_floating_point() or indices._a_.dtype.kind == "b":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, Sequence)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    sizes = (shape,) if isinstance(shape, int) else shape
    for size in sizes:
        if not isinstance(size, int):
            raise TypeError(f"expected 'shape' sequence to only contain ints, but got {type(size)}")
    if any(size < 0 for size in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {tuple(sizes)}")
    steps = [1, *accumulate(reversed(sizes), mul)][-2::-1]
    step = indices.new_tensor(steps, dtype=st.int64)
    size = indices.new_tensor(tuple(sizes), dtype=st.int64)
    return (indices.unsqueeze(-1).floor_divide(step) % size).unbind(-1)


def _tensors(tensors: tuple[Any, ...]) -> tuple[Any, ...]:
    """What a call was given that takes tensors one by one or as a sequence."""
    if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)):
        return tuple(tensors[0])
    return tensors


def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """The tensors, expanded to their common shape; those of that shape as they are.

    Raises RuntimeError if there is none.
    """
    return tuple(ops.broadcast_tensors(tensors))


def _at_least(function: Any, tensors: tuple[Any, ...]) -> Any:
    found = function(tensors[0] if len(tensors) == 1 else tensors)
    return tuple(found) if isinstance(found, list) else found


def atleast_1d(*tensors: Any) -> Any:
    """Each tensor with at least one dimension."""
    return _at_least(ops.atleast_1d, tensors)


def atleast_2d(*tensors: Any) -> Any:
    """Each tensor with at least two dimensions."""
    return _at_least(ops.atleast_2d, tensors)


def atleast_3d(*tensors: Any) -> Any:
    """Each tensor with at least three dimensions."""
    return _at_least(ops.atleast_3d, tensors)


def block_diag(*tensors: Tensor) -> Tensor:
    """A matrix with *tensors* (0 to 2 dimensions each) along its diagonal."""
    return ops.block_diag(tensors)


def cartesian_prod(*tensors: Tensor) -> Tensor:
    """All combinations of one element of each 1-d tensor, a row each."""
    return ops.cartesian_prod(tensors)


def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    """The distinct elements (or slices along *dim*), with inverse indices and counts if asked."""
    if dim is not None:
        out = ops.unique_dim(input, dim, sorted, return_inverse, return_counts)
    else:
        asked = {"return_inverse": return_inverse, "return_counts": return_counts}
        out = FUNCTIONS["_unique2"](input, sorted=sorted, **asked)
    values, inverse, counts = out
    if not (return_inverse or return_counts):
        return values
    return (values,) + ((inverse,) if return_inverse else ()) + ((counts,) if return_counts else ())


def einsum(*args: Any) -> Tensor:
    """Sum products of *operands* by the equation: ``einsum("ij,jk->ik", a, b)``.

    The sublist form ``einsum(a, [0, 1], b, [1, 2], [0, 2])`` works too.
    """
    if len(args) < 2:
        raise _no_operands()
    equation: str
    operands: tuple[Any, ...]
    if isinstance(args[0], Tensor):
        equation = ",".join(_letters(list(sub)) for sub in args[1::2])
        operands = args[: len(args) - len(args) % 2 : 2]
        if len(args) % 2:
            equation += "->" + _letters(list(args[-1]))
    else:
        equation, operands = args[0], args[1:]
        listed = len(operands) == 1 and isinstance(operands[0], (list, tuple))
        if listed and not overrides(depth=2):  # a mode sees the list, a tensor's class does not
            operands = tuple(operands[0])
            if not operands:
                raise _no_operands()
    if overrides(*operands, depth=2):
        return call_overridden(einsum, (equation, *operands), {}, PYTHON)
    return ops.einsum(equation, list(operands))


def _no_operands() -> ValueError:
    return ValueError(
        "einsum(): must specify the equation string and at least one operand, "
        "or at least one operand and its subscripts list"
    )


def _letters(subscripts: list[Any]) -> str:
    out = ""
    for s in subscripts:
        if s is Ellipsis:
            out += "..."
        elif 0 <= s < 26:
            out += chr(ord("A") + s)
        elif 26 <= s < 52:
            out += chr(ord("a") + s - 26)
        else:
            raise ValueError(
                "einsum(): subscript in subscript list is not within the valid range [0, 52)"
            )
    return out


_MESHGRID = (
    "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument."
)


def meshgrid(
    *tensors: Tensor | Sequence[Tensor], indexing: str | None = None
) -> tuple[Tensor, ...]:
    """Grids of coordinates of 1-d tensors, in matrix ("ij") or Cartesian ("xy") order."""
    tensors = _tensors(tensors)
    if indexing is None:
        if all(isinstance(t, Tensor) for t in tensors):
            warn_once(_MESHGRID)
        return tuple(ops.meshgrid(list(tensors)))
    return tuple(ops.meshgrid(list(tensors), indexing=indexing))


def split(
    tensor: Tensor, split_size_or_sections: int | Sequence[int], dim: int = 0
) -> tuple[Tensor, ...]:
    """The parts of *tensor* along *dim*: of one size, or of the sizes given. Views."""
    return tensor.split(split_size_or_sections, dim)


def tensordot(a: Tensor, b: Tensor, dims: Any = 2, out: Tensor | None = None) -> Tensor:
    """Contract *a* and *b* over *dims*: a number of dimensions, or a list for each."""
    if not isinstance(dims, (tuple, list, Tensor, int)):
        raise RuntimeError(
            "tensordot expects dims to be int or tuple[list[int], list[int]] or list[list[int]] "
            f"containing two lists, but got dims={dims}"
        )
    if isinstance(dims, Tensor) and dims.numel() > 1:
        if len(dims) != 2:
            raise AssertionError(
                f"dims tensor must have size 2 in first dimension, got {len(dims)}"
            )
        dims = dims.tolist()
    if isinstance(dims, (tuple, list)):
        dims_a, dims_b = dims
    else:
        dims = int(dims.item() if isinstance(dims, Tensor) else dims)
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.dim(), b.dim()):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims_a, dims_b = list(range(-dims, 0)), list(range(dims))
    if out is None:
        return ops.tensordot(a, b, dims_a, dims_b)
    return ops.tensordot(a, b, dims_a, dims_b, out=out)


#: Functions of torch.functional, which are Python there.
_PYTHON = (
    "atleast_1d", "atleast_2d", "atleast_3d", "block_diag", "broadcast_tensors", "cartesian_prod",
    "meshgrid", "split", "tensordot", "unique", "unravel_index",
)  # fmt: skip
for _name in _PYTHON:
    globals()[_name] = overridable(globals()[_name], PYTHON)
del _name
