"""Products of matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..._building import FLOAT32, Builder, Value
from ..._errors import DispatchError
from ..._registration import translates
from .activations import gelu, relu


@translates("mm bmm matmul mv linalg_matmul")
def matmul(g: Builder, self: Value, other: Value) -> Value:
    return g.op("MatMul", *g.promoted(self, other))


@translates("dot vdot")
def dot(g: Builder, self: Value, other: Value) -> Value:
    return g.op("MatMul", self, other)


@translates("linalg_vecdot")
def vecdot(g: Builder, x: Value, y: Value, *, dim: int = -1) -> Value:
    # broadcast from the right, so that dim counts from there, too
    product = g.op("Mul", x, y)
    return g.op("ReduceSum", product, g.ints([dim]), keepdims=0)


@translates("outer ger")
def outer(g: Builder, self: Value, vec2: Value) -> Value:
    a, b = g.promoted(self, vec2)
    return g.op("Mul", g.unsqueeze(a, 1), g.unsqueeze(b, 0))


def _sum(g: Builder, self: Value, product: Value, beta: Any, alpha: Any) -> Value:
    """beta self + alpha product; what beta 0 leaves out is not looked at."""
    dtype = g.out.dtype
    found = g.cast(product, dtype)
    if alpha != 1:
        found = g.op("Mul", found, alpha)
    if beta == 0:
        return g.expand(found, g.out.shape)
    value = g.cast(self, dtype)
    return g.op("Add", value if beta == 1 else g.op("Mul", value, beta), found)


@translates("addmm")
def addmm(
    g: Builder, self: Value, mat1: Value, mat2: Value, *, beta: Any = 1, alpha: Any = 1
) -> Value:
    if mat1.dtype.is_floating_point and beta != 0:
        return g.op("Gemm", mat1, mat2, self, beta=float(beta), alpha=float(alpha))
    return _sum(g, self, g.op("MatMul", mat1, mat2), beta, alpha)


@translates("_addmm_activation")
def addmm_activation(
    g: Builder,
    self: Value,
    mat1: Value,
    mat2: Value,
    *,
    beta: Any = 1,
    alpha: Any = 1,
    use_gelu: bool = False,
) -> Value:
    found = addmm(g, self, mat1, mat2, beta=beta, alpha=alpha)
    return gelu(g, found) if use_gelu else relu(g, found)


@translates("addmv baddbmm")
def add_product(
    g: Builder, self: Value, a: Value, b: Value, *, beta: Any = 1, alpha: Any = 1
) -> Value:
    return _sum(g, self, g.op("MatMul", a, b), beta, alpha)


@translates("addbmm")
def addbmm(
    g: Builder, self: Value, batch1: Value, batch2: Value, *, beta: Any = 1, alpha: Any = 1
) -> Value:
    product = g.op("ReduceSum", g.op("MatMul", batch1, batch2), g.ints([0]), keepdims=0)
    return _sum(g, self, product, beta, alpha)


@translates("addr")
def addr(
    g: Builder, self: Value, vec1: Value, vec2: Value, *, beta: Any = 1, alpha: Any = 1
) -> Value:
    a, b = g.cast(vec1, g.out.dtype), g.cast(vec2, g.out.dtype)
    product = g.op("Mul", g.unsqueeze(a, 1), g.unsqueeze(b, 0))
    if g.out.dtype.name == "bool":
        return product
    return _sum(g, self, product, beta, alpha)


@translates("linear")
def linear(g: Builder, input: Value, weight: Value, bias: Value | None = None) -> Value:
    if input.rank == 2 and weight.rank == 2 and input.dtype.is_floating_point:
        if bias is not None and bias.rank <= 1:
            return g.op("Gemm", input, weight, bias, transB=1)
        if bias is None:
            return g.op("Gemm", input, weight, transB=1)
    turned = g.transpose(weight, [1, 0]) if weight.rank == 2 else weight
    found = g.op("MatMul", input, turned)
    return found if bias is None else g.op("Add", found, bias)


@translates("einsum")
def einsum(g: Builder, equation: str, tensors: Sequence[Value], *, path: Any = None) -> Value:
    return g.op("Einsum", *tensors, equation=equation.replace(" ", ""))


@translates("tensordot")
def tensordot(
    g: Builder, self: Value, other: Value, dims_self: Sequence[int], dims_other: Sequence[int]
) -> Value:
    a = [d % self.rank for d in dims_self]
    b = [d % other.rank for d in dims_other]
    rest_a = [i for i in range(self.rank) if i not in a]
    rest_b = [i for i in range(other.rank) if i not in b]
    sizes_a = [g.size(self, i) for i in rest_a]
    inner = 1
    for x, y in zip(a, b, strict=True):
        inner *= max(self.sizes[x], other.sizes[y])
    left, right = g.transpose(self, [*rest_a, *a]), g.transpose(other, [*b, *rest_b])
    full = [max(self.sizes[x], other.sizes[y]) for x, y in zip(a, b, strict=True)]
    left = g.expand(left, [*sizes_a, *full])
    right = g.expand(right, [*full, *(g.size(other, i) for i in rest_b)])
    product = g.op("MatMul", g.reshape(left, [-1, inner]), g.reshape(right, [inner, -1]))
    return g.reshape(product, g.out.shape)


@translates("kron")
def kron(g: Builder, self: Value, other: Value) -> Value:
    rank = max(self.rank, other.rank)
    a, b = g.promoted(self, other)
    left = [1] * (rank - self.rank) + list(self.shape or ())
    right = [1] * (rank - other.rank) + list(other.shape or ())
    wide = g.reshape(a, [s for size in left for s in (size, 1)])
    fine = g.reshape(b, [s for size in right for s in (1, size)])
    return g.reshape(g.op("Mul", wide, fine), g.out.shape)


@translates("cross")
def cross(g: Builder, self: Value, other: Value, dim: int | None = None) -> Value:
    if dim is None:
        dim = next(i for i, size in enumerate(g.out.shape) if size == 3)
    return linalg_cross(g, self, other, dim=dim)


@translates("linalg_cross")
def linalg_cross(g: Builder, self: Value, other: Value, *, dim: int = -1) -> Value:
    a, b = g.promoted(self, other)
    rank = len(g.out.shape)
    axis = dim % rank - rank
    one, two = g.const(np.array([1, 2, 0])), g.const(np.array([2, 0, 1]))

    def turned(value: Value, places: Value) -> Value:
        value = g.expand(value, g.out.shape)
        return g.op("Gather", value, places, axis=axis)

    first = g.op("Mul", turned(a, one), turned(b, two))
    return g.op("Sub", first, g.op("Mul", turned(a, two), turned(b, one)))


@translates("bilinear")
def bilinear(
    g: Builder, input1: Value, input2: Value, weight: Value, bias: Value | None = None
) -> Value:
    # x1 [.., 1, i] and W [o, i, j] to [.., o, j]; then with x2 [.., 1, j] to [.., o]
    left = g.unsqueeze(input1, input1.rank - 1, input1.rank)
    inner = g.op("Squeeze", g.op("MatMul", left, weight), g.ints([-2]))
    found = g.op("Mul", inner, g.unsqueeze(input2, input2.rank - 1))
    total = g.op("ReduceSum", found, g.ints([-1]), keepdims=0)
    return total if bias is None else g.op("Add", total, bias)


@translates("linalg_det det")
def det(g: Builder, A: Value) -> Value:
    return g.op("Det", A)


@translates("_linalg_det")
def bare_det(g: Builder, A: Value) -> tuple[Value, None, None]:
    return g.op("Det", A), None, None


@translates("linalg_matrix_power matrix_power")
def matrix_power(g: Builder, self: Value, n: int) -> Value:
    if n == 0:
        return g.expand(g.const(np.eye(self.sizes[-1]), self.dtype), self.sizes or ())
    if n < 0:
        raise DispatchError("ONNX has no inverse of a matrix")
    found = None
    square = self
    while n:
        if n & 1:
            found = square if found is None else g.op("MatMul", found, square)
        n >>= 1
        if n:
            square = g.op("MatMul", square, square)
    assert found is not None
    return found


@translates("_weight_norm")
def weight_norm(g: Builder, v: Value, g_: Value, dim: int = 0) -> Value:
    dims = [i for i in range(v.rank) if i != dim % v.rank]
    size = g.op("ReduceL2", v, g.ints(dims), keepdims=1)
    return g.op("Mul", v, g.op("Div", g_, size))


@translates("_weight_norm_interface")
def weight_norm_interface(g: Builder, v: Value, g_: Value, dim: int = 0) -> tuple[Value, Value]:
    dims = [i for i in range(v.rank) if i != dim % v.rank]
    size = g.op("ReduceL2", v, g.ints(dims), keepdims=1)
    return g.op("Mul", v, g.op("Div", g_, size)), g.cast(size, FLOAT32)
