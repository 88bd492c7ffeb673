"""Samples of products of matrices, of ``einsum`` and its kin."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call
from .arguments import factor, targets

Calls = Iterator[Call]


def mm(make: Maker) -> Calls:
    yield call(factor(make, 2, 3), factor(make, 3, 4))
    yield call(factor(make, 3, 2).t(), factor(make, 4, 3).t())
    yield call(factor(make, 2, 3, noncontiguous=True), factor(make, 3, 4))
    yield call(factor(make, 2, 0), factor(make, 0, 4))
    yield call(factor(make, 0, 3), factor(make, 3, 4))


def bad_mm(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, make(4, 5))
    yield call(make(3), x)
    yield call(x, make(3))
    yield call(x, make(3, 2, dtype="complex64"))
    yield call(make(2, 2, dtype="bool"), make(2, 2, dtype="bool"))


def mm_dtype(make: Maker) -> Calls:
    yield call(factor(make, 2, 3), factor(make, 3, 4), make.type("float32"))


def bmm_dtype(make: Maker) -> Calls:
    yield call(factor(make, 2, 2, 3), factor(make, 2, 3, 4), make.type("float32"))


def addmm_dtype(make: Maker) -> Calls:
    yield call(factor(make, 4), factor(make, 2, 3), factor(make, 3, 4), make.type("float32"))


def baddbmm_dtype(make: Maker) -> Calls:
    x, y = factor(make, 2, 2, 3), factor(make, 2, 3, 4)
    yield call(factor(make, 4), x, y, make.type("float32"), alpha=2)


def bmm(make: Maker) -> Calls:
    yield call(factor(make, 2, 3, 4), factor(make, 2, 4, 5))
    yield call(factor(make, 2, 4, 3).transpose(1, 2), factor(make, 4, 2, 5).transpose(0, 1))
    yield call(factor(make, 0, 3, 4), factor(make, 0, 4, 5))


def bad_bmm(make: Maker) -> Calls:
    x = make(2, 3, 4)
    yield call(x, x)
    yield call(make(2, 3), x)
    yield call(x, make(2, 3))
    yield call(x, make(3, 4, 2))
    yield call(x, make(2, 4, 2, dtype="complex64"))


def mv(make: Maker) -> Calls:
    yield call(factor(make, 2, 3), factor(make, 3))
    yield call(factor(make, 3, 2).t(), factor(make, 3, noncontiguous=True))


def bad_mv(make: Maker) -> Calls:
    x, v = make(2, 3), make(3)
    yield call(x, make(5))
    yield call(v, v)
    yield call(x, x)
    yield call(x, make(3, dtype="complex64"))


def dot(make: Maker) -> Calls:
    yield call(factor(make, 5), factor(make, 5))
    yield call(factor(make, 5, noncontiguous=True), factor(make, 5))
    yield call(factor(make, 0), factor(make, 0))


def bad_dot(make: Maker) -> Calls:
    yield call(make(3), make(5))
    yield call(make(2, 3), make(3))
    yield call(make(3), make(3, dtype="complex64"))


def outer(make: Maker) -> Calls:
    yield call(make(3), make(4))
    yield call(make(3), make(4, dtype="int32"))


def bad_outer(make: Maker) -> Calls:
    yield call(make(2, 3), make(3))
    yield call(make(3), make(2, 3))


def inner(make: Maker) -> Calls:
    yield call(factor(make, 3), factor(make, 3))
    yield call(factor(make, 2, 3), factor(make, 4, 3))
    yield call(make(), make(3))


def bad_inner(make: Maker) -> Calls:
    yield call(make(2, 3), make(4, 5))
    yield call(make(3), make(3, dtype="complex64"))


def addmm(make: Maker) -> Calls:
    yield call(factor(make, 4), factor(make, 2, 3), factor(make, 3, 4))
    yield call(factor(make, 2, 4), factor(make, 2, 3), factor(make, 4, 3).t(), beta=2, alpha=3)
    yield call(factor(make), factor(make, 2, 3), factor(make, 3, 4), beta=0)
    if make.kind == "float":
        yield call(make(4), factor(make, 2, 3), factor(make, 3, 4), beta=0.5, alpha=1.5)


def bad_addmm(make: Maker) -> Calls:
    x, v = make(2, 3), make(3)
    yield call(v, x, make(4, 5))
    yield call(make(5), x, make(3, 4))
    yield call(v, v, x)
    yield call(make(), x, v)
    yield call(make(), x, make(3, 2, dtype="complex64"))
    yield call(make(dtype="complex64"), x, make(3, 2))
    yield call(make(2, 3, 4), x, make(3, 2))


def baddbmm(make: Maker) -> Calls:
    yield call(factor(make, 5), factor(make, 2, 3, 4), factor(make, 2, 4, 5))
    yield call(factor(make, 2, 3, 5), factor(make, 2, 3, 4), factor(make, 2, 4, 5), beta=2, alpha=3)


def bad_baddbmm(make: Maker) -> Calls:
    x = make(2, 3, 4)
    yield call(make(), x, x)
    yield call(make(), make(2, 3), x)
    yield call(make(3), x, make(2, 4, 5))
    yield call(make(dtype="complex64"), x, make(2, 4, 5))


def addbmm(make: Maker) -> Calls:
    yield call(factor(make, 5), factor(make, 2, 3, 4), factor(make, 2, 4, 5))
    yield call(factor(make, 3, 5), factor(make, 2, 3, 4), factor(make, 2, 4, 5), beta=2, alpha=3)


def bad_addbmm(make: Maker) -> Calls:
    x = make(2, 3, 4)
    yield call(make(), make(2, 3), x)
    yield call(make(), x, make(3, 4, 2))
    yield call(make(7), x, make(2, 4, 5))


def addmv(make: Maker) -> Calls:
    yield call(factor(make, 2), factor(make, 2, 3), factor(make, 3))
    yield call(factor(make), factor(make, 2, 3), factor(make, 3), beta=2, alpha=3)
    yield call(factor(make, 1), factor(make, 2, 3), factor(make, 3), beta=0)


def bad_addmv(make: Maker) -> Calls:
    x, v = make(2, 3), make(3)
    yield call(v, x, make(5))
    yield call(make(5), x, v)
    yield call(make(), v, v)
    yield call(make(), x, x)
    yield call(make(), x, make(3, dtype="complex64"))


def matmul(make: Maker) -> Calls:
    shapes = [
        ((3,), (3,)), ((2, 3), (3,)), ((3,), (3, 4)), ((2, 3), (3, 4)),
        ((5, 2, 3), (3, 4)), ((5, 2, 3), (3,)), ((3,), (5, 3, 4)), ((2, 3), (5, 3, 4)),
        ((5, 2, 3), (5, 3, 4)), ((6, 1, 2, 3), (5, 3, 4)), ((6, 5, 2, 3), (3,)),
        ((3,), (6, 5, 3, 4)), ((1, 2, 3), (5, 3, 4)), ((0, 2, 3), (3, 4)),
    ]  # fmt: skip
    for a, b in shapes:
        yield call(factor(make, *a), factor(make, *b))
    yield call(factor(make, 5, 3, 2).transpose(1, 2), factor(make, 4, 3).t())


def bad_matmul(make: Maker) -> Calls:
    x, v, b = make(2, 3), make(3), make(2, 3, 4)
    yield call(make(), x)
    yield call(x, make())
    yield call(x, make(4, 5))
    yield call(v, make(5))
    yield call(x, make(5))
    yield call(b, b)
    yield call(b, x)
    yield call(make(3, 2, 4, 5), make(4, 2, 5, 6))
    yield call(x, make(3, dtype="complex64"))


def linear(make: Maker) -> Calls:
    yield call(factor(make, 2, 3), factor(make, 4, 3), factor(make, 4))
    yield call(factor(make, 2, 3), factor(make, 4, 3))
    yield call(factor(make, 5, 2, 3), factor(make, 4, 3), factor(make, 4))
    yield call(factor(make, 2, 5, 3).transpose(0, 1), factor(make, 4, 3), factor(make, 4))
    yield call(factor(make, 3), factor(make, 4, 3), factor(make, 4))
    yield call(factor(make, 3), factor(make, 3))


def bad_linear(make: Maker) -> Calls:
    x, b = make(2, 3), make(2, 3, 4)
    yield call(x, make(4, 5))
    yield call(x, make(4, 5), make(5))
    yield call(x, make(4, 3), make(5))
    yield call(x, make(4, 3), x)
    yield call(b, make(5, 4), make(6))
    yield call(make(), x)
    yield call(x, make(4, 3, dtype="complex64"))
    yield call(b, make(3))


def tensordot(make: Maker) -> Calls:
    yield call(factor(make, 2, 3), factor(make, 3, 4), ([1], [0]))
    yield call(factor(make, 2, 3, 4), factor(make, 4, 3, 5), ([1, 2], [1, 0]))
    yield call(factor(make, 2, 3), factor(make, 2), ([0], [0]))
    yield call(factor(make, 2, 3), factor(make, 2, 3))
    yield call(factor(make, 2), factor(make, 3), 0)


def bad_tensordot(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, make(4, 5), ([0], [1, 0]))
    yield call(x, make(4, 5), ([0], [0]))
    yield call(x, make(4, 5), ([5], [0]))
    yield call(x, make(4, 5), 5)
    yield call(x, make(4, 5), -1)
    yield call(x, make(2, 3, dtype="complex64"), ([0], [0]))


def kron(make: Maker) -> Calls:
    yield call(make(2, 3), make(4, 5))
    yield call(make(2), make(3, 2))
    yield call(make(), make(2, 3))


def linalg_cross(make: Maker) -> Calls:
    yield call(make(2, 3), make(2, 3))
    yield call(make(3, 4), make(3, 1), dim=0)


def bad_linalg_cross(make: Maker) -> Calls:
    yield call(make(5), make(5))
    yield call(make(3), make(2, 3))
    yield call(make(3), make(3, dtype="complex64"))


def cross(make: Maker) -> Calls:
    yield call(make(3, 2), make(3, 2))
    yield call(make(2, 3), make(2, 3), 1)


def bad_cross(make: Maker) -> Calls:
    yield call(make(5), make(5))
    yield call(make(3), make(3), 1)


def einsum(make: Maker) -> Calls:
    m = factor
    yield call("ij,jk->ik", [m(make, 2, 3), m(make, 3, 4)])
    yield call("ij,jk", [m(make, 2, 3), m(make, 3, 4)])
    yield call("bij,bjk->bik", [m(make, 5, 2, 3), m(make, 5, 3, 4)])
    yield call("ij->ji", [m(make, 2, 3)])
    yield call("ij->", [m(make, 2, 3)])
    yield call("ii->i", [m(make, 3, 3)])
    yield call("ii", [m(make, 3, 3)])
    yield call("i,j->ij", [m(make, 2), m(make, 3)])
    yield call("i,i", [m(make, 3), m(make, 3)])
    yield call("...ij,...jk->...ik", [m(make, 5, 2, 3), m(make, 3, 4)])
    yield call("b...,b...->b", [m(make, 2, 3, 4), m(make, 2, 3, 4)])
    yield call("ij,jk,kl->il", [m(make, 2, 3), m(make, 3, 4), m(make, 4, 2)])
    yield call("bhqd,bhkd->bhqk", [m(make, 2, 2, 3, 4), m(make, 2, 2, 5, 4)])
    yield call("i j , j k -> i k", [m(make, 2, 3), m(make, 3, 4)])
    yield call("ij,kj->ijk", [m(make, 2, 1), m(make, 4, 3)])


def bad_einsum(make: Maker) -> Calls:
    x = make(2, 3)
    for equation in (
        "ij,jk", "ij->k", "ij->ii", "i", "ijk", "i1", "ii", "i..", "ij->i.", "ij->ij->i",
        "ij,", "...i...", "ij->i1", "...ijk",
    ):  # fmt: skip
        yield call(equation, [x])
    yield call("ij", [])
    yield call("ij,jk->ik", [x, make(4, 5)])
    yield call("ij", [x, x])


def addmm_activation(make: Maker) -> Calls:
    for gelu in (False, True):
        yield call(factor(make, 4), factor(make, 2, 3), factor(make, 3, 4), use_gelu=gelu)
    yield call(factor(make, 2, 4), factor(make, 2, 3), factor(make, 4, 3).t(), beta=2, alpha=3)


def bad_addmm_activation(make: Maker) -> Calls:
    yield call(make(4), make(2, 3), make(2, 4))
    yield call(make(5), make(2, 3), make(3, 4))


def int_mm(make: Maker) -> Calls:
    a, b = make(2, 3, dtype="int8"), make(3, 4, dtype="int8")
    yield call(a, b)
    yield call(b.t(), a.t())
    yield call(make(2, 3, dtype="uint8"), b)
    yield call(a[:0], b)
    yield call(a[:, :0], b[:0])


def bad_int_mm(make: Maker) -> Calls:
    a, b = make(2, 3, dtype="int8"), make(3, 4, dtype="int8")
    yield call(a, b.t())
    yield call(a[0], b)
    yield call(a, b[0])
    yield call(a.float(), b)
    yield call(a, b.float())


def grouped_mm(make: Maker) -> Calls:
    if make.dtype not in ("float32", "float16", "bfloat16"):
        return
    ends = targets(make, 2, 2, 8).to(make.type("int32"))
    yield call(factor(make, 8, 16), factor(make, 3, 16, 8), ends)
    yield call(factor(make, 8, 16), factor(make, 3, 9, 16).mT, ends)
    yield call(
        factor(make, 16, 8).t(), factor(make, 3, 16, 8), ends, out_dtype=make.type(make.dtype)
    )
    yield call(factor(make, 3, 8, 16), factor(make, 16, 8), ends)
    yield call(factor(make, 8, 8), factor(make, 8, 16), ends)
    yield call(factor(make, 3, 8, 16), factor(make, 3, 16, 24))
    yield call(factor(make, 3, 5, 16), factor(make, 3, 7, 16).mT)
    yield call(factor(make, 0, 8), factor(make, 3, 8, 16), ends * 0)


def bad_grouped_mm(make: Maker) -> Calls:
    a, b = factor(make, 8, 16), factor(make, 3, 16, 8)
    long = targets(make, 2, 4, 8)
    ends = long.to(make.type("int32"))
    yield call(a.double(), b, ends)
    yield call(a[0], b, ends)
    yield call(a, b[None], ends)
    yield call(a[:, :8], b, ends)
    yield call(a[:, ::2], b[:, :8], ends)
    yield call(a[:, :9].clone(), b[:, :9], ends)
    yield call(a, b)
    yield call(b.mT, b, ends)
    yield call(b.mT, b[:2])
    yield call(a, b, long)
    yield call(a, b, ends[None])
    yield call(a, b, ends[:2])
    yield call(a, b, ends, a)
    yield call(a, b, ends, None, make.type("float64"))
    yield call(a, b.to(make.type("float16")), ends)


def convert_weight_to_int4pack(make: Maker) -> Calls:
    for rows, width in ((16, 4), (64, 32), (96, 64)):
        yield call(make(rows, width, dtype="int32", low=0, high=15), 2)


def bad_convert_weight_to_int4pack(make: Maker) -> Calls:
    yield call(make(16, 4, dtype="int64"), 2)
    yield call(make(16, dtype="int32"), 2)
    yield call(make(15, 4, dtype="int32"), 2)
    yield call(make(16, 3, dtype="int32"), 2)


def weight_int4pack(make: Maker) -> Calls:
    kind = make.dtype if make.dtype in ("float32", "bfloat16", "float16") else "float32"
    for rows in (32, 96):
        weights = make(rows, 32, dtype="uint8", low=0, high=255)
        # All of one sign: what cancels is further off than sums of many terms may be.
        scales = make(2, rows, 2, dtype=kind, values=[0.5, 4.0] * (2 * rows))
        yield call(make(3, 64, dtype=kind, low=0, high=1), weights, 32, scales)


def bad_weight_int4pack(make: Maker) -> Calls:
    a, b, s = make(3, 64, dtype="float32"), make(32, 32, dtype="uint8"), make(2, 32, 2)
    s = s.float()
    yield call(a.double(), b, 32, s.double())
    yield call(a, b, 16, s)
    yield call(a, b.int(), 32, s)
    yield call(a, b, 32, s[..., :1])
    yield call(a, b, 32, s.double())
    yield call(a[0], b, 32, s)
