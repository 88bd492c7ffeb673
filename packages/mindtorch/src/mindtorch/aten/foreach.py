"""``torch._foreach_*``: an op over every tensor of a list, in one call.

One generator makes the family from the ops of one tensor: each entry below names such an op and
what goes with it (nothing, a number, a list of numbers, a tensor, lists of tensors); the rows
follow, in place as well. What gradients there are is told by the ops inside; torch's graph, too,
has a node per tensor.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from mindtorch_storage import int64

from ..call.elementwise_meta import not_implemented
from ..call.row import op
from ..core.operators import ops
from ..core.signature import CPU

__all__: list[str] = []

Tensors = Sequence[Any]
Each = Callable[..., Any]

_NONE = "Tensor list must have at least one tensor."
_LENGTHS = "Tensor lists must have the same number of tensors, got {} and {}"
_NUMBERS = "Tensor list must have same number of elements as scalar list."


def _check_lists(tensors: Tensors, *others: Tensors) -> None:
    """Refuse an empty list, and lists of another length. Source: ForeachUtils.h."""
    if not tensors:
        raise RuntimeError(_NONE)
    for other in others:
        if len(other) != len(tensors):
            raise RuntimeError(_LENGTHS.format(len(tensors), len(other)))


def _check_numbers(tensors: Tensors, numbers: Sequence[Any]) -> None:
    if not tensors:
        raise RuntimeError(_NONE)
    if len(numbers) != len(tensors):
        raise RuntimeError(_NUMBERS)


def _check_number(other: Any) -> None:
    """Refuse a tensor that is to go with all tensors, and is no number."""
    if other.ndim or other.numel() != 1:
        raise RuntimeError(
            f"scalar tensor expected to be 0 dim but it has {other.ndim} dimensions and "
            f"{other.numel()} elements."
        )


def _unpacked(scalars: Any, tensors: Tensors) -> list[Any]:
    """The numbers of a tensor that holds one for each of *tensors*."""
    if not scalars._sig_ & CPU:
        raise RuntimeError(f"Expected scalars to be on CPU, got {scalars.device} instead.")
    if not scalars.is_contiguous():
        raise RuntimeError("Expected scalars to be contiguous.")
    if scalars.ndim != 1:
        raise RuntimeError(
            f"Expected packed scalar Tensor to be of dimension 1. Got {scalars.ndim} instead."
        )
    if len(scalars) != len(tensors):
        raise RuntimeError(
            f"Expected length of scalars to match input of length {len(tensors)} but got "
            f"{len(scalars)} instead."
        )
    return scalars.tolist()


def _family(name: str, arguments: str, over: Callable[[Each], Each], each: str) -> None:
    """The rows of one overload: ``over(f)`` calls *f*, an op of one tensor, for the lists.

    *over* is a generator: it yields a result for every tensor, which the row in place leaves alone.
    """
    base, _, overload = name.partition(".")
    dot = f".{overload}" if overload else ""
    function = over(lambda *args, **kwargs: getattr(ops, each)(*args, **kwargs))
    change = over(lambda self, *args, **kwargs: getattr(self, each + "_")(*args, **kwargs))

    def in_place(*args: Any) -> None:
        for _ in change(*args):
            pass

    rest = f", {arguments}" if arguments else ""
    op(
        f"_foreach_{base}{dot}(Tensor[] self{rest}) -> Tensor[]",
        composite=lambda *args: list(function(*args)),
        variants="function",
    )
    op(
        f"_foreach_{base}_{dot}(Tensor(a!)[] self{rest}) -> ()",
        composite=in_place,
        variants="function",
    )


# One tensor each ----------------------------------------------------------------------------------


def _over_one(f: Each) -> Each:
    def over(self: Tensors) -> Any:
        _check_lists(self)
        return (f(t) for t in self)

    return over


for _name in (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 "
    "neg reciprocal round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc"
).split():
    _family(_name, "", _over_one, _name)


# A number, or several -----------------------------------------------------------------------------


def _over_number(f: Each) -> Each:
    def over(self: Tensors, scalar: Any) -> Any:
        _check_lists(self)
        return (f(t, scalar) for t in self)

    return over


def _over_numbers(f: Each) -> Each:
    def over(self: Tensors, scalars: Sequence[Any]) -> Any:
        _check_numbers(self, scalars)
        return (f(t, s) for t, s in zip(self, scalars))

    return over


def _over_pairs(f: Each) -> Each:
    def over(self: Tensors, other: Tensors) -> Any:
        _check_lists(self, other)
        return (f(t, o) for t, o in zip(self, other))

    return over


def _over_scaled_pairs(f: Each) -> Each:
    def over(self: Tensors, other: Tensors, alpha: Any) -> Any:
        _check_lists(self, other)
        return (f(t, o, alpha=alpha) for t, o in zip(self, other))

    return over


def _over_tensor(f: Each) -> Each:
    def over(self: Tensors, other: Any) -> Any:
        _check_lists(self)
        _check_number(other)
        return (f(t, other) for t in self)

    return over


def _over_scaled_tensor(f: Each) -> Each:
    def over(self: Tensors, other: Any, alpha: Any) -> Any:
        _check_lists(self)
        _check_number(other)
        return (f(t, other, alpha=alpha) for t in self)

    return over


#: Op -> the op of one tensor with a method in place, where the name is another.
_BOUNDS = {"maximum": "clamp_min", "minimum": "clamp_max"}
for _name in "add sub mul div clamp_max clamp_min maximum minimum pow".split():
    _each = _BOUNDS.get(_name, _name)
    _word, _words = ("exponent", "exponent") if _name == "pow" else ("scalar", "scalars")
    _other = "exponent" if _name == "pow" else "other"
    _family(f"{_name}.Scalar", f"Scalar {_word}", _over_number, _each)
    if _name in ("add", "sub"):
        _family(f"{_name}.List", "Tensor[] other, *, Scalar alpha=1", _over_scaled_pairs, _name)
    else:
        _family(f"{_name}.List", f"Tensor[] {_other}", _over_pairs, _each)
    _family(f"{_name}.ScalarList", f"Scalar[] {_words}", _over_numbers, _each)
    if _name == "add":
        _family("add.Tensor", "Tensor other, *, Scalar alpha=1", _over_scaled_tensor, "add")
    elif _name in ("mul", "div"):
        _family(f"{_name}.Tensor", "Tensor other", _over_tensor, _name)


def _power_of_number(self: Any, exponent: Tensors) -> list[Any]:
    _check_lists(exponent)
    return [ops.pow(self, e) for e in exponent]


op(
    "_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]",
    composite=_power_of_number,
    variants="function",
)


# Three lists --------------------------------------------------------------------------------------


def _over_products(f: Each) -> Each:
    def over(self: Tensors, tensor1: Tensors, tensor2: Tensors, value: Any) -> Any:
        _check_lists(self, tensor1, tensor2)
        return (f(t, a, b, value=value) for t, a, b in zip(self, tensor1, tensor2))

    return over


def _over_many_products(f: Each) -> Each:
    def over(self: Tensors, tensor1: Tensors, tensor2: Tensors, scalars: Sequence[Any]) -> Any:
        _check_lists(self, tensor1, tensor2)
        _check_numbers(self, scalars)
        triples = zip(self, tensor1, tensor2, scalars)
        return (f(t, a, b, value=s) for t, a, b, s in triples)

    return over


def _over_packed_products(f: Each) -> Each:
    many = _over_many_products(f)

    def over(self: Tensors, tensor1: Tensors, tensor2: Tensors, scalars: Any) -> Any:
        return many(self, tensor1, tensor2, _unpacked(scalars, self))

    return over


for _name in ("addcdiv", "addcmul"):
    _lists = "Tensor[] tensor1, Tensor[] tensor2"
    _family(f"{_name}.Scalar", f"{_lists}, Scalar value=1", _over_products, _name)
    _family(f"{_name}.ScalarList", f"{_lists}, Scalar[] scalars", _over_many_products, _name)
    _family(f"{_name}.Tensor", f"{_lists}, Tensor scalars", _over_packed_products, _name)


def _over_ends(f: Each) -> Each:
    def over(self: Tensors, tensors1: Tensors, weight: Any) -> Any:
        _check_lists(self, tensors1)
        return (f(t, e, weight) for t, e in zip(self, tensors1))

    return over


def _over_ends_of_their_own(f: Each) -> Each:
    def over(self: Tensors, tensors1: Tensors, weights: Tensors) -> Any:
        _check_lists(self, tensors1, weights)
        return (f(t, e, w) for t, e, w in zip(self, tensors1, weights))

    return over


def _over_ends_by_numbers(f: Each) -> Each:
    def over(self: Tensors, tensors1: Tensors, weight: Sequence[Any]) -> Any:
        _check_lists(self, tensors1)
        _check_numbers(self, weight)
        return (f(t, e, w) for t, e, w in zip(self, tensors1, weight))

    return over


_family("lerp.List", "Tensor[] tensors1, Tensor[] weights", _over_ends_of_their_own, "lerp")
_family("lerp.Scalar", "Tensor[] tensors1, Scalar weight", _over_ends, "lerp")
_family("lerp.ScalarList", "Tensor[] tensors1, Scalar[] weight", _over_ends_by_numbers, "lerp")


# Those with a form of their own -------------------------------------------------------------------


def _max(self: Tensors) -> list[Any]:
    _check_lists(self)
    for t in self:
        if not t.numel():
            raise RuntimeError(
                "_foreach_max cannot compute the maximum of an empty tensor; max over zero "
                "elements is undefined."
            )
    return [t.max() for t in self]


def _norm(self: Tensors, order: Any, dtype: Any) -> list[Any]:
    """The norm of each tensor as a vector."""
    _check_lists(self)
    if order in (math.inf, -math.inf) and any(not t.numel() for t in self):
        raise RuntimeError(
            "_foreach_norm cannot compute the infinity norm on an empty tensor because the "
            "operation does not have an identity"
        )
    return [ops.linalg_vector_norm(t, order, dtype=dtype) for t in self]


def _powsum(self: Tensors, order: Any, dtype: Any) -> list[Any]:
    """The sum of powers of magnitudes: what a norm takes the root of."""
    _check_lists(self)
    for t in self:
        if not (t.is_floating_point() or t.is_complex()):
            raise not_implemented("powsum_cpu", int64)  # in which integers are summed
    return [ops.sum(t.abs().pow(order), dtype=dtype) for t in self]


def _clone(self: Tensors, memory_format: Any) -> list[Any]:
    _check_lists(self)
    return [ops.clone(t, memory_format=memory_format) for t in self]


def _copy_into(self: Tensors, src: Tensors, non_blocking: bool) -> None:
    if not src:
        raise RuntimeError(_NONE)
    _check_lists(self, src)
    for t, s in zip(self, src):
        t.copy_(s, non_blocking)


def _copy(self: Tensors, src: Tensors, non_blocking: bool) -> list[Any]:
    copies = [ops.clone(t) for t in self]
    _copy_into(copies, src, non_blocking)
    return copies


def _zero_out(self: Tensors) -> None:
    _check_lists(self)
    for t in self:
        t.zero_()


def _zero(self: Tensors) -> list[Any]:
    _check_lists(self)
    return [ops.zeros_like(t) for t in self]


def _mm(self: Tensors, mat2: Tensors) -> list[Any]:
    if not self:
        raise RuntimeError("_foreach_mm requires non-empty tensor lists")
    if len(self) != len(mat2):
        raise RuntimeError("_foreach_mm: self and mat2 must have the same number of tensors")
    return [ops.mm(a, b) for a, b in zip(self, mat2)]


for _schema, _composite in (
    ("max(Tensor[] self) -> Tensor[]", _max),
    ("mm(Tensor[] self, Tensor[] mat2) -> Tensor[]", _mm),
    ("norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]", _norm),
    ("powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]", _powsum),
    ("clone(Tensor[] self, *, MemoryFormat? memory_format=None) -> Tensor[]", _clone),
    ("zero_(Tensor(a!)[] self) -> ()", _zero_out),
    ("copy_(Tensor(a!)[] self, Tensor[] src, bool non_blocking=False) -> ()", _copy_into),
):
    op("_foreach_" + _schema, composite=_composite, variants="function")
op("_foreach_zero(Tensor[] self) -> Tensor[] self_out", composite=_zero, variants="")
op(
    "_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> Tensor[] self_out",
    composite=_copy,
    variants="",
)
