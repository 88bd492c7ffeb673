"""What stands in the table of a name does what a first call does, for every row and sample."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import mindtorch
import pytest
from mindtorch.aten.register import METHODS, MODULES
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.row import ROWS
from mindtorch.core.signature import STALE

from ..samples import Maker, find
from .rows import NAMES

BASES = sorted({ROWS[name].base for name in NAMES})
HOMES = (METHODS, *MODULES.values())


def calls(base: str) -> Iterator[Any]:
    """Arguments of sample calls, good and bad ones, 0-d tensors among them; made anew."""
    for name in NAMES:
        row = ROWS[name]
        if row.base == base and row.samples:
            for bad in (False, True):
                for dtype in ("float32", "int64"):
                    generator = find(row.samples, bad=bad)
                    if generator is not None:
                        yield from islice(generator(Maker(mindtorch, dtype)), 4)


def told(value: Any) -> Any:
    """All that a caller sees of a result."""
    if isinstance(value, mindtorch.Tensor):
        meta = getattr(value, "_meta_", STALE)
        if meta is not STALE:
            assert (meta.sig, meta.shape, meta.strides) == (
                value._sig_, value._a_.shape, value._a_.strides,
            )  # fmt: skip
        numbers = value.detach().contiguous().clone()._a_.tobytes()
        look = value.dtype, tuple(value.shape), value.stride(), value.requires_grad
        return type(value), look, value._is_view(), value._version, numbers
    if isinstance(value, (tuple, list)):
        return type(value), *map(told, value)
    return type(value), repr(value)


def outcome(function: Any, args: Any, kwargs: Any) -> Any:
    """What a call came to, with what it left of its arguments."""
    mindtorch.manual_seed(0)
    try:
        result = told(function(*args, **kwargs))
    except Exception as error:
        result = type(error), str(error)
    return result, [told(a) for a in args if isinstance(a, mindtorch.Tensor)]


def rounds(base: str, function: Any) -> list[list[Any]]:
    """The outcomes of all calls: of the first calls, and of calls that are known by then."""
    for overload in OVERLOADS.named(base):
        for entrance in overload.entrances:
            entrance.forget()
    return [[outcome(function, args, kwargs) for args, kwargs in calls(base)] for _ in range(8)]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("letter", sorted({base[0] for base in BASES}))
def test_known_calls_do_what_first_calls_do(letter: str) -> None:
    """For all ops, as functions and as methods; one call leaves nothing that changes another."""
    for base in BASES:
        for home in HOMES:
            if base[0] == letter and base in home and base not in _OF_MEMORY:
                first, *later = rounds(base, home[base])
                for again in later:
                    for number, (known, made) in enumerate(zip(again, first, strict=True)):
                        assert known == made, (base, number)


#: Whose results are memory that nobody wrote.
_OF_MEMORY = frozenset(
    "empty empty_like empty_permuted empty_quantized empty_strided new_empty new_empty_strided "
    "resize_ resize_as_ set_ _efficientzerotensor".split()
)


@pytest.mark.filterwarnings("ignore")
def test_many_calls_are_known() -> None:
    """Most samples that come again find their function in the table."""
    known = 0
    for name in ("add", "sum", "cat", "clamp", "softmax", "where", "gather", "cumsum", "max"):
        function = next(home[name] for home in MODULES.values() if name in home)
        rounds(name, function)
        known += sum(len(e.table) for o in OVERLOADS.named(name) for e in o.entrances)
    assert known > 60


def test_what_depends_on_values_goes_to_the_parser() -> None:
    """Numbers out of range are refused each time, in the same words."""
    x = mindtorch.ones(2, 3)
    for _ in range(9):
        assert x.transpose(0, 1).shape == (3, 2)
        with pytest.raises(ValueError, match="Overflow when unpacking long"):
            x.transpose(0, 1 << 70)
        with pytest.raises(TypeError, match="must be int, not float"):
            x.transpose(0, 1.0)
        with pytest.raises(IndexError, match="Dimension out of range"):
            x.transpose(0, 7)


def test_sequences_of_whole_numbers_are_looked_at_each_time() -> None:
    x = mindtorch.ones(2, 3)
    for _ in range(9):
        assert x.permute((1, 0)).shape == (3, 2)
        assert x.sum([0, 1]).shape == x.sum((1, 0)).shape == ()
        assert x.sum(()).shape == mindtorch.sum(x, []).shape == ()
        assert x.reshape(mindtorch.Size((3, 2))).shape == mindtorch.reshape(x, [3, 2]).shape
        for other in ({}, {2: 1, 3: 1}, {2, 3}, "23", [True, 3]):
            with pytest.raises(TypeError):
                mindtorch.ones(other)
        assert mindtorch.ones([]).shape == () and mindtorch.ones([2, 3]).shape == (2, 3)
        with pytest.raises(TypeError):
            x.sum((0, 1.0))
        with pytest.raises(TypeError):
            x.sum(["0"])
        with pytest.raises((TypeError, RuntimeError, ValueError)):
            x.sum((1 << 70,))
        with pytest.raises(IndexError, match="Dimension out of range"):
            x.sum((0, 7))


def test_lists_of_tensors_are_looked_at_each_time() -> None:
    x, y = mindtorch.ones(2, 3), mindtorch.zeros(2, 3)
    for _ in range(9):
        assert mindtorch.cat([x, y], 1).shape == mindtorch.cat((x, y), dim=-1).shape == (2, 6)
        assert mindtorch.stack([x, y]).tolist() == [x.tolist(), y.tolist()]
        assert mindtorch.cat([x.long(), y]).dtype is mindtorch.float32
        with pytest.raises(TypeError, match="expected Tensor as element 1 in argument 0, but got"):
            mindtorch.cat([x, 1])
        with pytest.raises(ValueError, match="expected a non-empty list of Tensors"):
            mindtorch.cat([])
        with pytest.raises(TypeError, match="must be int, not float"):
            mindtorch.cat([x, y], 1.0)
        with pytest.raises(IndexError, match="Dimension out of range"):
            mindtorch.cat([x, y], 2)


def test_kernels_of_the_users_and_modes_are_heeded() -> None:
    """A shortcut asks the same tables: what is registered or entered later counts."""
    from mindtorch.utils._python_dispatch import TorchDispatchMode

    x = mindtorch.ones(2, 3)
    for _ in range(9):
        x.transpose(0, 1)
    seen: list[str] = []

    class Watch(TorchDispatchMode):
        def __torch_dispatch__(self, func, types, args=(), kwargs=None):
            seen.append(str(func))
            return func(*args, **(kwargs or {}))

    with Watch():
        x.transpose(0, 1)
    assert seen == ["aten.transpose.int"]
    library = mindtorch.library.Library("aten", "IMPL")
    try:
        library.impl("transpose.int", lambda self, a, b: self.view(-1), "CPU")
        assert x.transpose(0, 1).shape == (6,)
    finally:
        library._destroy()
    assert x.transpose(0, 1).shape == (3, 2)


def test_a_list_that_its_caller_changes_is_looked_at_each_time() -> None:
    """What is remembered of a call keeps no list of the caller's."""
    x, shape = mindtorch.ones(2, 3), [2, 3]
    assert x.reshape(shape).shape == (2, 3)
    shape[:] = [3, 2]
    for _ in range(9):
        assert x.reshape(shape).shape == (3, 2)
        assert x.reshape([2, 3]).shape == (2, 3)


def test_an_object_in_a_list_of_tensors_takes_every_call_over() -> None:
    """Also calls of a function that has code of its own by then."""

    class Duck:
        @classmethod
        def __torch_function__(
            cls, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            return "quack"

    x = mindtorch.ones(2)
    for _ in range(4):
        assert mindtorch.cat([x, Duck()]) == "quack"
        assert mindtorch.cat([x, x]).tolist() == [1] * 4
