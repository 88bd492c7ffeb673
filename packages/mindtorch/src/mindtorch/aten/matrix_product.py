"""Products of two matrices or vectors: ``mm``, ``bmm``, ``mv``, ``dot``, ``outer``, ``inner``.

Floats go to BLAS through numpy; half types arrive in float32 and are rounded once, as on torch's
CPU. Results are contiguous.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from mindtorch.aten.contraction import contracted
from mindtorch.backends.dtype_support import refuse_scarce
from mindtorch.call.elementwise_meta import BOOL, UNSIGNED, not_implemented, refuse
from mindtorch.call.forms import DOES_NOT_MATCH, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import same_place, scalar_name, size_at
from mindtorch.core.errors import c_type_name
from mindtorch.core.operators import conj, of, onto, ops
from mindtorch.core.warning import warn

from ..call.forms import DeviceRule
from . import device_rules

if TYPE_CHECKING:
    from collections.abc import Callable

    from mindtorch.tensor.tensor_meta import Facts

__all__ = [
    "batch_product",
    "bmm_sizes",
    "check_out_dtype",
    "left_grad",
    "mv_check",
    "product_of",
    "refusing",
    "right_grad",
    "same_scalar",
    "shapes_of",
]

_dot, _matmul = np.dot, np.matmul
#: ``dot`` fills its result with zeros first; ``matmul`` takes longer to begin.
_LARGE = 1 << 15


def product_of(a: Any, b: Any) -> Any:
    """``a @ b`` of two matrices, as a fresh C-contiguous array."""
    if a.shape[0] * b.shape[1] >= _LARGE:
        if a.dtype.kind == "f":
            return _matmul(a, b)
        if _sums_fit_double(a, b):
            return _by_double(a, b)
    return _dot(a, b)


def _sums_fit_double(a: Any, b: Any) -> bool:
    """Whether all sums of a product of integers are exact in double, whatever their order."""
    if a.dtype.kind not in "iu" or not a.size or not b.size:
        return False
    largest = [max(int(x.max()), -int(x.min())) for x in (a, b)]
    return largest[0] * largest[1] * a.shape[-1] < 1 << 53


def _by_double(a: Any, b: Any) -> Any:
    """The product of integers by BLAS, which numpy has not for them."""
    return _matmul(a.astype(np.float64), b.astype(np.float64)).astype(np.int64).astype(a.dtype)


def shapes_of(a: Any, b: Any) -> str:
    m, n = a.shape, b.shape
    return f"({m[0]}x{m[1]} and {n[0]}x{n[1]})"


_LACKS = BOOL | UNSIGNED


def refusing(kernel: str, position: int = 0) -> Callable[..., None]:
    """What refuses dtypes in the name of *kernel*, which runs where this factor has elements."""

    def refuses(*args: Any) -> None:
        factor = args[position]
        if factor.dtype.name in _LACKS and factor.numel():
            raise not_implemented(kernel, factor.dtype)

    return refuses


def _mm_meta(self: Any, mat2: Any) -> Out:
    a, b = self.shape, mat2.shape
    if len(a) != 2:
        raise RuntimeError("self must be a matrix")
    if len(b) != 2:
        raise RuntimeError("mat2 must be a matrix")
    if a[1] != b[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied {shapes_of(self, mat2)}")
    out = Out((a[0], b[1]), self.dtype)
    if self.dtype is not mat2.dtype:
        raise RuntimeError(
            "expected m1 and m2 to have the same dtype, but got: "
            f"{c_type_name(self.dtype)} != {c_type_name(mat2.dtype)}"
        )
    return out


def _column_major(facts: Facts) -> bool:
    item: int = facts.np_dtype.itemsize
    return facts.byte_strides == (item, item * facts.sizes[0])


def left_grad(g: Any, left: Facts, right: Any) -> Any:
    """The gradient of the left factor in its own memory order, so that a leaf can take it as it is.

    Source of the rule: torch csrc/autograd/FunctionsManual.cpp, mm_mat1_grad.
    """
    if _column_major(left):
        return conj(right).mm(g.t()).t()
    return g.mm(conj(right.t()))


def right_grad(g: Any, left: Any, right: Facts) -> Any:
    """The gradient of the right factor in its own memory order (mm_mat2_grad)."""
    if _column_major(right):
        return g.t().mm(conj(left)).t()
    return conj(left.t()).mm(g)


def _mm_left(g: Any, c: Any) -> Any:
    return left_grad(g, c.self_facts, c.mat2)


def _mm_right(g: Any, c: Any) -> Any:
    return right_grad(g, c.self, c.mat2_facts)


op(
    "mm(Tensor self, Tensor mat2) -> Tensor",
    says="Return the product of two matrices."
    " Shapes (n, m) and (m, p) give (n, p); the dtypes must agree.",
    meta=_mm_meta,
    kernel=product_of,
    refuses=refusing("addmm_impl_cpu_"),
    out=OutForm(meta="exact"),
    grad={"self": _mm_left, "mat2": _mm_right},
    samples="mm",
    batch="matmul",
    tags=("keeps_conjugates", "product", "einsum: mk,kn->mn"),
    autocast="lower precision",
)


#: torch _meta_registrations.py has a text for matrices and one for batches.
_OUT_DTYPE = "out_dtype must be the same as input dtype or fp32 for fp16/bf16 inputs"
_OUT_DTYPE_OF_BATCH = (
    "out_dtype only supported for torch.float32 output with float16/bfloat16 inputs or same as "
    "input dtypes"
)


def check_out_dtype(self: Any, out_dtype: Any, text: str = _OUT_DTYPE) -> None:
    """Half floats may be summed into float32; else the result has the inputs' dtype."""
    narrow = self.dtype.name in ("float16", "bfloat16")
    if out_dtype is not self.dtype and not (narrow and out_dtype.name == "float32"):
        raise RuntimeError(text)


def _mm_dtype_meta(self: Any, mat2: Any, out_dtype: Any) -> Out:
    out = _mm_meta(self, mat2)
    check_out_dtype(self, out_dtype)
    return Out(out.shape, out_dtype)


op(
    "mm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor",
    meta=_mm_dtype_meta,
    kernel=lambda self, mat2, out_dtype: product_of(self, mat2),
    variants="function",
    out=OutForm("dtype_out", meta="exact"),
    samples="mm_dtype",
    tags=("not_on_cpu", "product", "loops: functional", "einsum: mk,kn->mn"),
    tangent="refused",
)


def bmm_sizes(self: Any, mat2: Any) -> tuple[int, int, int]:
    a, b = tuple(self.shape), tuple(mat2.shape)
    if len(a) != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if len(b) != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if a[0] != b[0] or a[2] != b[1]:
        raise RuntimeError(
            "Expected size for first two dimensions of batch2 tensor to be: "
            f"[{a[0]}, {a[2]}] but got: [{b[0]}, {b[1]}]."
        )
    return a[0], a[1], b[2]


def same_scalar(row: str, a: Any, b: Any) -> None:
    if a.dtype is not b.dtype:
        refuse_scarce(row, a)
        raise RuntimeError(
            f"expected scalar type {scalar_name(a.dtype)} but found {scalar_name(b.dtype)}"
        )


def _bmm_meta(self: Any, mat2: Any) -> Out:
    out = Out(bmm_sizes(self, mat2), self.dtype)
    if self.numel():
        refuse(self.dtype, {"bmm": BOOL | UNSIGNED}, self)
    same_scalar("bmm", self, mat2)
    return out


def batch_product(self: Any, mat2: Any) -> Any:
    if self.size > _LARGE and _sums_fit_double(self, mat2):
        return _by_double(self, mat2)
    out = np.matmul(self, mat2)
    return out if out.flags.c_contiguous else out.copy("C")


op(
    "bmm(Tensor self, Tensor mat2) -> Tensor",
    says="Return the products of two batches of matrices."
    " Shapes (b, n, m) and (b, m, p) give (b, n, p); the dtypes must agree.",
    meta=_bmm_meta,
    kernel=batch_product,
    out=OutForm(meta="exact", overlap="unchecked"),
    grad={
        "self": lambda g, c: g.bmm(conj(c.mat2.transpose(1, 2))),
        "mat2": lambda g, c: conj(c.self.transpose(1, 2)).bmm(g),
    },
    samples="bmm",
    batch="matmul",
    tags=("keeps_conjugates", "product", "einsum: bmk,bkn->bmn"),
    autocast="lower precision",
)


def _bmm_dtype_meta(self: Any, mat2: Any, out_dtype: Any) -> Out:
    shape = bmm_sizes(self, mat2)
    same_scalar("bmm", self, mat2)
    check_out_dtype(self, out_dtype, _OUT_DTYPE_OF_BATCH)
    return Out(shape, out_dtype)


op(
    "bmm.dtype(Tensor self, Tensor mat2, ScalarType out_dtype) -> Tensor",
    meta=_bmm_dtype_meta,
    kernel=lambda self, mat2, out_dtype: batch_product(self, mat2),
    variants="function",
    out=OutForm("dtype_out", meta="exact", overlap="unchecked"),
    samples="bmm_dtype",
    tags=("not_on_cpu", "product", "loops: functional", "einsum: bmk,bkn->bmn"),
    tangent="refused",
)


def mv_check(self: Any, mat: Any, vec: Any, dims: int, size: int) -> None:
    if len(mat.shape) != 2 or len(vec.shape) != 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got {dims}, {len(mat.shape)}, {len(vec.shape)}"
        )
    m, n = mat.shape
    if n != vec.shape[0] or (dims == 1 and size not in (m, 1)):
        if not dims:  # torch fails over its own message
            raise IndexError("Dimension specified as 0 but tensor has no dimensions")
        raise RuntimeError(
            f"size mismatch, got input ({size}), mat ({m}x{n}), vec ({vec.shape[0]})"
        )
    _check_mv_dtypes(self, mat, vec)


def _check_mv_dtypes(self: Any, mat: Any, vec: Any) -> None:
    if not self.dtype == mat.dtype == vec.dtype:
        raise RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{scalar_name(self.dtype)}, {scalar_name(mat.dtype)}, and {scalar_name(vec.dtype)}"
        )


def _mv_meta(self: Any, vec: Any) -> Out:
    rows = size_at(self, 0)
    mv_check(vec, self, vec, 1, rows)
    return Out((rows,), self.dtype)


def _mv_onto(target: Any, self: Any, vec: Any) -> Out:
    """As a summand of ``addmv``, which wants one dtype of all three."""
    out = _mv_meta(self, vec)
    _check_mv_dtypes(target, self, vec)
    return out


op(
    "mv(Tensor self, Tensor vec) -> Tensor",
    says="Return the product of a matrix and a vector."
    " Shapes (n, m) and (m) give (n); the dtypes must agree.",
    meta=_mv_meta,
    kernel=_dot,
    refuses=refusing("addmv_impl_cpu"),
    out=OutForm(meta="exact", overlap="unchecked"),
    out_meta=_mv_onto,
    grad={
        "self": lambda g, c: g.outer(conj(c.vec)),
        "vec": lambda g, c: conj(c.self.t()).mv(g),
    },
    samples="mv",
    batch="matmul",
    tags=("product", "einsum: mk,k->m"),
    autocast=("", "lower precision"),
)


def _dot_meta(kernel: str) -> Any:
    def meta(self: Any, other: Any) -> Out:
        a, b = self.shape, other.shape
        if len(a) != 1 or len(b) != 1:
            raise RuntimeError(f"1D tensors expected, but got {len(a)}D and {len(b)}D tensors")
        if self.dtype is not other.dtype:
            raise RuntimeError(
                "dot : expected both vectors to have same dtype, but found "
                f"{scalar_name(self.dtype)} and {scalar_name(other.dtype)}"
            )
        if a != b:
            raise RuntimeError(
                f"inconsistent tensor size, expected tensor [{a[0]}] and src [{b[0]}] to have "
                f"the same number of elements, but got {a[0]} and {b[0]} elements respectively"
            )
        refuse(self.dtype, {kernel: BOOL | UNSIGNED}, self)
        return Out((), self.dtype)

    return meta


op(
    "dot(Tensor self, Tensor tensor) -> Tensor",
    says="Return the inner product of two vectors. Both must have the same length and dtype.",
    meta=_dot_meta("dot"),
    kernel=lambda self, tensor: np.asarray(_dot(self, tensor)),
    out=OutForm(text=DOES_NOT_MATCH, meta="exact"),
    grad={
        "self": lambda g, c: g * conj(c.tensor),
        "tensor": lambda g, c: g * conj(c.self),
    },
    samples="dot",
    batch="matmul",
    tags=("keeps_conjugates", "product", "einsum: i,i->"),
    autocast=("", "promote"),
)
op(
    "vdot(Tensor self, Tensor other) -> Tensor",
    says="Return the inner product of two vectors, the first one conjugated.",
    meta=_dot_meta("dot"),
    kernel=lambda self, other: np.asarray(np.vdot(self, other)),
    out=OutForm(text=DOES_NOT_MATCH, meta="exact"),
    grad={
        "self": lambda g, c: conj(g) * c.other,
        "other": lambda g, c: g * c.self,
    },
    samples="dot",
    batch="matmul",
    tags=("keeps_conjugates", "einsum: i,i->"),
    autocast=("", "promote"),
)


def _outer(self: Any, vec2: Any, **out: Any) -> Any:
    for name, x in (("self", self), ("vec2", vec2)):
        if x.dim() != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {x.dim()}-D")
    return ops.mul(self.reshape((self.shape[0], 1)), vec2, **out)


def _ger_onto(target: Any, self: Any, vec2: Any) -> None:
    warn(
        "torch.ger is deprecated and will be removed in a future PyTorch release. "
        "Use torch.outer instead."
    )
    _outer(self, vec2, out=target)


for _name, _onto in (("outer", onto(_outer)), ("ger", _ger_onto)):
    op(
        f"{_name}(Tensor self, Tensor vec2) -> Tensor",
        says="""Return the matrix of all products of the elements of two vectors.

        >>> torch.outer(torch.tensor([1, 2]), torch.tensor([3, 4]))
        tensor([[3, 4],
                [6, 8]])
        """,
        composite=_outer,
        out=OutForm(dtype="cast"),
        out_kernel=_onto,
        samples="outer",
    )


def _inner(self: Any, other: Any) -> Any:
    if self.device.type != other.device.type:
        raise RuntimeError(
            f"Expected tensor to have {self.device.type} DeviceType, but got tensor with "
            f"{other.device.type} DeviceType (while checking arguments for inner())"
        )
    if not self.dim() or not other.dim():
        return self * other
    if self.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(self.shape)} and {list(other.shape)}"
        )
    return contracted(self, other, (-1,), (-1,))


def _inner_onto(target: Any, self: Any, other: Any) -> None:
    same_place(self, target, "DeviceType", "inner()")
    if not self.dim() or not other.dim():
        ops.mul(self, other, out=target)
        return
    if self.shape[-1] != other.shape[-1]:
        _inner(self, other)  # says it
    of("tensordot.out")(self, other, (-1,), (-1,), out=target)


op(
    "inner(Tensor self, Tensor other) -> Tensor",
    says="Return sums of products over the last dimensions of both tensors.",
    composite=_inner,
    out=True,
    out_kernel=_inner_onto,
    samples="inner",
    tags=("checks_devices",),
    devices=DeviceRule(meta=device_rules.of_device_types("DeviceType", "inner()"), first=True),
)
