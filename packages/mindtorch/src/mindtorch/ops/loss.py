"""Losses. Reductions are torch's numbers: 0 none, 1 mean, 2 sum."""

from __future__ import annotations

from typing import Any

import numpy as np
from mindtorch.ops.call import ops
from mindtorch.ops.dims import numel_of, scalar_name
from mindtorch.ops.meta import (
    BOOL,
    COMPLEX,
    INTEGRAL,
    broadcast_shapes,
    common_dtype,
    out_like,
    refuse,
)
from mindtorch.ops.row import Out, op
from mindtorch.ops.summation import sum_over

__all__: list[str] = []

NONE, MEAN, SUM = 0, 1, 2
#: torch's EPSILON of binary_cross_entropy, which is a float: 1e-12f.
_LEAST = 9.999999960041972e-13


def reduced(a: Any, reduction: int) -> Any:
    """An ndarray of losses, reduced."""
    if reduction == NONE:
        return a
    total = sum_over(a, range(a.ndim))
    if reduction == MEAN:
        total = np.asarray(total / a.dtype.type(a.size))
    return total


def _reduce(t: Any, reduction: int) -> Any:
    """A tensor of losses, reduced."""
    return t.mean() if reduction == MEAN else t.sum() if reduction == SUM else t


def _mean_scale(g: Any, reduction: int, shape: Any) -> Any:
    """*g* divided by the number of elements, where a mean was taken.

    *shape* is that of the argument the gradient is for, even where it was broadcast: torch's
    formulas count the elements of their first argument.
    """
    return g / numel_of(shape) if reduction == MEAN else g


# -- elementwise distances ----------------------------------------------------------------------


def _pair_meta(kernel: str, check: Any = None) -> Any:
    def meta(self: Any, target: Any, reduction: int, *rest: Any) -> Out:
        if check is not None:
            check(*rest)
        dtype = common_dtype(self, target)
        out = out_like(dtype, self, target)
        refuse(dtype, {kernel: INTEGRAL | BOOL | COMPLEX}, self)
        return out if reduction == NONE else Out((), dtype)

    return meta


def _difference(self: Any, target: Any) -> Any:
    out = np.subtract(self, target)
    return np.asarray(out)


def _mse(self: Any, target: Any, reduction: int) -> Any:
    d = _difference(self, target)
    return reduced(np.asarray(d * d), reduction)


def _mse_backward(grad_output: Any, self: Any, target: Any, reduction: int) -> Any:
    out = _difference(self, target)
    scale = 2 / self.size if reduction == MEAN and self.size else 2
    out = out * out.dtype.type(scale)
    return np.asarray(out * grad_output)


def _mse_grad(g: Any, c: Any) -> Any:
    return ops.mse_loss_backward(g, c.self, c.target, c.reduction)


def _mse_target_grad(g: Any, c: Any) -> Any:
    return ops.mse_loss_backward(g, c.target, c.self, c.reduction)


op(
    "mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    meta=_pair_meta("mse_cpu"),
    kernel=_mse,
    module="nn",
    variants="function",
    out=True,
    grad={"self": _mse_grad, "target": _mse_target_grad},
    samples="pair_loss",
)


def _mse_backward_meta(grad_output: Any, self: Any, target: Any, reduction: int) -> Out:
    return out_like(common_dtype(self, target, grad_output), grad_output, self, target)


def _mse_twice(g: Any, c: Any) -> Any:
    scaled = _mean_scale(g * c.grad_output, c.reduction, c.self.shape)
    return scaled * 2


def _mse_twice_target(g: Any, c: Any) -> Any:
    scaled = _mean_scale(g * c.grad_output, c.reduction, c.self.shape)
    return scaled * -2


op(
    "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int reduction) -> Tensor",
    meta=_mse_backward_meta,
    kernel=_mse_backward,
    variants="",
    grad={
        "grad_output": lambda g, c: _mean_scale(
            g * (c.self - c.target) * 2, c.reduction, c.self.shape
        ),
        "self": _mse_twice,
        "target": _mse_twice_target,
    },
    samples="mse_backward",
)


op(
    "l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
    composite=lambda self, target, reduction: _reduce((self - target).abs(), reduction),
    module="nn",
    variants="function",
    samples="pair_loss",
)


def _check_beta(beta: float) -> None:
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")


def _smooth_l1(self: Any, target: Any, reduction: int, beta: float) -> Any:
    z = np.abs(_difference(self, target))
    kind = z.dtype.type
    out = np.where(z < beta, kind(0.5) * z * z / kind(beta or 1), z - kind(0.5 * beta))
    return reduced(np.asarray(out, z.dtype), reduction)


def _smooth_l1_slope(d: Any, beta: float) -> Any:
    return ops.where(d.abs() < beta, d / (beta or 1), d.sign())


def _smooth_l1_grad(g: Any, c: Any) -> Any:
    slope = _smooth_l1_slope(c.self - c.target, c.beta)
    return _mean_scale(g * slope, c.reduction, c.self.shape)


def _smooth_l1_target_grad(g: Any, c: Any) -> Any:
    slope = _smooth_l1_slope(c.self - c.target, c.beta)
    return -_mean_scale(g * slope, c.reduction, c.target.shape)


op(
    "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) -> Tensor",
    meta=_pair_meta("smooth_l1_cpu", _check_beta),
    kernel=_smooth_l1,
    module="nn",
    variants="function",
    out=True,
    grad={"self": _smooth_l1_grad, "target": _smooth_l1_target_grad},
    samples="smooth_l1",
)


def _check_delta(delta: float) -> None:
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")


def _huber(self: Any, target: Any, reduction: int, delta: float) -> Any:
    z = np.abs(_difference(self, target))
    kind = z.dtype.type
    out = np.where(z < delta, kind(0.5) * z * z, kind(delta) * (z - kind(0.5 * delta)))
    return reduced(np.asarray(out, z.dtype), reduction)


def _huber_grad(g: Any, c: Any) -> Any:
    slope = (c.self - c.target).clamp(-c.delta, c.delta)
    return _mean_scale(g * slope, c.reduction, c.self.shape)


def _huber_target_grad(g: Any, c: Any) -> Any:
    slope = (c.self - c.target).clamp(-c.delta, c.delta)
    return -_mean_scale(g * slope, c.reduction, c.target.shape)


op(
    "huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> Tensor",
    meta=_pair_meta("huber_cpu", _check_delta),
    kernel=_huber,
    module="nn",
    variants="function",
    out=True,
    grad={"self": _huber_grad, "target": _huber_target_grad},
    samples="huber",
)


# -- cross entropies of two outcomes ------------------------------------------------------------


def _bce_meta(self: Any, target: Any, weight: Any, reduction: int) -> Out:
    shape = broadcast_shapes(tuple(self.shape), tuple(target.shape))
    if weight is not None:
        shape = broadcast_shapes(shape, tuple(weight.shape))
    if target.dtype is not self.dtype:
        raise RuntimeError(
            f"Found dtype {scalar_name(target.dtype)} but expected {scalar_name(self.dtype)}"
        )
    refuse(self.dtype, {"binary_cross_entropy": INTEGRAL | BOOL | COMPLEX}, self)
    return Out(shape, self.dtype) if reduction == NONE else Out((), self.dtype)


def _bce(self: Any, target: Any, weight: Any, reduction: int) -> Any:
    if self.size and not ((self >= 0) & (self <= 1)).all():
        raise RuntimeError("all elements of input should be between 0 and 1")
    low = self.dtype.type(-100)
    out = (target - 1) * np.maximum(np.log1p(-self), low) - target * np.maximum(np.log(self), low)
    if weight is not None:
        out = out * weight
    return reduced(np.asarray(out), reduction)


def _bce_grad(g: Any, c: Any) -> Any:
    x = c.self
    out = g * (x - c.target) / ((1 - x) * x).clamp(min=_LEAST)
    if c.weight is not None:
        out = out * c.weight
    return _mean_scale(out, c.reduction, c.self.shape)


def _bce_target_grad(g: Any, c: Any) -> Any:
    x = c.self
    out = g * ((-x).log1p() - x.log())
    if c.weight is not None:
        out = out * c.weight
    return _mean_scale(out, c.reduction, c.target.shape)


op(
    "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int reduction=1)"
    " -> Tensor",
    meta=_bce_meta,
    kernel=_bce,
    module="nn",
    variants="function",
    out=True,
    grad={"self": _bce_grad, "target": _bce_target_grad},
    samples="bce",
)


def _logits_meta(self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Out:
    from mindtorch.errors import cannot_cast

    if not (self.dtype.is_floating_point or self.dtype.is_complex):
        refuse(self.dtype, {"log_sigmoid_cpu": INTEGRAL | BOOL}, self)
    out = out_like(common_dtype(target, self), target, self)
    shape, dtype = out.shape, out.dtype
    if dtype is not target.dtype and not (target.dtype.is_floating_point and not dtype.is_complex):
        raise cannot_cast(dtype, target.dtype)
    for w in (weight, pos_weight):
        if w is not None:
            shape = broadcast_shapes(shape, tuple(w.shape))
    return Out(shape, dtype) if reduction == NONE else Out((), dtype)


def _log_sigmoid(x: Any) -> Any:
    return np.minimum(x, 0) - np.log1p(np.exp(-np.abs(x)))


def _logits(self: Any, target: Any, weight: Any, pos_weight: Any, reduction: int) -> Any:
    logs = _log_sigmoid(self)
    if pos_weight is None:
        out = (1 - target) * self - logs
    else:
        out = (1 - target) * self - ((pos_weight - 1) * target + 1) * logs
    if weight is not None:
        out = out * weight
    return reduced(np.asarray(out), reduction)


def _logits_grad(g: Any, c: Any) -> Any:
    x, target = c.self, c.target
    if c.pos_weight is None:
        out = (x.sigmoid() - target) * g
    else:
        t = c.pos_weight * target
        out = ((t + 1 - target) * x.sigmoid() - t) * g
    if c.weight is not None:
        out = out * c.weight
    return _mean_scale(out, c.reduction, c.self.shape)


def _logits_target_grad(g: Any, c: Any) -> Any:
    x = c.self
    if c.pos_weight is None:
        out = -x * g
    else:
        logs = ops.log_sigmoid
        out = (logs(-x) - c.pos_weight * logs(x)) * g
    if c.weight is not None:
        out = out * c.weight
    return _mean_scale(out, c.reduction, c.target.shape)


op(
    "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? weight=None, "
    "Tensor? pos_weight=None, int reduction=1) -> Tensor",
    meta=_logits_meta,
    kernel=_logits,
    variants="function",
    grad={"self": _logits_grad, "target": _logits_target_grad},
    samples="logits",
)


def _kl_div(self: Any, target: Any, reduction: int, log_target: bool) -> Any:
    for t in (self, target):
        if not (t.is_floating_point() or t.is_complex()):
            raise RuntimeError("kl_div: Integral inputs not supported.")
        if t.is_complex():
            raise RuntimeError("kl_div: Complex inputs not supported.")
    if log_target:
        out = target.exp() * (target - self)
    else:
        out = ops.xlogy(target, target) - target * self
    return _reduce(out, reduction)


op(
    "kl_div(Tensor self, Tensor target, int reduction=1, *, bool log_target=False) -> Tensor",
    composite=_kl_div,
    variants="function",
    samples="kl_div",
)


# -- negative log likelihood --------------------------------------------------------------------


def _check_target_dtype(target: Any) -> None:
    if repr(target.dtype) not in ("torch.int64", "torch.uint8"):
        raise RuntimeError(
            f"expected target dtype to be Long or Byte, but got {scalar_name(target.dtype)}"
        )


def _nll_meta(
    self: Any, target: Any, weight: Any, reduction: int, ignore_index: int
) -> tuple[Out, Out]:
    shape, wanted = tuple(self.shape), tuple(target.shape)
    if len(shape) not in (1, 2):
        raise RuntimeError("input tensor should be 1D or 2D")
    if len(wanted) > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if len(shape) == 1 and len(wanted) == 1 and wanted[0] != 1:
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {wanted[0]}"
        )
    if not (len(shape) == 1 and not wanted) and len(shape) == 2 and shape[:1] != wanted:
        raise RuntimeError(f"size mismatch (got input: {list(shape)}, target: {list(wanted)})")
    _check_class_weight(weight, shape[-1])
    _check_target_dtype(target)
    refuse(self.dtype, {"nll_loss_out_frame": INTEGRAL | BOOL | COMPLEX}, self)
    _check_weight_dtype(self, weight)
    total = Out((), self.dtype)
    if reduction == NONE and len(shape) == 2:
        return Out((shape[0],), self.dtype), total
    return Out((), self.dtype), total


def _check_weight_dtype(self: Any, weight: Any) -> None:
    if weight is not None and weight.dtype is not self.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(self.dtype)} but found {scalar_name(weight.dtype)}"
        )


def _check_class_weight(weight: Any, classes: int) -> None:
    if weight is not None and (weight.dim() != 1 or weight.numel() != classes):
        raise RuntimeError(
            f"weight tensor should be defined either for all {classes} classes or no classes "
            f"but got weight tensor of shape: {list(weight.shape)}"
        )


def _chosen(classes: int, target: Any, ignore_index: int) -> tuple[Any, Any]:
    """Where a target counts, and the targets with a safe class in place of the ignored ones."""
    counts = target != ignore_index
    wrong = counts & ((target < 0) | (target >= classes))
    if wrong.any():
        raise IndexError(f"Target {target[wrong].reshape(-1)[0]} is out of bounds.")
    return counts, np.where(counts, target, 0)


def _all_count(target: Any, classes: int, ignore_index: int) -> bool:
    """Whether every target is a class, and none is to be ignored."""
    if 0 <= ignore_index < classes or not target.size:
        return False
    unsigned = target.view(np.uint64) if target.dtype.itemsize == 8 else target
    return bool(np.maximum.reduce(unsigned) < classes)  # a negative one is huge there


def _nll_parts(self: Any, target: Any, weight: Any, ignore_index: int) -> tuple[Any, Any, Any, Any]:
    """Classes on axis 1: losses, their weights, what counts, safe targets."""
    counts, safe = _chosen(self.shape[1], target, ignore_index)
    picked = np.take_along_axis(self, np.expand_dims(safe, 1), 1).squeeze(1)
    weights = counts.astype(self.dtype) if weight is None else np.where(counts, weight[safe], 0)
    losses = np.where(counts, -picked * weights, self.dtype.type(0))
    return losses, weights.astype(self.dtype, copy=False), counts, safe


def _nll(self: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> tuple[Any, Any]:
    flat = self.ndim == 1
    x = self[None] if flat else self
    t = target.reshape(-1)
    if weight is None and reduction != NONE and _all_count(t, x.shape[1], ignore_index):
        out = sum_over(-x[np.arange(len(t)), t], (0,))
        total = np.asarray(len(t), self.dtype)
        return (np.asarray(out / total) if reduction == MEAN else out), total
    losses, weights, _, _ = _nll_parts(x, t, weight, ignore_index)
    none = np.zeros((), self.dtype)
    if reduction == NONE:
        return (losses.reshape(()) if flat else losses), none
    total = sum_over(weights, (0,))
    out = sum_over(losses, (0,))
    if reduction == MEAN:
        out = np.asarray(out / total)
    return out, total


def _nll_backward(
    grad_output: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int,
    total_weight: Any,
) -> Any:  # fmt: skip
    flat = self.ndim == 1
    x = self[None] if flat else self
    t = target.reshape(-1)
    out = np.zeros(x.shape, self.dtype)
    if weight is None and _all_count(t, x.shape[1], ignore_index):
        g = grad_output if reduction != MEAN else grad_output / total_weight
        out[np.arange(len(t)), t] = -g
        return out.reshape(self.shape)
    counts, safe = _chosen(x.shape[1], t, ignore_index)
    weights = np.ones(t.shape, self.dtype) if weight is None else weight[safe]
    g = grad_output if reduction != MEAN else grad_output / total_weight
    np.put_along_axis(
        out, safe[:, None], np.where(counts, -weights * g, 0).astype(self.dtype)[:, None], 1
    )
    return out.reshape(self.shape)


def _nll_twice(
    g: Any, target: Any, weight: Any, reduction: int, ignore_index: int, total: Any
) -> Any:
    out = ops.nll_loss(g, target, weight, 0 if reduction == NONE else 2, ignore_index)
    return out / total if reduction == MEAN else out


op(
    "nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
    "SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
    meta=_nll_meta,
    kernel=_nll,
    variants="",
    out="output",
    grad={
        "self": lambda g, c: ops.nll_loss_backward(
            g[0], c.self, c.target, c.weight, c.reduction, c.ignore_index, c.result1
        )
    },
    samples="nll_forward",
    tags=("one_gradient",),
)
op(
    "nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, "
    "int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
    meta=lambda g, self, *rest: Out(tuple(self.shape), self.dtype),
    kernel=_nll_backward,
    variants="",
    out="grad_input",
    grad={
        "grad_output": lambda g, c: _nll_twice(
            g, c.target, c.weight, c.reduction, c.ignore_index, c.total_weight
        ),
        "self": lambda g, c: g.new_zeros(c.self.shape),
    },
)


def _nll2d_meta(
    self: Any, target: Any, weight: Any, reduction: int, ignore_index: int
) -> tuple[Out, Out]:
    shape, wanted = tuple(self.shape), tuple(target.shape)
    if len(wanted) != 3:
        raise RuntimeError(
            "only batches of spatial targets supported (3D tensors) but got targets of "
            f"dimension: {len(wanted)}"
        )
    if len(shape) != 4:
        raise RuntimeError(
            "only batches of spatial inputs supported (4D tensors), but got input of "
            f"dimension: {len(shape)}"
        )
    _check_class_weight(weight, shape[1])
    if (shape[0], *shape[2:]) != wanted:
        raise RuntimeError(f"size mismatch (got input: {list(shape)} , target: {list(wanted)}")
    _check_target_dtype(target)
    refuse(self.dtype, {"nll_loss2d_forward_out_frame": INTEGRAL | BOOL | COMPLEX}, self)
    _check_weight_dtype(self, weight)
    total = Out((), self.dtype)
    return (Out(wanted, self.dtype) if reduction == NONE else Out((), self.dtype)), total


def _nll2d(
    self: Any, target: Any, weight: Any, reduction: int, ignore_index: int
) -> tuple[Any, Any]:
    losses, weights, _, _ = _nll_parts(self, target, weight, ignore_index)
    if reduction == NONE:
        return losses, np.zeros((), self.dtype)
    total = sum_over(weights, range(3))
    out = sum_over(losses, range(3))
    return (np.asarray(out / total) if reduction == MEAN else out), total


def _nll2d_backward(
    grad_output: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int,
    total_weight: Any,
) -> Any:  # fmt: skip
    out = np.zeros(self.shape, self.dtype)
    counts, safe = _chosen(self.shape[1], target, ignore_index)
    weights = np.ones(target.shape, self.dtype) if weight is None else weight[safe]
    g = grad_output if reduction != MEAN else grad_output / total_weight
    np.put_along_axis(
        out, safe[:, None], np.where(counts, -weights * g, 0).astype(self.dtype)[:, None], 1
    )
    return out


op(
    "nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
    "SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
    meta=_nll2d_meta,
    kernel=_nll2d,
    variants="",
    out="output",
    grad={
        "self": lambda g, c: ops.nll_loss2d_backward(
            g[0], c.self, c.target, c.weight, c.reduction, c.ignore_index, c.result1
        )
    },
    samples="nll2d_forward",
    tags=("one_gradient",),
)
op(
    "nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, "
    "int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
    meta=lambda g, self, *rest: Out(tuple(self.shape), self.dtype),
    kernel=_nll2d_backward,
    variants="",
    out="grad_input",
    grad={
        "grad_output": lambda g, c: _nll_twice(
            g, c.target, c.weight, c.reduction, c.ignore_index, c.total_weight
        ),
        "self": lambda g, c: g.new_zeros(c.self.shape),
    },
)


def _nll_loss(self: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> Any:
    if self.dim() == 4:
        return ops.nll_loss2d_forward(self, target, weight, reduction, ignore_index)[0]
    return ops.nll_loss_forward(self, target, weight, reduction, ignore_index)[0]


for _name in ("nll_loss", "nll_loss2d"):
    op(
        f"{_name}(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
        "SymInt ignore_index=-100) -> Tensor",
        composite=_nll_loss,
        module="nn",
        variants="function",
        out=True,
        samples=_name,
    )


def _nll_loss_nd(self: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> Any:
    n = self.dim()
    if n < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {n})")
    if n != 1 and (target.dim() == 0 or self.shape[0] != target.shape[0]):
        got = target.shape[0] if target.dim() else 1
        raise ValueError(
            f"Expected input batch_size ({self.shape[0]}) to match target batch_size ({got})."
        )
    if n <= 2:
        return ops.nll_loss_forward(self, target, weight, reduction, ignore_index)[0]
    if n == 4:
        return ops.nll_loss2d_forward(self, target, weight, reduction, ignore_index)[0]
    # Other numbers of dims are folded into images of height one.
    batch, classes = self.shape[:2]
    rest = tuple(self.shape[2:])
    if tuple(target.shape[1:]) != rest:
        raise RuntimeError(f"Expected target size {[batch, *rest]}, got {list(target.shape)}")
    x = self.contiguous()
    t = target.contiguous()
    flat = numel_of(rest)
    x, t = x.view((batch, classes, 1, flat)), t.view((batch, 1, flat))
    out = ops.nll_loss2d_forward(x, t, weight, reduction, ignore_index)[0]
    return out.view((batch, *rest)) if reduction == NONE else out


op(
    "nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
    "SymInt ignore_index=-100) -> Tensor",
    composite=_nll_loss_nd,
    module="nn",
    variants="function",
    samples="nll_loss_nd",
)


# -- cross entropy ------------------------------------------------------------------------------


def _weight_along_classes(weight: Any, like: Any, class_dim: int) -> Any:
    shape = [1] * like.dim()
    shape[class_dim] = weight.shape[0]
    return weight.view(shape)


def _of_probabilities(
    self: Any, target: Any, weight: Any, reduction: int, label_smoothing: float
) -> Any:
    class_dim = 0 if self.dim() == 1 else 1
    if self.dim() == 0:
        raise IndexError("Dimension specified as 1 but tensor has no dimensions")
    classes = self.shape[class_dim]
    if weight is not None and (weight.dim() != 1 or weight.numel() != classes):
        raise RuntimeError(
            f"cross_entropy: weight tensor should be defined either for all {classes} classes or "
            f"no classes but got weight tensor of shape: {list(weight.shape)}"
        )
    logs = ops.log_softmax(self, class_dim)
    if label_smoothing > 0:
        target = target * (1 - label_smoothing) + label_smoothing / classes
    product = logs * target
    if weight is not None:
        product = product * _weight_along_classes(weight, product, class_dim)
    if reduction == MEAN:
        if not logs.numel():
            return -product.sum() / 0
        return -product.sum() / (logs.numel() / classes)
    if reduction == SUM:
        return -product.sum()
    return -product.sum((class_dim,))


def _smoothed(
    self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, smoothing: float
) -> Any:
    class_dim = 0 if self.dim() == 1 else 1
    logs = ops.log_softmax(self, class_dim)
    nll = ops.nll_loss_nd(logs, target, weight, reduction, ignore_index)
    if weight is not None:
        smooth = -(logs * _weight_along_classes(weight, logs, class_dim)).sum((class_dim,))
    else:
        smooth = -logs.sum((class_dim,))
    ignored = target == ignore_index
    smooth = smooth.masked_fill(ignored, 0.0)
    if reduction == MEAN:
        kept = ignored.logical_not()
        if weight is not None:
            weights = weight.gather(0, target.masked_fill(ignored, 0).reshape((-1,)))
            weights = weights.masked_fill(ignored.reshape((-1,)), 0)
            smooth = smooth.sum() / weights.sum()
        else:
            smooth = smooth.sum() / kept.sum()
    elif reduction == SUM:
        smooth = smooth.sum()
    return nll * (1 - smoothing) + smooth * (smoothing / self.shape[class_dim])


def _cross_entropy(
    self: Any, target: Any, weight: Any, reduction: int, ignore_index: int, label_smoothing: float
) -> Any:
    if self._a.shape == target._a.shape:
        if not (target.is_floating_point() or target.is_complex()):
            raise RuntimeError(
                "Expected floating point type for target with class probabilities, "
                f"got {scalar_name(target.dtype)}"
            )
        if ignore_index >= 0:
            raise RuntimeError("ignore_index is not supported for floating point target")
        if label_smoothing > 1.0:
            raise _bad_smoothing(label_smoothing)
        return _of_probabilities(self, target, weight, reduction, label_smoothing)
    if label_smoothing > 0.0:
        if label_smoothing > 1.0:
            raise _bad_smoothing(label_smoothing)
        return _smoothed(self, target, weight, reduction, ignore_index, label_smoothing)
    logs = ops._log_softmax(self, 0 if self._a.ndim == 1 else 1, False)
    return _nll_loss_nd(logs, target, weight, reduction, ignore_index)


def _bad_smoothing(value: float) -> RuntimeError:
    return RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {value:g}")


op(
    "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
    "SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor",
    composite=_cross_entropy,
    module="nn",
    variants="function",
    samples="cross_entropy",
)
