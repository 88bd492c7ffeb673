"""Calls of the ops over lists of tensors, good ones and bad ones, by the op and its overload."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..samples import Call, Maker, call

Calls = Iterator[Call]
Generator = Callable[[Maker], Calls]


def _lists(make: Maker, n: int = 1, **more: Any) -> list[list[Any]]:
    """*n* lists of tensors of the same shapes."""
    shapes = [(2, 3), (4,), ()]
    return [[make(*shape, low=0.5, high=0.9, **more) for shape in shapes] for _ in range(n)]


def _one(make: Maker) -> Calls:
    yield call(*_lists(make))
    yield call([make(3, 2).t(), make(4, noncontiguous=True)])


def _bad_one(make: Maker) -> Calls:
    yield call([])
    yield call(make(2))
    yield call(3)


def _number(make: Maker) -> Calls:
    yield call(*_lists(make), 2)
    yield call(*_lists(make), 1.5)
    yield call(*_lists(make), True)


def _bad_number(make: Maker) -> Calls:
    yield call([], 1)
    yield call(make(2), 1)
    yield call(*_lists(make), "x")


def _numbers(make: Maker) -> Calls:
    yield call(*_lists(make), [1, 2, 3])
    yield call(*_lists(make), [1.5, 2, True])


def _bad_numbers(make: Maker) -> Calls:
    yield call(*_lists(make), [1, 2])
    yield call(*_lists(make), [])
    yield call([], [1])


def _pairs(make: Maker) -> Calls:
    yield call(*_lists(make, 2))
    yield call([make(2, 3), make(2)], [make(3), make(2, dtype="float32")])


def _bad_pairs(make: Maker) -> Calls:
    a, b = _lists(make, 2)
    yield call(a, b[:1])
    yield call([make(2)], [make(3)])
    yield call([], [])


def _scaled_pairs(make: Maker) -> Calls:
    yield from _pairs(make)
    yield call(*_lists(make, 2), alpha=2)


def _with_tensor(make: Maker) -> Calls:
    yield call(*_lists(make), make())
    yield call(*_lists(make), make(dtype="float64"))


def _bad_with_tensor(make: Maker) -> Calls:
    yield call(*_lists(make), make(2))
    yield call([], make())


def _scaled_with_tensor(make: Maker) -> Calls:
    yield from _with_tensor(make)
    yield call(*_lists(make), make(), alpha=3)


def _products(make: Maker) -> Calls:
    yield call(*_lists(make, 3))
    yield call(*_lists(make, 3), 2)
    yield call(*_lists(make, 3), value=3)


def _bad_products(make: Maker) -> Calls:
    a, b, c = _lists(make, 3)
    yield call(a, b, c[:2])
    yield call([], [], [])


def _many_products(make: Maker) -> Calls:
    yield call(*_lists(make, 3), [1, 2, 3])


def _bad_many_products(make: Maker) -> Calls:
    yield call(*_lists(make, 3), [1, 2])


def _packed_products(make: Maker) -> Calls:
    yield call(*_lists(make, 3), make(values=[1, 2, 3], dtype="int64"))
    yield call(*_lists(make, 3), make(values=[1.0, 2.0, 3.0], dtype="float32"))


def _bad_packed_products(make: Maker) -> Calls:
    yield call(*_lists(make, 3), make(2))
    yield call(*_lists(make, 3), make())


def _ends(make: Maker) -> Calls:
    yield call(*_lists(make, 2), 0.25)


def _bad_ends(make: Maker) -> Calls:
    a, b = _lists(make, 2)
    yield call(a, b[:2], 0.5)


def _own_ends(make: Maker) -> Calls:
    yield call(*_lists(make, 3))


def _bad_own_ends(make: Maker) -> Calls:
    a, b, c = _lists(make, 3)
    yield call(a, b, c[:2])


def _numbered_ends(make: Maker) -> Calls:
    yield call(*_lists(make, 2), [0.25, 0.5, 0.75])


def _bad_numbered_ends(make: Maker) -> Calls:
    yield call(*_lists(make, 2), [0.25, 0.5])


def _number_first(make: Maker) -> Calls:
    yield call(2, *_lists(make))
    yield call(1.5, *_lists(make))


def _bad_number_first(make: Maker) -> Calls:
    yield call(2, [])


def _norms(make: Maker) -> Calls:
    for order in (2, 1, 3, 0, float("inf")):
        yield call(*_lists(make), order)
    if make.kind == "float":  # the oracle's sum of complex powers takes a wider dtype otherwise
        yield call(*_lists(make), 2, dtype=make.type("float64"))


def _bad_norms(make: Maker) -> Calls:
    yield call([])


def _clones(make: Maker) -> Calls:
    yield from _one(make)
    yield call([make(2, 3, 2, 2)], memory_format=make.torch.channels_last)


def _bad_clones(make: Maker) -> Calls:
    yield call([])


def _products_of_matrices(make: Maker) -> Calls:
    yield call([make(2, 3), make(3, 1)], [make(3, 4), make(1, 2)])


def _bad_products_of_matrices(make: Maker) -> Calls:
    yield call([], [])
    yield call([make(2, 3)], [make(2, 3)])


_ONE = (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 "
    "max neg reciprocal round rsqrt sigmoid sign sin sinh sqrt tan tanh trunc"
).split()
_WITH_ANOTHER = "add sub mul div clamp_max clamp_min maximum minimum pow".split()

#: ``add_Scalar`` -> its generators of good and bad calls.
CALLS: dict[str, tuple[Generator, Generator]] = {name: (_one, _bad_one) for name in _ONE}
for _name in _WITH_ANOTHER:
    CALLS[f"{_name}_Scalar"] = _number, _bad_number
    CALLS[f"{_name}_ScalarList"] = _numbers, _bad_numbers
    CALLS[f"{_name}_List"] = (_scaled_pairs if _name in ("add", "sub") else _pairs), _bad_pairs
for _name in ("add", "mul", "div"):
    CALLS[f"{_name}_Tensor"] = (
        (_scaled_with_tensor if _name == "add" else _with_tensor),
        _bad_with_tensor,
    )
for _name in ("addcdiv", "addcmul"):
    CALLS[f"{_name}_Scalar"] = _products, _bad_products
    CALLS[f"{_name}_ScalarList"] = _many_products, _bad_many_products
    CALLS[f"{_name}_Tensor"] = _packed_products, _bad_packed_products
CALLS |= {
    "clone": (_clones, _bad_clones),
    "lerp_List": (_own_ends, _bad_own_ends),
    "lerp_Scalar": (_ends, _bad_ends),
    "lerp_ScalarList": (_numbered_ends, _bad_numbered_ends),
    "mm": (_products_of_matrices, _bad_products_of_matrices),
    "norm_Scalar": (_norms, _bad_norms),
    "pow_ScalarAndTensor": (_number_first, _bad_number_first),
    "powsum_Scalar": (_norms, _bad_norms),
}
