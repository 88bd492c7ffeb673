"""Samples of softmax and normalisations."""

from __future__ import annotations

from collections.abc import Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


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


def masked_softmax(make: Maker) -> Calls:
    for shape in ((3, 4), (2, 3, 4)):
        mask = make(*shape, dtype="bool")
        yield call(make(*shape), mask)
        yield call(make(*shape), mask, 0, 2)
    if not make.grad:  # of these masks torch has no gradient
        x = make(2, 2, 3, 3)
        positions = [[False] * 3, [False, True, False]]
        yield call(x, make(dtype="bool", values=[*positions, [True, False, True]]), 3, 0)
        yield call(x, make(dtype="bool", values=positions), -1, 1)


def bad_masked_softmax(make: Maker) -> Calls:
    mask = make(2, 3, dtype="bool")
    yield call(make(2, 3), make(2, 3))
    yield call(make(2, 3), make(1, 3, dtype="bool"))
    yield call(make(2, 3), mask, 2)
    for kind in (None, 0, 1, 2, 3):
        yield call(make(2, 2, 3, 3), make(4, 3, dtype="bool"), 3, kind)
    yield call(make(2, 3, dtype="int64"), mask)


def masked_softmax_backward(make: Maker) -> Calls:
    if make.kind == "float":
        mask = make(3, 4, dtype="bool")
        yield call(make(3, 4), make(3, 4), mask)
        yield call(make(3, 4), make(4, 3).t(), mask, 0)


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


def fused_rms_norm(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(3, 4), (4,), None, None)
        yield call(make(2, 3, 4), (3, 4), make(3, 4), 1e-3)
        yield call(make(4, 3).t(), (4,), make(4), None)


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


def native_group_norm_backward(make: Maker) -> Calls:
    if make.kind == "float":
        everything, few = [True, True, True], [True, False, False]
        stats = make(2, 3), make(2, 3, low=0.5, high=2)
        yield call(make(2, 6, 4), make(2, 6, 4), *stats, make(6), 2, 6, 4, 3, everything)
        yield call(make(2, 6, 2, 2), make(2, 6, 2, 2), *stats, None, 2, 6, 4, 3, few)
        yield call(make(2, 6, 4), make(2, 6, 4), *stats, make(6), 2, 6, 4, 3, [False, True, False])


def bad_native_group_norm_backward(make: Maker) -> Calls:
    stats, mask = (make(2, 3), make(2, 3)), [True, True, True]
    yield call(make(2, 6, 3), make(2, 6, 4), *stats, make(6), 2, 6, 4, 3, mask)
    yield call(make(2, 6, 4), make(2, 6, 4), make(2, 2), make(2, 3), make(6), 2, 6, 4, 3, mask)
    yield call(make(2, 6, 4), make(2, 6, 4), *stats, make(5), 2, 6, 4, 3, mask)
    yield call(make(2, 6, 4), make(2, 6, 4, dtype="float64"), *stats, make(6), 2, 6, 4, 3, mask)


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


def shrink(make: Maker) -> Calls:
    yield call(make(3, 4))
    yield call(make(4, 3).t(), 1)
    yield call(make(values=[0.5, -0.5, float("nan"), float("inf")]), 0.5)
    yield call(make(), 0)


def bad_shrink(make: Maker) -> Calls:
    yield call(make(2), -1)


def glu(make: Maker) -> Calls:
    yield call(make(3, 4))
    yield call(make(4, 3), 0)
    yield call(make(2, 4, 3), 1)
    yield call(make(2, 0))


def bad_glu(make: Maker) -> Calls:
    yield call(make(2, 3))
    yield call(make())
    yield call(make(2, 4), 5)


def native_batch_norm_legit(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        for training in (True, False):
            mean, var = make(3, grad=False), make(3, low=0.5, grad=False)
            yield call(make(2, 3, 4), make(3), make(3), mean, var, training, 0.1, 1e-5)
        mean, var = make(3, grad=False), make(3, low=0.5, grad=False)
        yield call(make(2, 3), None, None, mean, var, True, 0.1, 1e-5)


def native_batch_norm_no_stats(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 4), make(3), make(3), True, 0.1, 1e-5)
        yield call(make(4, 3), None, None, True, 0.1, 1e-5)


def native_batch_norm_running(make: Maker) -> Calls:
    if make.dtype in ("float32", "float64"):
        mean, var = make(3, grad=False), make(3, low=0.5, grad=False)
        yield call(make(2, 3, 4), make(3), make(3), mean, var, 0.1, 1e-5)
