"""Products of matrices of small integers: int8 by int8, and floats by weights of 8 or 4 bits.

Source of checks and texts: torch aten/src/ATen/native/LinearAlgebra.cpp.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import int8, int32, uint8

from ..call.row import Out, op
from ..core.dims import scalar_name, size_at
from ..core.errors import c_type_name
from .derivatives import not_implemented_for

__all__: list[str] = []

_INT_MM = "int_mm_out_cpu: "
_NARROW = ("float32", "bfloat16", "float16")
#: Rows of a packed block of 4-bit weights.
_BLOCK = 64


def _on_meta(tensor: Any) -> bool:
    return bool(tensor.device.type == "meta")


def _int_mm_of_metas(self: Any, mat2: Any) -> Out:
    """Source: torch torch/_meta_registrations.py, meta_int_mm."""
    for name, factor in (("a", self), ("b", mat2)):
        if factor.dim() != 2:
            raise RuntimeError(f"{name} must be a 2D tensor")
    if self.dtype not in (int8, uint8):
        raise RuntimeError(f"expected self to be int8 or uint8, got {self.dtype}")
    if mat2.dtype is not int8:
        raise RuntimeError(f"expected mat2 to be int8, got {mat2.dtype}")
    a, b = self.shape, mat2.shape
    if a[1] != b[0]:
        raise RuntimeError(
            f"Incompatible matrix sizes for _int_mm ({a[0]}x{a[1]} and {b[0]}x{b[1]})"
        )
    return Out((a[0], b[1]), int32)


def _int_mm_meta(self: Any, mat2: Any) -> Out:
    if _on_meta(self):
        return _int_mm_of_metas(self, mat2)
    shape = size_at(self, 0), size_at(mat2, 1)
    for name, factor in (("self", self), ("mat2", mat2)):
        if factor.dim() != 2:
            raise RuntimeError(
                f"{_INT_MM}Expected {name} to be of dimension 2 but got {factor.dim()}"
            )
    if self.shape[1] != mat2.shape[0]:
        raise RuntimeError(
            f"{_INT_MM}self.size(1) needs to match mat2.size(0) but got "
            f"{self.shape[1]} and {mat2.shape[0]}"
        )
    if self.dtype not in (int8, uint8):
        raise RuntimeError(
            f"{_INT_MM}Expected self dtype to be int8 or uint8 but got {c_type_name(self.dtype)}"
        )
    if mat2.dtype is not int8:
        raise RuntimeError(
            f"{_INT_MM}Expected mat2 dtype to be of type int8 but got {c_type_name(mat2.dtype)}"
        )
    return Out(shape, int32)


def _int_mm_onto(target: Any, self: Any, mat2: Any) -> Out:
    """Here the target is one of three matrices that must fit: it is not resized."""
    out = _int_mm_meta(self, mat2)
    if _on_meta(self):
        return out
    if target.dtype is not int32:
        raise RuntimeError(
            f"{_INT_MM}Expected result dtype to be of type kInt but got {c_type_name(target.dtype)}"
        )
    for dim in (0, 1):
        if size_at(target, dim) != out.shape[dim]:
            raise RuntimeError(
                f"{_INT_MM}Expected result.size({dim}) to be {out.shape[dim]} but got "
                f"{target.shape[dim]}"
            )
    if target.dim() != 2:
        raise RuntimeError(f"{_INT_MM}Expected result to be of dimension 2 but got {target.dim()}")
    if not target.is_contiguous():
        raise RuntimeError(f"{_INT_MM}Expected result to be contiguous.")
    return out


def _int_mm(self: Any, mat2: Any) -> Any:
    # BLAS is quick at floats. It adds no more products than float32 holds the sum of, and parts
    # are cast one by one, for it takes no matrix with gaps as it lies.
    exact = 2**24 // ((255 if self.dtype == np.uint8 else 128) * 128)
    if self.shape[1] <= exact:
        return np.dot(self.astype(np.float32), mat2.astype(np.float32)).astype(np.int32)
    found = np.zeros((self.shape[0], mat2.shape[1]), np.int32)
    for start in range(0, self.shape[1], exact):
        part = slice(start, start + exact)
        a, b = self[:, part].astype(np.float32), mat2[part].astype(np.float32)
        found += np.dot(a, b).astype(np.int32)
    return found


op(
    "_int_mm(Tensor self, Tensor mat2) -> Tensor",
    says="""Return the product of two matrices of int8 as int32; the first may be uint8.

    >>> a = torch.tensor([[100, 100]], dtype=torch.int8)
    >>> torch._int_mm(a, a.t())
    tensor([[20000]], dtype=torch.int32)
    """,
    meta=_int_mm_meta,
    kernel=_int_mm,
    out=True,
    out_meta=_int_mm_onto,
    variants="function",
    samples="int_mm",
    tags=("product", "einsum: mk,kn->mn", "loops: functional"),
)


def _int8_meta(self: Any, mat2: Any, scales: Any) -> Out:
    if _on_meta(self):
        return Out((size_at(self, 0), size_at(mat2, 0)), self.dtype)
    name = "_weight_int8pack_mm_cpu :"
    size_at(self, 0), size_at(mat2, 0)
    width = size_at(self, 1)
    if self.dtype.name not in _NARROW:
        raise RuntimeError(f"{name} expect A to be either 32-bit or 16-bit float tensor.")
    if self.dim() != 2 or self.stride()[1] != 1:
        raise RuntimeError(f"{name} A must be contiguous on the last dimension.")
    if mat2.dtype is not int8:
        raise RuntimeError(f"{name} expect B to be int8 tensor.")
    if not mat2.is_contiguous():
        raise RuntimeError(f"{name} expect B to be contiguous.")
    if size_at(mat2, 1) != width:
        raise RuntimeError(f"{name} expect B.size(1) == {width}")
    rows = mat2.shape[0]
    if tuple(scales.shape) != (rows,):
        raise RuntimeError(f"{name} expect scales to be 1d tensor with size {rows}")
    _same_dtype(self, scales)
    return Out((self.shape[0], rows), self.dtype)


def _same_dtype(self: Any, scales: Any) -> None:
    if scales.dtype is not self.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(self.dtype)} but found {scalar_name(scales.dtype)}"
        )


op(
    "_weight_int8pack_mm(Tensor self, Tensor mat2, Tensor scales) -> Tensor",
    says="Return the product of a matrix and the transpose of int8 weights, whose rows have scales."
    " Shapes (n, k), (m, k) and (m) give (n, m).",
    meta=_int8_meta,
    kernel=lambda self, mat2, scales: np.dot(self, mat2.T.astype(self.dtype)) * scales,
    grad=not_implemented_for("_weight_int8pack_mm", "self", "scales"),
    variants="function",
    tags=("product",),
)


def _pack_meta(self: Any, innerKTiles: int) -> Out:
    name = "_convert_weight_to_int4pack_cpu :"
    if self.dtype is not int32:
        raise RuntimeError(f"{name} expect weight to be kInt.")
    if self.dim() != 2:
        raise RuntimeError(f"{name} expect weight to be 2D tensor.")
    rows, width = self.shape
    if rows % 16:
        raise RuntimeError(f"{name} expect N to be dividable by 16")
    if width % 2:
        raise RuntimeError("_convert_weight_to_int4pack: expect K to be dividable by 2")
    return Out((rows, width // 2), uint8)


def _blocks(rows: int) -> list[tuple[int, int]]:
    """First row and number of rows of each block of packed weights."""
    return [(at, min(_BLOCK, rows - at)) for at in range(0, rows, _BLOCK)]


def _pack(self: Any, innerKTiles: int) -> Any:
    """Columns lie one after another in a block; a byte holds the weights of two rows.

    Those of a whole block are a half of it apart, else they are neighbours: the order in which
    AVX-512 reads them.
    """
    rows, width = self.shape
    weights = self.astype(np.uint8)
    parts = [np.empty((0,), np.uint8)]
    for at, count in _blocks(rows):
        block = weights[at : at + count].T
        half = count // 2
        whole = count == _BLOCK
        low, high = (block[:, :half], block[:, half:]) if whole else (block[:, ::2], block[:, 1::2])
        parts.append(((high << 4) | low).reshape(-1))
    return np.concatenate(parts).reshape(rows, width // 2)


def _unpacked(packed: Any) -> Any:
    """What :func:`_pack` has packed, one weight an element."""
    rows, width = packed.shape[0], packed.shape[1] * 2
    out = np.empty((rows, width), np.uint8)
    flat = packed.reshape(-1)
    for at, count in _blocks(rows):
        half = count // 2
        part = flat[at * width // 2 : (at + count) * width // 2].reshape(width, half).T
        low, high = part & 15, part >> 4
        if count == _BLOCK:
            out[at : at + half], out[at + half : at + count] = low, high
        else:
            out[at : at + count : 2], out[at + 1 : at + count : 2] = low, high
    return out


op(
    "_convert_weight_to_int4pack_for_cpu(Tensor self, int innerKTiles) -> Tensor",
    says="Return weights from 0 to 15 as `_weight_int4pack_mm_for_cpu` takes them: two in a byte.",
    meta=_pack_meta,
    kernel=_pack,
    variants="function",
    samples="convert_weight_to_int4pack",
    tags=("loops: functional",),
)


def _int4_meta(self: Any, mat2: Any, qGroupSize: int, qScaleAndZeros: Any) -> Out:
    name = "_weight_int4pack_mm_cpu"
    if _on_meta(self):
        return Out((size_at(self, 0), size_at(mat2, 0)), self.dtype)
    size_at(self, 0), size_at(mat2, 0), size_at(self, 1)
    if self.dtype.name not in _NARROW:
        raise RuntimeError(f"{name} : expect A to be either 32-bit or 16-bit float tensor.")
    if not self.is_contiguous():
        raise RuntimeError(f"{name} : expect A to be contiguous.")
    if self.dim() != 2:
        raise RuntimeError(f"{name} : expect A to be 2D tensor.")
    if mat2.dtype is not uint8:
        raise RuntimeError(f"{name} : expect B to be uint8 tensor.")
    if not mat2.is_contiguous():
        raise RuntimeError(f"{name} : expect B to be contiguous.")
    width = self.shape[1]
    if size_at(mat2, 1) != width // 2:
        raise RuntimeError(f"{name} : expect B.size(1) to be K/2, got {mat2.shape[1]}")
    if qGroupSize not in (32, 64, 128, 256):
        raise RuntimeError(f"{name}: expect qGroupSize to be 32, 64, 128 or 256, got {qGroupSize}")
    rows = mat2.shape[0]
    if qScaleAndZeros.dim() != 3 or tuple(qScaleAndZeros.shape[1:]) != (rows, 2):
        raise RuntimeError(
            f"{name}: expect qScaleAndZeros to be 3d tensor with sizes [:, {rows}, 2]"
        )
    _same_dtype(self, qScaleAndZeros)
    return Out((self.shape[0], rows), self.dtype)


def _int4_product(self: Any, mat2: Any, qGroupSize: int, qScaleAndZeros: Any) -> Any:
    width = self.shape[1]
    scale, zero = [np.repeat(qScaleAndZeros[:, :, i], qGroupSize, 0)[:width].T for i in (0, 1)]
    weights = (_unpacked(mat2).astype(self.dtype) - 8) * scale + zero
    return np.dot(self, weights.T)


op(
    "_weight_int4pack_mm_for_cpu(Tensor self, Tensor mat2, int qGroupSize, Tensor qScaleAndZeros)"
    " -> Tensor",
    says="Return the product of a matrix and the transpose of packed weights of 4 bits."
    " Groups of qGroupSize columns have a scale and what is added to it, per row.",
    meta=_int4_meta,
    kernel=_int4_product,
    grad=not_implemented_for("_weight_int4pack_mm_for_cpu", "self", "qScaleAndZeros"),
    variants="function",
    samples="weight_int4pack",
    tags=("product", "loops: functional"),
)
