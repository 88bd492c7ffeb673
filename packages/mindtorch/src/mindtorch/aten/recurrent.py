"""``lstm``, ``gru``, ``rnn_tanh``, ``rnn_relu`` and their cells, of other ops step by step.

Source: torch aten/src/ATen/native/RNN.cpp.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_storage import float32

from ..call.row import op
from ..core.operators import ops
from .mkldnn_rnn import one_layer, takes

__all__ = ["STEPS", "Net", "State", "states_of"]

State = tuple[Any, ...]


def _plain(activation: str) -> Callable[..., State]:
    def step(x: Any, h: Any, state: State) -> State:
        return (getattr(ops, activation)(h + x),)

    return step


def _lstm(x: Any, h: Any, state: State) -> State:
    enter, forget, cell, leave = (h + x).unsafe_chunk(4, -1)
    memory = forget.sigmoid() * state[1] + enter.sigmoid() * cell.tanh()
    return leave.sigmoid() * memory.tanh(), memory


def _gru(x: Any, h: Any, state: State) -> State:
    x_reset, x_update, x_new = x.unsafe_chunk(3, -1)
    h_reset, h_update, h_new = h.unsafe_chunk(3, -1)
    reset, update = (h_reset + x_reset).sigmoid(), (h_update + x_update).sigmoid()
    new = (x_new + h_new * reset).tanh()
    return ((state[0] - new) * update + new,)


#: Network -> the state after one step, from the products of input and state, and the state.
STEPS: dict[str, Callable[..., State]] = {
    "rnn_tanh": _plain("tanh"),
    "rnn_relu": _plain("relu"),
    "lstm": _lstm,
    "gru": _gru,
}


class Net:
    """One call: its weights and options, and the loop over layers, directions and time."""

    def __init__(
        self, name: str, params: Sequence[Any], has_biases: bool, num_layers: int, dropout: float,
        train: bool, bidirectional: bool, projects: bool,
    ) -> None:  # fmt: skip
        self.name, self.step = name, STEPS[name]
        self.each = self.per_layer(has_biases, projects)
        self.directions = 2 if bidirectional else 1
        self.layers, self.projects, self.biases = num_layers, projects, has_biases
        self.dropout, self.train = dropout if train else 0.0, train
        if len(params) % self.each:
            raise RuntimeError("got an incorrect number of RNN parameters")
        self.rows = [tuple(params[i : i + self.each]) for i in range(0, len(params), self.each)]

    def check(self, x: Any, states: State) -> None:
        """Raise a ``RuntimeError`` unless each direction of each layer has its weights and state.

        What torch hands to oneDNN, an LSTM of float32 without projections, may have more of them.
        """
        weights, hidden, wanted = len(self.rows), states[0].size(0), self.layers * self.directions
        if self.name == "lstm" and x.dtype is float32 and not self.projects:
            weights, hidden = min(weights, wanted), wanted
        elif self.directions == 2 and (weights % 2 or hidden % 2):
            raise RuntimeError("Odd number of params or hiddens given to a bidirectional RNN")
        if hidden != wanted:
            raise RuntimeError("Expected more hidden states in stacked_rnn")
        if weights != wanted:
            raise RuntimeError("Expected more weights in stacked_rnn")

    def per_layer(self, has_biases: bool, projects: bool) -> int:
        """How many of the parameters one direction of a layer has."""
        return 2 + 2 * bool(has_biases) + projects

    def of_input(self, x: Any, weights: State) -> Any:
        """The products of inputs with the weights of a layer."""
        return ops.linear(x, weights[0], weights[2] if self.biases else None)

    def of_state(self, h: Any, weights: State) -> Any:
        """The products of a hidden state with the weights of a layer."""
        return ops.linear(h, weights[1], weights[3] if self.biases else None)

    def once(self, product: Any, state: State, weights: State) -> State:
        """The state after *state*, of the *product* of an input."""
        state = self.step(product, self.of_state(state[0], weights), state)
        if self.projects:
            state = (ops.linear(state[0], weights[-1]), *state[1:])
        return state

    def run(self, x: Any, states: State, one_pass: Callable[..., Any]) -> tuple[Any, State]:
        """*one_pass* goes through time: inputs, first state, weights, and which way."""
        self.check(x, states)
        last: list[State] = []
        for layer in range(self.layers):
            outputs = []
            for direction in range(self.directions):
                row = layer * self.directions + direction
                weights = self.rows[row]
                first = tuple([part.select(0, row) for part in states])
                y, end = one_pass(x, first, weights, direction == 1)
                outputs.append(y)
                last.append(end)
            x = outputs[0] if self.directions == 1 else ops.cat(outputs, -1)
            if self.dropout and layer < self.layers - 1:
                x = ops.dropout(x, self.dropout, True)
        return x, tuple([ops.stack(list(parts)) for parts in zip(*last, strict=True)])

    def at_once(self, x: Any, state: State, weights: State, back: bool) -> Any:
        """All samples over all steps of an LSTM, by one op."""
        bidirectional = self.directions == 2
        y, *end = one_layer(
            x, weights, state, back, self.layers, self.biases, bidirectional, self.train
        )
        return y, tuple(end)

    def in_time(self, x: Any, state: State, weights: State, back: bool) -> Any:
        """All samples over all steps."""
        outputs = []
        steps = self.of_input(x, weights).unbind(0)
        for product in reversed(steps) if back else steps:
            state = self.once(product, state, weights)
            outputs.append(state[0])
        if back:
            outputs.reverse()
        return ops.stack(outputs), state

    def packed(self, sizes: list[int]) -> Callable[..., Any]:
        """Samples of different lengths, of which *sizes* are left at each step."""

        def one_pass(x: Any, first: State, weights: State, back: bool) -> Any:
            parts = list(self.of_input(x, weights).split(sizes))
            outputs: list[Any] = []
            done: list[State] = []
            count = sizes[-1] if back else sizes[0]
            state = tuple([part.narrow(0, 0, count) for part in first]) if back else first
            order = range(len(sizes) - 1, -1, -1) if back else range(len(sizes))
            for t in order:
                size = sizes[t]
                if size > count:  # backwards: longer samples begin
                    state = tuple(
                        [
                            ops.cat([now, begin.narrow(0, count, size - count)])
                            for now, begin in zip(state, first, strict=True)
                        ]
                    )
                elif size < count:  # forwards: shorter samples are over
                    done.append(tuple([part.narrow(0, size, count - size) for part in state]))
                    state = tuple([part.narrow(0, 0, size) for part in state])
                count = size
                state = self.once(parts[t], state, weights)
                outputs.append(state[0])
            if back:
                outputs.reverse()
            done.append(state)
            done.reverse()
            end = tuple([ops.cat(list(pieces)) for pieces in zip(*done, strict=True)])
            return ops.cat(outputs), end

        return one_pass


def _whole(name: str) -> Callable[..., Any]:
    def call(
        input: Any, hx: Any, params: Any, has_biases: bool, num_layers: int, dropout: float,
        train: bool, bidirectional: bool, batch_first: bool,
    ) -> Any:  # fmt: skip
        states = states_of(name, hx)
        net = Net(
            name, params, has_biases, num_layers, dropout, train, bidirectional, _projects(states)
        )
        x = ops.transpose(input, 0, 1) if batch_first else input
        if not x.size(0):
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")
        at_once = name == "lstm" and takes(x, states, net.projects)
        y, last = net.run(x, states, net.at_once if at_once else net.in_time)
        if batch_first:  # what one op gave, its backward needs as it is
            y = y.transpose(0, 1) if name == "lstm" else y.transpose_(0, 1)
        return (y, *last)

    return call


def _data(name: str) -> Callable[..., Any]:
    def call(
        data: Any, batch_sizes: Any, hx: Any, params: Any, has_biases: bool, num_layers: int,
        dropout: float, train: bool, bidirectional: bool,
    ) -> Any:  # fmt: skip
        states = states_of(name, hx)
        net = Net(
            name, params, has_biases, num_layers, dropout, train, bidirectional, _projects(states)
        )
        return _flat(net.run(data, states, net.packed(batch_sizes.tolist())))

    return call


def _flat(result: tuple[Any, State]) -> tuple[Any, ...]:
    return (result[0], *result[1])


def states_of(name: str, hx: Any) -> State:
    if name != "lstm":
        return (hx,)
    if len(hx) != 2:
        raise RuntimeError("lstm expects two hidden states")
    return tuple(hx)


def _projects(states: State) -> bool:
    return len(states) == 2 and states[0].size(2) != states[1].size(2)


_OPTIONS = "Tensor[] params, bool has_biases, int num_layers, float dropout, bool train, "
_NETWORKS = (
    ("lstm", "an LSTM"),
    ("gru", "a GRU"),
    ("rnn_tanh", "a recurrent network with tanh"),
    ("rnn_relu", "a recurrent network with relu"),
)
#: As cuDNN's kernel, which is one call for all layers and steps; the host's are casts of each step.
_AUTOCAST = ("", "lower precision")

for _name, _network in _NETWORKS:
    _hx = "Tensor[] hx" if _name == "lstm" else "Tensor hx"
    _gives = "(Tensor, Tensor, Tensor)" if _name == "lstm" else "(Tensor, Tensor)"
    op(
        f"{_name}.input(Tensor input, {_hx}, {_OPTIONS}bool bidirectional, bool batch_first) "
        f"-> {_gives}",
        says=f"Run {_network} over sequences, in one or more layers.",
        composite=_whole(_name),
        variants="function",
        random=True,
        autocast=_AUTOCAST,
        samples=f"{_name}_input",
        tags=("nondeterministic_seeded",),
    )
    op(
        f"{_name}.data(Tensor data, Tensor batch_sizes, {_hx}, {_OPTIONS}bool bidirectional) "
        f"-> {_gives}",
        composite=_data(_name),
        variants="function",
        random=True,
        autocast=_AUTOCAST,
        samples=f"{_name}_data",
        tags=("nondeterministic_seeded",),
    )

# -- cells ----------------------------------------------------------------------------------------


def _check_cell(input: Any, state: Any, w_ih: Any, w_hh: Any) -> None:
    if input.size(1) != w_ih.size(1):
        raise RuntimeError(
            f"input has inconsistent input_size: got {input.size(1)} expected {w_ih.size(1)}"
        )
    hidden = w_hh.size(1)
    for i, part in enumerate(state):
        if part.size(0) != input.size(0):
            raise RuntimeError(
                f"Input batch size {input.size(0)} doesn't match hidden{i} batch size "
                f"{part.size(0)}"
            )
        if part.size(1) != hidden:
            raise RuntimeError(
                f"hidden{i} has inconsistent hidden_size: got {part.size(1)}, expected {hidden}"
            )


def _cell(name: str) -> Callable[..., Any]:
    step = STEPS[name]

    def call(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any, b_hh: Any) -> Any:
        state = states_of(name, hx)
        _check_cell(input, state, w_ih, w_hh)
        pairs = [(input, w_ih, b_ih), (state[0], w_hh, b_hh)]
        if name == "gru":
            of_input, of_state = [ops.linear(*pair) for pair in pairs]
        else:  # torch's order, which backward shows
            of_state, of_input = [ops.linear(*pair) for pair in reversed(pairs)]
        end = step(of_input, of_state, state)
        return end if name == "lstm" else end[0]

    return call


for _name, _network in _NETWORKS:
    _hx = "Tensor[] hx" if _name == "lstm" else "Tensor hx"
    _gives = "(Tensor, Tensor)" if _name == "lstm" else "Tensor"
    op(
        f"{_name}_cell(Tensor input, {_hx}, Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, "
        f"Tensor? b_hh=None) -> {_gives}",
        says=f"Run one step of {_network}.",
        composite=_cell(_name),
        variants="function",
        autocast=_AUTOCAST,
        samples=f"{_name}_cell",
        tags=() if _name == "lstm" else ("loops: functional",),
    )
