"""Losses of scores that are cut by class, inside of ``loss_parallel``.

Scores of many classes are larger than all else of a model's outputs. Their loss needs of other
processes a maximum, a sum and one score for each sample, so the scores stay where they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ....aten import torch
from .._lines import Line, line_of
from .._sharding import Call, Choice, Plan, modes, sharding_rule
from .._utils import local_intervals
from ..placement_types import Partial, _Parts
from .families import along_dims

__all__ = ["class_lines", "cut_by_class", "split_nll", "split_nll_backward"]

_MEAN = 1


def _class_dim(ndim: int) -> int:
    return 1 if ndim > 1 else 0


def cut_by_class(call: Call, mesh_dim: int) -> bool:
    """Whether the scores of a loss are cut by class and shall stay so."""
    scores = call["self"]
    p = scores.placements[mesh_dim]
    return bool(modes.split_classes and isinstance(p, _Parts) and p.dim == _class_dim(scores.ndim))


def _lines(plan: Plan, which: int, dim: int) -> list[Line]:
    """The lines along which the tensor number *which* is cut along *dim*."""
    spec = plan.inputs[which]
    return [
        line_of(spec.mesh, i)
        for i, p in enumerate(spec.placements)
        if isinstance(p, _Parts) and p.dim == dim
    ]


def class_lines(plan: Plan) -> list[Line]:
    """The lines along which the scores of a loss are cut by class."""
    scores = plan.call.places["self"][0]
    return _lines(plan, scores, _class_dim(plan.inputs[scores].ndim))


def _reduced(lines: Iterable[Line], tensor: Any, name: str) -> Any:
    for line in lines:
        tensor = line.all_reduce(tensor, Partial(name))
    return tensor


def _log_softmax_here(plan: Plan, x: Any, dim: int, *rest: Any) -> Any:
    lines = _lines(plan, 0, dim % max(x.ndim, 1))
    if not lines:
        return plan.call.func(x, dim, *rest)
    if x.shape[dim]:
        largest = x.amax(dim, keepdim=True)
    else:
        shape = list(x.shape)
        shape[dim] = 1
        largest = x.new_full(shape, -torch.inf)
    moved = x - _reduced(lines, largest, "max")
    return moved - _reduced(lines, moved.exp().sum(dim, keepdim=True), "sum").log()


@sharding_rule("_log_softmax", local=_log_softmax_here)
def _log_softmax(call: Call, mesh_dim: int) -> Iterable[Choice]:
    yield from _along_or_cut(call, mesh_dim)


def _log_softmax_slope_here(plan: Plan, grad: Any, output: Any, dim: int, *rest: Any) -> Any:
    lines = _lines(plan, 1, dim % max(output.ndim, 1))
    if not lines:
        return plan.call.func(grad, output, dim, *rest)
    return grad - output.exp() * _reduced(lines, grad.sum(dim, keepdim=True), "sum")


@sharding_rule("_log_softmax_backward_data", local=_log_softmax_slope_here)
def _log_softmax_backward(call: Call, mesh_dim: int) -> Iterable[Choice]:
    yield from _along_or_cut(call, mesh_dim)


def _along_or_cut(call: Call, mesh_dim: int) -> Iterable[Choice]:
    dims: Any = call.dims()
    p = call.now(mesh_dim)[-1]
    if modes.split_classes and isinstance(p, _Parts) and p.dim in dims:
        yield call.same(p)
    else:
        yield from along_dims(call, mesh_dim, dims)


def _here(plan: Plan, scores: Any, target: Any, ignore: int) -> tuple[Any, Any, Any]:
    """Which targets are among the classes here, their places, and which are not ignored."""
    spec = plan.inputs[plan.call.places["self"][0]]
    dim = _class_dim(spec.ndim)
    found = local_intervals(spec.shape[dim], dim, spec.mesh, spec.placements)
    start, n = found[0] if found else (0, 0)
    counts = target != ignore
    mine = counts & (target >= start) & (target < start + n)
    return mine, (target - start).masked_fill(~mine, 0), counts


def _weights(target: Any, weight: Any, counts: Any, dtype: Any) -> Any:
    """How much each sample counts."""
    if weight is None:
        return counts.to(dtype)
    return weight[target.masked_fill(~counts, 0)] * counts


def split_nll(
    plan: Plan, scores: Any, target: Any, weight: Any, reduction: int, ignore: int
) -> tuple[Any, Any]:
    """The loss, and the weight of all samples; all processes have both."""
    dim = _class_dim(scores.ndim)
    mine, place, counts = _here(plan, scores, target, ignore)
    if scores.shape[dim]:
        taken = scores.gather(dim, place.unsqueeze(dim)).squeeze(dim).masked_fill(~mine, 0)
    else:
        taken = scores.new_zeros(target.shape)
    each = _weights(target, weight, counts, scores.dtype)
    loss = -_reduced(class_lines(plan), taken, "sum") * each
    if reduction == 0:
        return loss, scores.new_zeros(())
    whole = each.sum()
    return (loss.sum() / whole if reduction == _MEAN else loss.sum()), whole


def split_nll_backward(
    plan: Plan,
    grad: Any,
    scores: Any,
    target: Any,
    weight: Any,
    reduction: int,
    ignore: int,
    whole: Any,
) -> Any:
    """The gradient of the scores here."""
    dim = _class_dim(scores.ndim)
    made = torch.zeros_like(scores)
    if not scores.shape[dim]:
        return made
    mine, place, counts = _here(plan, scores, target, ignore)
    each = _weights(target, weight, counts, scores.dtype) * mine
    slope = -grad * each / whole if reduction == _MEAN else -grad * each
    return made.scatter_(dim, place.unsqueeze(dim), slope.unsqueeze(dim))
