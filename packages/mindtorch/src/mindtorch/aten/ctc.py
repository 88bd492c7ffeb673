"""``ctc_loss``: how likely sequences of labels are, over all ways to stretch them in time.

Source: torch aten/src/ATen/native/LossCTC.cpp.
"""

from __future__ import annotations

import math
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


def _ints(values: Any) -> str:
    return f"[{', '.join(map(str, values))}]"


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


def _stretched(targets: Any, lengths: Any, blank: int, room: int) -> Any:
    """Each target with blanks between, before and after its labels: (N, 2 L + 1)."""
    labels = np.full((len(lengths), room), blank, np.int64)
    start = 0
    for i, length in enumerate(lengths):
        part = targets[start : start + length] if targets.ndim == 1 else targets[i, :length]
        labels[i, 1 : 2 * length : 2] = part
        start += length
    return labels


def _apart(labels: Any, lengths: Any) -> tuple[Any, Any]:
    """Where two steps ahead are allowed: to another label; and which states there are."""
    skips = np.zeros(labels.shape, bool)
    skips[:, 2:] = labels[:, 2:] != labels[:, :-2]
    real = np.arange(labels.shape[1]) <= 2 * np.asarray(lengths, np.int64)[:, None]
    return skips, real


def _log_sum(parts: Any) -> Any:
    most = np.max(parts, 0)
    most = np.where(most == -np.inf, most.dtype.type(0), most)
    total = np.exp(parts[0] - most)
    for part in parts[1:]:
        total = total + np.exp(part - most)
    return np.log(total) + most


def _shifted(a: Any, by: int) -> Any:
    out = np.full_like(a, -np.inf)
    if by > 0:
        out[:, by:] = a[:, :-by] if by < a.shape[1] else out[:, by:]
    else:
        out[:, :by] = a[:, -by:] if -by < a.shape[1] else out[:, :by]
    return out


def _forward(
    log_probs: Any, targets: Any, inputs: Any, lengths: Any, blank: int, zero_infinity: bool
) -> tuple[Any, Any]:
    longest, batch, classes = log_probs.shape
    room = 2 * max(lengths, default=0) + 1
    labels = _stretched(targets, lengths, blank, room)
    skips, real = _apart(labels, lengths)
    alpha = np.full((batch, longest, room), -np.inf, log_probs.dtype)
    sample = np.arange(batch)
    none = log_probs.dtype.type(-np.inf)
    for t in range(longest):
        met = log_probs[t][sample[:, None], labels]
        if not t:
            now = np.where(np.arange(room) < 2, met, none)
        else:
            before = alpha[:, t - 1]
            far = np.where(skips, _shifted(before, 2), none)
            now = _log_sum(np.stack((before, _shifted(before, 1), far))) + met
        alpha[:, t] = np.where(real, now, none)
    loss = np.empty(batch, log_probs.dtype)
    for i, (steps, length) in enumerate(zip(inputs, lengths, strict=True)):
        if not steps:
            loss[i] = 0 if not length else np.inf
            continue
        ends = alpha[i, steps - 1, max(2 * length - 1, 0) : 2 * length + 1]
        loss[i] = -_log_sum(ends[:, None])[0] if length else -ends[0]
    return loss, alpha


def _backward(
    grad: Any, log_probs: Any, targets: Any, inputs: Any, lengths: Any, loss: Any, alpha: Any,
    blank: int, zero_infinity: bool,
) -> Any:  # fmt: skip
    longest, batch, classes = log_probs.shape
    room = alpha.shape[2]
    labels = _stretched(targets, lengths, blank, room)
    skips, real = _apart(labels, lengths)
    ahead = np.zeros_like(skips)
    ahead[:, :-2] = skips[:, 2:]
    sample = np.arange(batch)
    rows = np.broadcast_to(sample[:, None], labels.shape)
    none = log_probs.dtype.type(-np.inf)
    ends = 2 * np.asarray(lengths, np.int64)[:, None]
    places = np.arange(room)
    last = (places == ends) | (places == ends - 1)
    steps = np.asarray(inputs, np.int64)
    out = np.zeros_like(log_probs)
    scale = np.where((loss == np.inf) & zero_infinity, 0, grad).astype(log_probs.dtype)
    beta = np.full((batch, room), -np.inf, log_probs.dtype)
    for t in range(longest - 1, -1, -1):
        met = log_probs[t][sample[:, None], labels]
        far = np.where(ahead, _shifted(beta, -2), none)
        now = _log_sum(np.stack((beta, _shifted(beta, -1), far))) + met
        begins = (steps - 1 == t)[:, None]
        now = np.where(begins, np.where(last, met, none), now)
        beta = np.where(real & (t < steps)[:, None], now, none)
        both = np.where(real, alpha[:, t] + beta, none)
        most = both.max(1, keepdims=True)
        most = np.where(most == -np.inf, most.dtype.type(0), most)
        total = np.zeros((batch, classes), log_probs.dtype)
        np.add.at(total, (rows, labels), np.exp(both - most))
        paths = np.log(total) + most
        p = log_probs[t]
        slope = (np.exp(p) - np.exp(paths + loss[:, None] - p)) * scale[:, None]
        out[t] = np.where((t < steps)[:, None], slope, 0)
    if zero_infinity:
        out[:, loss == np.inf] = 0
    return out


op(
    "_ctc_loss(Tensor log_probs, Tensor targets, int[] input_lengths, int[] target_lengths, "
    "int blank=0, bool zero_infinity=False) -> (Tensor, Tensor)",
    meta=_meta,
    kernel=_forward,
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
    kernel=_backward,
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
)
op(
    "ctc_loss.Tensor(Tensor log_probs, Tensor targets, Tensor input_lengths, "
    "Tensor target_lengths, int blank=0, int reduction=1, bool zero_infinity=False) -> Tensor",
    composite=_loss_of_tensors,
    variants="function",
    samples="ctc_loss_tensors",
    autocast=("float32", ""),
)
