"""Derivatives with respect to tensors that may be samples of batches.

Autograd records the ops on whole tensors (the key of batches lies above it). So whatever asks the
engine about a sample asks about the tensor of all samples, with every open batch in front.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_autograd import grad

from .. import signature as S
from ..functionality.batching import batch, batched, call_op, front, levels
from ..ops.call import ops
from ..tensor import Tensor


def whole(t: Any) -> Any:
    """*t* with the dimensions of all open batches in front, outermost first."""
    for level in reversed(levels.get()):
        found = batched(t, level.number)
        if found is not None:
            t = front(found)
        else:
            t = call_op("unsqueeze", t, 0)
            t = call_op("expand", t, (level.size, *t._a.shape[1:]), False)
    return t


def samples(t: Any) -> Any:
    """The inverse of :func:`whole`."""
    for level in levels.get():
        t = batch(t, 0, level.number)
    return t


def differentiable_zeros(t: Any) -> Any:
    """Zeros like *t* that require gradients."""
    made = ops.zeros(whole_shape(t), dtype=t.dtype, device=t.device, requires_grad=True)
    return samples(made)


def whole_shape(t: Any) -> tuple[int, ...]:
    """The shape of :func:`whole` of *t*."""
    return (*(level.size for level in levels.get()), *t._a.shape)


def gradient_through(
    outputs: Sequence[Any],
    inputs: Sequence[Any],
    seeds: Sequence[Any],
    create_graph: bool,
) -> list[Any]:
    """The gradients of *outputs*, which begin at *seeds*, with respect to *inputs*.

    All of them may be samples; None for an input that takes no part.
    """
    if not levels.get():
        return list(
            grad(
                outputs,
                inputs,
                seeds,
                create_graph=create_graph,
                retain_graph=True,
                allow_unused=True,
            )
        )
    found = grad(
        [whole(t) for t in outputs],
        [_bottom(t) for t in inputs],
        [whole(t) for t in seeds],
        create_graph=create_graph,
        retain_graph=True,
        allow_unused=True,
    )
    return [None if g is None else samples(g) for g in found]


def _bottom(t: Any) -> Any:
    """The tensor of all samples that :func:`samples` was given."""
    while isinstance(t, Tensor) and t._sig & S.BATCHED:
        t = t._batched.value  # type: ignore[attr-defined]
    return t
