"""Samples of attention."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]


def scaled_attention(make: Maker) -> Calls:
    """Attention in steps; test_attention_operator.py has that of one operator."""
    if make.kind == "float":
        shapes = [(2, 3, 4), (2, 5, 4), (2, 5, 6)]
        yield call(*[make(*shape) for shape in shapes])
        yield call(*[make(*shape) for shape in shapes], make(3, 5, low=0, high=1, dtype="bool"))
        yield call(*[make(*shape) for shape in shapes], None, 0.0, True, scale=0.3)
        yield call(make(1, 4, 3, 4), make(1, 2, 5, 4), make(1, 2, 5, 6), enable_gqa=True)


def bad_scaled_attention(make: Maker) -> Calls:
    q, k, v = make(2, 3, 4), make(2, 5, 4), make(2, 5, 6)
    yield call(q, k, v.to(make.torch.complex64))
    yield call(make(4), k, v)
    yield call(q, k, v, make(3, 5, dtype="int32"))
    yield call(q, make(2, 5, 3), v)


def attention_steps(make: Maker) -> Calls:
    yield from scaled_attention(make)
    if make.kind == "float":
        three = make(2, 3, 4), make(2, 5, 4), make(2, 5, 6)
        kept = make(2, 3, 5, dtype="bool")
        yield call(*three, None, 0.5, False, kept)


def bad_attention_steps(make: Maker) -> Calls:
    q, k, v = make(2, 3, 4), make(2, 5, 4), make(2, 5, 6)
    yield call(q, k, v, make(3, 5), 0.0, True)
    yield call(q, make(2, 5, 3), v)


def efficient_attention(make: Maker) -> Calls:
    """The operator of accelerators, which the host refuses."""
    if make.kind == "float":
        three = make(2, 4, 3, 8), make(2, 4, 5, 8), make(2, 4, 5, 8)
        yield call(*three, None, True)
        yield call(*three, make(2, 1, 3, 5), False, scale=0.3)
        yield call(*three, None, True, 0.0, True)


def transform_qkv(make: Maker) -> Calls:
    if make.kind == "float":
        yield call(make(2, 3, 24), make(24), 2)


def bad_transform_qkv(make: Maker) -> Calls:
    yield call(make(2, 3, 24), make(24), 5)
    yield call(make(2, 3, 24, dtype="int64"), make(24, dtype="int64"), 2)


def _weights(make: Maker, *shapes: tuple[int, ...]) -> list[Any]:
    return [make(*shape, low=-1, high=1) for shape in shapes]


def native_attention(make: Maker) -> Calls:
    if make.kind != "float":
        return
    x = make(2, 3, 8, low=-1, high=1)
    weights = _weights(make, (24, 8), (24,), (8, 8), (8,))
    yield call(x, x, x, 8, 2, *weights)
    yield call(x, x, x, 8, 2, *weights, None, False)
    yield call(x, x, x, 8, 2, *weights, None, True, False)
    other = make(2, 3, 8, low=-1, high=1)
    yield call(x, other, other, 8, 4, *weights)
    causal = make(values=[[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype="bool")
    yield call(x, x, x, 8, 2, *weights, causal, True, True, 0)
    padding = make(values=[[0, 0, 1], [0, 0, 0]], dtype="bool")
    yield call(x, x, x, 8, 2, *weights, padding, True, True, 1)


def bad_native_attention(make: Maker) -> Calls:
    x = make(2, 3, 8)
    weights = _weights(make, (24, 8), (24,), (8, 8), (8,))
    yield call(x, x, x, 6, 2, *weights)
    yield call(x, x, x, 8, 3, *weights)
    yield call(x[0], x, x, 8, 2, *weights)
    yield call(x, x[:, :2], x, 8, 2, *weights)
    yield call(x, x, x, 8, 2, *weights, make(3, 3, dtype="bool"))


def encoder_layer(make: Maker) -> Calls:
    if make.kind != "float":
        return
    attention = _weights(make, (24, 8), (24,), (8, 8), (8,))
    rest = _weights(make, (8,), (8,), (8,), (8,), (16, 8), (16,), (8, 16), (8,))
    for gelu, norm_first in ((False, False), (True, True)):
        yield call(make(2, 3, 8), 8, 2, *attention, gelu, norm_first, 1e-5, *rest)
    causal = make(values=[[0, 1, 1], [0, 0, 1], [0, 0, 0]], dtype="bool")
    yield call(make(2, 3, 8), 8, 2, *attention, False, False, 1e-5, *rest, causal, 0)


def bad_encoder_layer(make: Maker) -> Calls:
    attention = _weights(make, (24, 8), (24,), (8, 8), (8,))
    rest = _weights(make, (8,), (8,), (8,), (8,), (16, 8), (16,), (8, 16), (8,))
    yield call(make(3, 8), 8, 2, *attention, False, False, 1e-5, *rest)
    yield call(make(2, 3, 8), 6, 2, *attention, False, False, 1e-5, *rest)
