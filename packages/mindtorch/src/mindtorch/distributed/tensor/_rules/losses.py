"""Rules of losses."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from typing import Any

import numpy as np

from ....aten import torch
from .._lines import line_of
from .._sharding import Call, Choice, Plan, sharding_rule
from ..placement_types import Partial, Placement, Replicate, _Parts
from .families import pointwise
from .split_classes import class_lines, cut_by_class, split_nll, split_nll_backward

__all__: list[str] = []

_REPLICATE = Replicate()
_NONE, _MEAN, _SUM = 0, 1, 2


def _sample(call: Call, mesh_dim: int) -> tuple[Placement, Placement]:
    """How scores and targets are cut: as scores are, but not along classes."""
    scores = call["self"]
    classes = 1 if scores.ndim > 1 else 0
    p = scores.placements[mesh_dim]
    if not isinstance(p, _Parts) or p.dim == classes or scores.ndim == 1:
        return _REPLICATE, _REPLICATE
    return p, p.at(p.dim - (p.dim > classes))


def _joined(kind: int) -> Partial:
    return Partial("avg" if kind == _MEAN else "sum")


def _nll_here(plan: Plan, *args: Any, **kwargs: Any) -> Any:
    """The loss of the samples here; a mean is one over the weights of all samples.

    Means of parts of different weights (targets may be ignored) are no mean of all, so what is here
    is the part of the sum, times as many parts as there are.
    """
    call = plan.call
    if class_lines(plan):
        return split_nll(plan, *args)
    cut = [i for i, p in enumerate(plan.inputs[0].placements) if isinstance(p, _Parts)]
    if call["reduction"] != _MEAN or not cut:
        return call.func(*args, **kwargs)
    place = call.names.index("reduction")
    loss, weight = call.func(*args[:place], _SUM, *args[place + 1 :], **kwargs)
    whole, parts = weight, 1
    for i in cut:
        line = line_of(call.mesh, i)
        whole, parts = line.all_reduce(whole, Partial()), parts * line.size
    return torch.mul(loss, parts) / whole, weight


@sharding_rule("nll_loss_forward", "nll_loss2d_forward", local=_nll_here)
def _nll(call: Call, mesh_dim: int) -> Iterable[Choice]:
    if cut_by_class(call, mesh_dim):
        others = [_REPLICATE] * (len(call.tensors) - 1)
        yield call.choice([_REPLICATE] * 2, [call.now(mesh_dim)[0], *others])
        return
    scores, targets = _sample(call, mesh_dim)
    inputs = [scores, targets, *[_REPLICATE] * (len(call.tensors) - 2)]
    if call["reduction"] == _NONE:
        yield call.choice([targets, _REPLICATE], inputs)
    elif isinstance(scores, _Parts):
        yield call.choice([_joined(call["reduction"]), Partial()], inputs)


def _nll_slope_here(plan: Plan, *args: Any, **kwargs: Any) -> Any:
    """The gradient of the scores here."""
    run = split_nll_backward if class_lines(plan) else plan.call.func
    return run(plan, *args) if run is split_nll_backward else run(*args, **kwargs)


@sharding_rule("nll_loss_backward", "nll_loss2d_backward", local=_nll_slope_here)
def _nll_backward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    inputs: list[Placement] = [_REPLICATE] * len(call.tensors)
    if cut_by_class(call, mesh_dim):
        p = call["self"].placements[mesh_dim]
        inputs[call.places["self"][0]] = p
        yield call.choice([p], inputs)
        return
    scores, targets = _sample(call, mesh_dim)
    inputs[0] = targets if call["reduction"] == _NONE else _REPLICATE
    inputs[call.places["self"][0]] = scores
    inputs[call.places["target"][0]] = targets
    yield call.choice([scores], inputs)


@sharding_rule("mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss")
@sharding_rule("binary_cross_entropy", "binary_cross_entropy_with_logits")
def _elementwise_loss(call: Call, mesh_dim: int) -> Iterable[Choice]:
    """An elementwise function of tensors, then a reduction over all."""
    common = np.broadcast_shapes(*[tuple(spec.shape) for spec in call.tensors])
    for choice in pointwise(call, mesh_dim):
        cut = choice.outputs[0]
        assert isinstance(cut, _Parts)
        if call["reduction"] == _NONE:
            yield choice
        elif call["reduction"] == _SUM or common[cut.dim] % call.mesh.size() == 0:
            yield call.choice([_joined(call["reduction"])], choice.inputs)


def _scaled_gradient(plan: Plan, *args: Any, **kwargs: Any) -> Any:
    """The gradient of a mean over all, of which the op here sees a part."""
    call = plan.call
    made = call.func(*args, **kwargs)
    here, whole = args[1].numel(), prod(plan.inputs[1].shape)
    return made * (here / whole) if call["reduction"] == _MEAN and here != whole else made


@sharding_rule(
    "mse_loss_backward",
    "smooth_l1_loss_backward",
    "huber_loss_backward",
    "soft_margin_loss_backward",
    "binary_cross_entropy_backward",
    local=_scaled_gradient,
)
def _elementwise_loss_backward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    each = call["reduction"] == _NONE
    for p in dict.fromkeys(call.now(mesh_dim)[0 if each else 1 :]):
        if isinstance(p, _Parts):
            inputs = [p if each else _REPLICATE, *[p] * (len(call.tensors) - 1)]
            yield call.choice([p], inputs)
