"""Sums over shared dims: ``tensordot``, ``einsum``, and the Kronecker and cross products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from mindtorch.ops.call import conj, ops
from mindtorch.ops.dims import numel_of, scalar_name, wrap_dim
from mindtorch.ops.meta import BOOL, broadcast_shapes, refuse
from mindtorch.ops.row import Out, op

__all__ = ["contracted"]


def contracted(a: Any, b: Any, dims_a: Sequence[int], dims_b: Sequence[int]) -> Any:
    """``tensordot``: one matrix product, with the contracted dims brought together."""
    if len(dims_a) != len(dims_b):
        raise RuntimeError("both dimension lists should have same length")
    if a.dtype != b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    inner = 1
    left, right = a, b
    for da, db in zip(dims_a, dims_b, strict=True):
        m, n = a.shape[wrap_dim(da, a.dim())], b.shape[wrap_dim(db, b.dim())]
        if n == 1:
            left = left.sum((da,), True)
        elif m == 1:
            right = right.sum((db,), True)
        else:
            if m != n:
                raise RuntimeError(
                    f"contracted dimensions need to match, but first has size {m} in dim {da} "
                    f"and second has size {n} in dim {db}"
                )
            inner *= m
    gone_a = [wrap_dim(d, a.dim()) for d in dims_a]
    gone_b = [wrap_dim(d, b.dim()) for d in dims_b]
    rest_a = [d for d in range(a.dim()) if d not in gone_a]
    rest_b = [d for d in range(b.dim()) if d not in gone_b]
    shape_a = [left.shape[d] for d in rest_a]
    shape_b = [right.shape[d] for d in rest_b]
    left = left.permute(rest_a + gone_a).reshape((numel_of(shape_a), inner))
    right = right.permute(gone_b + rest_b).reshape((inner, numel_of(shape_b)))
    return left.mm(right).reshape(shape_a + shape_b)


op(
    "tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
    composite=contracted,
    variants="function",
    out=True,
    samples="tensordot",
)


def _kron(self: Any, other: Any) -> Any:
    n = max(self.dim(), other.dim())
    a = [1] * (n - self.dim()) + list(self.shape)
    b = [1] * (n - other.dim()) + list(other.shape)
    left = [s for size in a for s in (size, 1)]
    right = [s for size in b for s in (1, size)]
    product = self.reshape(left) * other.reshape(right)
    return product.reshape([m * k for m, k in zip(a, b, strict=True)])


op("kron(Tensor self, Tensor other) -> Tensor", composite=_kron, out=True, samples="kron")


# -- the cross product --------------------------------------------------------------------------


def _cross_meta(self: Any, other: Any, dim: int) -> Out:
    a, b = tuple(self.shape), tuple(other.shape)
    if len(a) != len(b):
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    d = wrap_dim(dim, len(a))
    if a[d] != 3 or b[d] != 3:
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {a[d]} and {b[d]}"
        )
    shape = broadcast_shapes(a, b)
    if self.dtype is not other.dtype:
        raise RuntimeError(
            f"expected scalar type {scalar_name(self.dtype)} but found {scalar_name(other.dtype)}"
        )
    refuse(self.dtype, {"cross": BOOL}, self)
    return Out(shape, self.dtype)


def _cross(self: Any, other: Any, dim: int) -> Any:
    shape = np.broadcast_shapes(self.shape, other.shape)
    d = dim % len(shape)
    a = np.moveaxis(np.broadcast_to(self, shape), d, 0)
    b = np.moveaxis(np.broadcast_to(other, shape), d, 0)
    out = np.empty(shape, self.dtype)
    to = np.moveaxis(out, d, 0)
    for i, (j, k) in enumerate(((1, 2), (2, 0), (0, 1))):
        to[i] = a[j] * b[k] - a[k] * b[j]
    return out


op(
    "linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor",
    meta=_cross_meta,
    kernel=_cross,
    variants="",
    out=True,
    grad={
        "self": lambda g, c: ops.linalg_cross(conj(c.other), g, dim=c.dim),
        "other": lambda g, c: ops.linalg_cross(g, conj(c.self), dim=c.dim),
    },
    samples="linalg_cross",
)


def _cross_any(self: Any, other: Any, dim: int | None) -> Any:
    if dim is None:
        for d, size in enumerate(self.shape):
            if size == 3:
                dim = d
                break
        else:
            raise RuntimeError("no dimension of size 3 in input")
    return ops.linalg_cross(self, other, dim=dim)


op(
    "cross(Tensor self, Tensor other, int? dim=None) -> Tensor",
    composite=_cross_any,
    out=True,
    samples="cross",
)


# -- einsum -------------------------------------------------------------------------------------

_ELLIPSIS = "."


def _letters(text: str, start: int, which: str, place: str) -> list[str]:
    """The subscripts of one operand or of the output; ``"."`` stands for the ellipsis.

    Source of the texts: torch aten/src/ATen/native/Linear.cpp, einsum.
    """
    out: list[str] = []
    i = 0
    while i < len(text):
        ch = text[i]
        if ch == " ":
            i += 1
            continue
        if ch == ".":
            if _ELLIPSIS in out:
                raise RuntimeError(
                    f"einsum(): found '.' for {which} for which an ellipsis was already found"
                )
            if text[i : i + 3] != "...":
                raise RuntimeError(
                    f"einsum(): found '.' for {which} that is not part of any ellipsis{place}"
                )
            out.append(_ELLIPSIS)
            i += 3
            continue
        if not (ch.isascii() and ch.isalpha()):
            raise RuntimeError(
                f"einsum(): invalid subscript given at index {start + i} in the equation string, "
                "subscripts must be in [a-zA-Z]"
            )
        out.append(ch)
        i += 1
    return out


def _parse(equation: str, tensors: Sequence[Any]) -> tuple[list[list[str]], list[str] | None]:
    if not tensors:
        raise RuntimeError("einsum(): must provide at least one operand")
    arrow = equation.find("->")
    left = equation if arrow < 0 else equation[:arrow]
    operands, start = [], 0
    for i, part in enumerate(left.split(",")):
        if i >= len(tensors):
            raise RuntimeError(
                "einsum(): fewer operands were provided than specified in the equation"
            )
        operands.append(_letters(part, start, f"operand {i}", ""))
        start += len(part) + 1
    if len(operands) < len(tensors):
        raise RuntimeError("einsum(): more operands were provided than specified in the equation")
    output = None
    if arrow >= 0:
        output = _letters(equation[arrow + 2 :], arrow + 2, "output", " (...)")
    for i, (subs, t) in enumerate(zip(operands, tensors, strict=True)):
        named = len([s for s in subs if s != _ELLIPSIS])
        dims = t.dim()
        if _ELLIPSIS in subs:
            if named > dims:
                raise RuntimeError(
                    f"einsum(): the number of subscripts in the equation ({named}) is more than "
                    f"the number of dimensions ({dims}) for operand {i}"
                )
        elif named != dims:
            raise RuntimeError(
                f"einsum(): the number of subscripts in the equation ({named}) does not match the "
                f"number of dimensions ({dims}) for operand {i} and no ellipsis was given"
            )
    return operands, output


def _output_labels(operands: list[list[str]], output: list[str] | None) -> list[str]:
    seen = [s for subs in operands for s in subs if s != _ELLIPSIS]
    if output is None:
        once = sorted(s for s in set(seen) if seen.count(s) == 1)
        wide = [_ELLIPSIS] if any(_ELLIPSIS in subs for subs in operands) else []
        return wide + once
    named = [s for s in output if s != _ELLIPSIS]
    for s in named:
        if named.count(s) > 1:
            raise RuntimeError(
                f"einsum(): output subscript {s} appears more than once in the output"
            )
        if s not in seen:
            raise RuntimeError(
                f"einsum(): output subscript {s} does not appear in the equation for any input "
                "operand"
            )
    return output


def _aligned(t: Any, subs: list[str], order: list[str], wide: int, operand: int) -> Any:
    """*t* with one dim per label of *order* (size one where it lacks the label)."""
    labels: list[str] = []
    for s in subs:
        if s == _ELLIPSIS:
            extra = t.dim() - (len(subs) - 1)
            labels += [f".{wide - extra + i}" for i in range(extra)]
        else:
            labels.append(s)
    i = 0
    while i < len(labels):
        first = labels.index(labels[i])
        if first < i:
            m, n = t.shape[first], t.shape[i]
            if m != n:
                raise RuntimeError(
                    f"einsum(): subscript {labels[i]} is repeated for operand {operand} but the "
                    f"sizes don't match, {n} != {m}"
                )
            t = t.diagonal(0, first, i).movedim(-1, first)
            del labels[i]
        else:
            i += 1
    present = [s for s in order if s in labels]
    t = t.permute([labels.index(s) for s in present])
    return t.reshape([t.shape[present.index(s)] if s in labels else 1 for s in order])


def _check_sizes(parts: list[Any], order: list[str]) -> None:
    for d, label in enumerate(order):
        size = 1
        for i, t in enumerate(parts):
            n = t.shape[d]
            if n != 1 and size not in (1, n):
                raise RuntimeError(
                    f"einsum(): subscript {label} has size {n} for operand {i} which does not "
                    f"broadcast with previously seen size {size}"
                )
            size = n if size == 1 else size


def _pair(a: Any, b: Any, summed: list[int]) -> Any:
    """Product of two aligned tensors, summed over *summed* (kept as size one)."""
    groups: dict[str, list[int]] = {"both": [], "left": [], "right": [], "sum": []}
    for d in range(a.dim()):
        m, n = a.shape[d], b.shape[d]
        if d in summed:
            if m != 1 and n != 1:
                groups["sum"].append(d)
            elif m != 1:
                a = a.sum((d,), True)
            elif n != 1:
                b = b.sum((d,), True)
        elif m != 1 and n != 1:
            groups["both"].append(d)
        elif m != 1:
            groups["left"].append(d)
        elif n != 1:
            groups["right"].append(d)
    both, left, right, inner = groups["both"], groups["left"], groups["right"], groups["sum"]
    ones = [d for d in range(a.dim()) if d not in both + left + right + inner]
    n_both, n_left, n_right, n_inner = (
        numel_of(
            [max(a.shape[d], b.shape[d]) if 0 not in (a.shape[d], b.shape[d]) else 0 for d in g]
        )
        for g in (both, left, right, inner)
    )
    x = a.permute(both + left + inner + right + ones).reshape((n_both, n_left, n_inner))
    y = b.permute(both + inner + right + left + ones).reshape((n_both, n_inner, n_right))
    out = x.bmm(y)
    shape = [a.shape[d] for d in both + left] + [b.shape[d] for d in right]
    shape += [1] * (len(inner) + len(ones))
    order = both + left + right + inner + ones
    back = [order.index(d) for d in range(a.dim())]
    return out.reshape(shape).permute(back)


def _einsum(equation: str, tensors: Sequence[Any], path: Any) -> Any:
    operands, output = _parse(equation, tensors)
    wide = max(
        [t.dim() - (len(s) - 1) for s, t in zip(operands, tensors, strict=True) if _ELLIPSIS in s],
        default=0,
    )
    labels = _output_labels(operands, output)
    final: list[str] = []
    for s in labels:
        final += [f".{i}" for i in range(wide)] if s == _ELLIPSIS else [s]
    every = [f".{i}" for i in range(wide)] + sorted(
        {s for subs in operands for s in subs if s != "."}
    )
    order = final + [s for s in every if s not in final]
    parts = [
        _aligned(t, subs, order, wide, i)
        for i, (t, subs) in enumerate(zip(tensors, operands, strict=True))
    ]
    _check_sizes(parts, order)
    gone = range(len(final), len(order))
    if path is not None:
        return _along_path(parts, path, len(final), gone)
    current = parts[0]
    for i, nxt in enumerate(parts[1:], 1):
        done = [d for d in gone if all(p.shape[d] == 1 for p in parts[i + 1 :])]
        current = _pair(current, nxt, done)
    if len(parts) == 1 and len(gone):
        current = current.sum(tuple(gone), True)
    return _without(current, len(final))


def _along_path(parts: list[Any], path: Sequence[int], keep: int, gone: Sequence[int]) -> Any:
    parts = list(parts)
    for i in range(0, len(path) - 1, 2):
        first, second = sorted((path[i], path[i + 1]))
        b, a = parts.pop(second), parts.pop(first)
        done = [d for d in gone if all(p.shape[d] == 1 for p in parts)]
        parts.append(_pair(a, b, done))
    current = parts[0]
    if len(parts) == 1 and any(current.shape[d] != 1 for d in gone):
        current = current.sum(tuple(gone), True)
    return _without(current, keep)


def _without(t: Any, keep: int) -> Any:
    """*t* without the dims (all of size one) after the first *keep*."""
    extra = range(keep, t.dim())
    return t.squeeze(tuple(extra)) if len(extra) else t


op(
    "einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
    composite=_einsum,
    variants="function",
    samples="einsum",
)
