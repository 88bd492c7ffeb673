"""``einsum``: the equation is read, operands are aligned and multiplied two by two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch.call.row import op
from mindtorch.core.dims import numel_of

__all__: list[str] = []

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
    for s in order:
        if s not in labels:
            t = t.unsqueeze(t.dim())
            labels.append(s)
    return t.permute(tuple([labels.index(s) for s in order]))


def _check_sizes(tensors: Sequence[Any], operands: Any, parts: list[Any], order: list[str]) -> None:
    for d, label in enumerate(order):
        size = 1
        for i, t in enumerate(parts):
            n = t.shape[d]
            if n != 1 and size not in (1, n):
                if label[0] == _ELLIPSIS:
                    # Labels count through the widest ellipsis, dimensions through the operand.
                    wide = sum(other[0] == _ELLIPSIS for other in order)
                    own = tensors[i].dim() - (len(operands[i]) - 1)
                    place = operands[i].index(_ELLIPSIS) + int(label[1:]) - (wide - own)
                    raise RuntimeError(
                        f"einsum(): dimension {place} covered by ellipsis in operand {i}has size "
                        f"{n} which does not broadcast with previously seen ellipsis with size "
                        f"{size} for the respective dimension"
                    )
                raise RuntimeError(
                    f"einsum(): subscript {label} has size {n} for operand {i} which does not "
                    f"broadcast with previously seen size {size}"
                )
            size = n if size == 1 else size


def _pair(a: Any, b: Any, summed: list[int]) -> Any:
    """Product of two aligned tensors, summed over *summed* (kept as size one).

    Source: torch aten/src/ATen/native/Linear.cpp, sumproduct_pair.
    """
    if not summed:
        return a.mul(b)
    both: list[int] = []
    left: list[int] = []
    right: list[int] = []
    for d in range(a.dim()):
        if d in summed:
            continue
        m, n = a.shape[d] != 1, b.shape[d] != 1
        (both if m and n else left if m else right).append(d)
    if left and right and right[-1] < left[0]:
        return _pair(b, a, summed)  # then the result lies in memory in the order of its dims
    n_both, n_left, n_inner = (numel_of([a.shape[d] for d in g]) for g in (both, left, summed))
    n_right = numel_of([b.shape[d] for d in right])
    order = both + left + summed + right
    x = a.permute(tuple(order)).reshape((n_both, n_left, n_inner))
    y = b.permute((*both, *summed, *right, *left)).reshape((n_both, n_inner, n_right))
    ones = (1,) * len(summed)
    shape = (*[a.shape[d] for d in both + left], *ones, *[b.shape[d] for d in right])
    return x.bmm(y).view(shape).permute(tuple([order.index(d) for d in range(a.dim())]))


def _einsum(equation: str, tensors: Sequence[Any], path: Any) -> Any:
    operands, output = _parse(equation, tensors)
    wide = max(
        [t.dim() - (len(s) - 1) for s, t in zip(operands, tensors, strict=True) if _ELLIPSIS in s],
        default=0,
    )
    final: list[str] = []
    for s in _output_labels(operands, output):
        final += [f".{i}" for i in range(wide)] if s == _ELLIPSIS else [s]
    every = [f".{i}" for i in range(wide)] + sorted(
        {s for subs in operands for s in subs if s != "."}
    )
    order = final + [s for s in every if s not in final]
    parts = [
        _aligned(t, subs, order, wide, i)
        for i, (t, subs) in enumerate(zip(tensors, operands, strict=True))
    ]
    _check_sizes(tensors, operands, parts, order)
    return _contracted(parts, range(len(final), len(order)), path)


def _contracted(parts: list[Any], gone: range, path: Sequence[int] | None) -> Any:
    """The product of all *parts*, two by two along *path*, summed over the dims *gone*."""
    single = len(parts) == 1
    #: In how many operands each dim is still to be met.
    counts = {d: sum([1 for p in parts if p.shape[d] != 1]) for d in gone}
    step = 0
    while len(parts) > 1:
        first, second = (0, 1) if path is None else sorted(path[step : step + 2])
        step += 2
        b, a = parts.pop(second), parts.pop(first)
        shared, only_a, only_b = [], [], []
        for d in gone:
            m, n = a.shape[d] != 1, b.shape[d] != 1
            if m and n:
                counts[d] -= 1
                if counts[d] == 1:
                    shared.append(d)
                    counts[d] = 0
            elif counts[d] == 1 and (m or n):
                (only_a if m else only_b).append(d)
                counts[d] = 0
        if only_a:
            a = a.sum(only_a, True)
        if only_b:
            b = b.sum(only_b, True)
        parts.insert(0 if path is None else len(parts), _pair(a, b, shared))
    if not len(gone):
        return parts[0]
    return parts[0].sum(list(gone)) if single else parts[0].view(tuple(parts[0].shape[: gone[0]]))


op(
    "einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
    says='Sum products of the operands by an equation such as "ij,jk->ik".',
    composite=_einsum,
    variants="function",
    samples="einsum",
    autocast=("", "lower precision"),
)
