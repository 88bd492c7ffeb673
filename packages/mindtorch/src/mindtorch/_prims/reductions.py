"""Primitives that reduce dimensions, and those of linear algebra and Fourier transforms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .. import linalg
from .._prims_common import (
    compute_reduction_output_shape,
    corresponding_complex_dtype,
    corresponding_real_dtype,
    is_complex_dtype,
    is_float_dtype,
    make_contiguous_strides_for,
    validate_dimension_indices,
    validate_no_repeating_dims,
)
from ..aten import torch
from ..core.tags import Tag
from .definition import RETURN_TYPE, Function, define

__all__ = ["TABLE"]

Tensor = torch.Tensor
Dims = Sequence[int]

#: The primitives of this module by their names.
TABLE: dict[str, Any] = {}


# -- reductions ------------------------------------------------------------------------------------


def _reduced(inp: Tensor, dims: Dims) -> Tensor:
    validate_dimension_indices(inp.ndim, dims)
    shape = compute_reduction_output_shape(inp.shape, dims)
    return inp.new_empty(shape)


def _var_reduction_meta(inp: Tensor, dims: Dims, correction: float) -> Tensor:
    made = _reduced(inp, dims)
    return (
        made.new_empty(made.shape, dtype=corresponding_real_dtype(inp.dtype))
        if (is_complex_dtype(inp.dtype))
        else made
    )


def _product(inp: Tensor, dims: Dims) -> Tensor:
    found = inp
    for dim in sorted(dims, reverse=True):
        found = torch.prod(found, dim)
    return found


def _var(inp: Tensor, dims: Dims, correction: float = 1) -> Tensor:
    found: Tensor = torch.var(inp, dim=tuple(dims), correction=correction)
    return found


def _only_compiled(inp: Tensor, dims: Dims) -> Tensor:
    raise NotImplementedError("xor_sum only implemented with inductor")


def _over(function: Function) -> Function:
    return lambda inp, dims: function(inp, dim=tuple(dims))


for _name, _compute, _tags in (
    ("amax", _over(torch.amax), (Tag.reduction,)),
    ("amin", _over(torch.amin), (Tag.reduction,)),
    ("prod", _product, ()),
    ("sum", _over(torch.sum), ()),
    ("xor_sum", _only_compiled, ()),
):
    TABLE[_name] = define(
        f"{_name}(Tensor inp, int[]? dims, *, ScalarType? output_dtype=None) -> Tensor",
        _reduced,
        _compute,
        tags=(Tag.pt2_compliant_tag, *_tags),
    )
TABLE["var"] = define(
    "var(Tensor inp, int[]? dims, float? correction=1, *, ScalarType? output_dtype=None) -> Tensor",
    _var_reduction_meta,
    _var,
    tags=(Tag.pt2_compliant_tag, Tag.reduction),
)


# -- linear algebra --------------------------------------------------------------------------------


def _svd_like(A: Tensor, *, full_matrices: bool) -> tuple[Tensor, Tensor, Tensor]:
    if A.ndim < 2:
        raise RuntimeError("linalg.svd: The input tensor A must have at least 2 dimensions.")
    *batch, m, n = A.shape
    k = min(m, n)
    real = corresponding_real_dtype(A.dtype) if is_complex_dtype(A.dtype) else A.dtype
    u = [*batch, m, m if full_matrices else k]
    v = [*batch, n if full_matrices else k, n]
    kept = {"dtype": A.dtype, "device": A.device}
    return (
        torch.empty_strided(u, make_contiguous_strides_for(u, row_major=False), **kept),
        A.new_empty([*batch, k], dtype=real),
        torch.empty_strided(v, make_contiguous_strides_for(v, row_major=False), **kept),
    )


def _svd(A: Tensor, *, full_matrices: bool) -> tuple[Tensor, Tensor, Tensor]:
    found = linalg.svd(A, full_matrices)
    return found[0], found[1], found[2]


TABLE["svd"] = define(
    "svd(Tensor A, *, bool full_matrices) -> (Tensor U, Tensor S, Tensor Vh)",
    _svd_like,
    _svd,
    (RETURN_TYPE.NEW,) * 3,
)


# -- Fourier transforms, without normalization -----------------------------------------------------


def _r2c_like(self: Tensor, *, dim: Dims, onesided: bool) -> Tensor:
    validate_dimension_indices(self.ndim, dim)
    validate_no_repeating_dims(dim)
    shape = list(self.shape)
    if onesided:
        shape[dim[-1]] = shape[dim[-1]] // 2 + 1
    if not is_float_dtype(self.dtype):
        raise KeyError(self.dtype)
    return self.new_empty(shape, dtype=corresponding_complex_dtype(self.dtype))


def _c2c_like(self: Tensor, *, dim: Dims, forward: bool) -> Tensor:
    validate_dimension_indices(self.ndim, dim)
    validate_no_repeating_dims(dim)
    return self.new_empty(self.shape)


def _c2r_like(self: Tensor, *, dim: Dims, last_dim_size: int) -> Tensor:
    validate_dimension_indices(self.ndim, dim)
    validate_no_repeating_dims(dim)
    shape = list(self.shape)
    shape[dim[-1]] = last_dim_size
    if not is_complex_dtype(self.dtype):
        raise KeyError(self.dtype)
    return self.new_empty(shape, dtype=corresponding_real_dtype(self.dtype))


TABLE["fft_r2c"] = define(
    "fft_r2c(Tensor self, *, int[] dim, bool onesided) -> Tensor",
    _r2c_like,
    lambda self, *, dim, onesided: torch._fft_r2c(self, dim, 0, onesided),
)
TABLE["fft_c2c"] = define(
    "fft_c2c(Tensor self, *, int[] dim, bool forward) -> Tensor",
    _c2c_like,
    lambda self, *, dim, forward: torch._fft_c2c(self, dim, 0, forward),
)
TABLE["fft_c2r"] = define(
    "fft_c2r(Tensor self, *, int[] dim, SymInt last_dim_size) -> Tensor",
    _c2r_like,
    lambda self, *, dim, last_dim_size: torch._fft_c2r(self, dim, 0, last_dim_size),
)
