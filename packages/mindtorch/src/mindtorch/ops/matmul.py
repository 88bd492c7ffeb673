"""Matrix products: ``mm``, ``bmm``, ``mv``, ``dot``, their ``add…`` forms, ``matmul``, ``linear``.

Floats go to BLAS through numpy; half types arrive in float32 and are rounded once, as on torch's
CPU. Results are contiguous.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch.errors import c_type_name
from mindtorch.ops.call import conj, ops
from mindtorch.ops.contraction import contracted
from mindtorch.ops.dims import numel_of, scalar_name
from mindtorch.ops.meta import BOOL, UNSIGNED, broadcast_shapes, not_implemented, refuse
from mindtorch.ops.row import Out, op
from mindtorch.ops.view import _expand as expanded

__all__: list[str] = []

_dot = np.dot


def _product(a: Any, b: Any) -> Any:
    """``a @ b`` of two matrices, as a fresh C-contiguous array.

    BLAS is a sixth faster at a wide result of ``x @ w.t()`` if asked for its transpose.
    """
    wide = b.shape[1] >= 2 * a.shape[0] >= 32
    if wide and b.flags.f_contiguous and a.flags.c_contiguous and a.dtype.kind == "f":
        return _dot(b.T, a.T).T.copy()
    return _dot(a, b)


def _shapes_of(a: Any, b: Any) -> str:
    m, n = a.shape, b.shape
    return f"({m[0]}x{m[1]} and {n[0]}x{n[1]})"


def _not_for(kernel: str, x: Any) -> None:
    if x.numel():
        refuse(x.dtype, {kernel: BOOL | UNSIGNED}, x)


# -- products of two ----------------------------------------------------------------------------


def _mm_meta(self: Any, mat2: Any) -> Out:
    a, b = self.shape, mat2.shape
    if len(a) != 2:
        raise RuntimeError("self must be a matrix")
    if len(b) != 2:
        raise RuntimeError("mat2 must be a matrix")
    if a[1] != b[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied {_shapes_of(self, mat2)}")
    out = Out((a[0], b[1]), self.dtype)
    if self.dtype is not mat2.dtype:
        raise RuntimeError(
            "expected m1 and m2 to have the same dtype, but got: "
            f"{c_type_name(self.dtype)} != {c_type_name(mat2.dtype)}"
        )
    _not_for("addmm_impl_cpu_", self)
    return out


def _column_major(shape: Any, strides: Any) -> bool:
    rows, columns = shape
    return tuple(strides) == (1, rows) and rows != 1 and columns != 1


def _left_grad(g: Any, shape: Any, strides: Any, right: Any) -> Any:
    """The gradient of the left factor in its own memory order, so that a leaf can take it as it is.

    Source of the rule: torch csrc/autograd/FunctionsManual.cpp, mm_mat1_grad.
    """
    if _column_major(shape, strides):
        return conj(right).mm(g.t()).t()
    return g.mm(conj(right.t()))


def _right_grad(g: Any, left: Any, shape: Any, strides: Any) -> Any:
    """The gradient of the right factor in its own memory order (mm_mat2_grad)."""
    if _column_major(shape, strides):
        return g.t().mm(conj(left)).t()
    return conj(left.t()).mm(g)


def _mm_left(g: Any, c: Any) -> Any:
    return _left_grad(g, c.self.shape, c.self.stride(), c.mat2)


def _mm_right(g: Any, c: Any) -> Any:
    return _right_grad(g, c.self, c.mat2.shape, c.mat2.stride())


op(
    "mm(Tensor self, Tensor mat2) -> Tensor",
    meta=_mm_meta,
    kernel=_product,
    out=True,
    grad={"self": _mm_left, "mat2": _mm_right},
    samples="mm",
)


def _bmm_sizes(self: Any, mat2: Any) -> tuple[int, int, int]:
    a, b = self.shape, mat2.shape
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


def _same_scalar(a: Any, b: Any) -> None:
    if a.dtype is not b.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(a.dtype)} but found {scalar_name(b.dtype)}"
        )


def _bmm_meta(self: Any, mat2: Any) -> Out:
    out = Out(_bmm_sizes(self, mat2), self.dtype)
    _same_scalar(self, mat2)
    _not_for("bmm", self)
    return out


def _bmm(self: Any, mat2: Any) -> Any:
    out = np.matmul(self, mat2)
    return out if out.flags.c_contiguous else out.copy("C")


op(
    "bmm(Tensor self, Tensor mat2) -> Tensor",
    meta=_bmm_meta,
    kernel=_bmm,
    out=True,
    grad={
        "self": lambda g, c: g.bmm(conj(c.mat2.transpose(1, 2))),
        "mat2": lambda g, c: conj(c.self.transpose(1, 2)).bmm(g),
    },
    samples="bmm",
)


def _mv_check(self: Any, mat: Any, vec: Any, dims: int, size: int) -> None:
    if len(mat.shape) != 2 or len(vec.shape) != 1:
        raise RuntimeError(
            f"vector + matrix @ vector expected, got {dims}, {len(mat.shape)}, {len(vec.shape)}"
        )
    m, n = mat.shape
    if n != vec.shape[0] or (dims == 1 and size not in (m, 1)):
        raise RuntimeError(
            f"size mismatch, got input ({size}), mat ({m}x{n}), vec ({vec.shape[0]})"
        )
    if not self.dtype == mat.dtype == vec.dtype:
        raise RuntimeError(
            "addmv input tensors must have the same dtype, but got "
            f"{scalar_name(self.dtype)}, {scalar_name(mat.dtype)}, and {scalar_name(vec.dtype)}"
        )


def _mv_meta(self: Any, vec: Any) -> Out:
    _mv_check(vec, self, vec, 1, self.shape[0] if len(self.shape) else 1)
    if self.numel() and vec.dtype.name == "bool":
        raise not_implemented("addmv_impl_cpu", vec.dtype)
    return Out((self.shape[0],), self.dtype)


op(
    "mv(Tensor self, Tensor vec) -> Tensor",
    meta=_mv_meta,
    kernel=_dot,
    out=True,
    grad={
        "self": lambda g, c: g.outer(conj(c.vec)),
        "vec": lambda g, c: conj(c.self.t()).mv(g),
    },
    samples="mv",
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
    meta=_dot_meta("dot"),
    kernel=lambda self, tensor: np.asarray(_dot(self, tensor)),
    out=True,
    grad={
        "self": lambda g, c: g * conj(c.tensor),
        "tensor": lambda g, c: g * conj(c.self),
    },
    samples="dot",
)
op(
    "vdot(Tensor self, Tensor other) -> Tensor",
    meta=_dot_meta("dot"),
    kernel=lambda self, other: np.asarray(np.vdot(self, other)),
    out=True,
    grad={
        "self": lambda g, c: conj(g) * c.other,
        "other": lambda g, c: g * c.self,
    },
    samples="dot",
)


def _outer(self: Any, vec2: Any) -> Any:
    for name, x in (("self", self), ("vec2", vec2)):
        if x.dim() != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {x.dim()}-D")
    return self.reshape((self.shape[0], 1)) * vec2


for _name in ("outer", "ger"):
    op(
        f"{_name}(Tensor self, Tensor vec2) -> Tensor",
        composite=_outer,
        out=True,
        samples="outer",
    )


def _inner(self: Any, other: Any) -> Any:
    if self.dtype != other.dtype:
        raise RuntimeError("both inputs should have same dtype")
    if not self.dim() or not other.dim():
        return self * other
    if self.shape[-1] != other.shape[-1]:
        raise RuntimeError(
            "inner() the last dimension must match on both input tensors but got shapes "
            f"{list(self.shape)} and {list(other.shape)}"
        )
    if self.dim() == 1 and other.dim() == 1:
        return self.dot(other)
    return contracted(self, other, (-1,), (-1,))


op("inner(Tensor self, Tensor other) -> Tensor", composite=_inner, out=True, samples="inner")


# -- products with something added --------------------------------------------------------------


def scaled(product: Any, self: Any, beta: Any, alpha: Any) -> Any:
    """``beta * self + alpha * product`` in the memory of *product*; beta 0 ignores NaN in self."""
    kind = product.dtype.kind
    if alpha != 1:
        product *= int(alpha) if kind in "iu" else alpha
    if beta == 1:
        product += self
    elif beta != 0:
        product += self * np.asarray(int(beta) if kind in "iu" else beta, product.dtype)
    return product


def _addmm_meta(self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Out:
    a, b = mat1.shape, mat2.shape
    if len(a) != 2:
        raise RuntimeError(f"mat1 must be a matrix, got {len(a)}-D tensor")
    if len(b) != 2:
        raise RuntimeError(f"mat2 must be a matrix, got {len(b)}-D tensor")
    if a[1] != b[0]:
        raise RuntimeError(f"mat1 and mat2 shapes cannot be multiplied {_shapes_of(mat1, mat2)}")
    shape = (a[0], b[1])
    own = self.shape
    if own != shape and own != shape[1:]:
        expanded(self, shape, False)
    dtype = self.dtype
    if dtype is not mat2.dtype:
        raise RuntimeError(
            "self and mat2 must have the same dtype, but got "
            f"{scalar_name(dtype)} and {scalar_name(mat2.dtype)}"
        )
    if dtype is not mat1.dtype:
        raise RuntimeError(
            "expected m1 and m2 to have the same dtype, but got: "
            f"{c_type_name(mat1.dtype)} != {c_type_name(mat2.dtype)}"
        )
    _not_for("addmm_impl_cpu_", self)
    return Out(shape, dtype)


def _addmm(self: Any, mat1: Any, mat2: Any, beta: Any, alpha: Any) -> Any:
    product = _product(mat1, mat2)
    if beta == 1 == alpha:
        product += self
        return product
    return scaled(product, self, beta, alpha)


def _times(g: Any, number: Any) -> Any:
    if isinstance(number, complex):
        number = number.conjugate()
    return g if number == 1 else g * number


op(
    "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    meta=_addmm_meta,
    kernel=_addmm,
    inplace=True,
    out=True,
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "mat1": lambda g, c: _times(_left_grad(g, c.mat1.shape, c.mat1.stride(), c.mat2), c.alpha),
        "mat2": lambda g, c: _times(_right_grad(g, c.mat1, c.mat2.shape, c.mat2.stride()), c.alpha),
    },
    samples="addmm",
)


def _baddbmm_meta(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Out:
    shape = _bmm_sizes(batch1, batch2)
    if tuple(self.shape) != shape:
        expanded(self, shape, False)
    if self.dtype is not batch1.dtype:
        raise RuntimeError(
            "Input dtypes must be the same, got: input "
            f"{c_type_name(self.dtype)}, batch1: {c_type_name(batch1.dtype)}, "
            f"batch2: {c_type_name(batch2.dtype)}"
        )
    _same_scalar(batch1, batch2)
    _not_for("baddbmm", self)
    return Out(shape, self.dtype)


op(
    "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)"
    " -> Tensor",
    meta=_baddbmm_meta,
    kernel=lambda self, batch1, batch2, beta, alpha: scaled(
        _bmm(batch1, batch2), self, beta, alpha
    ),
    inplace=True,
    out=True,
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "batch1": lambda g, c: _times(g.bmm(conj(c.batch2.transpose(1, 2))), c.alpha),
        "batch2": lambda g, c: _times(conj(c.batch1.transpose(1, 2)).bmm(g), c.alpha),
    },
    samples="baddbmm",
)


def _addbmm_meta(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Out:
    a, b = batch1.shape, batch2.shape
    if len(a) != 3:
        raise RuntimeError("batch1 must be a 3D tensor")
    if len(b) != 3:
        raise RuntimeError("batch2 must be a 3D tensor")
    if a[0] != b[0]:
        raise RuntimeError(
            f"batch1 and batch2 must have same number of batches, got {a[0]} and {b[0]}"
        )
    if a[2] != b[1]:
        raise RuntimeError(f"Incompatible matrix sizes for bmm ({a[1]}x{a[2]} and {b[1]}x{b[2]})")
    shape = (a[1], b[2])
    expanded(self, shape, False)
    _not_for("addmm_impl_cpu_", self)
    return Out(shape, self.dtype)


def _addbmm(self: Any, batch1: Any, batch2: Any, beta: Any, alpha: Any) -> Any:
    return scaled(_bmm(batch1, batch2).sum(0, dtype=self.dtype), self, beta, alpha)


op(
    "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    meta=_addbmm_meta,
    kernel=_addbmm,
    inplace=True,
    out=True,
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "batch1": lambda g, c: _times(
            g.expand((c.batch1.shape[0], *g.shape)).bmm(conj(c.batch2.transpose(1, 2))), c.alpha
        ),
        "batch2": lambda g, c: _times(
            conj(c.batch1.transpose(1, 2)).bmm(g.expand((c.batch1.shape[0], *g.shape))), c.alpha
        ),
    },
    samples="addbmm",
)


def _addmv_meta(self: Any, mat: Any, vec: Any, beta: Any, alpha: Any) -> Out:
    dims = len(self.shape)
    if dims > 1:
        _mv_check(self, mat, vec, dims, self.shape[0])
        raise RuntimeError(
            f"vector + matrix @ vector expected, got {dims}, {len(mat.shape)}, {len(vec.shape)}"
        )
    _mv_check(self, mat, vec, dims, self.shape[0] if dims else 1)
    if mat.numel() and self.dtype.name == "bool":
        raise not_implemented("addmv_impl_cpu", self.dtype)
    return Out((mat.shape[0],), self.dtype)


op(
    "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1) -> Tensor",
    meta=_addmv_meta,
    kernel=lambda self, mat, vec, beta, alpha: scaled(_dot(mat, vec), self, beta, alpha),
    inplace=True,
    out=True,
    grad={
        "self": lambda g, c: _times(g, c.beta),
        "mat": lambda g, c: _times(g.outer(conj(c.vec)), c.alpha),
        "vec": lambda g, c: _times(conj(c.mat.t()).mv(g), c.alpha),
    },
    samples="addmv",
)


# -- any number of dims -------------------------------------------------------------------------


def _folds(t1: Any, t2: Any, swapped: bool) -> bool:
    """Whether a batch times one matrix is better seen as one large matrix product.

    Source: torch aten/src/ATen/native/LinearAlgebra.cpp, should_fold.
    """
    if t2.requires_grad:
        return True
    if swapped and t2.dim() == 2:
        return False
    if t1.numel() == 0:
        return True
    shape, strides = t1.shape, t1.stride()
    return all(strides[i] == strides[i + 1] * shape[i + 1] for i in range(len(shape) - 2))


def _matmul(self: Any, other: Any) -> Any:
    m, n = self.dim(), other.dim()
    if m == 2 and n == 2:
        return self.mm(other)
    if m == 0 or n == 0:
        raise RuntimeError(
            f"both arguments to matmul need to be at least 1D, but they are {m}D and {n}D"
        )
    if m == 1 and n == 1:
        return self.dot(other)
    if m == 2 and n == 1:
        return self.mv(other)
    if m == 1 and n == 2:
        return self.unsqueeze(0).mm(other).squeeze(0)
    if min(m, n) <= 2:
        swapped = m < n
        if swapped:
            t1, t2 = other.transpose(-2, -1), (self.t() if m == 2 else self)
        else:
            t1, t2 = self, other
        if _folds(t1, t2, swapped):
            lead = tuple(t1.shape[:-1])
            folded = t1.reshape((numel_of(lead), t1.shape[-1]))
            if t2.dim() == 2:
                out = ops._unsafe_view(folded.mm(t2), (*lead, t2.shape[1]))
                return out.transpose(-2, -1).contiguous() if swapped else out
            return ops._unsafe_view(folded.mv(t2), lead)
    return _matmul_batches(self, other)


def _matmul_batches(self: Any, other: Any) -> Any:
    m, n = self.dim(), other.dim()
    rows = self.shape[-2] if m > 1 else 1
    inner = self.shape[-1]
    inner2 = other.shape[-2] if n > 1 else other.shape[-1]
    columns = other.shape[-1] if n > 1 else 1
    batch1 = tuple(self.shape[:-2]) if m > 2 else ()
    batch2 = tuple(other.shape[:-2]) if n > 2 else ()
    batch = broadcast_shapes(batch1, batch2)
    count = numel_of(batch)
    a = self.expand((*batch, rows, inner)).reshape((count, rows, inner))
    if n == 1:
        b = other.unsqueeze(1)
        b = b.expand((*batch, inner2, 1)).reshape((count, inner2, 1))
        return ops._unsafe_view(a.bmm(b).squeeze(-1), (*batch, rows))
    b = other.expand((*batch, inner2, columns)).reshape((count, inner2, columns))
    shape = (*batch, rows, columns) if m > 1 else (*batch, columns)
    return ops._unsafe_view(a.bmm(b), shape)


op("matmul(Tensor self, Tensor other) -> Tensor", composite=_matmul, out=True, samples="matmul")


def _linear(input: Any, weight: Any, bias: Any) -> Any:
    n = input.dim()
    if n == 2 and bias is not None and weight.dim() == 2:
        return ops.addmm(bias, input, weight.t())
    if n == 0 or weight.dim() == 0:
        raise RuntimeError(
            "both arguments to linear need to be at least 1D, but they are "
            f"{n}D and {weight.dim()}D"
        )
    if bias is not None and weight.dim() == 2 and n == 3 and input.is_contiguous():
        shape = tuple(input.shape)
        flat = input.view((shape[0] * shape[1], shape[2]))
        out = ops.addmm(bias, flat, weight.t())
        return out.view((*shape[:2], out.shape[1]))
    out = ops.matmul(input, weight.t())
    return out if bias is None else out + bias


op(
    "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor",
    composite=_linear,
    module="nn",
    variants="function",
    out=True,
    samples="linear",
)
