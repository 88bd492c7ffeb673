"""Recurrent cells: one step in time as a layer."""

from __future__ import annotations

import math
from typing import Any

from ...core.operators import ops
from .. import init
from ..parameter import Parameter
from .module import Module

__all__ = ["GRUCell", "LSTMCell", "RNNCell", "RNNCellBase"]

#: mode → how many times the hidden size the weights are tall
GATES = {"RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}


class RNNCellBase(Module):
    """The weights of a cell, and its checks.

    :param num_chunks: how many times *hidden_size* the weights are tall.
    """

    __constants__ = ["input_size", "hidden_size", "bias"]

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool,
        num_chunks: int,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias

        def fresh(*size: int) -> Parameter:
            return Parameter(ops.empty(size, device=device, dtype=dtype))

        self.weight_ih = fresh(num_chunks * hidden_size, input_size)
        self.weight_hh = fresh(num_chunks * hidden_size, hidden_size)
        if bias:
            self.bias_ih = fresh(num_chunks * hidden_size)
            self.bias_hh = fresh(num_chunks * hidden_size)
        else:
            self.register_parameter("bias_ih", None)
            self.register_parameter("bias_hh", None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw all weights anew, uniform within ``1 / sqrt(hidden_size)``."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for weight in self.parameters():
            init.uniform_(weight, -bound, bound)

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        if self.bias is not True:
            text += f", bias={self.bias}"
        kind = getattr(self, "nonlinearity", "tanh")
        return text if kind == "tanh" else f"{text}, nonlinearity={kind}"

    def _check_dim_(self, what: str, x: Any) -> None:
        if x.dim() not in (1, 2):
            raise ValueError(
                f"{type(self).__name__}: Expected {what} to be 1D or 2D, got {x.dim()}D instead"
            )

    def _run_(self, mode: str, input: Any, state: Any, names: tuple[str, ...]) -> tuple[Any, ...]:
        """One step over (N, input_size) or (input_size). *state* may be None: zeros."""
        self._check_dim_("input", input)
        for name, part in zip(names, () if state is None else state):
            self._check_dim_(name, part)
        batched = input.dim() == 2
        x = input if batched else input.unsqueeze(0)
        if state is None:
            zeros = ops.zeros((x.size(0), self.hidden_size), dtype=x.dtype, device=x.device)
            state = (zeros,) * len(names)
        elif not batched:
            state = tuple([part.unsqueeze(0) for part in state])
        weights = self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh
        if mode == "LSTM":
            step = ops.lstm_cell(x, state, *weights)
        else:
            step = (getattr(ops, f"{mode.lower()}_cell")(x, state[0], *weights),)
        return step if batched else tuple([part.squeeze(0) for part in step])


class RNNCell(RNNCellBase):
    """``tanh`` (or ``relu``) of the two products' sum."""

    __constants__ = ["input_size", "hidden_size", "bias", "nonlinearity"]

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, GATES["RNN_TANH"], device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Any, hx: Any = None) -> Any:
        self._check_dim_("input", input)
        if hx is not None:
            self._check_dim_("hidden", hx)
        if self.nonlinearity not in ("tanh", "relu"):
            raise RuntimeError(f"Unknown nonlinearity: {self.nonlinearity}")
        mode = "RNN_" + self.nonlinearity.upper()
        return self._run_(mode, input, None if hx is None else (hx,), ("hidden",))[0]


class LSTMCell(RNNCellBase):
    """Long short-term memory: gives the hidden state and the cell's."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, GATES["LSTM"], device, dtype)

    def forward(self, input: Any, hx: Any = None) -> Any:
        return self._run_("LSTM", input, hx, ("hx[0]", "hx[1]"))


class GRUCell(RNNCellBase):
    """A gated recurrent unit."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, GATES["GRU"], device, dtype)

    def forward(self, input: Any, hx: Any = None) -> Any:
        return self._run_("GRU", input, None if hx is None else (hx,), ("hidden",))[0]
