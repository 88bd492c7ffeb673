"""What ``tensor``, ``as_tensor``, ``asarray`` and the calls of old make of any Python object."""

from __future__ import annotations

import collections
import decimal
import enum
import fractions
import types
import warnings
from collections.abc import Callable
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

pytestmark = pytest.mark.filterwarnings("ignore:the matrix subclass")
DTYPES = (None, "int64", "float32", "bool", "complex64", "uint8", "uint64", "float16", "bfloat16")


class Index:
    def __index__(self) -> int:
        return 3


class Real:
    def __float__(self) -> float:
        return 3.5


class Complex:
    def __complex__(self) -> complex:
        return 3.5j


class Items:
    """A sequence that is no list."""

    def __len__(self) -> int:
        return 2

    def __getitem__(self, i: int) -> int:
        return [4, 5][i]


class Array:
    """torch asks nobody for ``__array__``."""

    __array_interface__ = np.arange(3.0).__array_interface__

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.arange(3.0)


class Small(enum.IntEnum):
    TWO = 2


class MyInt(int):
    pass


class MyFloat(float):
    pass


def _objects() -> list[Any]:
    numpy = [np.float32(1.5), np.int64(3), np.uint8(2), np.bool_(True), np.complex64(1j)]
    numbers = [1.5, 3, True, 1j, MyInt(3), MyFloat(2.5), Small.TWO, 2**63, -(2**63) - 1, *numpy]
    numbers += [decimal.Decimal("1.5"), fractions.Fraction(1, 2), Index(), Real(), Complex()]
    others = [None, "a", b"ab", np.str_("a"), {}, {1: 2}, {1}, types.SimpleNamespace(), Array()]
    sequences = [bytearray(b"ab"), memoryview(b"ab"), range(3), collections.deque([1, 2]), Items()]
    nested = [[[1, 2], [3]], [1, [2]], [[1], 2], [[]], [[], [1]], [range(2), range(2)], [Items()]]
    arrays = [
        np.arange(6).reshape(2, 3).T,
        np.arange(3)[::-1],
        np.broadcast_to(np.arange(2), (2, 2)),
    ]
    arrays += [np.array(2), np.array(2.5), np.array([1], ">i4"), np.array([1], "M8[s]")]
    arrays += [np.array(["a"]), np.array([1, "a"], object), np.array([1.5 + 2j]), np.array("a")]
    arrays += [np.ma.array([1, 2], mask=[0, 1]), np.matrix([[1, 2]]), np.array([1.5, -2.5])]
    values = [*numbers, *others, *sequences]
    return [*values, *([v] for v in values), *nested, *arrays, [np.int8(3), 2.5], iter([1])]


def _result(f: Callable[[], Any], filled: bool = True) -> Any:
    try:
        made = f()
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0].rstrip('"')
    values = repr(made.tolist()) if filled else None
    return str(made.dtype), tuple(made.shape), made.stride(), values


def _calls(t: Any, name: str, how: dict[str, Any]) -> list[Any]:
    found = []
    for obj in _objects():
        sized = not name.islower() and hasattr(obj, "__index__") and not isinstance(obj, list)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found.append((repr(obj), _result(lambda: getattr(t, name)(obj, **how), not sized)))
    return found


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ["tensor", "as_tensor", "asarray"])
def test_any_object_gives_what_torch_makes_of_it(name: str, dtype: str | None) -> None:
    def run(t: Any) -> Any:
        return _calls(t, name, {} if dtype is None else {"dtype": getattr(t, dtype)})

    _compare(run)


@pytest.mark.parametrize("name", ["Tensor", "FloatTensor", "LongTensor", "BoolTensor"])
def test_the_calls_of_old_give_what_torchs_give(name: str) -> None:
    """An int, also numpy's, is a size; an array of the dtype is taken as it is."""
    _compare(lambda t: _calls(t, name, {}))
    kind = {"LongTensor": np.int64, "BoolTensor": np.bool_}.get(name, np.float32)
    for t in (mindtorch, torch):
        array = np.zeros(3, kind)
        assert getattr(t, name)(array).data_ptr() == array.ctypes.data


def _compare(run: Callable[[Any], Any]) -> None:
    lines = []
    for (what, mine), (_, theirs) in zip(run(mindtorch), run(torch), strict=True):
        if repr(mine).replace("mindtorch", "torch") != repr(theirs):
            lines.append(f"{what[:60]}: {mine}, torch has {theirs}")
    assert not lines, "\n".join(lines)


def test_storages_are_looked_into() -> None:
    def run(t: Any) -> Any:
        found = []
        for dtype in (None, t.int64, t.float32):
            for storage in (t.ones(2)._typed_storage(), t.ones(2).untyped_storage()):
                for name in ("tensor", "as_tensor", "asarray"):
                    how = {} if dtype is None else {"dtype": dtype}
                    found.append((name, _result(lambda: getattr(t, name)(storage, **how))))
        return found

    _compare(run)


@pytest.mark.parametrize("default", ["float16", "bfloat16", "float64"])
def test_complex_numbers_follow_the_default_dtype(default: str) -> None:
    def run(t: Any) -> Any:
        t.set_default_dtype(getattr(t, default))
        try:
            return [(repr(x), _result(lambda: t.tensor(x))) for x in ([1j], 1j, [1.5, 2j], 2.5)]
        finally:
            t.set_default_dtype(t.float32)

    _compare(run)


def test_numbers_are_no_matrices() -> None:
    for number in (2, 1.5, True, None, [1]):
        for t in (mindtorch, torch):
            with pytest.raises(TypeError, match="unsupported operand type"):
                t.ones(2) @ number


@pytest.mark.parametrize("name", ["tensor", "as_tensor", "from_numpy", "LongTensor"])
def test_torchs_own_types_are_named_with_their_module(name: str) -> None:
    """As the types of C they are: ``torch.dtype``, not ``dtype``."""

    def run(t: Any) -> Any:
        values = [t.float32, t.device("cpu"), t.strided, t.contiguous_format, t.Generator()]
        values += [t.Size([1])] if name == "from_numpy" else []
        return [(repr(v), _result(lambda v=v: getattr(t, name)(v))) for v in values]

    _compare(run)


def test_integers_that_shall_require_gradients_are_refused_by_all_that_make_tensors() -> None:
    """Also where they come from a tensor; the method says so in other words."""

    def run(t: Any) -> Any:
        i = t.ones(2, dtype=t.int64)
        makers: dict[str, Callable[[], Any]] = {
            "tensor": lambda: t.tensor(i, requires_grad=True),
            "new_tensor": lambda: i.new_tensor(i, requires_grad=True),
            "numbers": lambda: t.tensor([1], requires_grad=True),
            "asarray": lambda: t.asarray(i, requires_grad=True),
            "sparse": lambda: t.sparse_coo_tensor(i[None], i, (2,), requires_grad=True),
            "method": lambda: i.clone().requires_grad_(),
        }
        return [(what, _result(make)) for what, make in makers.items()]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _compare(run)


class Named(str):
    """As members of an ``Enum`` of strings, which programs keep names of devices in."""


_OPTIONS = [
    f"{call}{option}={value})"
    for call in (
        "t.tensor(1.0, ", "t.as_tensor(1.0, ", "t.ones(1).new_tensor(1.0, ", "t.asarray(1.0, ",
        "t.tensor([], ", "t.tensor(t.ones(1), ",
    )
    for option, values in (
        ("requires_grad", "1 0 None 'x' True np.bool_(True) t.tensor(True) [True]".split()),
        (
            "device",
            "3.5 True 1j [1] None 'cpu' 'meta' t.device('cpu') np.float32(1) np.str_('cpu') b'cpu' "
            "Named('cpu')".split(),
        ),
    )
    for value in values
] + [
    f"{call}{value})"
    for call in ("t.device(", "t.device('cpu', ", "t.tensor(1, dtype=")
    for value in (
        "np.float32(1)", "np.zeros(1, int)", "np.array(0)", "np.bool_(True)", "decimal.Decimal(1)",
        "collections.OrderedDict()", "range(-1, 0)", "object()", "np.dtype('f4')", "t.tensor(1.5)",
    )
] + [f"t.tensor(1, pin_memory={value})" for value in ("1", "None", "'x'", "False")]  # fmt: skip


@pytest.mark.parametrize("call", _OPTIONS)
def test_options_of_other_types_are_refused(call: str) -> None:
    """Of what stands for data, only a copy warns."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert _said(mindtorch, call) == _said(torch, call)


def _said(t: Any, call: str) -> Any:
    found = _result(lambda: eval(call, {**globals(), "t": t}), "meta" not in call)
    return found.replace("mindtorch", "torch") if isinstance(found, str) else found


@pytest.mark.parametrize("copy", [True, False, None])
@pytest.mark.parametrize("dtype", [None, *DTYPES[1:]])
@pytest.mark.parametrize("number", [np.float32(2), np.int64(2), np.bool_(True), np.array(2.0)])
def test_a_number_of_numpys_that_is_copied_keeps_its_dtype(
    number: Any, dtype: str | None, copy: bool | None
) -> None:
    def run(t: Any) -> Any:
        return _result(lambda: t.asarray(number, dtype=dtype and getattr(t, dtype), copy=copy))

    assert run(mindtorch) == run(torch)
