"""Samples of rounding to what quantized tensors could hold. See the package's docstring."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from . import Call, Maker, call

Calls = Iterator[Call]


def fake_quantize_per_tensor_affine(make: Maker) -> Calls:
    if make.kind != "float":
        return
    yield call(make(3, 4), 0.1, 0, 0, 255)
    yield call(make(3, 4, noncontiguous=True), 0.3, 10, -128, 127)
    yield call(make(3, 4).t(), 0.3, 10, -128, 127)
    yield call(make(), 0.5, -1, -1, 1)
    yield call(make(0, 2), 0.5, 0, 0, 15)
    yield call(make(values=[1e9, -1e9, float("nan"), float("inf")]), 0.1, 3, 0, 255)


def bad_fake_quantize_per_tensor_affine(make: Maker) -> Calls:
    yield call(make(3), 0.1, 300, 0, 255)
    yield call(make(3), 0.1, 0, 255, 0)
    yield call(make(3, dtype="int32"), 0.1, 0, 0, 255)
    yield call(make(3, dtype="complex64"), 0.1, 0, 0, 255)


def fake_quantize_per_tensor_affine_given(make: Maker) -> Calls:
    if make.kind != "float":
        return
    for kind in ("int32", "int64"):
        zero_point = make(values=3, dtype=kind)
        yield call(make(3, 4), make(values=0.25, dtype="float32", grad=False), zero_point, 0, 255)
        wide = make(values=[0.25], dtype="float64", grad=False)
        yield call(make(5), wide, make(values=[0], dtype=kind), -8, 7)


def bad_fake_quantize_per_tensor_affine_given(make: Maker) -> Calls:
    two = make(values=[0.5, 0.25], dtype="float32", grad=False)
    yield call(make(3), two, make(values=3, dtype="int32"), 0, 255)
    yield call(make(3), make(values=0.25, dtype="float32"), make(values=3, dtype="int32"), 9, 8)


def fake_quantize_per_channel_affine(make: Maker) -> Calls:
    if make.kind != "float":
        return
    scale = make(values=[0.1, 0.2], dtype="float32", grad=False)
    for kind, values in (("int32", [0, 3]), ("float32", [0.5, 3.25])):
        zero_point = make(values=values, dtype=kind, grad=False)
        yield call(make(2, 3), scale, zero_point, 0, 0, 255)
        yield call(make(3, 2, 2, noncontiguous=True), scale, zero_point, 1, -128, 127)
        yield call(make(2, 3).t(), scale, zero_point, 1, -128, 127)
        yield call(make(2, 0), scale, zero_point, 0, 0, 15)


def bad_fake_quantize_per_channel_affine(make: Maker) -> Calls:
    x = make(2, 3)
    scale = make(values=[0.1, 0.2], dtype="float32", grad=False)
    zero_point = make(values=[0, 3], dtype="int32")
    yield call(x, scale, zero_point, 1, 0, 255)
    yield call(x, scale, zero_point, 2, 0, 255)
    yield call(x, scale, zero_point, 0, 255, 0)
    yield call(x, scale, make(values=[0, 3], dtype="int64"), 0, 0, 255)
    yield call(x, make(values=[0.1, 0.2], dtype="float64"), zero_point, 0, 0, 255)
    yield call(x, make(values=[0.1], dtype="float32"), zero_point, 0, 0, 255)
    yield call(x, make(values=[[0.1, 0.2]], dtype="float32"), zero_point, 0, 0, 255)
    yield call(x, scale, make(values=[0, 300], dtype="int32"), 0, 0, 255)
    yield call(make(2, 3, dtype="int32"), scale, zero_point, 0, 0, 255)


def learnable_per_tensor(make: Maker) -> Calls:
    if make.kind != "float":
        return
    scale = make(values=[0.25], dtype="float32", grad=False)
    for kind, place in (("float32", 3.5), ("float32", -200.0), ("int32", 2)):
        zero_point = make(values=[place], dtype=kind, grad=False)
        yield call(make(3, 4), scale, zero_point, -8, 7)
        yield call(make(4, 3, noncontiguous=True), scale, zero_point, 0, 15, 0.5)
        yield call(make(), scale, zero_point, 0, 15)
        yield call(make(0, 2), scale, zero_point, 0, 15)


def bad_learnable_per_tensor(make: Maker) -> Calls:
    scale = make(values=[0.25], dtype="float32", grad=False)
    zero_point = make(values=[3.0], dtype="float32", grad=False)
    yield call(make(3), scale, zero_point, 15, 0)
    yield call(make(3), make(values=0.25, dtype="float32", grad=False), zero_point, 0, 15)
    yield call(make(3), make(0, dtype="float32", grad=False), zero_point, 0, 15)
    yield call(make(3, dtype="int32"), scale, zero_point, 0, 15)


def learnable_per_channel(make: Maker) -> Calls:
    if make.kind != "float":
        return
    scale = make(values=[0.1, 0.2], dtype="float32", grad=False)
    for kind, places in (("float32", [2.5, -30.0]), ("int32", [0, 3])):
        zero_point = make(values=places, dtype=kind, grad=False)
        yield call(make(2, 3), scale, zero_point, 0, -8, 7)
        yield call(make(3, 2, 2, noncontiguous=True), scale, zero_point, 1, 0, 15, 0.5)
        yield call(make(2, 0), scale, zero_point, 0, 0, 15)


def bad_learnable_per_channel(make: Maker) -> Calls:
    scale = make(values=[0.1, 0.2], dtype="float32", grad=False)
    zero_point = make(values=[0.0, 3.0], dtype="float32", grad=False)
    yield call(make(2, 3), scale, zero_point, 1, 0, 15)
    yield call(make(2, 3), scale, zero_point, 2, 0, 15)
    yield call(make(2, 3), scale, zero_point, 0, 15, 0)
    yield call(make(2, 3), make(values=[0.1, 0.2], dtype="float64"), zero_point, 0, 0, 15)
    yield call(make(2, 3), make(values=[[0.1, 0.2]], dtype="float32"), zero_point, 0, 0, 15)
    yield call(make(2, 3), scale, make(values=[3.0], dtype="float32"), 0, 0, 15)


def learnable_per_tensor_backward(make: Maker) -> Calls:
    yield from _with_gradients(make, learnable_per_tensor)


def learnable_per_channel_backward(make: Maker) -> Calls:
    yield from _with_gradients(make, learnable_per_channel)


def _with_gradients(make: Maker, calls: Callable[[Maker], Calls]) -> Calls:
    """The same with a gradient before; of no elements torch gives the arguments themselves back."""
    for c in calls(make):
        if c.args[0].numel():
            yield call(make(*c.args[0].shape), *c.args)


def moving_averages(make: Maker) -> Calls:
    """With each switch on and off, and for rows.

    A range follows wholly, so that a second call finds the one that the first left.
    """
    if make.dtype != "float32":
        return
    x = make(2, 3)
    for observing, rounding in ((1, 1), (0, 1), (1, 0), (0, 0)):
        on = [make(values=[n], dtype="int64") for n in (observing, rounding)]
        for rows in (False, True):
            least, most, scale = (
                make(values=[n] * (1 + rows), dtype="float32", grad=False) for n in (-0.5, 3.0, 1.0)
            )
            places = make(values=[0] * (1 + rows), dtype="int32")
            yield call(x, *on, least, most, scale, places, 1.0, -128, 127, 0, rows, not rows)


def bad_moving_averages(make: Maker) -> Calls:
    for args, _ in moving_averages(make):
        yield call(*args[:10], 5)
        yield call(args[0].double(), *args[1:])
        yield call(*args[:10], 1, True)


def quantization_choice(make: Maker) -> Calls:
    if make.kind != "complex":
        for reduce in (False, True):
            yield call(make(2, 3), reduce)
        yield call(make(3, low=1, high=4))
        yield call(make(3, low=-4, high=-1), True)


def bad_quantization_choice(make: Maker) -> Calls:
    yield call(make(0))
    if make.kind == "float":
        yield call(make(values=[1.0, float("nan")]))


def pruned_rows(make: Maker) -> Calls:
    for keep in ([True, False, True], [False] * 3):
        for kind in ("int32", "int64"):
            yield call(make(3, 2), make(values=keep, dtype="bool"), make.type(kind))
    yield call(make(3, 2), make(values=[[True, False, True]], dtype="bool"), make.type("int32"))


def bad_pruned_rows(make: Maker) -> Calls:
    mask = make(values=[True, False, True], dtype="bool")
    yield call(make(3, 2), mask, make.type("float32"))
    yield call(make(2, 2), mask, make.type("int32"))
    yield call(make(3), mask, make.type("int32"))
    yield call(make(3, 2), make(3, dtype="int64"), make.type("int32"))
