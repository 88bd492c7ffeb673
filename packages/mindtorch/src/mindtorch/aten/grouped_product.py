"""Products of groups of matrices: ``_grouped_mm``.

A matrix of two dimensions holds the groups one after another, and ``offs`` says where each ends;
a tensor of three has a matrix for each group. Where both have two, the groups lie along the
dimension that is summed over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import bfloat16, int32

from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.errors import c_type_name
from ..core.operators import of

__all__: list[str] = []

Array = np.ndarray[Any, Any]

_FLOATS = ("float32", "bfloat16", "float16")
#: Rows begin at multiples of this many bytes.
_ALIGNMENT = 16


def _require(holds: bool, text: str) -> None:
    if not holds:
        raise RuntimeError(text)


def _is_by_columns(tensor: Any) -> bool:
    """Whether a column of each matrix lies in one piece; rows do where both do."""
    rows, columns = tensor.stride()[-2:]
    return bool(rows == 1 and columns >= max(1, tensor.shape[-2]))


def _check_strides(name: str, tensor: Any, on_meta: bool) -> None:
    strides, shape = tuple(tensor.stride()), tensor.shape
    dim = tensor.dim() - (1 if _is_by_columns(tensor) else 2)
    if dim == tensor.dim() - 2:
        whole_rows = strides[-1] == 1 and strides[-2] >= max(1, shape[-1])
        got = f"{strides} for strides and torch.Size({list(shape)})" if on_meta else (
            f"{list(strides)} for strides and {list(shape)}"
        )  # fmt: skip
        dot = "." if on_meta else ""
        _require(whole_rows, f"Invalid strides/sizes, got {got} for sizes{dot}")
    aligned = strides[dim] * tensor.dtype.itemsize % _ALIGNMENT == 0
    if on_meta:
        where = f"Expected {name} stride along {dim} dim to be multiple of {_ALIGNMENT} bytes"
        _require(aligned, f"{where}, got {strides[dim]}.")
    _require(aligned, f"strides should be multiple of {_ALIGNMENT} bytes")


def _check_contraction(self: Any, mat2: Any) -> None:
    if not self.dim() == mat2.dim() == 2:
        fits = self.shape[-1] == mat2.shape[-2]
        _require(fits, "contraction dimension of mat_a and mat_b must match")


def _check(self: Any, mat2: Any, offs: Any, bias: Any, out_dtype: Any) -> None:
    for name, matrix in (("mat_a", self), ("mat_b", mat2)):
        _require(
            matrix.dtype.name in _FLOATS,
            f"Expected {name} to be Float32, BFloat16 or Float16 matrix, got "
            f"{scalar_name(matrix.dtype)}",
        )
    for name, matrix in (("mat_a", self), ("mat_b", mat2)):
        _require(matrix.dim() in (2, 3), f"{name} has to be 2 or 3d")
    _check_contraction(self, mat2)
    _check_strides("mat_a", self, False)
    _check_strides("mat_b", mat2, False)
    _require(
        (offs is None) == (self.dim() == mat2.dim() == 3),
        "Have to provide offsets if there is a 2d matrix, or no offset if both matrices are 3d",
    )
    if offs is not None:
        _require(offs.dim() == 1, "offs has to be 1D")
        _require(offs.dtype is int32, "Offsets have to be int32")
    _require(bias is None, "Bias not supported yet")
    _require(
        out_dtype is None or out_dtype is self.dtype,
        "Grouped gemm output dtype must match `mat_a` dtype",
    )


def _check_on_meta(self: Any, mat2: Any, offs: Any, bias: Any, out_dtype: Any) -> None:
    """Here the rules are those of accelerators, in words of their own."""
    _require(
        self.dtype is mat2.dtype is bfloat16,
        f"Expected inputs of BF16 type but got mat_a.dtype={self.dtype} and "
        f"mat_b.dtype={mat2.dtype}.",
    )
    _require(
        self.dim() in (2, 3) and mat2.dim() in (2, 3),
        f"Multiplicands must be 2D or 3D but got mat_a.dim()={self.dim()} and "
        f"mat_b.dim()={mat2.dim()}",
    )
    _check_contraction(self, mat2)
    _check_strides("mat_a", self, True)
    _check_strides("mat_b", mat2, True)
    kind = f"needed for {self.dim()}D/{mat2.dim()}D multiplicand layouts."
    if self.dim() == mat2.dim() == 3:
        _require(offs is None, f"Offsets tensor provided, but is not {kind}")
    else:
        _require(offs is not None, f"Offsets tensor not provided, but is {kind}")
        dim = offs.dim()
        _require(dim == 1, f"Offsets tensor must be 1D, but got offs.dim()={dim}.")
        _require(
            offs.dtype is int32,
            f"Offsets tensor must be integer (int32) tensor, but got {offs.dtype}.",
        )
    _require(bias is None, "Bias tensor provided, but it is not supported yet.")
    _require(
        out_dtype is None or out_dtype is bfloat16,
        "If output dtype provided, it must be torch.bfloat16.",
    )


def _shape(self: Any, mat2: Any, offs: Any) -> tuple[int, ...]:
    rows, columns = self.shape[-2], mat2.shape[-1]
    if self.dim() == mat2.dim():
        if offs is None:
            _require(self.shape[0] == mat2.shape[0], "batched dimension has to match")
        return (self.shape[0] if offs is None else offs.shape[0], rows, columns)
    groups = max((self, mat2), key=lambda matrix: matrix.dim()).shape[0]
    _require(groups == offs.shape[0], "matrix batch sizes have to match")
    return (rows, columns)


def _check_dtypes(self: Any, mat2: Any) -> None:
    """Refuse what the products of single groups refuse."""
    if self.dtype is not mat2.dtype:
        a, b = c_type_name(self.dtype), c_type_name(mat2.dtype)
        raise RuntimeError(
            f"Expected out tensor to have dtype {b}, but got {a} instead"
            if self.dim() == mat2.dim() == 3
            else f"expected m1 and m2 to have the same dtype, but got: {a} != {b}"
        )


def _gapped(shape: tuple[int, ...], itemsize: int) -> tuple[int, ...]:
    """Strides of a result each of whose rows begins at an aligned address."""
    unit = _ALIGNMENT // itemsize
    row = -(-shape[-1] // unit) * unit
    return (row, 1) if len(shape) == 2 else (max(1, shape[1]) * row, row, 1)


def _meta(self: Any, mat2: Any, offs: Any, bias: Any, out_dtype: Any) -> Out:
    if self.device.type == "meta":
        _check_on_meta(self, mat2, offs, bias, out_dtype)
        return Out(_shape(self, mat2, offs), self.dtype)
    _check(self, mat2, offs, bias, out_dtype)
    shape = _shape(self, mat2, offs)
    _check_dtypes(self, mat2)
    return Out(shape, self.dtype, _gapped(shape, self.dtype.itemsize))


def _grouped_mm(self: Array, mat2: Array, offs: Array | None, *_: Any) -> Array:
    """The products one after another; elements that belong to no group are zeros."""
    if offs is None:
        return np.matmul(self, mat2)
    ends = offs.tolist()
    starts = [0, *ends[:-1]]
    spans = [slice(start, end) for start, end in zip(starts, ends, strict=False)]
    shape = (self.shape[-2], mat2.shape[-1])
    if self.ndim == mat2.ndim:
        result = np.zeros((len(spans), *shape), self.dtype)
        for part, span in zip(result, spans, strict=True):
            a, b = self[:, span], mat2[span]
            if a.shape[1] != b.shape[0]:
                raise RuntimeError(
                    "mat1 and mat2 shapes cannot be multiplied "
                    f"({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
                )
            part[...] = a.dot(b)
        return result
    result = np.zeros(shape, self.dtype)
    for i, span in enumerate(spans):
        if self.ndim == 2:
            result[span] = self[span].dot(mat2[i])
        else:
            result[:, span] = self[i].dot(mat2[:, span])
    return result


def _transposed(tensor: Any) -> Any:
    return of("transpose.int")(tensor, -2, -1)


def _product_like(like: Any, a: Any, b: Any, offs: Any) -> Any:
    """The grouped product of *a* and *b*, laid out by columns where *like* is."""
    grouped = of("_grouped_mm")
    if _is_by_columns(like):
        return _transposed(grouped(_transposed(b), _transposed(a), offs))
    return grouped(a, b, offs)


op(
    "_grouped_mm(Tensor self, Tensor mat2, Tensor? offs=None, Tensor? bias=None, "
    "ScalarType? out_dtype=None) -> Tensor",
    says="""Return the products of groups of matrices; offs says where the groups of a matrix end.

    >>> a, b = torch.ones(4, 4), torch.stack([torch.eye(4), 2 * torch.eye(4)])
    >>> torch._grouped_mm(a, b, torch.tensor([1, 4], dtype=torch.int32))[:, 0]
    tensor([1., 2., 2., 2.])
    """,
    meta=_meta,
    kernel=_grouped_mm,
    grad={
        "self": lambda g, c: _product_like(c.self, g, _transposed(c.mat2), c.offs),
        "mat2": lambda g, c: _product_like(c.mat2, _transposed(c.self), g, c.offs),
    },
    tangent="not implemented",
    variants="function",
    samples="grouped_mm",
    tags=("product", "loops: functional"),
)
