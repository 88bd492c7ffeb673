"""``ctc_loss``: how likely sequences of labels are, over all ways to stretch them in time.

Source: torch aten/src/ATen/native/LossCTC.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.elementwise_meta import refuse
from ..call.row import Out, op
from ..core.dims import type_string
from ..core.operators import of, ops
from .derivatives import listed_as_not_implemented

__all__: list[str] = []

_WHERE = "ctc_loss_allocate_outputs"
_MEASURED = frozenset({"float32", "float64"})


def _check(log_probs: Any, targets: Any, inputs: Any, lengths: Any, blank: int) -> int:
    """The longest target. Raises torch's errors."""
    if targets.dtype.name not in ("int32", "int64"):
        raise RuntimeError(
            "Expected tensor for argument #2 'targets' to have scalar type Long; but got "
            f"{type_string(targets)} instead (while checking arguments for {_WHERE})"
        )
    if log_probs.dim() != 3:
        raise RuntimeError(
            f"Expected 3-dimensional tensor, but got {log_probs.dim()}-dimensional tensor for "
            f"argument #1 'log_probs' (while checking arguments for {_WHERE})"
        )
    if targets.dim() not in (1, 2):
        raise RuntimeError(
            f"Expected 1 to 2 dimensions, but got {targets.dim()}-dimensional tensor for argument "
            f"#2 'targets' (while checking arguments for {_WHERE})"
        )
    longest, batch, labels = log_probs.shape
    if not 0 <= blank < labels:
        raise RuntimeError("blank must be in label range")
    if len(inputs) != batch:
        raise RuntimeError("input_lengths must be of size batch_size")
    if len(lengths) != batch:
        raise RuntimeError("target_lengths must be of size batch_size")
    most = 0
    for length in lengths:
        if length < 0:
            raise RuntimeError(
                f"Expected target_lengths to have value at least 0, but got value {length} "
                f"(while checking arguments for {_WHERE})"
            )
        most = max(most, length)
    total = sum(lengths)
    if targets.dim() == 1 and targets.shape[0] != total:
        raise RuntimeError(
            f"Expected tensor to have size {total} at dimension 0, but got size "
            f"{targets.shape[0]} for argument #2 'targets' (while checking arguments for {_WHERE})"
        )
    if targets.dim() == 2:
        if targets.shape[0] != batch:
            raise RuntimeError(
                f"Expected tensor to have size {batch} at dimension 0, but got size "
                f"{targets.shape[0]} for argument #2 'targets' (while checking arguments for "
                f"{_WHERE})"
            )
        if targets.shape[1] < most:
            raise RuntimeError(
                f"Expected tensor to have size at least {most} at dimension 1, but got size "
                f"{targets.shape[1]} for argument #2 'targets' (while checking arguments for "
                f"{_WHERE})"
            )
    for length in inputs:
        if length < 0:
            raise RuntimeError(
                f"Expected input_lengths to have value at least 0, but got value {length} "
                f"(while checking arguments for {_WHERE})"
            )
        if length > longest:
            raise RuntimeError(
                f"Expected input_lengths to have value at most {longest}, but got value {length} "
                f"(while checking arguments for {_WHERE})"
            )
    return most


def _meta(
    log_probs: Any, targets: Any, inputs: Any, lengths: Any, blank: int, zero_infinity: bool
) -> tuple[Out, Out]:
    if not log_probs.numel():
        raise RuntimeError("log_probs tensor must not be empty")
    kinds = frozenset({log_probs.dtype.name}) - _MEASURED
    refuse(log_probs.dtype, {"ctc_loss_cpu": kinds}, log_probs)
    most = _check(log_probs, targets, inputs, lengths, blank)
    longest, batch, _ = log_probs.shape
    return Out((batch,), log_probs.dtype), Out((batch, longest, 2 * most + 1), log_probs.dtype)


class _States:
    """The targets with blanks between, before and after their labels: (N, 2 L + 1) states."""

    def __init__(self, log_probs: Any, targets: Any, lengths: Any, blank: int) -> None:
        self.longest, self.batch, self.classes = log_probs.shape
        self.dtype = log_probs.dtype
        self.room = 2 * max(lengths, default=0) + 1
        self.blanks = np.full(self.batch * self.room, blank, np.int64)
        #: Where labels lie among the targets, and where among the states.
        starts = np.cumsum([0, *lengths[:-1]]) if targets.ndim == 1 else None
        row = targets.shape[-1]
        pairs = [
            ((i * row if starts is None else starts[i]) + k, i * self.room + 2 * k + 1)
            for i, length in enumerate(lengths)
            for k in range(length)
        ]
        self.source, self.target = np.array(pairs, np.int64).reshape(-1, 2).T
        self.first_class = np.repeat(np.arange(self.batch) * self.classes, self.room)
        self.none = np.array(-np.inf, self.dtype)
        self.lowest = np.array(np.finfo(self.dtype).min, self.dtype)
        self.ends = 2 * np.asarray(lengths, np.int64)
        places = np.arange(self.room)
        self.real = places <= self.ends[:, None]
        self.last = (places == self.ends[:, None]) | (places == self.ends[:, None] - 1)
        self.nowhere = np.where(self.real, self.dtype.type(0), self.none)

    def labels(self, targets: Any) -> Any:
        """The class of each state."""
        labels = self.blanks.copy()
        labels[self.target] = targets.reshape(-1).take(self.source)
        return labels.reshape(self.batch, self.room)

    def met(self, log_probs: Any, labels: Any) -> Any:
        """The logarithm of each state's probability at each time: (T, N, states)."""
        every = log_probs.reshape(self.longest, -1)
        met = every.take(self.first_class + labels.reshape(-1), 1)
        met = met.reshape(self.longest, self.batch, self.room)
        met += self.nowhere
        return met

    def steps(self, labels: Any, way: int) -> Any:
        """What is added to a state's paths for staying, for one step and for two: (3, N, states).

        Two steps lead to another label only; *way* is 1 for steps ahead, -1 for steps back.
        """
        allowed = np.zeros((3, self.batch, self.room), self.dtype)
        jumps = allowed[2]
        jumps[...] = self.none
        same = labels[:, 2:] != labels[:, :-2]
        np.copyto(jumps[:, 2:] if way > 0 else jumps[:, :-2], 0, where=same)
        return allowed

    def recursion(self, allowed: Any, way: int) -> tuple[Any, Callable[[Any, Any], None]]:
        """The states of one time, and what adds up all paths that lead on from there.

        That is written to its first argument, times the probabilities that are its second.
        """
        around = np.full((self.batch, self.room + 2), -np.inf, self.dtype)
        item = self.dtype.itemsize
        states = around[:, 2:] if way > 0 else around[:, :-2]
        paths = np.ndarray(
            allowed.shape, self.dtype, around, 2 * item if way > 0 else 0,
            (-way * item, around.strides[0], item),
        )  # fmt: skip
        parts, most = np.empty_like(allowed), np.empty_like(allowed[0])

        def lead_on(result: Any, met: Any) -> None:
            np.add(paths, allowed, parts)
            np.maximum.reduce(parts, 0, None, most)
            np.maximum(most, self.lowest, out=most)
            np.subtract(parts, most, parts)
            np.exp(parts, parts)
            np.add.reduce(parts, 0, None, result)
            np.log(result, result)
            np.add(result, most, result)
            np.add(result, met, result)

        return states, lead_on


def _prepare_forward(
    log_probs: Any, targets: Any, inputs: Any, lengths: Any, blank: int, zero_infinity: bool
) -> Callable[..., tuple[Any, Any]]:
    states = _States(log_probs, targets, lengths, blank)
    batch, room = states.batch, states.room
    times = np.asarray(inputs, np.int64)
    flat = (np.arange(batch) * states.longest + np.maximum(times - 1, 0)) * room
    final, before = flat + states.ends, flat + np.maximum(states.ends - 1, 0)
    empty = states.ends == 0
    timeless = times == 0
    without_time = np.where(empty, 0, np.inf).astype(states.dtype)

    def kernel(log_probs: Any, targets: Any, *rest: Any) -> tuple[Any, Any]:
        labels = states.labels(targets)
        met = states.met(log_probs, labels)
        alpha = np.empty_like(met)
        now, lead_on = states.recursion(states.steps(labels, 1), 1)
        for t in range(states.longest):
            if t:
                lead_on(alpha[t], met[t])
            else:
                alpha[0], alpha[0, :, 2:] = met[0], states.none
            now[...] = alpha[t]
        alpha = alpha.transpose(1, 0, 2).copy()
        ends = alpha.reshape(-1)
        other = ends.take(before)
        np.copyto(other, states.none, where=empty)
        loss = -np.logaddexp(ends.take(final), other)
        np.copyto(loss, without_time, where=timeless)
        return loss, alpha

    return kernel


def _prepare_backward(
    grad: Any, log_probs: Any, targets: Any, inputs: Any, lengths: Any, loss: Any, alpha: Any,
    blank: int, zero_infinity: bool,
) -> Callable[..., Any]:  # fmt: skip
    states = _States(log_probs, targets, lengths, blank)
    longest, batch, classes = log_probs.shape
    dtype, infinite = log_probs.dtype, np.array(np.inf)
    times = np.asarray(inputs, np.int64)
    beginning = [np.flatnonzero(times - 1 == t) for t in range(longest)]
    over = [np.flatnonzero(times <= t) for t in range(longest)]
    past = np.arange(longest)[:, None] >= times
    lasts = np.where(states.last, dtype.type(0), states.none)
    frames = (np.arange(longest * batch) * classes).reshape(longest, batch, 1)

    def kernel(
        grad: Any, log_probs: Any, targets: Any, inputs: Any, lengths: Any, loss: Any, alpha: Any,
        *rest: Any,
    ) -> Any:  # fmt: skip
        labels = states.labels(targets)
        met = states.met(log_probs, labels)
        beta = np.empty_like(met)
        now, lead_on = states.recursion(states.steps(labels, -1), -1)
        for t in range(longest - 1, -1, -1):
            lead_on(beta[t], met[t])
            if beginning[t].size:
                beta[t, beginning[t]] = (met[t] + lasts)[beginning[t]]
            if over[t].size:
                beta[t, over[t]] = states.none
            now[...] = beta[t]
        beta += alpha.transpose(1, 0, 2)
        beta += states.nowhere
        most = np.maximum(beta.max(2, keepdims=True), states.lowest)
        beta -= most
        total = np.bincount((frames + labels).ravel(), np.exp(beta, beta).ravel(), log_probs.size)
        paths = np.log(total.reshape(log_probs.shape).astype(dtype)) + most
        lost = loss == infinite
        scale = (np.where(lost, 0, grad) if zero_infinity else grad).astype(dtype)
        out = np.exp(log_probs) - np.exp(paths + loss[:, None] - log_probs)
        out *= scale[:, None]
        np.copyto(out, 0, where=past[..., None])
        if zero_infinity:
            out[:, lost] = 0
        return out

    return kernel


op(
    "_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
    "int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
    meta=_meta,
    prepare=_prepare_forward,
    half=False,
    variants="",
    grad={
        "log_probs": lambda g, c: ops._ctc_loss_backward(
            g[0],
            c.log_probs,
            c.targets,
            c.input_lengths,
            c.target_lengths,
            c.result0,
            c.result1,
            c.blank,
            c.zero_infinity,
        )
    },  # fmt: skip
    samples="ctc_row",
    tags=("rounds", "one_gradient", "dynamic_output_shape"),
    tangent="not implemented",
)
op(
    "_ctc_loss_backward(Tensor grad, Tensor log_probs, Tensor targets, int[] input_lengths, "
    "int[] target_lengths, Tensor neg_log_likelihood, Tensor log_alpha, int blank, "
    "bool zero_infinity=False) -> Tensor",
    meta=lambda grad, log_probs, *rest: Out(tuple(log_probs.shape), log_probs.dtype),
    prepare=_prepare_backward,
    half=False,
    variants="",
    grad=listed_as_not_implemented(
        "_ctc_loss_backward", "grad", "log_probs", "neg_log_likelihood", "log_alpha"
    ),
)


def _loss(
    log_probs: Any, targets: Any, inputs: Any, lengths: Any, blank: int, reduction: int,
    zero_infinity: bool,
) -> Any:  # fmt: skip
    if targets.dtype not in (ops.int32, ops.int64):
        targets = targets.to(ops.int64)
    batched = log_probs.dim() == 3
    if not batched:
        log_probs = log_probs.unsqueeze(1)
    res = ops._ctc_loss(log_probs, targets, tuple(inputs), tuple(lengths), blank, zero_infinity)[0]
    if zero_infinity:
        res = ops.where(
            res == math.inf, of("scalar_tensor")(0, dtype=res.dtype, device=res.device), res
        )
    if reduction == 1:
        counts = ops.tensor(list(lengths), dtype=res.dtype, device=res.device).clamp_min(1)
        return (res / counts).mean()
    if reduction == 2:
        return res.sum()
    return res if batched else res.squeeze(0)


def _loss_of_tensors(log_probs: Any, targets: Any, inputs: Any, lengths: Any, *rest: Any) -> Any:
    for name, t in (("input_lengths", inputs), ("target_lengths", lengths)):
        if t.is_floating_point() or t.is_complex() or repr(t.dtype) == "torch.bool":
            raise RuntimeError(f"{name} must be integral")
    return _loss(
        log_probs, targets, inputs.reshape((-1,)).tolist(), lengths.reshape((-1,)).tolist(), *rest
    )


op(
    "ctc_loss.IntList(Tensor log_probs, Tensor targets, int[] input_lengths, "
    "int[] target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
    says="Return the connectionist temporal classification loss of sequences without alignment.",
    composite=_loss,
    variants="function",
    samples="ctc_loss",
    autocast=("float32", ""),
    tags=("loops: functional",),
)
op(
    "ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
    "Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
    composite=_loss_of_tensors,
    batch="whole_loop",
    variants="function",
    samples="ctc_loss_tensors",
    autocast=("float32", ""),
    tags=("loops: functional",),
)
