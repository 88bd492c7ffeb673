"""Distances of every vector to every other: ``cdist``.

Source: torch aten/src/ATen/native/Distance.cpp, cpu/DistanceOpsKernel.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from ..call.elementwise_meta import broadcast_shapes, common_dtype, refuse
from ..call.row import Out, op
from ..core.dims import scalar_name
from ..core.operators import ops
from .derivatives import no_formula_for
from .summation import sums

__all__ = ["BLOCK", "lengths", "slopes"]

_MEASURED = frozenset({"float32", "float64"})
#: About so many differences stay in a cache.
BLOCK = 65536
#: Rows beyond which a product of matrices is faster than differences.
_MANY = 25


def lengths(p: float, like: Any) -> Callable[[Any], Any]:
    """What takes the *p*-norms over the last axis, of arrays like *like*, which it overwrites."""
    absolute, multiply, sqrt, power = np.abs, np.multiply, np.sqrt, np.power
    shape, dtype = like.shape[:-1], like.dtype
    total = sums(like, (like.ndim - 1,), shape)
    if p == 0:
        return lambda a: total((a != 0).astype(dtype))
    if p == 1:
        return lambda a: total(absolute(a, a))
    if p == math.inf:
        largest = np.maximum.reduce
        return lambda a: largest(absolute(a, a), -1, None, None, False, 0)
    if p == 2:

        def euclidean(a: Any) -> Any:
            out = total(multiply(a, a, a))
            return sqrt(out, out)

        return euclidean
    order, root = dtype.type(p), dtype.type(1 / p)

    def general(a: Any) -> Any:
        absolute(a, a)
        out = total(power(a, order, a))
        return power(out, root, out)

    return general


def slopes(g: Any, differences: Any, lengths: Any, p: float) -> Any:
    """How each difference pulls: *g* and *lengths* have one dimension less."""
    if p == 0:
        return np.zeros_like(differences)
    if p == 2:
        flat = lengths == 0
        pull = differences * np.where(flat, 0, g)[..., None]
        pull /= np.where(flat, 1, lengths)[..., None]
        return pull
    g, lengths = g[..., None], lengths[..., None]
    signs = np.sign(differences)
    if p == 1:
        return g * signs
    sizes = np.abs(differences)
    if p == math.inf:
        return g * signs * (sizes == lengths)
    steep = signs * (sizes / lengths) ** (p - 1)
    flat = lengths == 0
    if p < 1:
        flat = flat | (sizes == 0)
    return g * np.where(flat, steep.dtype.type(0), steep)


def _check_cdist(x1: Any, x2: Any, p: float, compute_mode: int | None) -> tuple[int, ...]:
    """The shape of the result."""
    for x, name in ((x1, "X1"), (x2, "X2")):
        if not x.dtype.is_floating_point:
            raise RuntimeError(
                f"cdist only supports floating-point dtypes, {name} got: {scalar_name(x.dtype)}"
            )
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    if not 0 <= (compute_mode or 0) <= 2:
        raise RuntimeError(f"possible modes: 0, 1, 2, but was: {compute_mode}")
    a, b = tuple(x1.shape), tuple(x2.shape)
    return (*broadcast_shapes(a[:-2], b[:-2]), a[-2], b[-2])


def _by_product(x1: Any, x2: Any, p: float, compute_mode: int | None) -> bool:
    many = x1.size(-2) > _MANY or x2.size(-2) > _MANY
    return p == 2 and (compute_mode == 1 or (compute_mode in (None, 0) and many))


def _cdist(x1: Any, x2: Any, p: float, compute_mode: int | None) -> Any:
    for x, name in ((x1, "X1"), (x2, "X2")):
        if x.dim() < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {x.dim()}D")
    columns = x1.size(-1)
    if columns != x2.size(-1):
        raise RuntimeError(
            f"X1 and X2 must have the same number of columns. X1: {columns} X2: {x2.size(-1)}"
        )
    if not _by_product(x1, x2, p, compute_mode):
        return ops._cdist_forward(x1, x2, p, compute_mode)
    shape = _check_cdist(x1, x2, p, compute_mode)
    count, n, m = math.prod(shape[:-2]), *shape[-2:]
    first = x1.expand((*shape[:-2], n, columns)).contiguous().view(count, n, columns)
    second = x2.expand((*shape[:-2], m, columns)).contiguous().view(count, m, columns)
    if not (n and m and count):
        return ops.empty(shape, dtype=x1.dtype, device=x1.device)
    if not columns:
        return ops.zeros(shape, dtype=x1.dtype, device=x1.device)
    if count == 1:
        first, second = x1, x2
    return ops._euclidean_dist(first, second).view(shape)


def _forward_meta(x1: Any, x2: Any, p: float, compute_mode: int | None) -> Out:
    shape = _check_cdist(x1, x2, p, compute_mode)
    if math.prod(shape) and x1.shape[-1]:
        refuse(x1.dtype, {"cdist": frozenset({x1.dtype.name}) - _MEASURED}, x1)
        if x1.dtype is not x2.dtype:
            raise RuntimeError(
                f"expected scalar type {scalar_name(x1.dtype)} but found {scalar_name(x2.dtype)}"
            )
    return Out(shape, x1.dtype)


def _prepare_forward(x1: Any, x2: Any, p: float, compute_mode: int | None) -> Callable[..., Any]:
    if x1.size * x2.shape[-2] > BLOCK:
        return _by_blocks(x1, x2, p)
    subtract, every = np.subtract, slice(None)
    first, second = (..., None, every), (..., None, every, every)
    length = lengths(p, _apart(x1, x2))
    return lambda x1, x2, *_: length(subtract(x1[first], x2[second]))


def _by_blocks(x1: Any, x2: Any, p: float) -> Callable[..., Any]:
    """The same of many differences, of which so many are made at a time as stay in a cache."""
    batch = broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    n, m, dtype = x1.shape[-2], x2.shape[-2], np.result_type(x1, x2)

    def kernel(x1: Any, x2: Any, *_: Any) -> Any:
        first, second = _spread(x1, batch), _spread(x2, batch)
        out = np.empty((len(first), n, m), dtype)
        measures: dict[Any, Callable[[Any], Any]] = {}
        for items, rows in _blocks(first, m):
            apart = _apart(first[items, rows], second[items])
            measure = measures.get(apart.shape)
            if measure is None:
                measure = measures[apart.shape] = lengths(p, apart)
            out[items, rows] = measure(apart)
        return out.reshape(*batch, n, m)

    return kernel


def _spread(x: Any, batch: tuple[int, ...]) -> Any:
    """Matrices as one batch of so many."""
    return np.broadcast_to(x, (*batch, *x.shape[-2:])).reshape(-1, *x.shape[-2:])


def _blocks(x: Any, columns: int) -> Iterator[tuple[slice, slice]]:
    """Items and rows of *x* whose differences from so many others are taken at a time."""
    count, n, width = x.shape
    own = max(columns * width, 1)
    if n * own <= BLOCK:
        step = BLOCK // max(n * own, 1)
        for i in range(0, count, step):
            yield slice(i, i + step), slice(None)
        return
    step = max(BLOCK // own, 1)
    for i in range(count):
        for k in range(0, n, step):
            yield slice(i, i + 1), slice(k, k + step)


def _apart(x1: Any, x2: Any) -> Any:
    return x1[..., :, None, :] - x2[..., None, :, :]


def _backward_meta(grad: Any, x1: Any, x2: Any, p: float, cdist: Any) -> Out:
    batch = broadcast_shapes(tuple(x1.shape)[:-2], tuple(x2.shape)[:-2])
    return Out((*batch, *tuple(x1.shape)[-2:]), x1.dtype)


def _backward(grad: Any, x1: Any, x2: Any, p: float, cdist: Any) -> Any:
    if x1.size * x2.shape[-2] <= BLOCK:
        return slopes(grad, _apart(x1, x2), cdist, p).sum(-2)
    batch = broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    first, second = _spread(x1, batch), _spread(x2, batch)
    grad, cdist = _spread(grad, batch), _spread(cdist, batch)
    out = np.empty(first.shape, first.dtype)
    for items, rows in _blocks(first, x2.shape[-2]):
        apart = _apart(first[items, rows], second[items])
        out[items, rows] = slopes(grad[items, rows], apart, cdist[items, rows], p).sum(-2)
    return out.reshape(*batch, *out.shape[1:])


def _second(t: Any) -> Any:
    return ops.transpose(t, -2, -1).contiguous()


op(
    "_cdist_forward(Tensor x1, Tensor x2, float p, int? compute_mode) -> Tensor",
    meta=_forward_meta,
    prepare=_prepare_forward,
    grad={
        "x1": lambda g, c: ops._cdist_backward(g.contiguous(), c.x1, c.x2, c.p, c.result),
        "x2": lambda g, c: ops._cdist_backward(_second(g), c.x2, c.x1, c.p, _second(c.result)),
    },
    variants="",
    tangent="not implemented",
    batch="whole_loop",
    tags=("needs_whole",),
)
op(
    "_cdist_backward(Tensor grad, Tensor x1, Tensor x2, float p, Tensor cdist) -> Tensor",
    meta=_backward_meta,
    kernel=_backward,
    grad=no_formula_for("_cdist_backward", "grad", "x1", "x2", "cdist"),
    variants="",
    tangent="not implemented",
)


def _euclidean_meta(x1: Any, x2: Any) -> Out:
    batch = broadcast_shapes(tuple(x1.shape)[:-2], tuple(x2.shape)[:-2])
    return Out((*batch, x1.shape[-2], x2.shape[-2]), common_dtype(x1, x2))


def _prepare_euclidean(x1: Any, x2: Any) -> Callable[..., Any]:
    shape = broadcast_shapes(x1.shape[:-2], x2.shape[:-2])
    dtype = np.result_type(x1, x2)
    rows = sums(x1, (x1.ndim - 1,), (*x1.shape[:-1], 1))
    columns = sums(x2, (x2.ndim - 1,), (*x2.shape[:-2], 1, x2.shape[-2]))
    minus_two, zero = np.array(-2, dtype), np.zeros((), dtype)
    multiply, add, larger, sqrt = np.multiply, np.add, np.maximum, np.sqrt
    product = np.matmul if shape or x1.ndim != 2 or x2.ndim != 2 else np.dot

    def kernel(x1: Any, x2: Any) -> Any:
        out = product(x1, x2.swapaxes(-1, -2))
        multiply(out, minus_two, out)
        add(out, rows(multiply(x1, x1)) + columns(multiply(x2, x2)), out)
        larger(out, zero, out=out)
        return sqrt(out, out)

    return kernel


def _euclidean_grads(g: Any, c: Any) -> tuple[Any, Any]:
    """Both, also where one is asked for, and the products first, as torch has it."""
    ratio = (g / c.result).masked_fill_(c.result == 0, 0)
    x1, x2 = c.x1, c.x2
    near = ratio.matmul(x2)
    by_first = x1 * ratio.sum(-1, True) - near
    near = ops.transpose(ratio, -2, -1).matmul(x1)
    by_second = x2 * ratio.sum(-2, False).unsqueeze(-1) - near
    return by_first if c.mask[0] else None, by_second if c.mask[1] else None


op(
    "_euclidean_dist(Tensor x1, Tensor x2) -> Tensor",
    meta=_euclidean_meta,
    prepare=_prepare_euclidean,
    grad={"x1, x2": _euclidean_grads},
    variants="",
    tangent="not implemented",
)
op(
    "cdist(Tensor x1, Tensor x2, float p=2, int? compute_mode=None) -> Tensor",
    says="""Return the distances between all pairs of rows of two matrices.
    Shapes ``(*, p, m)`` and ``(*, r, m)`` give ``(*, p, r)``.

    >>> torch.cdist(torch.tensor([[0., 0.]]), torch.tensor([[3., 4.], [0., 1.]]))
    tensor([[5., 1.]])
    """,
    composite=_cdist,
    variants="function",
    samples="cdist",
    autocast="float32",
)
