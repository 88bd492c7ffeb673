"""Batched ops that need whole samples: reductions to one number, products, layers, subscripts."""

from __future__ import annotations

from typing import Any

from ..call.overload import Overload
from ..call.overload_entrance import call_again
from ..core import signature as S
from ..core import vmap_errors as errors
from .batching import Rule, batched, call_op, front, loop, wrap_results


def reduced_by(name: str, *rest: Any) -> Rule:
    """A reduction of all elements, as the same over all dimensions of a sample."""

    def rule(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
        found = batched(args[0], level)
        if found is None:
            return loop(overload, args, level)
        whole = front(found)
        depth = args[0]._a_.ndim
        if not args[0]._a_.size or not depth or whole._sig_ & S.QUANTIZED:
            return loop(overload, args, level)
        dims: Any = tuple(range(1, depth + 1))
        if name in _ONE_DIM:
            dims = 1
            whole = call_op("reshape", whole, (whole._a_.shape[0], -1))
        more = rest if rest else (False, *args[1:])
        return wrap_results(call_op(name, whole, dims, *more), level)

    return rule


_ONE_DIM = frozenset(("prod.dim_int", "any.dim", "all.dim"))


def matmul(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    kind = overload.row.base
    if kind == "vdot":
        kind, args = "dot", (args[0].conj(), args[1])
    a, b = batched(args[0], level), batched(args[1], level)
    ranks = args[0]._a_.ndim, args[1]._a_.ndim
    if _RANKS[kind] != ranks:
        raise RuntimeError(errors.wrong_ranks(kind, ranks, _RANKS[kind]))
    left = args[0] if a is None else front(a)
    right = args[1] if b is None else front(b)
    if kind == "dot" and a is not None and b is not None:
        product = call_op("matmul", left.unsqueeze(-2), right.unsqueeze(-1))
        return wrap_results(product.squeeze(-1).squeeze(-1), level)
    if kind == "dot" and a is None:
        left, right = right, left
    if kind == "mv" and b is not None:
        product = call_op("matmul", left, right.unsqueeze(-1))
        return wrap_results(product.squeeze(-1), level)
    return wrap_results(call_op("matmul", left, right), level)


_RANKS = {"mm": (2, 2), "bmm": (3, 3), "mv": (2, 1), "dot": (1, 1)}


def added_product(product: str) -> Rule:
    def rule(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
        self, left, right, beta, alpha = args
        made = call_op(product, left, right)
        if alpha != 1:
            made = made * alpha
        if beta == 0:
            return made
        return self * beta + made if beta != 1 else self + made

    return rule


def batch_norm(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    """Sample by sample; running statistics that are changed must be of one each."""
    if args[5] and batched(args[0], level) is not None:
        if any(t is not None and batched(t, level) is None for t in args[3:5]):
            raise RuntimeError(errors.BATCH_NORM)
    return loop(overload, args, level)


def folded(*only_first: int) -> Rule:
    """The batch joined with the op's own batch dimension, where the other tensors are shared."""

    def rule(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
        found = batched(args[0], level)
        if found is None or any(batched(args[i], level) for i in only_first):
            return loop(overload, args, level)
        whole = front(found)
        size, first = whole._a_.shape[0], whole._a_.shape[1]
        joined = call_op("reshape", whole, (size * first, *whole._a_.shape[2:]))
        result = call_again(overload, (joined, *args[1:]))
        many = isinstance(result, tuple)
        parts = [
            call_op("reshape", r, (size, first, *r._a_.shape[1:]))
            for r in (result if many else (result,))
        ]
        return wrap_results(tuple(parts) if many else parts[0], level)

    return rule


def indexed(overload: Overload, args: tuple[Any, ...], level: int) -> Any:
    for index in args[1]:
        if index is not None and index.dtype.name in ("bool", "uint8"):
            if batched(index, level) is not None:
                raise RuntimeError(errors.BOOLEAN_MASK)
    found = batched(args[0], level)
    if found is None or any(batched(i, level) for i in args[1] if i is not None):
        return loop(overload, args, level)
    given = [i is not None for i in args[1]]
    first = given.index(True)
    if given[first:].count(True) != len(given) - first and False in given[first:]:
        last = len(given) - 1 - given[::-1].index(True)
        if False in given[first:last]:  # separated indices go to the front of a sample
            return loop(overload, args, level)
    return wrap_results(call_op("index.Tensor", front(found), [None, *args[1]]), level)
