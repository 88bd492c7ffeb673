"""Comparison, logical and bitwise ops."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch_storage.dtype import bool_, get_default_dtype

from ..backends.dtype_support import refuse_scarce
from ..call.device_checks import refuse_apart
from ..call.elementwise_meta import BOOL, COMPLEX, FLOATING, UNSIGNED, elementwise
from ..call.forms import DeviceRule, InplaceForm, OutForm
from ..call.row import Out, op
from ..call.scalar_text import of_ufunc
from ..core import signature as S
from ..core.half_precision import comparing
from ..core.operators import ops
from . import device_rules
from .pointwise import with_number

Array = np.ndarray[Any, Any]

# ------------------------------------------------------------------------- eq, lt, …

for _name, _ufunc, _says in (
    ("eq", np.equal, "Return whether two elements are equal."),
    ("ne", np.not_equal, "Return whether two elements differ."),
    ("lt", np.less, "Return whether the first operand is less than the second."),
    ("le", np.less_equal, "Return whether the first operand is at most the second."),
    ("gt", np.greater, "Return whether the first operand is greater than the second."),
    ("ge", np.greater_equal, "Return whether the first operand is at least the second."),
):
    _lacks = None if _name in ("eq", "ne") else {f"{_name}_cpu": COMPLEX | UNSIGNED}
    _meta = elementwise("bool", 2, cpu=_lacks)
    op(
        f"{_name}.Tensor(Tensor self, Tensor other) -> Tensor",
        says=_says,
        meta=_meta,
        ufunc=_ufunc,
        promote="bool",
        inplace=True,
        out="Tensor_out",
        node=(0, 1),
        samples="compare",
        tags=("pointwise", "loops: inplace"),
    )
    op(
        f"{_name}.Scalar(Tensor self, Scalar other) -> Tensor",
        meta=_meta,
        prepare=with_number(choose=comparing(_ufunc)),
        scalar=of_ufunc(_ufunc, ("self", "other")),
        half=False,
        inplace=True,
        out=OutForm("Scalar_out", dtype="cast"),
        samples="compare_number",
        tags=("pointwise", "loops: inplace"),
    )


def _check_isclose(self: Any, other: Any, rtol: float, atol: float, equal_nan: bool) -> None:
    """Source: torch aten/src/ATen/native/TensorCompare.cpp, isclose."""
    if self.is_quantized or other.is_quantized:
        raise RuntimeError("isclose is not supported for quantized inputs.")
    if self.dtype is not other.dtype:
        raise RuntimeError(f"{self.dtype.scalar_type} did not match {other.dtype.scalar_type}")
    for name, value in (("rtol", rtol), ("atol", atol)):
        if not value >= 0:
            raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")


def _isclose(self: Any, other: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    _check_isclose(self, other, rtol, atol, equal_nan)
    close = self == other
    exact = not (self.dtype.is_floating_point or self.dtype.is_complex)
    if equal_nan and not exact:
        close |= self.isnan() & other.isnan()
    if rtol == 0 and atol == 0:
        return close
    if exact:
        other = other.to(get_default_dtype())
        if self.dtype is bool_:
            self = self.to(get_default_dtype())
    allowed = (other * rtol).abs() + atol
    actual = (self - other).abs()
    bounded = actual.isfinite()
    close |= bounded.__iand__(actual <= allowed)
    return close


op(
    "isclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, "
    "bool equal_nan=False) -> Tensor",
    says="""Return whether two elements are equal within a relative and an absolute tolerance.

    >>> torch.isclose(torch.tensor([1.0, 2.0]), torch.tensor([1.000001, 2.1]))
    tensor([ True, False])
    """,
    composite=_isclose,
    samples="isclose",
    tags=("pointwise", "loops: functional"),
)


def _allclose(self: Any, other: Any, rtol: float, atol: float, equal_nan: bool) -> bool:
    return bool(ops.isclose(self, other, rtol, atol, equal_nan).all())


op(
    "allclose(Tensor self, Tensor other, float rtol=1.0000000000000001e-05, float atol=1e-08, "
    "bool equal_nan=False) -> bool",
    says="""Say whether all elements of two tensors are equal within a tolerance.

    >>> torch.allclose(torch.tensor([1.0]), torch.tensor([1.00000001]))
    True
    """,
    composite=_allclose,
    kinds={"functional": "explicit"},
    samples="isclose",
    tags=("data_dependent_output",),
)


#: Facts of tensors whose arrays can be compared as they are.
_READABLE = S.DIM_MASK | S.ZERO_MASK | S.CPU | S.REQUIRES_GRAD | S.STRIDED | S.VIEW | S.NO_GRAD_VIEW


def _equal(self: Any, other: Any) -> bool:
    if (self._sig_ | other._sig_) & S.SCARCE and self is not other:
        refuse_scarce("equal", self)
    if (self._sig_ | other._sig_) & S.ACCELERATORS and self.device != other.device:
        refuse_apart("aten::equal", (self, other))
    if self._a_.shape != other._a_.shape:
        return False
    if (self._sig_ | other._sig_) & ~_READABLE or self._a_.dtype != other._a_.dtype:
        return bool((self == other).all())
    return bool(np.count_nonzero(self._a_ == other._a_) == self._a_.size)


op(
    "equal(Tensor self, Tensor other) -> bool",
    says="""Say whether two tensors have the same shape and equal elements.

    >>> torch.equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    True
    """,
    composite=_equal,
    batch="no_fallback",
    kinds={"functional": "backends"},
    samples="equal",
    tags=("data_dependent_output", "pointwise"),
    devices=DeviceRule(meta=device_rules.no_kernel, first=True),
)

op(
    "_local_scalar_dense(Tensor self) -> Scalar",
    kernel=lambda self: self.item() if self.dtype.num <= 24 else float(self),
    variants="",
    tags=("symbols: number", "data_dependent_output"),
)

# ------------------------------------------------------------------------- logical

for _name, _ufunc, _says in (
    ("logical_and", np.logical_and, "Return whether both elements are nonzero."),
    ("logical_or", np.logical_or, "Return whether at least one of two elements is nonzero."),
    ("logical_xor", np.logical_xor, "Return whether exactly one of two elements is nonzero."),
):
    op(
        f"{_name}(Tensor self, Tensor other) -> Tensor",
        says=_says,
        meta=elementwise("bool", 2, cpu={f"{_name}_cpu": UNSIGNED}),
        ufunc=_ufunc,
        promote="bool",
        half=False,
        inplace=InplaceForm(recorded=False),
        out=True,
        samples="compare",
        tags=("pointwise",),
    )


def _logical_not_meta(self: Any) -> Out:
    return elementwise("bool", 1, cpu={"logical_not_cpu": UNSIGNED})(self)


op(
    "logical_not(Tensor self) -> Tensor",
    says="""Return whether each element is zero.

    >>> torch.logical_not(torch.tensor([0, 1, -2]))
    tensor([ True, False, False])
    """,
    meta=_logical_not_meta,
    ufunc=np.logical_not,
    promote="bool",
    half=False,
    inplace=InplaceForm(recorded=False),
    out=True,
    samples="unary",
    tags=("pointwise",),
)

# ------------------------------------------------------------------------- bitwise


def _bitwise(
    name: str,
    kernel: Any,
    cpu: str,
    lacks: frozenset[str],
    *,
    says: str,
    scalar_overload: str = "Scalar",
) -> None:
    """Rows of a bitwise op: two tensors, a tensor and a number, a number and a tensor."""
    meta = elementwise("common", 2, cpu={cpu: lacks})
    ufunc = kernel if isinstance(kernel, np.ufunc) else None
    op(
        f"{name}.Tensor(Tensor self, Tensor other) -> Tensor",
        says=says,
        meta=meta,
        ufunc=ufunc,
        kernel=None if ufunc else kernel,
        promote="common",
        inplace=True,
        out="Tensor_out",
        tangent="refused",
        samples="bitwise",
        tags=("pointwise",),
    )
    number, scalar = with_number(kernel), of_ufunc(kernel, ("self", "other"))
    op(
        f"{name}.{scalar_overload}(Tensor self, Scalar other) -> Tensor",
        meta=meta,
        prepare=number,
        scalar=scalar,
        inplace=True,
        out=OutForm(f"{scalar_overload}_out", dtype="cast"),
        tangent="refused",
        samples="bitwise_number",
        tags=("pointwise",),
    )
    op(
        f"{name}.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
        meta=meta,
        prepare=number,
        scalar=scalar,
        variants="function",
        tangent="refused",
        samples="number_bitwise",
        tags=("pointwise",),
    )


for _name, _ufunc, _says in (
    (
        "bitwise_and",
        np.bitwise_and,
        "Return the bits that are set in both integers; of bools, the logical and.",
    ),
    (
        "bitwise_or",
        np.bitwise_or,
        "Return the bits that are set in either integer; of bools, the logical or.",
    ),
    (
        "bitwise_xor",
        np.bitwise_xor,
        "Return the bits in which two integers differ; of bools, the exclusive or.",
    ),
):
    _bitwise(_name, _ufunc, f"{_name}_cpu", FLOATING | COMPLEX, says=_says)

SHIFT_LACKS = FLOATING | COMPLEX | BOOL | UNSIGNED
_bitwise(
    "bitwise_left_shift",
    np.left_shift,
    "lshift_cpu",
    SHIFT_LACKS,
    scalar_overload="Tensor_Scalar",
    says="""Shift the bits of each integer to the left.

    >>> torch.bitwise_left_shift(torch.tensor([1, 2, 3]), 2)
    tensor([ 4,  8, 12])
    """,
)
_bitwise(
    "bitwise_right_shift",
    np.right_shift,
    "rshift_cpu",
    SHIFT_LACKS,
    scalar_overload="Tensor_Scalar",
    says="Shift the bits of each integer to the right, keeping its sign.",
)
op(
    "bitwise_not(Tensor self) -> Tensor",
    says="Invert the bits of each integer; of bools, return the logical not.",
    meta=elementwise("common", 1, cpu={"bitwise_not_cpu": FLOATING | COMPLEX | UNSIGNED}),
    ufunc=np.invert,
    promote="common",
    inplace=True,
    out=OutForm(dtype="same"),
    samples="unary",
    tags=("pointwise",),
    tangent="refused",
)
