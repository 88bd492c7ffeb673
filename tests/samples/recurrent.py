"""Samples of recurrent layers and cells as functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call

Calls = Iterator[Call]

_TALL = {"lstm": 4, "gru": 3, "rnn_tanh": 1, "rnn_relu": 1}


def _small(make: Maker, *shape: int) -> Any:
    return make(*shape, low=-0.5, high=0.5)


def _params(make: Maker, name: str, layers: int, ways: int, biases: bool) -> list[Any]:
    found = []
    tall = _TALL[name] * 3
    for layer in range(layers):
        for _ in range(ways):
            found += [_small(make, tall, 2 if not layer else 3 * ways), _small(make, tall, 3)]
            found += [_small(make, tall), _small(make, tall)] if biases else []
    return found


def _state(make: Maker, name: str, *shape: int) -> Any:
    return [_small(make, *shape), _small(make, *shape)] if name == "lstm" else _small(make, *shape)


def _input(make: Maker, name: str) -> Calls:
    # An LSTM in single precision is of layers that check no argument in torch: test_lstm_layers.py.
    if make.dtype == "float64" or make.dtype == "float32" and name != "lstm":
        one = _params(make, name, 1, 1, True)
        state = _state(make, name, 1, 4, 3)
        yield call(make(5, 4, 2), state, one, True, 1, 0.0, False, False, False)
        two = _params(make, name, 2, 2, False)
        state = _state(make, name, 4, 5, 3)
        yield call(make(5, 4, 2), state, two, False, 2, 0.0, True, True, True)


def _data(make: Maker, name: str) -> Calls:
    if make.dtype in ("float32", "float64"):
        sizes = make(values=[3, 2, 2, 1], dtype="int64")
        two = _params(make, name, 2, 2, True)
        state = _state(make, name, 4, 3, 3)
        yield call(make(8, 2), sizes, state, two, True, 2, 0.0, False, True)


def _cell(make: Maker, name: str) -> Calls:
    if make.dtype in ("float32", "float64"):
        yield call(make(4, 2), _state(make, name, 4, 3), *_params(make, name, 1, 1, True))
        yield call(make(4, 2), _state(make, name, 4, 3), *_params(make, name, 1, 1, False))


def _bad_cell(make: Maker, name: str) -> Calls:
    yield call(make(4, 3), _state(make, name, 4, 3), *_params(make, name, 1, 1, True))
    yield call(make(4, 2), _state(make, name, 5, 3), *_params(make, name, 1, 1, True))
    yield call(make(4, 2), _state(make, name, 4, 2), *_params(make, name, 1, 1, True))


def lstm_input(make: Maker) -> Calls:
    yield from _input(make, "lstm")


def gru_input(make: Maker) -> Calls:
    yield from _input(make, "gru")


def rnn_tanh_input(make: Maker) -> Calls:
    yield from _input(make, "rnn_tanh")


def rnn_relu_input(make: Maker) -> Calls:
    yield from _input(make, "rnn_relu")


def lstm_data(make: Maker) -> Calls:
    yield from _data(make, "lstm")


def gru_data(make: Maker) -> Calls:
    yield from _data(make, "gru")


def rnn_tanh_data(make: Maker) -> Calls:
    yield from _data(make, "rnn_tanh")


def rnn_relu_data(make: Maker) -> Calls:
    yield from _data(make, "rnn_relu")


def lstm_cell(make: Maker) -> Calls:
    yield from _cell(make, "lstm")


def gru_cell(make: Maker) -> Calls:
    yield from _cell(make, "gru")


def rnn_tanh_cell(make: Maker) -> Calls:
    yield from _cell(make, "rnn_tanh")


def rnn_relu_cell(make: Maker) -> Calls:
    yield from _cell(make, "rnn_relu")


def bad_lstm_cell(make: Maker) -> Calls:
    yield from _bad_cell(make, "lstm")


def bad_gru_cell(make: Maker) -> Calls:
    yield from _bad_cell(make, "gru")
