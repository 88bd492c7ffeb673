"""How batches of ``torch.utils.data`` are put together, and what is told of workers."""

from __future__ import annotations

import collections
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import pytest

from .both_frameworks import BOTH, agree, refuse, same

# Collating ----------------------------------------------------------------------------------------


class Point(NamedTuple):
    x: object
    y: object


class Dict(dict):
    """A mapping with an attribute."""

    mark = 3


class Frozen(Mapping):
    """A mapping that is made of a dict."""

    def __init__(self, items):
        self.items_ = dict(items)

    def __getitem__(self, key):
        return self.items_[key]

    def __len__(self):
        return len(self.items_)

    def __iter__(self):
        return iter(self.items_)


class NotMade(Frozen):
    """A mapping that is not."""

    def __init__(self, a, b):
        super().__init__({"a": a, "b": b})


class Steps(Sequence):
    """A sequence that is not made of a list."""

    def __init__(self, n, _):
        self.n = n

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        if i >= self.n:
            raise IndexError
        return i


BATCHES = {
    "tensors": lambda t: [t.ones(2, 3), t.zeros(2, 3)],
    "transposed tensors": lambda t: [t.arange(6).reshape(2, 3).t(), t.ones(3, 2, dtype=t.int64)],
    "tensors of no dims": lambda t: [t.tensor(1), t.tensor(2)],
    "tensors that want gradients": lambda t: [t.ones(2, requires_grad=True), t.ones(2)],
    "parameters": lambda t: [t.nn.Parameter(t.ones(2))],
    "no tensors": lambda t: [],
    "tensors of two shapes": lambda t: [t.ones(2), t.ones(3)],
    "tensors of two dtypes": lambda t: [t.ones(2), t.ones(2, dtype=t.int64)],
    "arrays": lambda t: [np.arange(3), np.arange(3, 6)],
    "arrays of no dims": lambda t: [np.array(1.5), np.array(2.5)],
    "arrays of uint16": lambda t: [np.arange(3, dtype=np.uint16)],
    "arrays of strings": lambda t: [np.array(["a"])],
    "arrays of objects": lambda t: [np.array([None])],
    "numpy's numbers": lambda t: [np.float32(1), np.float32(2)],
    "numpy's doubles": lambda t: [np.float64(1), np.float64(2)],
    "numpy's bools": lambda t: [np.bool_(True), np.bool_(False)],
    "numpy's strings": lambda t: [np.str_("a"), np.str_("b")],
    "ints": lambda t: [1, 2, 3],
    "floats": lambda t: [1.5, 2],
    "bools": lambda t: [True, False],
    "mixed numbers": lambda t: [1, 2.5],
    "strings": lambda t: ["a", "b"],
    "bytes": lambda t: [b"a"],
    "tuples": lambda t: [(1, "a", t.ones(1)), (2, "b", t.zeros(1))],
    "lists": lambda t: [[1, 2.0], [3, 4.0]],
    "nested lists": lambda t: [[1, [2, (3, 4)]], [5, [6, (7, 8)]]],
    "dicts": lambda t: [{"a": 1, "b": [t.ones(2)]}, {"a": 2, "b": [t.zeros(2)]}],
    "dicts with other keys": lambda t: [{"a": 1}, {"b": 2}],
    "dicts with more keys": lambda t: [{"a": 1}, {"a": 3, "b": 2}],
    "default dicts": lambda t: [collections.defaultdict(list, a=1)],
    "ordered dicts": lambda t: [collections.OrderedDict(b=1, a=2)],
    "user dicts": lambda t: [collections.UserDict(a=1)],
    "dicts of a subclass": lambda t: [Dict(a=1), Dict(a=2)],
    "mappings made of a dict": lambda t: [Frozen({"a": 1})],
    "other mappings": lambda t: [NotMade(1, 2)],
    "named tuples": lambda t: [Point(1, t.ones(1)), Point(2, t.zeros(1))],
    "deques": lambda t: [collections.deque([1, 2]), collections.deque([3, 4])],
    "ranges": lambda t: [range(3), range(3)],
    "other sequences": lambda t: [Steps(2, 0), Steps(2, 0)],
    "lists of two lengths": lambda t: [[1, 2], [1]],
    "empty lists": lambda t: [[], []],
    "complex numbers": lambda t: [1j],
    "None": lambda t: [None],
    "sets": lambda t: [{1}],
    "objects": lambda t: [object],
    "a tensor after a number": lambda t: [1, t.tensor(2)],
}


def shown(value, t):
    """*value* with the type of each container in it."""
    if isinstance(value, t.Tensor):
        return [
            "Tensor",
            value.tolist(),
            str(value.dtype),
            list(value.stride()),
            value.requires_grad,
        ]
    if isinstance(value, Mapping):
        return [
            type(value).__name__,
            [(k, shown(value[k], t)) for k in value],
            vars(type(value)).get("mark"),
        ]
    if isinstance(value, np.ndarray):
        return ["array", repr(value)]
    if isinstance(value, Sequence) and not isinstance(value, (str, bytes)):
        return [type(value).__name__, [shown(v, t) for v in value]]
    return repr(value)


@pytest.mark.parametrize("name", BATCHES)
@pytest.mark.parametrize("how", ["default_collate", "default_convert"])
def test_batches_are_collated_as_torchs(name, how):
    """Values, dtypes, types of containers, refusals."""
    same(lambda t: shown(getattr(t.utils.data, how)(BATCHES[name](t)), t))


def test_collating_takes_a_map_of_functions():
    """By exact type, then by the first that is a base; gone into containers with."""

    def run(t):
        c = t.utils.data._utils.collate
        marks = {
            str: lambda batch, *, collate_fn_map=None: "+".join(batch),
            (int, float): lambda batch, *, collate_fn_map=None: sum(batch),
            **c.default_collate_fn_map,
        }
        data = [("a", 1, True, {"x": 2.5}), ("b", 2, True, {"x": 3})]
        return c.collate(data, collate_fn_map=marks), list(map(str, c.default_collate_fn_map))[1:]

    agree(run)


def test_collating_without_a_map_knows_containers_only():
    """Everything else is refused."""
    refuse(lambda t: t.utils.data._utils.collate.collate([[1], [2]]))


# Errors on their way ------------------------------------------------------------------------------


class TwoArguments(Exception):
    def __init__(self, a, b):
        super().__init__(a, b)


class WithMessage(Exception):
    message = "x"

    def __init__(self, message):
        super().__init__(f"<{message[:6]}>")


@pytest.mark.parametrize(
    "kind, args",
    [
        (ValueError, ["a"]),
        (KeyError, ["k"]),
        (TwoArguments, [1, 2]),
        (WithMessage, ["m"]),
        (StopIteration, []),
        (OSError, [2, "n"]),
        (UnicodeDecodeError, ["utf8", b"", 0, 1, "x"]),
    ],
    ids=lambda e: getattr(e, "__name__", ""),
)
def test_an_error_is_raised_elsewhere_as_torchs(kind, args):
    """Type, and text with the traceback."""

    def run(t):
        try:
            raise kind(*args)
        except Exception:
            wrapped = t._utils.ExceptionWrapper(where="in a place")
        try:
            wrapped.reraise()
        except Exception as raised:
            return type(raised).__name__, str(raised), wrapped.exc_type.__name__, wrapped.where

    agree(run)


def test_worker_seeds_of_numpy_are_torchs():
    """Four words of both numbers."""
    for base in (0, 1, 2**40 + 3, 2**63 - 1):
        for worker in (0, 1, 17):
            agree(lambda t: t.utils.data._utils.worker._generate_state(base, worker))


def test_outside_of_workers_there_is_no_worker_info():
    """None."""
    assert [t.utils.data.get_worker_info() for t in BOTH] == [None, None]


def test_too_many_workers_are_warned_about():
    """More than processors; the text has the numbers."""
    heard = same(lambda t: t.utils.data.DataLoader([1], num_workers=500).num_workers)
    assert len(heard[1]) == 1
