"""Samples of attention."""

from __future__ import annotations

from collections.abc import Iterator

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
