"""Recurrent layers, by ONNX's own operators.

These have another order of gates and of dimensions: results are sequence, direction, batch, size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..._building import Builder, Value
from ..._errors import DispatchError
from ..._registration import TRANSLATIONS, translates
from .activations import dropout as dropped

#: For each operator: how many gates it has, and where torch has the ones that ONNX wants.
_GATES = {"LSTM": (4, (0, 3, 1, 2)), "GRU": (3, (1, 0, 2)), "RNN": (1, (0,))}


def _by_gates(g: Builder, kind: str, value: Value) -> Value:
    """A weight or bias with its gates in ONNX's order."""
    count, order = _GATES[kind]
    if count == 1:
        return value
    size = value.sizes[0] // count
    parts = g.ops("Split", count, value, g.ints([size] * count), axis=0)
    return g.op("Concat", *(parts[i] for i in order), axis=0)


def _stacked(g: Builder, values: Sequence[Value]) -> Value:
    parts = [g.unsqueeze(v, 0) for v in values]
    return parts[0] if len(parts) == 1 else g.op("Concat", *parts, axis=0)


def _layers(
    g: Builder,
    kind: str,
    input: Value,
    states: Sequence[Value],
    params: Sequence[Value],
    has_biases: bool,
    num_layers: int,
    dropout: float,
    train: bool,
    bidirectional: bool,
    batch_first: bool,
    **attributes: Any,
) -> list[Value]:
    """The output of the last layer, and the last states of all."""
    directions = 2 if bidirectional else 1
    each = 4 if has_biases else 2
    if len(params) != num_layers * directions * each:
        raise DispatchError("a recurrent layer with projections")
    batched = input.rank == 3
    value = input if batched else g.unsqueeze(input, 1 if not batch_first else 0)
    begins = [s if batched else g.unsqueeze(s, 1) for s in states]
    if batch_first:
        value = g.op("Transpose", value, perm=[1, 0, 2])
    hidden = params[1].sizes[1]
    ends: list[list[Value]] = [[] for _ in states]
    for layer in range(num_layers):
        own = [
            params[(layer * directions + d) * each : (layer * directions + d + 1) * each]
            for d in range(directions)
        ]
        weights = _stacked(g, [_by_gates(g, kind, p[0]) for p in own])
        recurrence = _stacked(g, [_by_gates(g, kind, p[1]) for p in own])
        biases = None
        if has_biases:
            both = [[_by_gates(g, kind, b) for b in p[2:]] for p in own]
            biases = _stacked(g, [g.op("Concat", *b, axis=0) for b in both])
        first = layer * directions
        starts = [
            b if num_layers == 1 else g.slice(b, 0, first, first + directions) for b in begins
        ]
        found = g.ops(
            kind,
            1 + len(states),
            value,
            weights,
            recurrence,
            biases,
            None,
            *starts,
            hidden_size=hidden,
            direction="bidirectional" if bidirectional else "forward",
            **attributes,
        )
        for end, last in zip(ends, found[1:], strict=True):
            end.append(last)
        if bidirectional:  # directions stand side by side among the features
            turned = g.op("Transpose", found[0], perm=[0, 2, 1, 3])
            value = g.op("Reshape", turned, g.ints([0, 0, -1]))
        else:
            value = g.axes("Squeeze", found[0], [1])
        if layer + 1 < num_layers:
            value = dropped(g, value, dropout, train)
    if batch_first:
        value = g.op("Transpose", value, perm=[1, 0, 2])
    results = [value, *(e[0] if len(e) == 1 else g.op("Concat", *e, axis=0) for e in ends)]
    if not batched:
        results[0] = g.axes("Squeeze", results[0], [0 if batch_first else 1])
        results[1:] = [g.axes("Squeeze", r, [1]) for r in results[1:]]
    return results


@translates("lstm.input")
def lstm(
    g: Builder, input: Value, hx: Sequence[Value], params: Sequence[Value], *rest: Any
) -> tuple[Value, ...]:
    return tuple(_layers(g, "LSTM", input, hx, params, *rest))


@translates("gru.input")
def gru(
    g: Builder, input: Value, hx: Value, params: Sequence[Value], *rest: Any
) -> tuple[Value, ...]:
    return tuple(_layers(g, "GRU", input, [hx], params, *rest, linear_before_reset=1))


def _plain(activation: str) -> Any:
    def translate(
        g: Builder, input: Value, hx: Value, params: Sequence[Value], *rest: Any
    ) -> tuple[Value, ...]:
        both = [activation] * (2 if rest[4] else 1)
        return tuple(_layers(g, "RNN", input, [hx], params, *rest, activations=both))

    return translate


TRANSLATIONS["rnn_tanh.input"] = _plain("Tanh")
TRANSLATIONS["rnn_relu.input"] = _plain("Relu")
