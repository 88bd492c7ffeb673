"""Products of matrices of 8-bit floats with scales: ``_scaled_mm``.

Matrices are scaled in float32, multiplied, and rounded once. Where a processor has AMX, torch gives
some products to oneDNN, which has other dtypes and rounds otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from mindtorch_storage.dtype import DType, float32

from ..call.forms import OutForm
from ..call.row import Out, op
from ..core.copies import cast
from ..core.dims import scalar_name
from ..core.signature import dtype_of
from .derivatives import not_implemented_for
from .permutation import t_layout

__all__: list[str] = []

Array = np.ndarray[Any, Any]

#: Dtypes of which results may have a scale of their own.
_SCALED = frozenset({"float8_e4m3fn", "float8_e5m2"})
#: Numbers of torch's enumeration of what a scale belongs to.
_WHOLE, _ROWS = 0, 1


def _is_float8(tensor: Any) -> bool:
    return tensor.dtype.name.startswith("float8_e")


def _configuration(a: Any, b: Any, scale_a: Any, scale_b: Any) -> ValueError:
    """The error of scales that are neither of whole matrices nor of their rows."""

    def said(name: str, scale: Any, join: str) -> str:
        if scale is None:
            return f"scale_{name}=None"
        return (
            f"scale_{name}.dtype()={scalar_name(scale.dtype)}, scale_{name}.size()="
            f"{list(scale.shape)}{join}scale_{name}.stride()={list(scale.stride())}"
        )

    m, n = a.shape[0], b.shape[1]
    return ValueError(
        "Invalid scaling configuration.\n"
        "- For TensorWise scaling, a and b should be float8, scales should be float and "
        "singletons.\n"
        "- For RowWise scaling, a and b should be float8, scales should be float, scale_a should "
        f"be ({m}, 1) and scale_b should be (1, {n}), and both should be contiguous.\n"
        f"Got mat_a.dtype()={scalar_name(a.dtype)}, {said('a', scale_a, ', ')}, "
        f"mat_b.dtype()={scalar_name(b.dtype)}, {said('b', scale_b, ' and ')}"
    )


def _check_shapes(
    a: Any, b: Any, bias: Any, names: tuple[str, str], error: type[Exception]
) -> None:
    for name, matrix in zip(names, (a, b), strict=True):
        if matrix.dim() != 2:
            raise error(f"{name} must be a matrix")
    if a.shape[1] != b.shape[0]:
        raise error(
            "mat_a and mat_b shapes cannot be multiplied "
            f"({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        )
    if bias is not None and bias.numel() != b.shape[1]:
        raise error(f"Bias must be size {b.shape[1]} but got {bias.numel()}")


def _multiplied(
    a: Array, b: Array, scale_a: Array, scale_b: Array, bias: Array | None, dtype: DType,
    divisor: Array | None = None,
) -> Array:  # fmt: skip
    """The product of the scaled matrices and the bias, over *divisor*, rounded to *dtype*."""
    single = np.dtype(np.float32)
    scale_a, scale_b = (x.reshape(()) if x.size == 1 else x for x in (scale_a, scale_b))
    result = (a.astype(single) * scale_a).dot(b.astype(single) * scale_b)
    result += 0 if bias is None else bias.astype(single)  # so that no zero is negative
    if divisor is not None:
        result *= 1 / divisor.reshape(())
    return cast(result, dtype.np)


def _meta(
    self: Any, mat2: Any, scale_a: Any, scale_b: Any, bias: Any, scale_result: Any,
    out_dtype: DType | None, use_fast_accum: bool,
) -> Out:  # fmt: skip
    for transposed in (mat2, scale_b):  # as torch multiplies
        t_layout(transposed)
    _check_shapes(self, mat2, bias, ("mat1", "mat2"), RuntimeError)
    shape = (self.shape[0], mat2.shape[1])
    rows = (self.shape[0], 1), (1, mat2.shape[1])
    single = scale_a.numel() == scale_b.numel() == 1
    by_rows = (tuple(scale_a.shape), tuple(scale_b.shape)) == rows and (
        scale_a.is_contiguous() and scale_b.is_contiguous()
    )
    floats = scale_a.dtype is scale_b.dtype is float32
    if not (_is_float8(self) and _is_float8(mat2) and floats and (single or by_rows)):
        raise _configuration(self, mat2, scale_a, scale_b)
    if scale_result is not None and (
        scale_result.numel() != 1 or scale_result.dtype is not float32
    ):
        raise RuntimeError("scale_result must be a float scalar")
    return Out(shape, out_dtype or self.dtype)


def _prepare_scaled_mm(
    self: Array, mat2: Array, scale_a: Array, scale_b: Array, bias: Any, scale_result: Any,
    out_dtype: DType | None, use_fast_accum: bool,
) -> Callable[..., Array]:  # fmt: skip
    dtype = out_dtype or dtype_of(self.dtype)
    divides = out_dtype is not None and out_dtype.name in _SCALED

    def kernel(
        a: Array, b: Array, scale_a: Array, scale_b: Array, bias: Any, scale_result: Any, *_: Any
    ) -> Array:
        divisor = scale_result if divides else None
        return _multiplied(a, b, scale_a, scale_b, bias, dtype, divisor)

    return kernel


op(
    "_scaled_mm(Tensor self, Tensor mat2, Tensor scale_a, Tensor scale_b, Tensor? bias=None, "
    "Tensor? scale_result=None, ScalarType? out_dtype=None, bool use_fast_accum=False) -> Tensor",
    says="Multiply matrices of 8-bit floats and their scales.",
    meta=_meta,
    prepare=_prepare_scaled_mm,
    half=False,
    grad=not_implemented_for("_scaled_mm", "self", "mat2", "scale_a", "scale_b", "bias"),
    out=OutForm(),
    variants="function",
    samples="scaled_mm",
    tags=("rounds", "loops: functional"),
)


def _check_scales(a: Any, b: Any, scales: Any, recipes: Any) -> None:
    """Raise ValueError where the recipes are not of the two kinds that the host knows."""
    first = [scale[0] if scale else None for scale in scales]
    kinds = [tuple(recipe) for recipe in recipes]
    known = kinds[0] == kinds[1] and kinds[0] in ((_WHOLE,), (_ROWS,))
    floats = all(scale is not None and scale.dtype is float32 for scale in first)
    if not (known and floats and _is_float8(a) and _is_float8(b)):
        raise _configuration(a, b, *first)
    sizes = (a.shape[0], 1), (1, b.shape[1])
    for name, scale, size in zip("ab", first, sizes, strict=True):
        count = 1 if kinds[0] == (_WHOLE,) else size[0] * size[1]
        if count == 1 and scale.numel() != 1:
            raise ValueError(f"scale_{name} must have 1 Float element")
        if tuple(scale.shape) != size and kinds[0] == (_ROWS,):
            if scale.numel() != count and name == "b":
                raise ValueError(
                    f"scale_{name} must have {count} Float elements, got {scale.numel()}"
                )
            raise ValueError(
                f"scale_{name} must have shape {list(size)}, got [{list(scale.shape)}]"
            )


def _meta_v2(
    self: Any, mat2: Any, scale_a: Any, recipe_a: Any, swizzle_a: Any, scale_b: Any,
    recipe_b: Any, swizzle_b: Any, bias: Any, out_dtype: DType | None, contraction_dim: Any,
    use_fast_accum: bool,
) -> Out:  # fmt: skip
    _check_shapes(self, mat2, bias, ("mat_a", "mat_b"), ValueError)
    if swizzle_a and swizzle_b and (swizzle_a[0] or swizzle_b[0]):
        raise ValueError("CPU does not support swizzle.")
    _check_scales(self, mat2, (scale_a, scale_b), (recipe_a, recipe_b))
    return Out((self.shape[0], mat2.shape[1]), out_dtype or self.dtype)


def _prepare_v2(
    self: Array, mat2: Array, scale_a: Any, recipe_a: Any, swizzle_a: Any, scale_b: Any,
    recipe_b: Any, swizzle_b: Any, bias: Any, out_dtype: DType | None, contraction_dim: Any,
    use_fast_accum: bool,
) -> Callable[..., Array]:  # fmt: skip
    dtype = out_dtype or dtype_of(self.dtype)

    def kernel(
        a: Array, b: Array, scale_a: Any, _: Any, __: Any, scale_b: Any, *rest: Any
    ) -> Array:
        return _multiplied(a, b, scale_a[0], scale_b[0], rest[2], dtype)

    return kernel


op(
    "_scaled_mm_v2(Tensor self, Tensor mat2, Tensor[] scale_a, int[] recipe_a, int[] swizzle_a, "
    "Tensor[] scale_b, int[] recipe_b, int[] swizzle_b, Tensor? bias, ScalarType? out_dtype, "
    "int[] contraction_dim=[], bool use_fast_accum=False) -> Tensor",
    says="Multiply matrices of 8-bit floats and scales of which recipes say what they belong to.",
    meta=_meta_v2,
    prepare=_prepare_v2,
    half=False,
    grad=not_implemented_for("_scaled_mm_v2", "self", "mat2", "scale_a", "scale_b", "bias"),
    out=OutForm(),
    variants="function",
    samples="scaled_mm_v2",
    tags=("rounds",),
)
