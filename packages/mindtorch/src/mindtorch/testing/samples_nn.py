"""Samples of matrix products and of the rows behind ``nn``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mindtorch.testing import Call, Maker, call

Calls = Iterator[Call]


def _factor(make: Maker, *shape: int, **more: Any) -> Any:
    """Small numbers, so that half types and integers neither overflow nor lose all digits."""
    return make(*shape, low=-1, high=1, **more)


# -- matrix products ----------------------------------------------------------------------------


def mm(make: Maker) -> Calls:
    yield call(_factor(make, 2, 3), _factor(make, 3, 4))
    yield call(_factor(make, 3, 2).t(), _factor(make, 4, 3).t())
    yield call(_factor(make, 2, 3, noncontiguous=True), _factor(make, 3, 4))
    yield call(_factor(make, 2, 0), _factor(make, 0, 4))
    yield call(_factor(make, 0, 3), _factor(make, 3, 4))


def bad_mm(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, make(4, 5))
    yield call(make(3), x)
    yield call(x, make(3))
    yield call(x, make(3, 2, dtype="complex64"))
    yield call(make(2, 2, dtype="bool"), make(2, 2, dtype="bool"))


def mm_dtype(make: Maker) -> Calls:
    yield call(_factor(make, 2, 3), _factor(make, 3, 4), make.type("float32"))


def bmm_dtype(make: Maker) -> Calls:
    yield call(_factor(make, 2, 2, 3), _factor(make, 2, 3, 4), make.type("float32"))


def addmm_dtype(make: Maker) -> Calls:
    yield call(_factor(make, 4), _factor(make, 2, 3), _factor(make, 3, 4), make.type("float32"))


def baddbmm_dtype(make: Maker) -> Calls:
    x, y = _factor(make, 2, 2, 3), _factor(make, 2, 3, 4)
    yield call(_factor(make, 4), x, y, make.type("float32"), alpha=2)


def bmm(make: Maker) -> Calls:
    yield call(_factor(make, 2, 3, 4), _factor(make, 2, 4, 5))
    yield call(_factor(make, 2, 4, 3).transpose(1, 2), _factor(make, 4, 2, 5).transpose(0, 1))
    yield call(_factor(make, 0, 3, 4), _factor(make, 0, 4, 5))


def bad_bmm(make: Maker) -> Calls:
    x = make(2, 3, 4)
    yield call(x, x)
    yield call(make(2, 3), x)
    yield call(x, make(2, 3))
    yield call(x, make(3, 4, 2))
    yield call(x, make(2, 4, 2, dtype="complex64"))


def mv(make: Maker) -> Calls:
    yield call(_factor(make, 2, 3), _factor(make, 3))
    yield call(_factor(make, 3, 2).t(), _factor(make, 3, noncontiguous=True))


def bad_mv(make: Maker) -> Calls:
    x, v = make(2, 3), make(3)
    yield call(x, make(5))
    yield call(v, v)
    yield call(x, x)
    yield call(x, make(3, dtype="complex64"))


def dot(make: Maker) -> Calls:
    yield call(_factor(make, 5), _factor(make, 5))
    yield call(_factor(make, 5, noncontiguous=True), _factor(make, 5))
    yield call(_factor(make, 0), _factor(make, 0))


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
    yield call(_factor(make, 3), _factor(make, 3))
    yield call(_factor(make, 2, 3), _factor(make, 4, 3))
    yield call(make(), make(3))


def bad_inner(make: Maker) -> Calls:
    yield call(make(2, 3), make(4, 5))
    yield call(make(3), make(3, dtype="complex64"))


def addmm(make: Maker) -> Calls:
    yield call(_factor(make, 4), _factor(make, 2, 3), _factor(make, 3, 4))
    yield call(_factor(make, 2, 4), _factor(make, 2, 3), _factor(make, 4, 3).t(), beta=2, alpha=3)
    yield call(_factor(make), _factor(make, 2, 3), _factor(make, 3, 4), beta=0)
    if make.kind == "float":
        yield call(make(4), _factor(make, 2, 3), _factor(make, 3, 4), beta=0.5, alpha=1.5)


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
    yield call(_factor(make, 5), _factor(make, 2, 3, 4), _factor(make, 2, 4, 5))
    yield call(
        _factor(make, 2, 3, 5), _factor(make, 2, 3, 4), _factor(make, 2, 4, 5), beta=2, alpha=3
    )


def bad_baddbmm(make: Maker) -> Calls:
    x = make(2, 3, 4)
    yield call(make(), x, x)
    yield call(make(), make(2, 3), x)
    yield call(make(3), x, make(2, 4, 5))
    yield call(make(dtype="complex64"), x, make(2, 4, 5))


def addbmm(make: Maker) -> Calls:
    yield call(_factor(make, 5), _factor(make, 2, 3, 4), _factor(make, 2, 4, 5))
    yield call(_factor(make, 3, 5), _factor(make, 2, 3, 4), _factor(make, 2, 4, 5), beta=2, alpha=3)


def bad_addbmm(make: Maker) -> Calls:
    x = make(2, 3, 4)
    yield call(make(), make(2, 3), x)
    yield call(make(), x, make(3, 4, 2))
    yield call(make(7), x, make(2, 4, 5))


def addmv(make: Maker) -> Calls:
    yield call(_factor(make, 2), _factor(make, 2, 3), _factor(make, 3))
    yield call(_factor(make), _factor(make, 2, 3), _factor(make, 3), beta=2, alpha=3)
    yield call(_factor(make, 1), _factor(make, 2, 3), _factor(make, 3), beta=0)


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
        yield call(_factor(make, *a), _factor(make, *b))
    yield call(_factor(make, 5, 3, 2).transpose(1, 2), _factor(make, 4, 3).t())


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
    yield call(_factor(make, 2, 3), _factor(make, 4, 3), _factor(make, 4))
    yield call(_factor(make, 2, 3), _factor(make, 4, 3))
    yield call(_factor(make, 5, 2, 3), _factor(make, 4, 3), _factor(make, 4))
    yield call(_factor(make, 2, 5, 3).transpose(0, 1), _factor(make, 4, 3), _factor(make, 4))
    yield call(_factor(make, 3), _factor(make, 4, 3), _factor(make, 4))
    yield call(_factor(make, 3), _factor(make, 3))


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
    yield call(_factor(make, 2, 3), _factor(make, 3, 4), ([1], [0]))
    yield call(_factor(make, 2, 3, 4), _factor(make, 4, 3, 5), ([1, 2], [1, 0]))
    yield call(_factor(make, 2, 3), _factor(make, 2), ([0], [0]))
    yield call(_factor(make, 2, 3), _factor(make, 2, 3))
    yield call(_factor(make, 2), _factor(make, 3), 0)


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
    m = _factor
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


# -- softmax and normalisation ------------------------------------------------------------------


def softmax_int(make: Maker) -> Calls:
    yield call(make(3, 4), 1)
    yield call(make(2, 3, 4).permute(2, 0, 1), 1)
    yield call(make(3, 4), -2, dtype=make.type("float64"))
    yield call(make(), 0)


def bad_softmax_int(make: Maker) -> Calls:
    yield call(make(2, 3), 2)
    yield call(make(2, 3, dtype="int64"), 0)
    yield call(make(2, 3, dtype="int64"), 1)
    yield call(make(2, dtype="complex64"), 0)


def softmax(make: Maker) -> Calls:
    for x in (make(3, 4), make(4, 3).t(), make(2, 3, 4), make(30, 70)):
        yield call(x, 0, False)
        yield call(x, -1, False)
    yield call(make(2, 3, 4), 1, False)
    yield call(make(0, 3), 1, False)
    if make.kind == "float":
        low = float("-inf")
        yield call(make(values=[[1.0, low], [low, low], [900.0, 0.0]]), 1, False)


def bad_softmax(make: Maker) -> Calls:
    yield call(make(2, 3), 3, False)
    yield call(make(2, 3), 0, True)


def softmax_backward(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(3, 4), 1, make.type(make.dtype))
        yield call(make(3, 4), make(4, 3).t(), 0, make.type(make.dtype))


def layer_norm(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), (4,))
        yield call(make(2, 3, 4), (3, 4), make(3, 4), make(3, 4), 1e-3)
        yield call(make(4, 3).t(), (4,), make(4), None)
        yield call(make(4), (4,), None, make(4))


def bad_layer_norm(make: Maker) -> Calls:
    x, v = make(2, 3), make(3)
    yield call(x, (3,), v, make(5))
    yield call(x, (4,))
    yield call(x, ())
    yield call(x, (2, 3, 4))
    yield call(x, (3,), make(5))
    yield call(x, (3,), make(1, 3))
    yield call(x, (3,), None, make(5))
    yield call(make(), (1,))


def native_layer_norm(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), (4,), make(4), make(4), 1e-5)
        yield call(make(2, 3, 4), (3, 4), None, None, 1e-5)


def native_layer_norm_backward(make: Maker) -> Calls:
    if make.kind == "float":
        mask = (True, True, True)
        x = make(3, 4)
        yield call(make(3, 4), x, (4,), make(3, 1), make(3, 1), make(4), make(4), mask)
        yield call(make(3, 4), x, (4,), make(3, 1), make(3, 1), make(4), None, (True, False, False))


def rms_norm(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), (4,))
        yield call(make(2, 3, 4), (3, 4), make(3, 4), 1e-3)


def bad_rms_norm(make: Maker) -> Calls:
    yield call(make(2, 3), (4,))


def native_batch_norm(make: Maker) -> Calls:
    if make.kind == "float":
        positive = make(3, low=0.5, grad=False)
        yield call(make(4, 3), make(3), make(3), None, None, True, 0.1, 1e-5)
        yield call(make(2, 3, 4, 5), make(3), make(3), None, None, True, 0.1, 1e-5)
        yield call(make(2, 3, 4, 5), None, None, None, None, True, 0.1, 1e-5)
        if make.dtype in ("float32", "float64"):
            mean = make(3, grad=False)
            yield call(make(2, 3, 4), make(3), make(3), mean, positive, False, 0.1, 1e-5)


def native_batch_norm_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        mask, std = (True, True, True), make(3, low=0.5)
        mean, var = make(3), make(3, low=0.5)
        yield call(make(2, 3, 4), make(2, 3, 4), make(3), None, None, mean, std, True, 1e-5, mask)
        yield call(make(2, 3, 4), make(2, 3, 4), make(3), mean, var, None, None, False, 1e-5, mask)


def batch_norm(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(4, 3), make(3), make(3), None, None, True, 0.1, 1e-5, True)
        yield call(
            make(4, 3, 5), make(3), make(3), make(3, grad=False), make(3, low=0.5, grad=False),
            True, 0.1, 1e-5, True,
        )  # fmt: skip


def bad_batch_norm(make: Maker) -> Calls:
    x, v, w = make(2, 3), make(3, grad=False), make(5, grad=False)
    for four in ((w, v, v, v), (v, v, w, v), (v, v, v, w), (v, w, v, v)):
        yield call(x, *four, True, 0.1, 1e-5, True)
    yield call(x, v, v, None, None, False, 0.1, 1e-5, True)
    yield call(v, v, v, None, None, True, 0.1, 1e-5, True)


def native_group_norm(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 6, 4), make(6), make(6), 2, 6, 4, 3, 1e-5)
        yield call(make(2, 6, 2, 2), None, make(6), 2, 6, 4, 2, 1e-3)
        yield call(make(3, 4), None, None, 3, 4, 1, 1, 1e-5)


def group_norm(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 6, 4), 3)
        yield call(make(2, 6, 2, 2), 2, make(6), make(6))


def bad_group_norm(make: Maker) -> Calls:
    x = make(2, 3, 4, 4)
    yield call(x, 2)
    yield call(x, 3, make(5))
    yield call(x, 3, None, make(5))
    yield call(make(3), 1)
    yield call(x, 0)


def instance_norm(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(2, 3, 4), make(3), make(3), None, None, True, 0.1, 1e-5, True)


def bad_instance_norm(make: Maker) -> Calls:
    yield call(make(2, 3, 4), None, None, None, None, False, 0.1, 1e-5, True)


# -- losses -------------------------------------------------------------------------------------

_REDUCTIONS = (0, 1, 2)


def pair_loss(make: Maker) -> Calls:
    for reduction in _REDUCTIONS:
        yield call(make(3, 4), make(3, 4), reduction)
        yield call(make(4, 3).t(), make(4), reduction)
    yield call(make(), make(), 2)
    yield call(make(0), make(0), 0)


def bad_pair_loss(make: Maker) -> Calls:
    yield call(make(2, 3), make(5))


def mse_backward(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), make(3, 4), make(3, 4), 0)
        yield call(make(), make(3, 4), make(3, 4), 1)
        yield call(make(), make(3, 4), make(3, 4), 2)


def smooth_l1(make: Maker) -> Calls:
    for reduction in _REDUCTIONS:
        yield call(make(3, 4), make(3, 4), reduction)
        yield call(make(3, 4), make(3, 4), reduction, 0.5)
    yield call(make(3, 4), make(3, 4), 1, 0.0)


def bad_smooth_l1(make: Maker) -> Calls:
    yield call(make(2, 3), make(5))
    yield call(make(2, 3), make(2, 3), 1, -1.0)


def huber(make: Maker) -> Calls:
    for reduction in _REDUCTIONS:
        yield call(make(3, 4), make(3, 4), reduction)
        yield call(make(3, 4), make(3, 4), reduction, 0.5)


def bad_huber(make: Maker) -> Calls:
    yield call(make(2, 3), make(5))
    yield call(make(2, 3), make(2, 3), 1, 0.0)


def bce(make: Maker) -> Calls:
    def p(*shape: int) -> Any:
        return make(*shape, low=0, high=1)

    for reduction in _REDUCTIONS:
        yield call(p(3, 4), p(3, 4), None, reduction)
        yield call(p(3, 4), p(3, 4), make(4, grad=False), reduction)
    yield call(make(values=[0.0, 1.0, 0.0]), make(values=[0.0, 0.0, 1.0]), None, 1)


def bad_bce(make: Maker) -> Calls:
    yield call(make(values=[2.0]), make(values=[1.0]))
    yield call(make(2, 3), make(2, 3, dtype="complex64"))


def logits(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), make(3, 4), None, None, reduction)
            yield call(make(3, 4), make(3, 4), make(4, grad=False), make(4, grad=False), reduction)
        yield call(make(values=[100.0, -100.0]), make(values=[0.0, 1.0]), None, None, 1)


def bad_logits(make: Maker) -> Calls:
    yield call(make(2, 3), make(5))
    yield call(make(2, 3), make(2, 3), make(5))


def kl_div(make: Maker) -> Calls:
    for reduction in _REDUCTIONS:
        yield call(make(3, 4), make(3, 4, low=0.1), reduction)
        yield call(make(3, 4), make(3, 4), reduction, log_target=True)


def bad_kl_div(make: Maker) -> Calls:
    yield call(make(3, dtype="int64"), make(3, dtype="int64"))
    yield call(make(2, 3), make(5))


def _targets(make: Maker, *values: Any) -> Any:
    return make(values=list(values), dtype="int64")


def nll_forward(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), _targets(make, 0, 3, 1), None, reduction, -100)
            yield call(make(3, 4), _targets(make, 0, 3, 1), make(4, grad=False), reduction, 3)
        yield call(make(4), make(values=2, dtype="int64"), None, 1, -100)
        yield call(make(3, 4), make(values=[0, 3, 1], dtype="uint8"), None, 1, -100)


def bad_nll_forward(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(make(1, 2, 3), _targets(make, 0), None, 1, -100)
    yield call(x, _targets(make, 0), None, 1, -100)
    yield call(make(), make(values=0, dtype="int64"), None, 1, -100)


def nll2d_forward(make: Maker) -> Calls:
    if make.kind == "float":
        t = make(2, 2, 2, low=0, high=2, dtype="int64")
        for reduction in _REDUCTIONS:
            yield call(make(2, 3, 2, 2), t, None, reduction, -100)
            yield call(make(2, 3, 2, 2), t, make(3, grad=False), reduction, 1)


def nll_loss(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), _targets(make, 0, 3, 1), None, 1)


def nll_loss2d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 2, 2), make(2, 2, 2, low=0, high=2, dtype="int64"), None, 1)


def nll_loss_nd(make: Maker) -> Calls:
    if make.kind == "float":
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), _targets(make, 0, 3, 1), None, reduction)
            yield call(make(2, 3, 5), make(2, 5, low=0, high=2, dtype="int64"), None, reduction)
            yield call(
                make(2, 3, 2, 2), make(2, 2, 2, low=0, high=2, dtype="int64"), None, reduction
            )
        yield call(make(4), make(values=2, dtype="int64"), None, 1)


def bad_nll_loss_nd(make: Maker) -> Calls:
    x, im, seq = make(2, 3), make(2, 3, 8, 8), make(2, 3, 8)
    yield call(x, _targets(make, 0))
    yield call(x, _targets(make, 0, 3))
    yield call(x, _targets(make, 0, -1))
    yield call(x, make(2, dtype="float32", grad=False))
    yield call(x, make(2, 3, dtype="int64"))
    yield call(x, _targets(make, 0, 1), make(5))
    yield call(make(), make(values=0, dtype="int64"))
    yield call(x, make(values=[0, 1], dtype="int32"))
    yield call(make(3), _targets(make, 0, 1))
    yield call(im, make(2, 8, 7, low=0, dtype="int64"))
    yield call(im, make(2, 8, low=0, dtype="int64"))
    yield call(im, make(1, 8, 8, low=0, dtype="int64"))
    yield call(seq, make(2, 7, low=0, dtype="int64"))
    yield call(im, make(2, 8, 8, low=9, high=9, dtype="int64"))


def cross_entropy(make: Maker) -> Calls:
    if make.kind == "float":
        t = _targets(make, 0, 3, 1)
        for reduction in _REDUCTIONS:
            yield call(make(3, 4), t, None, reduction)
            yield call(make(3, 4), make(3, 4, low=0), None, reduction)
            yield call(make(3, 4), t, None, reduction, -100, 0.1)
            yield call(make(3, 4), t, make(4, low=0.5, grad=False), reduction, 3, 0.1)
            yield call(
                make(3, 4), make(3, 4, low=0), make(4, low=0.5, grad=False), reduction, -100, 0.1
            )
        yield call(make(4), make(values=2, dtype="int64"), None, 1)
        yield call(make(2, 3, 5), make(2, 5, low=0, high=2, dtype="int64"), None, 1)


def bad_cross_entropy(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, _targets(make, 0))
    yield call(x, make(2, 2))
    yield call(x, make(2, 3), None, 1, 5)
    yield call(x, _targets(make, 0, 1), None, 1, -100, 1.5)
    yield call(x, _targets(make, 0, 3))
    yield call(x, _targets(make, 0, 1), make(5))
    yield call(x, make(2, 3), make(5))
    yield call(make(), make())
    yield call(x, make(2, 3, dtype="int64"))
    yield call(x, _targets(make, 0, 1, 1), None, 1, -100, 0.1)
    yield call(x, _targets(make, 0, 4), None, 1, -100, 0.1)


# -- convolutions -------------------------------------------------------------------------------


def convolution(make: Maker) -> Calls:
    m = _factor
    one, zero = (1, 1), (0, 0)
    x = (2, 4, 7, 6)
    yield call(m(make, *x), m(make, 6, 4, 3, 3), m(make, 6), one, zero, one, False, zero, 1)
    yield call(m(make, *x), m(make, 6, 4, 3, 2), None, (2, 1), (1, 2), (1, 2), False, zero, 1)
    yield call(m(make, *x), m(make, 6, 2, 3, 3), m(make, 6), one, one, one, False, zero, 2)
    yield call(m(make, *x), m(make, 8, 1, 3, 3), m(make, 8), (2, 2), one, one, False, zero, 4)
    yield call(m(make, *x), m(make, 6, 4, 1, 1), None, one, zero, one, False, zero, 1)
    yield call(m(make, *x), m(make, 6, 4, 1, 1), None, (2, 2), zero, one, False, zero, 1)
    yield call(m(make, 2, 4, 9), m(make, 5, 4, 3), m(make, 5), (1,), (1,), (1,), False, (0,), 1)
    yield call(m(make, 3, 16, 5, 4), m(make, 17, 16, 3, 2), None, one, one, one, False, zero, 1)
    yield call(
        m(make, 2, 2, 4, 5, 4), m(make, 3, 2, 2, 2, 2), None, (1,), (0,), (1,), False, (0,), 1
    )
    if make.kind == "float" and make.dtype in ("float32", "float64"):
        yield call(m(make, *x), m(make, 4, 3, 3, 3), m(make, 3), (2, 2), one, one, True, one, 1)
        yield call(m(make, *x), m(make, 4, 3, 3, 3), m(make, 6), one, one, (2, 1), True, zero, 2)


def bad_convolution(make: Maker) -> Calls:
    im, k = make(2, 3, 8, 8), make(4, 3, 3, 3)
    yield call(im, k, None, (1, 1, 1), (0, 0), (1, 1), False, (0, 0), 1)
    yield call(im, k, None, (1, 1), (0, 0), (1, 1), True, (0, 0), 1)
    yield call(im, k, None, (1, 1), (-1, 0), (1, 1), False, (0, 0), 1)
    yield call(im, k, None, (1, 1), (0, 0), (1, 1), False, (0, 0), 0)


def convolution_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        m, mask = _factor, (True, True, True)
        yield call(
            m(make, 2, 6, 5, 4), m(make, 2, 4, 7, 6), m(make, 6, 4, 3, 3), (6,), (1, 1), (0, 0),
            (1, 1), False, (0, 0), 1, mask,
        )  # fmt: skip
        yield call(
            m(make, 2, 6, 4, 3), m(make, 2, 4, 7, 6), m(make, 6, 2, 3, 3), (6,), (2, 2), (1, 1),
            (1, 1), False, (0, 0), 2, mask,
        )  # fmt: skip


def conv2d(make: Maker) -> Calls:
    m = _factor
    yield call(m(make, 2, 3, 6, 6), m(make, 4, 3, 3, 3))
    yield call(m(make, 3, 6, 6), m(make, 4, 3, 3, 3), m(make, 4), (2,), (1,))
    yield call(m(make, 0, 3, 6, 6), m(make, 4, 3, 3, 3))


def bad_conv2d(make: Maker) -> Calls:
    im, k = make(2, 3, 8, 8), make(4, 3, 3, 3)
    yield call(im, make(4, 2, 3, 3))
    yield call(im, make(4, 3, 3))
    yield call(im, k, make(5))
    yield call(im, k, make(4, 1))
    yield call(im, k, None, (0,))
    yield call(im, k, None, (1,), (0,), (0,))
    yield call(im, make(4, 3, 9, 9))
    yield call(im, make(0, 3, 3, 3))
    yield call(make(2, 3), k)
    yield call(im, k, None, (1,), (0,), (1,), 2)
    yield call(im, make(5, 1, 3, 3), None, (1,), (0,), (1,), 3)


def conv2d_padding(make: Maker) -> Calls:
    m = _factor
    yield call(m(make, 2, 3, 6, 6), m(make, 4, 3, 3, 3), m(make, 4), (1,), "same")
    yield call(m(make, 2, 3, 6, 6), m(make, 4, 3, 2, 4), None, (1,), "same", (2,))
    yield call(m(make, 2, 3, 6, 6), m(make, 4, 3, 3, 3), None, (2,), "valid")


def bad_conv2d_padding(make: Maker) -> Calls:
    im, k = make(2, 3, 8, 8), make(4, 3, 3, 3)
    yield call(im, k, None, (2,), "same")
    yield call(im, k, None, (1,), "foo")


def conv1d(make: Maker) -> Calls:
    m = _factor
    yield call(m(make, 2, 3, 8), m(make, 4, 3, 3), m(make, 4), (2,), (1,))
    yield call(m(make, 3, 8), m(make, 4, 3, 3))


def bad_conv1d(make: Maker) -> Calls:
    yield call(make(2, 3, 8, 8), make(4, 3, 3))
    yield call(make(3), make(4, 3, 3))


def conv1d_padding(make: Maker) -> Calls:
    yield call(_factor(make, 2, 3, 8), _factor(make, 4, 3, 4), None, (1,), "same")


def conv3d(make: Maker) -> Calls:
    yield call(_factor(make, 2, 2, 4, 4, 4), _factor(make, 3, 2, 2, 2, 2))


def conv3d_padding(make: Maker) -> Calls:
    yield call(_factor(make, 2, 2, 4, 4, 4), _factor(make, 3, 2, 3, 3, 3), None, (1,), "same")


def conv_transpose1d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(_factor(make, 2, 3, 8), _factor(make, 3, 4, 3), make(4), (2,), (1,), (1,))


def conv_transpose2d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(
            _factor(make, 2, 4, 5, 5), _factor(make, 4, 3, 3, 3), make(6), (2,), (1,), (1,), 2
        )
        yield call(_factor(make, 4, 5, 5), _factor(make, 4, 3, 3, 3))


def conv_transpose3d(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(_factor(make, 2, 2, 3, 3, 3), _factor(make, 2, 3, 2, 2, 2))


# -- pooling ------------------------------------------------------------------------------------


def max_pool2d(make: Maker) -> Calls:
    x = (2, 3, 7, 6)
    yield call(make(*x), (2,))
    yield call(make(*x), (3, 2), (2, 1), (1,))
    yield call(make(*x), (3,), (2,), (1,), (2,))
    yield call(make(*x), (3,), (2,), (0,), (1,), True)
    yield call(make(3, 7, 6), (2,), (2,), (1,), (1,), True)
    yield call(make(3, 6, 7, 2).permute(3, 0, 1, 2), (2,))
    if make.kind == "float":
        nan, low = float("nan"), float("-inf")
        yield call(make(values=[[[1.0, nan, 2.0], [3.0, 4.0, 0.0], [low, low, 5.0]]]), (2,), (1,))


def bad_max_pool2d(make: Maker) -> Calls:
    im = make(2, 3, 8, 8)
    yield call(im, (9,))
    yield call(im, (0,))
    yield call(im, (2,), (0,))
    yield call(im, (2,), (), (2,))
    yield call(im, (2,), (), (-1,))
    yield call(im, (2,), (), (0,), (0,))
    yield call(make(2, 3), (2,))
    yield call(make(2, 3, 8, 0), (2,))


def max_pool1d(make: Maker) -> Calls:
    yield call(make(2, 3, 8), (2,))
    yield call(make(3, 8), (3,), (2,), (1,))


def bad_max_pool1d(make: Maker) -> Calls:
    yield call(make(2, 3, 8), (9,))
    yield call(make(3), (2,))


def avg_pool2d(make: Maker) -> Calls:
    x = (2, 3, 7, 6)
    yield call(make(*x), (2,))
    yield call(make(*x), (3, 2), (2, 1), (1,))
    yield call(make(*x), (3,), (2,), (1,), True, False)
    yield call(make(*x), (3,), (2,), (1,), True, True)
    yield call(make(*x), (2,), (), (0,), False, True, 3)
    yield call(make(3, 7, 6), (2,))


def bad_avg_pool2d(make: Maker) -> Calls:
    im = make(2, 3, 8, 8)
    yield call(im, (9,))
    yield call(im, (0,))
    yield call(im, (2,), (), (2,))
    yield call(make(2, 3), (2,))
    yield call(im, (2,), (), (0,), False, True, 0)


def avg_pool1d(make: Maker) -> Calls:
    yield call(make(2, 3, 8), (2,))
    yield call(make(3, 8), (3,), (2,), (1,))


def bad_avg_pool1d(make: Maker) -> Calls:
    yield call(make(3), (2,))
    yield call(make(2, 3, 8), (9,))


def adaptive_avg_pool2d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 7, 6), (3, 2))
        yield call(make(3, 7, 6), (2, 2))
        yield call(make(2, 3, 3, 3), (4, 5))


def bad_adaptive_avg_pool2d(make: Maker) -> Calls:
    yield call(make(2, 3, 0, 8), (2, 2))


def adaptive_avg_pool1d(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 7), (3,))
        yield call(make(2, 3, 7), (1,))


def bad_adaptive_avg_pool1d(make: Maker) -> Calls:
    yield call(make(3), (2,))


# -- embedding, padding -------------------------------------------------------------------------


def embedding(make: Maker) -> Calls:
    yield call(make(5, 3), _targets(make, 0, 4, 0))
    yield call(make(5, 3), make(values=[[1, 2], [3, 1]], dtype="int64"), 1)
    yield call(make(5, 3), make(values=[1, 1], dtype="int32"), -1, True)
    yield call(make(5, 3), make(values=2, dtype="int64"))


def bad_embedding(make: Maker) -> Calls:
    x = make(2, 3)
    yield call(x, _targets(make, 2))
    yield call(x, _targets(make, -1))
    yield call(x, make(1, dtype="float32", grad=False))
    yield call(x, make(values=[0], dtype="int16"))
    yield call(make(3), _targets(make, 0))


def embedding_backward(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(3, 4), _targets(make, 0, 4, 0), 5, -1, False)
        yield call(make(3, 4), _targets(make, 0, 4, 0), 5, 0, False)
        yield call(make(2, 2, 4), make(values=[[1, 2], [3, 1]], dtype="int64"), 5, -1, True)


def one_hot(make: Maker) -> Calls:
    yield call(make(values=[[0, 2], [1, 0]], dtype="int64"))
    yield call(make(values=[0, 2], dtype="int64"), 5)


def bad_one_hot(make: Maker) -> Calls:
    yield call(make(2, dtype="float32", grad=False), 3)
    yield call(_targets(make, -1), 3)
    yield call(_targets(make, 3), 3)
    yield call(make(0, dtype="int64"))


def pad(make: Maker) -> Calls:
    yield call(make(2, 3), (1, 2))
    yield call(make(2, 3), (1, 2, 0, 1), "constant", 1.0)
    for mode in ("reflect", "replicate", "circular"):
        yield call(make(2, 3, 5, 6), (1, 2, 3, 0), mode)
        yield call(make(2, 5), (2, 1), mode)


def bad_pad(make: Maker) -> Calls:
    x, im = make(2, 3), make(2, 3, 8, 8)
    yield call(x, (1,))
    yield call(x, (1, 1), "foo")
    yield call(x, (1, 1), "reflect", 1.0)
    yield call(x, (3, 3), "reflect")
    yield call(x, (1, 1, 1, 1), "replicate")
    yield call(im, (1, 1), "reflect")
    yield call(x, (1, 1, 1, 1, 1, 1))
    yield call(im, (9, 1, 1, 1), "circular")
    yield call(make(0, 3), (1, 1), "reflect")
