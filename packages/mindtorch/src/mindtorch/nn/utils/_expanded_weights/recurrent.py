"""Recurrent layers of expanded weights: steps of linear functions, which keep samples apart."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from ....aten import torch
from ....aten.recurrent import STEPS
from ... import functional as F
from .expanded_weights_impl import HANDLED_FUNCTIONS, ExpandedWeight

__all__ = ["handle"]

#: Of a step: the gates of input and of the state, and the state before; the state after it.
Cell = Callable[[Any, Any, tuple[Any, ...]], tuple[Any, ...]]


def _direction(
    steps: Sequence[Any], state: tuple[Any, ...], weights: Sequence[Any], biased: bool, cell: Cell
) -> tuple[list[Any], tuple[Any, ...]]:
    """The states after each of *steps*, of which later ones may have fewer samples."""
    input_weight, state_weight, *rest = weights
    input_bias, state_bias = rest[:2] if biased else (None, None)
    projection = rest[-1] if len(rest) > (2 if biased else 0) else None
    outs, whole = [], state
    for step in steps:
        now = tuple([part.narrow(0, 0, step.shape[0]) for part in whole])
        gates = F.linear(step, input_weight, input_bias)
        made = cell(gates, F.linear(now[0], state_weight, state_bias), now)
        if projection is not None:
            made = (F.linear(made[0], projection), *made[1:])
        outs.append(made[0])
        count = step.shape[0]
        whole = tuple(
            [
                part if count == old.shape[0] else torch.cat([part, old[count:]])
                for part, old in zip(made, whole, strict=True)
            ]
        )
    return outs, whole


def _run(
    steps: list[Any], states: tuple[Any, ...], weights: Sequence[Any], cell: Cell, biased: bool,
    layers: int, dropout: float, train: bool, bidirectional: bool,
) -> tuple[list[Any], list[Any]]:  # fmt: skip
    """All layers, of states stacked over layers and directions."""
    directions = 2 if bidirectional else 1
    each = len(weights) // (layers * directions)
    last: list[tuple[Any, ...]] = []
    for layer in range(layers):
        found = []
        for direction in range(directions):
            at = layer * directions + direction
            order = steps[::-1] if direction else steps
            state = tuple([part[at] for part in states])
            own = weights[at * each : (at + 1) * each]
            outs, end = _direction(order, state, own, biased, cell)
            found.append(outs[::-1] if direction else outs)
            last.append(end)
        steps = [torch.cat(parts, -1) for parts in zip(*found, strict=True)]
        if dropout and train and layer < layers - 1:
            steps = [F.dropout(step, dropout, True) for step in steps]
    return steps, [torch.stack(parts) for parts in zip(*last, strict=True)]


@contextmanager
def _leading_samples(weights: Sequence[Any]) -> Iterator[None]:
    """Let calls have the leading samples only: those whose sequences have not ended."""
    expanded = [each for each in weights if isinstance(each, ExpandedWeight)]
    before = [each.allow_smaller_batches for each in expanded]
    for each in expanded:
        each.set_allow_smaller_batches(True)
    try:
        yield
    finally:
        for each, allowed in zip(expanded, before, strict=True):
            each.set_allow_smaller_batches(allowed)


def _handler(cell: Cell, several: bool) -> Callable[..., Any]:
    """What ``torch.lstm`` and its kin do with expanded weights.

    :param several: whether the state has two parts.
    """

    def padded(
        input: Any, hx: Any, params: Sequence[Any], has_biases: bool, num_layers: int,
        dropout: float, train: bool, bidirectional: bool, batch_first: bool,
    ) -> tuple[Any, ...]:  # fmt: skip
        along = 1 if batch_first else 0
        steps, states = _run(
            list(input.unbind(along)), tuple(hx) if several else (hx,), params, cell, has_biases,
            num_layers, dropout, train, bidirectional,
        )  # fmt: skip
        return torch.stack(steps, along), *states

    def packed(
        data: Any, batch_sizes: Any, hx: Any, params: Sequence[Any], has_biases: bool,
        num_layers: int, dropout: float, train: bool, bidirectional: bool,
    ) -> tuple[Any, ...]:  # fmt: skip
        steps = list(data.split(batch_sizes.tolist()))
        states = tuple(hx) if several else (hx,)
        with _leading_samples(params):
            found, ends = _run(
                steps, states, params, cell, has_biases, num_layers, dropout, train, bidirectional
            )
        return torch.cat(found), *ends

    def handled(function: Any, *args: Any, **kwargs: Any) -> Any:
        return (padded if isinstance(args[3], bool) else packed)(*args, **kwargs)

    return handled


def handle() -> None:
    """Let recurrent layers be called with expanded weights."""
    for name, cell in STEPS.items():
        HANDLED_FUNCTIONS[getattr(torch, name)] = _handler(cell, name == "lstm")
