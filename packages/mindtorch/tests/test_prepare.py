"""``prepare`` of a row: not asked for layouts that are known; any thread runs its answer."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import mindtorch
import mindtorch as mt
import numpy as np
import pytest
from mindtorch.call.row import ROWS

Asked = list[tuple[Any, ...]]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Asked]]:
    """Follows ``prepare`` of a row: a list of the shapes that it was asked for."""

    def follow(name: str) -> Asked:
        getattr(mindtorch.ops.aten, name)  # which makes its row
        row, found = ROWS[name], []
        before = row.prepare
        assert before is not None

        def prepare(*args: Any) -> Callable[..., Any]:
            found.append(args[0].shape)
            return before(*args)

        monkeypatch.setattr(row, "prepare", prepare)
        return found

    yield follow


def test_it_is_not_asked_for_a_known_layout(asked: Callable[[str], Asked]) -> None:
    seen = asked("_softmax")
    for _ in range(8):
        mindtorch.softmax(mindtorch.rand(5, 31), 1)
    assert set(seen) == {(5, 31)}
    seen.clear()
    mindtorch.softmax(mindtorch.rand(5, 31), 1)
    assert not seen


def test_it_is_asked_again_for_another_argument(asked: Callable[[str], Asked]) -> None:
    seen = asked("topk")
    x = mindtorch.rand(3, 29)
    for k in (2, 3) * 6:
        assert x.topk(k)[0].shape == (3, k)
    assert 2 <= len(seen) <= 4
    seen.clear()
    for k in (2, 3) * 6:
        assert x.topk(k)[0].shape == (3, k)
    assert not seen


def test_it_is_asked_again_for_another_dtype(asked: Callable[[str], Asked]) -> None:
    seen = asked("max_pool2d_with_indices")
    for times, most in ((8, 10), (1, 0)):
        for dtype in (mindtorch.float32, mindtorch.float64) * times:
            x = mindtorch.ones(1, 1, 4, 27, dtype=dtype)
            assert mindtorch.nn.functional.max_pool2d(x, 2).dtype is dtype
        assert min(most, 2) <= len(seen) <= most
        seen.clear()


def test_a_result_does_not_change_with_the_next_call() -> None:
    x, y = mindtorch.rand(2, 7), mindtorch.rand(2, 7)
    before = mindtorch.softmax(x, 1)
    numbers = before.tolist()
    mindtorch.softmax(y, 1)
    assert before.tolist() == numbers


@pytest.mark.parametrize("dim", [0, 1, -1])
@pytest.mark.parametrize("turned", [False, True])
def test_a_layout_has_its_own_kernel(dim: int, turned: bool) -> None:
    for seed in range(8):
        a = np.random.default_rng(seed).normal(size=(4, 6))
        a = a.T if turned else a
        x = mindtorch.from_numpy(a)
        e = np.exp(a)
        np.testing.assert_allclose(mindtorch.softmax(x, dim), e / e.sum(dim, keepdims=True))
        values, places = x.topk(3, dim)
        np.testing.assert_array_equal(values, -np.sort(-a, dim).take(range(3), dim))
        np.testing.assert_array_equal(np.take_along_axis(a, np.asarray(places), dim), values)


def test_threads_may_call_at_once() -> None:
    sizes = [(n % 7 + 2, n % 5 + 2) for n in range(140)]

    def right(shape: tuple[int, int]) -> bool:
        a = np.random.default_rng(shape).normal(size=shape)
        x = mindtorch.from_numpy(a)
        same = bool(np.allclose(x.topk(2, 0)[0], -np.sort(-a, 0)[:2]))
        pooled = mindtorch.nn.functional.adaptive_max_pool2d(x[None], (1, 1))
        return same and pooled.item() == a.max()

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(right, sizes))


@pytest.mark.parametrize("name", ["max_pool2d", "max_pool3d"])
def test_of_several_nan_a_pool_names_the_last(name: str) -> None:
    n = int(name[-2])
    x = mindtorch.full((1, 1, *[2] * n), float("nan"))
    x.view(-1)[0] = 1.0
    value, place = getattr(mindtorch.nn.functional, name)(x, 2, return_indices=True)
    assert value.isnan().all()
    assert place.item() == 2**n - 1


def test_a_target_that_fitted_is_written_again_and_nothing_is_kept():
    a, out = mt.arange(6.0).reshape(2, 3), mt.zeros(2, 3)
    for number in range(8):
        assert mt.add(a, a, alpha=number, out=out) is out
        assert out.tolist() == (a.numpy() * (1 + number)).tolist()
        assert out._version == number + 1
    kept = weakref.ref(a)
    del a
    gc.collect()
    assert kept() is None


def test_a_target_that_shares_memory_with_an_argument_is_looked_at_each_time():
    for _ in range(8):
        a = mt.arange(4.0)
        assert mt.add(a, 1, out=a).tolist() == [1, 2, 3, 4]
        with pytest.raises(RuntimeError, match="single memory location"):
            mt.add(a[:3], 1, out=a[1:])


def test_views_of_a_layout_that_came_before_lie_where_they_lay():
    for _ in range(8):
        a = mt.arange(12.0).reshape(3, 4)
        first, second = a.chunk(2)
        assert (first.storage_offset(), second.storage_offset()) == (0, 8)
        second.fill_(7)
        assert a[2].tolist() == [7] * 4 and a._version == second._version
        assert a.diagonal().tolist() == [0, 5, 7]


def test_what_is_prepared_for_a_number_serves_it_alone() -> None:
    """Norms of several orders over one layout, also where formulas and composites ask for them."""
    x = mt.arange(1.0, 7.0).view(2, 3)
    for _ in range(8):
        for p, want in ((2, 14**0.5), (1, 6.0), (3, 36 ** (1 / 3))):
            norms = x.norm(p, 1), mt.linalg.vector_norm(x, p, 1), mt.norm_except_dim(x, p, 0)
            for found in norms:
                assert abs(found.flatten()[0].item() - want) < 1e-5
