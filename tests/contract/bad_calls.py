"""Wrong calls, generated from a row's good samples: every way in which a caller goes astray.

Nothing here knows an op. A generated call may turn out to be fine; then the values are compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mindtorch
import torch
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.row import Row

from .rows import Call, Sample, is_tensor, mapped, samples, tensors_in

#: A value of each Python type, for every position.
STRANGERS: dict[str, Any] = {
    "str": "text",
    "None": None,
    "float": 2.5,
    "int": 3,
    "bool": True,
    "complex": 1j,
    "list of floats": [1.5],
    "list of str": ["a", 1],
    "tuple": (0, 1),
    "dict": {},
    "type": int,
}

#: Numbers that are in range for few dimensions and sizes.
EXTREMES = (10, -10, 2**63, -(2**63) - 1)


class Bad(Sample):
    """A wrong call, with what is wrong."""

    what: str

    def __new__(cls, what: str, ours: Call, oracle: Call) -> Bad:
        self = super().__new__(cls, 0, ours, oracle)
        self.what = what
        return self

    def __repr__(self) -> str:
        from .rows import show

        return f"[{self.what}] {show(self.oracle)}"


def with_argument(call: Call, key: int | str, value: Any) -> Call:
    """*call* with one argument replaced."""
    if isinstance(key, str):
        return call._replace(kwargs={**call.kwargs, key: value})
    args = list(call.args)
    args[key] = value
    return call._replace(args=tuple(args))


def keys_of(call: Call) -> list[int | str]:
    """Positions and keywords of a call."""
    return [*range(len(call.args)), *call.kwargs]


def value_of(call: Call, key: int | str) -> Any:
    """The argument at a position or keyword."""
    return call.kwargs[key] if isinstance(key, str) else call.args[key]


def representative(row: Row, most: int = 3) -> list[Sample]:
    """Few good calls that together show every number of arguments and every type in its place."""
    seen, found = set(), []
    for sample in samples(row):
        call = sample.oracle
        kinds = (
            tuple(type(a).__name__ for a in call.args),
            tuple((k, type(v).__name__) for k, v in call.kwargs.items()),
        )
        if kinds not in seen:
            seen.add(kinds)
            found.append(sample)
    return found[:most]


def arity_calls(row: Row, most: int = 3) -> Iterator[Bad]:
    """Too few, too many, unknown and doubled arguments."""
    yield Bad("no arguments", Call((), {}), Call((), {}))
    for sample in representative(row, most):
        a, b = sample.ours, sample.oracle
        for n in range(1, len(b.args)):
            yield Bad(f"{n} of {len(b.args)} arguments", Call(a.args[:n], {}), Call(b.args[:n], {}))
        extra = (1, "x", 2.5, None, 7, 8, 9)
        yield Bad(
            "too many",
            a._replace(args=(*a.args, *extra)),
            b._replace(args=(*b.args, *extra)),
        )
        yield Bad(
            "unknown keyword",
            a._replace(kwargs={**a.kwargs, "bogus": 1}),
            b._replace(kwargs={**b.kwargs, "bogus": 1}),
        )
        yield Bad("only an unknown keyword", Call((), {"bogus": 1}), Call((), {"bogus": 1}))
        name = OVERLOADS["aten::" + row.name].schema.arguments
        if b.args and name:
            first = "input" if name[0].name == "self" else name[0].name
            yield Bad(
                "given twice",
                a._replace(kwargs={**a.kwargs, first: a.args[0]}),
                b._replace(kwargs={**b.kwargs, first: b.args[0]}),
            )


def type_calls(row: Row, most: int = 3) -> Iterator[Bad]:
    """A value of each wrong type in each place that a good call has, by what is right there."""
    seen = set()
    for sample in representative(row, most):
        for key in keys_of(sample.oracle):
            right = value_of(sample.oracle, key)
            if (key, type(right)) in seen:
                continue
            seen.add((key, type(right)))
            for what, value in STRANGERS.items():
                yield Bad(
                    f"{what} at {key}",
                    with_argument(sample.ours, key, value),
                    with_argument(sample.oracle, key, value),
                )
            if not is_tensor(right):
                yield Bad(
                    f"tensor at {key}",
                    with_argument(sample.ours, key, mindtorch.ones(2)),
                    with_argument(sample.oracle, key, torch.ones(2)),
                )


def number_calls(row: Row) -> Iterator[Bad]:
    """Dimensions and sizes out of range, and repeated ones."""
    for sample in representative(row):
        for key in keys_of(sample.oracle):
            value = value_of(sample.oracle, key)
            if type(value) is int:
                wrong: list[Any] = list(EXTREMES)
            elif type(value) in (tuple, list) and all(type(v) is int for v in value):
                wrong = [type(value)([n]) for n in EXTREMES[:2]]
                wrong += [type(value)([0, 0]), type(value)([0, -1, 5]), type(value)()]
            else:
                continue
            for number in wrong:
                yield Bad(
                    f"{number} at {key}",
                    with_argument(sample.ours, key, number),
                    with_argument(sample.oracle, key, number),
                )


def shape_calls(row: Row) -> Iterator[Bad]:
    """Shapes that do not go together, are empty, or have too few or many dimensions."""
    shapes = ((7,), (2, 5, 7), (), (0,), (1, 1, 1, 1, 1))
    for sample in representative(row)[:2]:
        for i in range(len(tensors_in(sample.oracle))):
            for shape in shapes:
                ours, oracle = [
                    nth_tensor(c, i, lambda t, h=h, s=shape: reshaped(h, t, s))
                    for h, c in ((mindtorch, sample.ours), (torch, sample.oracle))
                ]
                yield Bad(f"tensor {i} of shape {list(shape)}", ours, oracle)


def dtype_calls(row: Row) -> Iterator[Bad]:
    """Each tensor, and all of them, in every dtype."""
    names = ("bool", "int64", "float64", "complex64", "uint8", "float16", "uint16")
    for sample in representative(row)[:2]:
        count = len(tensors_in(sample.oracle))
        for name in names:
            yield Bad(
                f"all {name}",
                mapped(sample.ours, lambda t, n=name: t.detach().to(getattr(mindtorch, n))),
                mapped(sample.oracle, lambda t, n=name: t.detach().to(getattr(torch, n))),
            )
            for i in range(count if count > 1 else 0):
                ours, oracle = [
                    nth_tensor(c, i, lambda t, h=h, n=name: t.detach().to(getattr(h, n)))
                    for h, c in ((mindtorch, sample.ours), (torch, sample.oracle))
                ]
                yield Bad(f"tensor {i} {name}", ours, oracle)


def device_calls(row: Row) -> Iterator[Bad]:
    """One tensor on meta among tensors on the CPU, and the other way round."""
    for sample in representative(row)[:2]:
        count = len(tensors_in(sample.oracle))
        if count < 2:
            continue
        for i in range(count):
            ours, oracle = [
                nth_tensor(c, i, lambda t: t.to("meta")) for c in (sample.ours, sample.oracle)
            ]
            yield Bad(f"tensor {i} on meta", ours, oracle)


def declared_calls(row: Row) -> Iterator[Bad]:
    """The wrong calls that stand with the row's samples."""
    for dtype in ("float32", "int64", "bool", "complex64"):
        for sample in samples(row, dtype, bad=True):
            yield Bad(f"declared {dtype}", sample.ours, sample.oracle)


def refused_samples(row: Row) -> Iterator[Bad]:
    """Sample calls with every dtype; those that the oracle refuses are wrong calls."""
    for dtype in ("int64", "bool", "complex64", "float16", "bfloat16", "uint8", "int16"):
        for sample in samples(row, dtype, most=4):
            yield Bad(dtype, sample.ours, sample.oracle)


def nth_tensor(call: Call, n: int, change: Any) -> Call:
    """*call* with its *n*-th tensor changed."""
    count = iter(range(10**6))
    return mapped(call, lambda t: change(t) if next(count) == n else t)


def reshaped(home: Any, t: Any, shape: tuple[int, ...]) -> Any:
    """Ones of *shape* in the dtype of *t*."""
    return home.ones(shape, dtype=t.dtype)


KINDS = {
    "arity": arity_calls,
    "type": type_calls,
    "number": number_calls,
    "shape": shape_calls,
    "dtype": dtype_calls,
    "device": device_calls,
    "declared": declared_calls,
    "refused": refused_samples,
}
