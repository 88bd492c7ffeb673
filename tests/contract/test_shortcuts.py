"""Calls past the argument parser mean what the parser says, for every row and every sample."""

from __future__ import annotations

from functools import cache
from itertools import islice
from typing import Any

import mindtorch
import pytest
from mindtorch.call.argument_parser import parser_of
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.parse_cache import Shortcuts
from mindtorch.call.row import ROWS

from ..samples import Maker, find
from .rows import NAMES

BASES = sorted({ROWS[name].base for name in NAMES})


def value_at(part: Any, first: Any, values: tuple[Any, ...]) -> Any:
    """What a shortcut puts there."""
    if isinstance(part, tuple):
        return part[0]
    return eval(part, {"first": first, **{f"v{i}": v for i, v in enumerate(values)}})


def same(a: Any, b: Any) -> bool:
    """One value, of one type; tensors are the same object."""
    if isinstance(a, mindtorch.Tensor) or isinstance(b, mindtorch.Tensor):
        return a is b
    if isinstance(a, (tuple, list)):
        return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
    return a is b or type(a) is type(b) and a == b


def calls(base: str) -> Any:
    """Arguments of sample calls, good and bad ones, 0-d tensors among them."""
    for name in NAMES:
        row = ROWS[name]
        if row.base == base and row.samples:
            for bad in (False, True):
                for dtype in ("float32", "int64"):
                    generator = find(row.samples, bad=bad)
                    if generator is not None:
                        yield from islice(generator(Maker(mindtorch, dtype)), 8)


def goes_to_parser(value: Any) -> bool:
    """Whether a call looks at the value and asks the parser after all."""
    return isinstance(value, (tuple, list)) and not (value and {*map(type, value)} == {int})


def check(base: str) -> int:
    group = [o for o in OVERLOADS.named(base)]
    made = 0
    for method in (True, False):
        parser = parser_of(base, group, method=method)
        places = cache(Shortcuts(parser, group, method=method).places)
        for args, kwargs in calls(base):
            if not args or not isinstance(args[0], mindtorch.Tensor):
                continue
            first, *rest = args
            values = (*rest, *kwargs.values())
            if any(goes_to_parser(v) for v in values):
                continue
            found = places((*map(type, rest), *kwargs, *map(type, kwargs.values())))
            if found is None:
                continue
            if method:
                which, bound = parser.parse(tuple(rest), kwargs, first)
            else:
                which, bound = parser.parse(args, kwargs)
            assert which == found[0], (args, kwargs)
            for part, value in zip(found[1], bound, strict=True):
                assert same(value_at(part, first, values), value), (args, kwargs, found)
            made += 1
    return made


@pytest.mark.filterwarnings("ignore")
def test_values_go_where_the_parser_puts_them() -> None:
    """For all ops; and there are shortcuts for many."""
    assert sum(map(check, BASES)) > 2000


def test_what_depends_on_values_goes_to_the_parser() -> None:
    """Numbers out of range are refused each time, in the same words."""
    x = mindtorch.ones(2, 3)
    for _ in range(3):
        assert x.transpose(0, 1).shape == (3, 2)
        with pytest.raises(ValueError, match="Overflow when unpacking long"):
            x.transpose(0, 1 << 70)
        with pytest.raises(TypeError, match="must be int, not float"):
            x.transpose(0, 1.0)
        with pytest.raises(IndexError, match="Dimension out of range"):
            x.transpose(0, 7)


def test_sequences_of_whole_numbers_are_looked_at_each_time() -> None:
    x = mindtorch.ones(2, 3)
    for _ in range(3):
        assert x.permute((1, 0)).shape == (3, 2)
        assert x.sum([0, 1]).shape == x.sum((1, 0)).shape == ()
        assert x.sum(()).shape == mindtorch.sum(x, []).shape == ()
        assert x.reshape(mindtorch.Size((3, 2))).shape == mindtorch.reshape(x, [3, 2]).shape
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
    for _ in range(3):
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
    for _ in range(3):
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
