"""``x[index]`` and ``x[index] = value`` for indices of every kind, most of them bad.

Values, texts of errors and warnings are torch's: each kind alone and two or three together.
"""

from __future__ import annotations

import itertools
import random
import warnings
from typing import Any

import mindtorch
import numpy as np
import torch

from tests.contract.batches import every


class Index:
    """A number by its ``__index__``, which raises where there is none."""

    def __init__(self, number: int | None) -> None:
        self.number = number

    def __index__(self) -> int:
        if self.number is None:
            raise ValueError("bad index")
        return self.number


#: Indices that no framework is needed for.
PLAIN: dict[str, Any] = {
    **{repr(i): i for i in (-1, 0, 5, -7, 2**70, True, False, None, ..., 1.5, 1j)},
    **{repr(i): i for i in ("a", b"a", {}, {1})},
    "object()": object(),
    "Index(0)": Index(0),
    "Index(None)": Index(None),
    **{f"np.{i!r}": i for i in (np.int64(0), np.float32(1), np.bool_(True), np.array([0]))},
    "np.array([0.5])": np.array([0.5]),
    **{
        f"slice{(s.start, s.stop, s.step)}": s
        for s in (
            slice(None), slice(0, 1), slice(None, None, -1), slice(None, None, 0), slice(1.5),
            slice("a"), slice(2**70), slice(True), slice(np.int64(1)), slice(np.float32(1)),
        )
    },
    "slice(Index(0))": slice(Index(0)),
    "slice(Index(None))": slice(Index(None)),
    **{
        f"list {i}": i
        for i in (
            [0], [], [True, False], [0.5], ["a"], [[0, 1], [1, 0]], [[0], [0, 1]], [slice(None)],
            [None], [...], [0, slice(None)], [0, True], [9], [0, [0, 1]], (0,), (), ((0, 1),),
        )
    },
    "list [object()]": [object()],
    "range(2)": range(2),
}  # fmt: skip

#: Tensors as indices: numbers and dtype.
TENSORS: dict[str, tuple[Any, str]] = {
    f"{dtype} {numbers}": (numbers, dtype)
    for dtype, several in {
        "int64": (0, 5, [0], [7], [-9], [0, 0, 0], []),
        "int32": ([0],), "int16": (0, [0]), "int8": ([0],), "uint8": (1, [1, 0]),
        "float32": (0.0, [0.0], []), "complex64": ([0j],), "bfloat16": ([0.0],), "uint16": ([0],),
        "bool": (True, False, [True], [True, False], [True, False, True], [],
                 [[True] * 3] * 2, [[True] * 2] * 3),
    }.items()
    for numbers in several
}  # fmt: skip

KINDS = [*PLAIN, *TENSORS, "slice of a tensor", "slice of a float tensor", "list of tensors"]
SHAPES = [(), (2,), (2, 3), (0,), (2, 0)]
VALUES = [None, 7, [1.0, 2.0], [1.0] * 4]  # None: read


def made(ns: Any, kind: str) -> Any:
    """The index that *kind* names."""
    if kind in PLAIN:
        return PLAIN[kind]
    if kind in TENSORS:
        numbers, dtype = TENSORS[kind]
        return ns.tensor(numbers, dtype=getattr(ns, dtype))
    if kind == "list of tensors":
        return [ns.tensor(0), ns.tensor(1)]
    return slice(ns.tensor(0.5 if "float" in kind else 0))


def told(ns: Any, shape: tuple[int, ...], index: Any, value: Any) -> Any:
    """What comes of reading or writing: elements or the error, and the warnings."""
    x = ns.arange(float(np.prod(shape))).reshape(shape)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            if value is None:
                x = x[index]
            else:
                x[index] = value if isinstance(value, int) else ns.tensor(value)
            result: Any = (tuple(x.shape), x.stride() if x.numel() else None, x.tolist())
        except Exception as error:
            result = (type(error).__name__, str(error).replace("mindtorch", "torch"))
    return result, [str(w.message).partition(" (Triggered")[0] for w in seen]


@every("kind", KINDS)
def test_an_index_of_one_kind(kind):
    for shape, value in itertools.product(SHAPES, VALUES):
        want, got = (told(ns, shape, made(ns, kind), value) for ns in (torch, mindtorch))
        assert got == want, (shape, value)


@every("shape", SHAPES)
def test_indices_of_several_kinds(shape):
    chance = random.Random(str(shape))
    for _ in range(400):
        kinds = chance.choices(KINDS, k=chance.choice((2, 2, 2, 3)))
        value = chance.choice(VALUES)
        want, got = (
            told(ns, shape, tuple([made(ns, kind) for kind in kinds]), value)
            for ns in (torch, mindtorch)
        )
        assert got == want, (kinds, value)


@every("shape", [(), (1,), (3,)])
def test_values_of_another_dtype_behind_a_truth_value(shape):
    """A truth value is one number among the indices, so nothing is filled in by it."""
    forms = {
        "mask": lambda t, v: v > 0,
        "none": lambda t, v: v > 5,
        "number": lambda t, v: t.tensor(True),
        "True": lambda t, v: True,
        "(None, True)": lambda t, v: (None, True),
        "(..., False)": lambda t, v: (..., False),
        "(True, 0)": lambda t, v: (True, 0),
    }
    for name, to, dtype, size in itertools.product(
        forms, ("float32", "int64", "bool"), ("float32", "int64", "bool"), ((), (1,), (2,))
    ):
        want, got = (
            put(t, shape, getattr(t, to), t.ones(size, dtype=getattr(t, dtype)), forms[name])
            for t in (torch, mindtorch)
        )
        assert got == want, (name, to, dtype, size)


def put(t, shape, dtype, value, index):
    """What ``v[index] = value`` makes of ones, or its error."""
    v = t.ones(shape, dtype=dtype)
    try:
        v[index(t, v)] = value
    except (RuntimeError, IndexError) as error:
        return type(error), str(error)
    return v.tolist()


#: Shapes, and indices of them that are bad in some way or point into a dim without elements.
_MISFITS = [
    ((3, 0, 2, 2), "(0, [0, 0], -2, t([-1, -1]))"),
    ((1, 3, 2, 1), "(True, t([True, True, False]))"),
    ((1, 3, 2, 1), "(t([True, True, False]),)"),
    ((2, 1), "(False, [-1, -1], slice(2, -1, 2))"),
    ((2, 4, 2), "(False, range(0, 2), [])"),
    ((0, 2), "t([0, 0])"),
    ((0,), "[0]"),
    ((0, 3), "(slice(None), [5])"),
    ((2, 0), "([0], [0])"),
    ((3, 2), "([0, 1], [0, 1, 1])"),
    ((3, 2), "([0, 5], [0, 1])"),
    ((3, 2), "(t([True, False]),)"),
    ((3, 2), "([],)"),
]


def test_what_is_wrong_with_indices_is_said_before_what_is_wrong_with_values() -> None:
    def told(framework: Any, shape: tuple[int, ...], index: str, value: str) -> Any:
        names = {"t": framework.tensor, "f": framework}
        x = framework.zeros(shape, dtype=framework.float64)
        try:
            x[eval(index, names)] = eval(value, names)
        except (RuntimeError, IndexError) as error:
            return type(error).__name__, str(error).split("\n")[0]
        return x.tolist()

    values = "t(1)", "t(1.5)", "t([1, 1, 1])", "f.ones(3, dtype=f.float64)", "2"
    for (shape, index), value in itertools.product(_MISFITS, values):
        got, want = (told(framework, shape, index, value) for framework in (mindtorch, torch))
        assert got == want, (shape, index, value)
