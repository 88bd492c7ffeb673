"""Tangents of ops that torch has another rule of than their gradient's formulas give.

A rule goes from what a formula sees, see ``tangent`` of ``call.row.op``, to the tangent of the
result. It says what torch says where the gradient is not defined: at NaN and where elements are
equal.

Source: torch tools/autograd/derivatives.yaml.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..call.row import ROWS
from ..core.operators import conj, ops
from ..core.reduction import NONE, reduce

__all__ = [
    "halved",
    "not_of_products",
    "of_binary_cross_entropy",
    "of_clamp",
    "of_equals",
    "of_larger",
    "of_logcumsumexp",
    "of_logsumexp",
    "of_masked_scatter_backward",
    "of_pair_loss",
    "of_product",
    "of_what_is_drawn",
    "unless_nan",
    "zero_at_zero",
]


def of_masked_scatter_backward(c: Any) -> Any:
    return ops.masked_scatter_backward(c.tangents["grad_output"], c.mask, c.grad_output.shape)


def of_logcumsumexp(c: Any) -> Any:
    """Of real numbers by their distance to the largest, and never divided by nothing."""
    x, tangent = c.self, c.tangents["self"]
    if x.is_complex() or not x.dim():
        weights = ops.exp(x)
        return ops.cumsum(weights * tangent, c.dim) / ops.cumsum(weights, c.dim)
    weights = ops.exp(x - ops.max(x, c.dim, True)[0])
    return ops.cumsum(weights * tangent, c.dim) / (ops.cumsum(weights, c.dim) + 1e-13)


def of_logsumexp(c: Any) -> Any:
    """The mean of the tangents by weight, of no element at all NaN."""
    x = c.self
    top = ops.real(x) if x.is_complex() else x
    weights = ops.exp(x - ops.amax(top, c.dim, True) if x.numel() else x)
    total = ops.sum(weights, c.dim, c.keepdim)
    return ops.sum(weights * c.tangents["self"], c.dim, c.keepdim) / total


def of_product(name: str) -> Callable[[Any], Any]:
    """Of a product in another dtype the tangent stays in that of the factors, unless it drops."""

    def rule(c: Any) -> Any:
        g = ROWS[name].grad["self"](ops.ones_like(c.result), c)
        each = g * conj(c.tangents["self"])
        along = () if name == "prod" else (c.dim, c.keepdim)
        found = ops.sum(each, *along).conj()
        real = found.is_complex() and not c.result.is_complex()
        return ops.real(found).to(c.result.dtype) if real else found

    return rule


def of_binary_cross_entropy(c: Any) -> Any:
    """The gradient formulas at the tangents, of each element; then what the reduction makes."""
    each = SimpleNamespace(self=c.self, target=c.target, weight=c.weight, reduction=NONE)
    parts = [
        formula(c.tangents[name], each)
        for name, formula in (ROWS["binary_cross_entropy"].grad or {}).items()
        if c.tangents[name] is not None
    ]
    return reduce(parts[0] if len(parts) == 1 else parts[0] + parts[1], c.reduction)


def of_pair_loss(slope: str) -> Callable[[Any], Any]:
    """The slope of each element times its tangent, for both sides; then what the reduction makes.

    torch's formula takes zeros for a tangent that is not there, and its slopes broadcast.
    """

    def rule(c: Any) -> Any:
        rest = () if slope.startswith("mse") else (c.args[3],)
        one, two = (
            ops.zeros_like(value) if tangent is None else tangent
            for tangent, value in (
                (c.tangents["self"], c.self),
                (c.tangents["target"], c.target),
            )
        )
        backward = getattr(ops, slope)
        own = backward(one, c.self, c.target, NONE, *rest)
        other = backward(two, c.target, c.self, NONE, *rest)
        return reduce(own + other, c.reduction)

    return rule


def of_what_is_drawn(name: str) -> Callable[[Any], Any]:
    """Zeros of the shape of the argument *name*, where that has a tangent: what was drawn."""

    def rule(c: Any) -> Any:
        return None if c.tangents[name] is None else ops.zeros_like(c.tangents[name])

    return rule


def of_equals(c: Any) -> Any:
    """The mean of the tangents of all elements that are the one chosen."""
    mask = ops.eq(c.self, c.result)
    return ops.sum(mask * (c.tangents["self"] / mask.sum()))


def of_larger(chosen: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """The tangent of ``self`` where *chosen* gives 1, that of ``other`` where it gives 0."""

    def rule(c: Any) -> Any:
        one, two = (
            ops.zeros_like(value) if tangent is None else tangent
            for tangent, value in ((c.tangents["self"], c.self), (c.tangents["other"], c.other))
        )
        return two + chosen(c.self, c.other).to(c.result.dtype) * (one - two)

    return rule


def of_clamp(c: Any) -> Any:
    """Of the limit that was taken; where they cross it is the upper one.

    Source: torch csrc/autograd/FunctionsManual.cpp, clamp_jvp.
    """
    x, low, high = c.self, c.min, c.max
    own, to_low, to_high = (
        ops.zeros_like(value) if tangent is None and value is not None else tangent
        for tangent, value in (
            (c.tangents.get("self"), x), (c.tangents.get("min"), low), (c.tangents.get("max"), high)
        )
    )  # fmt: skip
    if high is None:
        return ops.where(x > low, own, to_low)
    if low is None:
        return ops.where(x < high, own, to_high)
    inside = ops.where(x > high, to_high, own)
    return ops.where(low > high, to_high, ops.where(x < low, to_low, inside))


def halved(larger: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """1 or 0 by *larger*, and a half where both are equal."""
    return lambda x, y: ops.where(ops.eq(x, y), 0.5, larger(x, y).to(x.dtype))


def unless_nan(larger: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    """1 by *larger*, or where the other element is NaN."""
    return lambda x, y: ops.logical_or(larger(x, y), ops.isnan(y))


def zero_at_zero(found: Any, context: Any) -> Any:
    """No change where nothing varies, whatever the transposed gradient says."""
    if isinstance(found, list):
        return [zero_at_zero(found[0], context), *found[1:]]
    return None if found is None else found.masked_fill(ops.eq(context.results[0], 0), 0)


def not_of_products(found: Any, context: Any) -> Any:
    """torch has no tangent of them."""
    return None if context.reduce == "prod" else found
