"""Second gradients of batch norm and layer norm: how their backward changes with its arguments.

Both normalise ``x`` over some dims: ``off = x - mean``, ``hat = off * rstd``. What a backward does
over those dims is one linear map, :meth:`Rows.back`; its derivative by ``x`` is :meth:`Rows.bent`.

Source: torch csrc/autograd/FunctionsManual.cpp, batchnorm_double_backward and
layer_norm_double_backward, whose order of operators this keeps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.operators import of

__all__ = ["batch_norm_twice", "layer_norm_twice"]


class Rows:
    """The statistics of an input, and what is summed over the dims of which they were taken.

    :param off: the input less its mean.
    :param rstd: one by the standard deviation.
    :param total: sums over those dims, which stay with a size of one.
    :param count: how many elements a sum has.
    """

    def __init__(self, off: Any, rstd: Any, total: Callable[[Any], Any], count: int) -> None:
        self.off, self.rstd, self.total, self.count = off, rstd, total, count
        self.rstd2, self.rstd3 = rstd.pow(2), rstd.pow(3)
        self.steep = off * self.rstd3

    def back(self, g: Any, scale: Any) -> Any:
        """The gradient of the input for *g*, the gradient of the normalised input by *scale*."""
        n = self.count
        lead = (scale * self.rstd).div_(n)
        rest = (g * n).sub_(self.total(g))
        along = self.total(g * self.off)
        return lead * rest.sub_(self.off.mul(self.rstd2) * along)

    def bent(self, gg: Any, g: Any, along: Any, sum_g: Any) -> Any:
        """The derivative of ``(back(g) * gg).sum()`` by the input.

        *along* and *sum_g* are the sums of ``g * off`` and ``g``.
        """
        n, total = self.count, self.total
        sum_gg = total(gg)
        gg_along = total(gg * self.off)
        both = (sum_gg * sum_g).div_(n).sub_(total(g * gg))
        both.add_((self.rstd2 * along * gg_along).mul_(3.0 / n))
        first = (self.steep * both).div_(n)
        rest = sum_g.div(n) - g
        second = (gg_along * self.rstd3).div_(n) * rest
        rest = sum_gg.div(n) - gg
        third = (along * self.rstd3).div_(n) * rest
        return first.add_(second).add_(third)


def _added(sum_: Any, part: Any) -> Any:
    return part if sum_ is None else sum_.add_(part)


def _ones(like: Any, *shape: int) -> Any:
    return of("ones")(shape, like.dtype, like.layout, like.device, None)


def batch_norm_twice(g: Any, c: Any) -> tuple[Any, Any, Any]:
    """Gradients of ``native_batch_norm_backward`` by grad_out, input and weight."""
    gg_input, gg_weight, gg_bias = g
    grad, x, weight, train = c.grad_out, c.input, c.weight, c.train
    ndim = x.dim()

    def across(t: Any) -> Any:
        while t.dim() < ndim - 1:
            t = t.unsqueeze(1)
        return t

    def total(t: Any, keep: bool = True) -> Any:
        t = t.sum((0,), keep)
        for d in range(t.dim() - 1, 1 if keep else 0, -1):
            t = t.sum((d,), keep)
        return t

    if weight is not None:
        scale = across(weight).expand(x.shape)
        if gg_weight is not None:
            gg_weight = across(gg_weight).expand(x.shape)
        if gg_bias is not None:
            gg_bias = across(gg_bias).expand(x.shape)
    else:  # torch reads the gradients of weight and bias only where there is a weight
        gg_weight = gg_bias = None
        scale = _ones(x)
    off = x - across((c.save_mean if train else c.running_mean).to(x.dtype)).unsqueeze(0)
    rstd = c.save_invstd.to(x.dtype) if train else (c.running_var + c.eps).pow(-0.5)
    rows = Rows(off, across(rstd).unsqueeze(0), total, x.numel() // max(x.shape[1], 1))
    n, rstd = rows.count, rows.rstd
    along, sum_g = total(grad * off), total(grad)

    to_input = to_weight = to_grad = None
    if gg_input is not None and train:
        to_input = scale * rows.bent(gg_input, grad, along, sum_g)
    if weight is not None and gg_weight is not None:
        if train:
            part = grad * rstd
            even = (rstd * sum_g).div_(-n)
            slope = (rows.steep * total(grad * off)).div_(-n)
            part = gg_weight * part.add_(even).add_(slope)
        else:
            part = gg_weight * rstd * grad
        to_input = _added(to_input, part)
    if gg_input is not None and weight is not None:
        if train:
            to_weight = total(gg_input * rows.back(grad, _ones(rstd)), False)
        else:
            to_weight = total(gg_input * grad * rstd, False)
    if gg_input is not None:
        to_grad = rows.back(gg_input, scale) if train else gg_input * rstd * scale
    if gg_weight is not None:
        to_grad = _added(to_grad, gg_weight * off * rstd)
    if gg_bias is not None:
        to_grad = _added(to_grad, gg_bias)
    return to_grad, to_input, to_weight


def layer_norm_twice(g: Any, c: Any) -> tuple[Any, Any, Any]:
    """Gradients of ``native_layer_norm_backward`` by grad_out, input and weight."""
    gg_input, gg_weight, gg_bias = g
    weight = c.weight
    n = 1
    for size in c.normalized_shape:
        n *= size
    m = c.input.numel() // n if n else 0
    x, grad = c.input.reshape((m, n)), c.grad_out.reshape((m, n))
    mean, rstd = c.mean.reshape((m, 1)), c.rstd.reshape((m, 1))
    if weight is not None:
        scale = weight.reshape((1, n))
        if gg_weight is not None:
            gg_weight = gg_weight.reshape((1, n))
        if gg_bias is not None:
            gg_bias = gg_bias.reshape((1, n))
    else:
        gg_weight = gg_bias = None
        scale = _ones(x, 1)
    if gg_input is not None:
        gg_input = gg_input.reshape((m, n))

    def total(t: Any) -> Any:
        return t.sum((1,), True)

    off = x - mean
    rows = Rows(off, rstd, total, n)
    to_input = to_weight = to_grad = None
    if gg_input is not None:
        scaled = grad * scale
        along = total(scaled * off)
        to_input = rows.bent(gg_input, scaled, along, total(scaled))
    if weight is not None and gg_weight is not None:
        part = grad * gg_weight * rstd
        even = (rstd * total(grad * gg_weight)).div_(-n)
        slope = (rows.steep * total(grad * gg_weight * off)).div_(-n)
        to_input = _added(to_input, part.add_(even).add_(slope))
    if to_input is not None:
        to_input = to_input.reshape(c.input.shape)
    if gg_input is not None and weight is not None:
        to_weight = (grad * rows.back(gg_input, _ones(rstd))).sum((0,)).reshape(weight.shape)
    if gg_input is not None:
        to_grad = rows.back(gg_input, scale)
    if gg_weight is not None:
        to_grad = _added(to_grad, gg_weight * off * rstd)
    if gg_bias is not None:
        to_grad = _added(to_grad, gg_bias)
    if to_grad is not None:
        to_grad = to_grad.expand((m, n)).reshape(c.grad_out.shape)
    return to_grad, to_input, to_weight
