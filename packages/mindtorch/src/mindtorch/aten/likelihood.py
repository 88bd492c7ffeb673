"""Negative log likelihoods of classes: ``nll_loss`` of vectors, images and any number of dims."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from mindtorch.aten.factory import like
from mindtorch.aten.index_bounds import bounds
from mindtorch.aten.summation import sums
from mindtorch.call.elementwise_meta import BOOL, COMPLEX, INTEGRAL, refuse
from mindtorch.call.forms import SCALAR_TYPE, OutForm
from mindtorch.call.row import Out, op
from mindtorch.core.dims import is_contiguous, scalar_name
from mindtorch.core.operators import of, ops

from ..core.reduction import MEAN, NONE

__all__ = ["nll_loss_nd"]


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
    if not wanted and len(shape) == 2:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if len(shape) == 1 and len(wanted) == 1 and wanted[0] != 1:
        raise ValueError(
            f"For 1D input, 1D target must have size 1, but got target size: {wanted[0]}"
        )
    if len(shape) == 2 and shape[:1] != wanted:
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


def _out_of_bounds(classes: int, target: Any, ignore_index: int) -> IndexError:
    """The error of the first target that is no class, and not to be ignored."""
    flat = target.reshape(-1)
    wrong = (flat != ignore_index) & ((flat < 0) | (flat >= classes))
    return IndexError(f"Target {flat[wrong][0]} is out of bounds.")


def _places(shape: tuple[int, ...], ignore_index: int) -> Callable[[Any], tuple[Any, Any]]:
    """What finds where the targets' numbers lie in flat memory of *shape*, classes on axis 1.

    Of those that are ignored the place is that of the first class; which these are comes second:
    None where there is none, else a mask of what counts. It raises for what is no class.
    """
    classes = shape[1]
    inner = prod(shape[2:])
    start = np.arange(shape[0])[:, None] * (classes * inner) + np.arange(inner)
    start = start.reshape(-1)
    find_bounds = bounds(start.size)
    ignores_class = 0 <= ignore_index < classes

    some, add = start.size > 0, np.add

    def find(target: Any) -> tuple[Any, Any]:
        t = target.ravel()
        if not some:
            return start, None
        lowest, highest = find_bounds(t)
        counts = None
        if ignores_class or lowest < 0 or highest >= classes:
            counts = t != ignore_index
            if (counts & ((t < 0) | (t >= classes))).any():
                raise _out_of_bounds(classes, t, ignore_index)
            t = np.where(counts, t, 0)
            if counts.all():
                counts = None
        return add(start, t if inner == 1 else t * inner), counts

    return find


def _prepare_nll(
    self: Any, target: Any, weight: Any, reduction: int, ignore_index: int
) -> Callable[..., tuple[Any, Any]]:
    """The losses of targets, of vectors and of images: classes are on axis 1, or there is one."""
    dtype, shape = self.dtype, self.shape if self.ndim > 1 else (1, *self.shape)
    many = prod(shape[:1] + shape[2:])
    result = () if reduction != NONE or self.ndim == 1 else target.shape
    places = _places(shape, ignore_index)
    total = sums(np.empty(many, dtype), (0,), ())
    negative, multiply, divide = np.negative, np.multiply, np.divide
    # A class for each place, so that weights are looked up as the numbers are.
    inner = prod(shape[2:])
    shares = (-1 / many if reduction == MEAN else -1) if many else np.nan
    shares = np.full(many, shares, dtype)
    count, nothing, empty = np.array(many, dtype), dtype.type(0), np.empty

    def kernel(
        self: Any, target: Any, weight: Any, reduction: int, ignore_index: int
    ) -> tuple[Any, Any]:
        at, counts = places(target)
        picked = self.ravel()[at]
        if reduction == NONE:
            losses = negative(picked, picked)
            if weight is not None:
                losses *= weight.take(at // inner % shape[1])
            if counts is not None:
                losses[~counts] = 0
            return losses.reshape(result), np.zeros((), dtype)
        if weight is None and counts is None:
            out = empty((), dtype)
            if many:
                picked.dot(shares, out)
            else:
                out[()] = np.nan if reduction == MEAN else 0
            return out, count.copy()
        weights = np.ones(many, dtype) if weight is None else weight.take(at // inner % shape[1])
        if counts is not None:
            weights = np.where(counts, weights, nothing)
            picked = np.where(counts, picked, nothing)
        out, sum_of_weights = total(multiply(picked, weights)), total(weights)
        negative(out, out)
        if reduction == MEAN:
            divide(out, sum_of_weights, out)
        return out, sum_of_weights

    return kernel


def _prepare_nll_backward(
    grad_output: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int,
    total_weight: Any,
) -> Callable[..., Any]:  # fmt: skip
    dtype, own = self.dtype, self.shape
    shape = own if self.ndim > 1 else (1, *own)
    places, inner = _places(shape, ignore_index), prod(shape[2:])
    negative, divide, zeros = np.negative, np.divide, np.zeros
    one = grad_output.size == 1

    def kernel(
        grad_output: Any, self: Any, target: Any, weight: Any, reduction: int, ignore_index: int,
        total_weight: Any,
    ) -> Any:  # fmt: skip
        at, counts = places(target)
        g = divide(grad_output, total_weight) if reduction == MEAN else grad_output
        g = negative(g if one else g.reshape(-1))
        if weight is not None:
            g = g * weight.take(at // inner % shape[1])
        if counts is not None:
            g = np.where(counts, g, 0)
        out = zeros(own, dtype)
        out.reshape(-1)[at] = g.reshape(()) if g.size == 1 else g
        return out

    return kernel


def _nll_twice(
    loss: Any, g: Any, target: Any, weight: Any, reduction: int, ignore_index: int, total: Any
) -> Any:
    out = loss(g, target, weight, 0 if reduction == NONE else 2, ignore_index)
    return out / total if reduction == MEAN else out


def _grad_input(g: Any, self: Any, *rest: Any) -> Out:
    """Source of the refusal: torch aten/src/ATen/native/NLLLoss2d.cpp, zeros like the input."""
    if self.dim() == 4 and self.device.type != "meta":
        made = like(self)
        if made.strides is not None and not is_contiguous(made.shape, made.strides):
            raise RuntimeError("grad_input must be contiguous")
    return Out(tuple(self.shape), self.dtype)


def _rows(base: str, meta: Any, samples: str, out: str | OutForm = "output") -> None:
    """``…_forward`` and ``…_backward`` of one of the two likelihoods."""
    op(
        f"{base}_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
        "SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
        meta=meta,
        prepare=_prepare_nll,
        variants="",
        out=out,
        grad={
            "self": lambda g, c: getattr(ops, f"{base}_backward")(
                g[0], c.self, c.target, c.weight, c.reduction, c.ignore_index, c.result1
            )
        },
        tangent="linear",
        batch="whole_loop" if base == "nll_loss" else "",
        samples=samples,
        tags=("one_gradient", "on_meta: target, self, weight"),
    )
    op(
        f"{base}_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? weight, "
        "int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
        meta=_grad_input,
        prepare=_prepare_nll_backward,
        variants="",
        out="grad_input",
        grad={
            "grad_output": lambda g, c: _nll_twice(
                getattr(ops, base),
                g,
                c.target,
                c.weight,
                c.reduction,
                c.ignore_index,
                c.total_weight,
            ),
            "self": lambda g, c: g.new_zeros(c.self.shape),
        },
    )


_rows("nll_loss", _nll_meta, "nll_forward")


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
    if weight is not None and weight.numel() != shape[1]:
        raise RuntimeError("weight tensor should be defined either for all or no classes")
    if (shape[0], *shape[2:]) != wanted:
        raise RuntimeError(f"size mismatch (got input: {list(shape)} , target: {list(wanted)}")
    _check_target_dtype(target)
    refuse(self.dtype, {"nll_loss2d_forward_out_frame": INTEGRAL | BOOL | COMPLEX}, self)
    if target.dtype.name == "uint8":
        raise RuntimeError("expected scalar type Long but found Byte")
    _check_weight_dtype(self, weight)
    total = Out((), self.dtype)
    return (Out(wanted, self.dtype) if reduction == NONE else Out((), self.dtype)), total


_rows("nll_loss2d", _nll2d_meta, "nll2d_forward", OutForm("output", text=SCALAR_TYPE))


def _onto(name: str) -> Any:
    """The loss alone: the total weight goes where nobody looks."""

    def out_kernel(target: Any, self: Any, *rest: Any) -> None:
        of(name)(self, *rest, target, self.new_empty((0,)))

    return out_kernel


op(
    "nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
    "SymInt ignore_index=-100) -> Tensor",
    says="Return the negative log-likelihood of the right classes, given log-probabilities.",
    composite=lambda *args: ops.nll_loss_forward(*args)[0],
    module="nn",
    variants="function",
    out=True,
    out_kernel=_onto("nll_loss_forward.output"),
    samples="nll_loss",
    tags=("devices: target, self, weight",),
    autocast="float32",
)
op(
    "nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
    "SymInt ignore_index=-100) -> Tensor",
    says="Return the negative log-likelihood of the right class at each place of an image.",
    composite=lambda *args: ops.nll_loss2d_forward(*args)[0],
    module="nn",
    variants="function",
    out=True,
    out_kernel=_onto("nll_loss2d_forward.output"),
    samples="nll_loss2d",
    tags=("devices: target, self, weight",),
    autocast="float32",
)


def nll_loss_nd(self: Any, target: Any, weight: Any, reduction: int, ignore_index: int) -> Any:
    n = self.dim()
    if n < 1:
        raise ValueError(f"Expected 1 or more dimensions (got {n})")
    if n != 1 and (target.dim() == 0 or self.shape[0] != target.shape[0]):
        got = target.shape[0] if target.dim() else 0
        raise ValueError(
            f"Expected input batch_size ({self.shape[0]}) to match target batch_size ({got})."
        )
    if n <= 2:
        return of("nll_loss")(self, target, weight, reduction, ignore_index)
    if n == 4:
        return of("nll_loss2d")(self, target, weight, reduction, ignore_index)
    # Other numbers of dims are folded into images of height one.
    batch, classes = self.shape[:2]
    rest = tuple(self.shape[2:])
    if tuple(target.shape[1:]) != rest:
        raise RuntimeError(f"Expected target size {[batch, *rest]}, got {list(target.shape)}")
    x = self.contiguous()
    t = target.contiguous()
    height, width = (1, -1) if x.numel() else (0, 0)
    x, t = x.view((batch, classes, height, width)), t.view((batch, height, width))
    out = of("nll_loss2d")(x, t, weight, reduction, ignore_index)
    return out.view((batch, *rest)) if reduction == NONE else out


op(
    "nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
    "SymInt ignore_index=-100) -> Tensor",
    says="Return the negative log-likelihood of the right classes, for any number of dimensions.",
    composite=nll_loss_nd,
    module="nn",
    variants="function",
    samples="nll_loss_nd",
    tags=("devices: target, self, weight",),
)
