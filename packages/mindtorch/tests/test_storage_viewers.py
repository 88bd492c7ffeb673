"""Storages that are resized again and again find the tensors over them without a search."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import mindtorch as torch
import pytest
from mindtorch.tensor import storage_referrers


class Marked(torch.Tensor):
    """A class of tensors."""


#: What makes another tensor over the memory of a tensor of six numbers.
WAYS: dict[str, Callable[[Any], Any]] = {
    "view": lambda x: x.view(2, 3),
    "part": lambda x: x[2:],
    "one of several": lambda x: x.split(2)[1],
    "as_strided": lambda x: x.as_strided((2, 2), (1, 2), 1),
    "another dtype": lambda x: x.view(torch.int32),
    "view of a view": lambda x: x.view(2, 3).t()[1],
    "as complex numbers": lambda x: torch.view_as_complex(x.view(3, 2)),
    "detached": lambda x: x.detach(),
    "data": lambda x: x.data,
    "parameter": lambda x: torch.nn.Parameter(x),
    "class": lambda x: x.as_subclass(Marked),
    "set_": lambda x: torch.empty(0).set_(x.untyped_storage(), 1, (2, 2)),
    "set_ to a tensor": lambda x: torch.empty(0).set_(x),
    "no_grad": torch.no_grad()(lambda x: x.view(3, 2)),
    "saved": lambda x: (x.view(6) * torch.ones(6, requires_grad=True)).grad_fn._saved_self,
}


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one with each search."""
    counted: list[int] = []

    def search(storages: list[Any]) -> list[Any]:
        counted.append(len(storages))
        return over(storages)

    over = storage_referrers.tensors_over
    monkeypatch.setattr(storage_referrers, "tensors_over", search)
    return counted


def cycle(x: Any, nbytes: int) -> None:
    """Take the memory of *x* away and give it back."""
    x.untyped_storage().resize_(0)
    x.untyped_storage().resize_(nbytes)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("first", [False, True], ids=["moved before", "moved afterwards"])
def test_all_tensors_over_memory_follow_it(way: str, first: bool) -> None:
    """Whenever they were made: before memory moved for the first time, or between two moves."""
    for _ in range(8):  # until calls are known
        x = torch.arange(6.0)
        if first:
            cycle(x, 24)
        other = WAYS[way](x)
        more = WAYS[way](x)
        for _ in range(3):
            x.untyped_storage().resize_(0)
            for t in (x, other, more):
                with pytest.raises(RuntimeError):
                    t.sum()
            x.untyped_storage().resize_(24)
            x.copy_(torch.arange(6.0))
            want = WAYS[way](torch.arange(6.0)).tolist()
            assert other.tolist() == more.tolist() == want
            with torch.no_grad():
                x.zero_()
            assert not torch.count_nonzero(other) and not torch.count_nonzero(more)


def test_one_search_at_most(searches: list[int]) -> None:
    """A tensor that is alone is known; views that were there before are looked for once."""
    alone = torch.ones(4)
    for _ in range(3):
        cycle(alone, 16)
    assert not searches
    viewed = torch.ones(4)
    views = [viewed[1:], torch.nn.Parameter(viewed), viewed.view(2, 2).t()]
    for _ in range(3):
        cycle(viewed, 16)
    assert searches == [1]
    views += [viewed[2:], viewed.detach(), torch.nn.Parameter(views[0]), viewed.split(2)]
    for _ in range(3):
        cycle(viewed, 16)
        views.append(viewed[:1])
    assert searches == [1]
    torch.UntypedStorage(4).resize_(8)
    assert searches == [1]


def test_who_is_not_known_is_looked_for(searches: list[int]) -> None:
    """A tensor that has the memory by other ways, a storage that somebody holds."""
    x = torch.ones(4)
    cycle(x, 16)
    other = torch.empty(0).set_(x.untyped_storage())
    cycle(x, 16)
    assert searches == [1]
    x.fill_(2.0)
    assert other.tolist() == [2.0] * 4
    storage = x.untyped_storage()
    storage.resize_(0)
    storage.resize_(16)
    assert len(searches) == 3


def test_tensors_that_are_gone_leave_nothing_behind() -> None:
    """Of many views of memory that has moved, none stays."""
    x = torch.ones(4)
    cycle(x, 16)
    for _ in range(100):
        x[1:]
    gc.collect()
    assert len(x.untyped_storage()._viewers) == 1
