"""One step in time of each recurrent layer, after its products with the weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...ops.call import ops

__all__ = ["GATES", "STEPS"]


def _plain(activation: str) -> Callable[..., tuple[Any, ...]]:
    def step(x: Any, h: Any, state: tuple[Any, ...]) -> tuple[Any, ...]:
        return (getattr(ops, activation)(x + h),)

    return step


def _lstm(x: Any, h: Any, state: tuple[Any, ...]) -> tuple[Any, ...]:
    enter, forget, cell, leave = (x + h).chunk(4, -1)
    memory = forget.sigmoid() * state[1] + enter.sigmoid() * cell.tanh()
    return leave.sigmoid() * memory.tanh(), memory


def _gru(x: Any, h: Any, state: tuple[Any, ...]) -> tuple[Any, ...]:
    x_reset, x_update, x_new = x.chunk(3, -1)
    h_reset, h_update, h_new = h.chunk(3, -1)
    new = (x_new + (x_reset + h_reset).sigmoid() * h_new).tanh()
    update = (x_update + h_update).sigmoid()
    return (new + (state[0] - new) * update,)


#: mode → step(products of the input, products of the state, state) → state
STEPS: dict[str, Callable[..., tuple[Any, ...]]] = {
    "RNN_TANH": _plain("tanh"),
    "RNN_RELU": _plain("relu"),
    "LSTM": _lstm,
    "GRU": _gru,
}
#: mode → how many times the hidden size the weights are tall
GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}
