"""Random numbers are torch's, bit for bit, and so is the state that the generator is left in.

Every distribution over every dtype, size and layout.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import assert_same_value, both, differences

DTYPES = ("float32 float64 float16 bfloat16 complex64 int64 int8 uint8 bool uint64").split()
#: Around the sizes at which torch changes its ways: blocks of sixteen, the last one drawn anew.
SHAPES = [(), (0,), (1,), (15,), (16,), (17,), (33,), (4, 25), (3, 7, 5), (3, 0), (200,)]

FILLS: dict[str, Callable[[Any], Any]] = {
    "uniform_": lambda x: x.uniform_(),
    "uniform_ in a range": lambda x: x.uniform_(-1.3, 2.7),
    "normal_": lambda x: x.normal_(),
    "normal_ with a deviation": lambda x: x.normal_(1.5, 0.3),
    "random_": lambda x: x.random_(),
    "random_ below": lambda x: x.random_(100),
    "random_ from": lambda x: x.random_(3, None),
    "random_ in 25 bits": lambda x: x.random_(-5, 2**24 + 10),
    "random_ in 64 bits": lambda x: x.random_(-(2**40), 2**53 + 3),
    "bernoulli_": lambda x: x.bernoulli_(),
    "bernoulli_ of a chance": lambda x: x.bernoulli_(0.3),
    "exponential_": lambda x: x.exponential_(2.5),
    "geometric_": lambda x: x.geometric_(0.3),
    "cauchy_": lambda x: x.cauchy_(1.5, 0.3),
    "log_normal_": lambda x: x.log_normal_(0.5, 0.3),
}


def layouts(t: Any, dtype: Any, shape: tuple[int, ...]) -> Iterator[Any]:
    """Memory of *shape*: contiguous, transposed, with gaps, at an offset."""
    yield t.zeros(shape, dtype=dtype)
    if len(shape) > 1:
        yield t.zeros(shape[::-1], dtype=dtype).permute(*range(len(shape))[::-1])
    if shape:
        yield t.zeros((*shape[:-1], shape[-1] * 2), dtype=dtype)[..., ::2]
        yield t.zeros((*shape[:-1], shape[-1] + 3), dtype=dtype)[..., 3:]


def outcomes(t: Any, fill: Callable[[Any], Any], dtype: str) -> list[Any]:
    found: list[Any] = []
    for shape in SHAPES:
        for x in layouts(t, getattr(t, dtype), shape):
            t.manual_seed(sum(shape) + 7)
            try:
                fill(x)
                found += [x.clone(), t.rand(1)]  # what is drawn next shows how many were drawn
            except Exception as error:
                found.append(f"{type(error).__name__}: {error}")
    return found


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", sorted(FILLS))
def test_memory_is_filled_as_by_torch(name: str, dtype: str) -> None:
    """Numbers, their order in memory, how many were drawn; and the refusals."""
    found = [outcomes(t, FILLS[name], dtype) for t in (mindtorch, torch)]
    assert not differences(*found)


#: For each distribution with parameters: how to draw some.
PARAMETERS: dict[str, Callable[[Any], tuple[float, ...]]] = {
    "uniform_": lambda rng: tuple(sorted(rng.normal(0, 10.0 ** rng.integers(-3, 4), 2))),
    "normal_": lambda rng: (rng.normal(0, 5), rng.exponential(3)),
    "exponential_": lambda rng: (rng.exponential(3),),
    "geometric_": lambda rng: (rng.uniform(),),
    "bernoulli_": lambda rng: (rng.uniform(),),
    "cauchy_": lambda rng: (rng.normal(0, 5), rng.exponential(3)),
    "log_normal_": lambda rng: (rng.normal(), rng.exponential(0.5)),
}


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("name", PARAMETERS)
def test_any_parameters_give_the_same_bits(name: str, dtype: str) -> None:
    """Ranges and deviations that no power of two hides: each product is rounded as torch's is."""
    rng = np.random.default_rng(3)
    for seed in range(30):
        given = PARAMETERS[name](rng)
        found = []
        for t in (mindtorch, torch):
            t.manual_seed(seed)
            found.append(getattr(t.empty(40, dtype=getattr(t, dtype)), name)(*given))
        assert not differences(*found), given


DROPS = "dropout alpha_dropout feature_alpha_dropout dropout1d dropout2d dropout3d".split()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
@pytest.mark.parametrize("name", DROPS)
def test_what_is_dropped_is_what_torch_drops(name: str, dtype: str) -> None:
    """Any chance, any number of dimensions; what is left is scaled to the same bits."""
    for shape in ((3, 3), (5, 20), (4, 3, 5), (2, 3, 5, 5), (2, 3, 2, 2, 3)):
        for chance in (0.0, 0.1, 0.37, 0.5, 1.0):
            found = []
            for t in (mindtorch, torch):
                t.manual_seed(5)
                x = t.linspace(-3, 3, math.prod(shape)).reshape(shape).to(getattr(t, dtype))
                try:
                    found.append([getattr(t.nn.functional, name)(x, chance), t.rand(1)])
                except RuntimeError as error:  # channels of so many dimensions
                    found.append(str(error))
            assert not differences(*found), (shape, chance)


RANGES = [(0, 2), (-3, 100), *((0, 2**b - d) for b in (27, 28, 31, 32, 33, 62, 63) for d in (0, 1))]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "float32", "float16", "bfloat16"])
def test_integers_of_every_range(dtype: str) -> None:
    """One number of 32 bits or two, and what floats make of bounds that they cannot hold."""

    def draws(t: Any) -> list[Any]:
        found: list[Any] = []
        for low, high in [*RANGES, (-(2**63), 2**63 - 1), (5, 5), (0, 2**63 + 1)]:
            t.manual_seed(11)
            try:
                found += [t.randint(low, high, (17,), dtype=getattr(t, dtype)), t.rand(1)]
            except Exception as error:
                found.append(f"{type(error).__name__}: {str(error)[:60]}")
        return found

    assert not differences(draws(mindtorch), draws(torch))


SIZES = [0, 1, 2, 3, 10, 23, 24, 25, 127, 128, 255, 256, 257, 300, 2001, 2049, 20000, 65537]


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8", "uint8", "float32", "float16"])
def test_permutations_of_every_size(dtype: str) -> None:
    """Those of few elements are swapped one by one, those of many by LAPACK."""

    def draws(t: Any) -> list[Any]:
        found: list[Any] = []
        for n in SIZES:
            t.manual_seed(n)
            try:
                found += [t.randperm(n, dtype=getattr(t, dtype)), t.rand(1)]
            except Exception as error:
                found.append(f"{type(error).__name__}: {error}")
        return found

    assert not differences(draws(mindtorch), draws(torch))


@pytest.mark.parametrize("seed", range(3))
def test_many_numbers(seed: int) -> None:
    """More than a tile of normal numbers, half of them in an odd place."""

    def draws(t: Any) -> list[Any]:
        t.manual_seed(seed)
        n = 70_001 + seed * 5
        made = [t.randn(n), t.rand(n), t.empty(n).normal_(2, 3), t.randn(n, dtype=t.bfloat16)]
        made += [t.randn(999, dtype=t.float64), t.randn(3), t.randn(16), t.randn(1)]
        made += [t.randn(n) for n in (113, 4090, 4097)]  # where two blocks are worked out as one
        made += [t.randint(0, high, (5000,)) for high in (1, 7, 2**16, 2**28 - 1, 2**28)]
        made += [t.randint(-5, 70, (5000,), dtype=t.int8), t.empty(7).normal_(1, 2)]
        return [*made, t.randperm(30_011 + seed), t.get_rng_state()]

    assert not differences(draws(mindtorch), draws(torch))


MIXED: list[Callable[[Any, int], Any]] = [
    lambda t, n: t.rand(n),
    lambda t, n: t.randn(n),
    lambda t, n: t.randn(n, dtype=t.float64),
    lambda t, n: t.randn(n, dtype=t.float16),
    lambda t, n: t.rand(n, dtype=t.float64),
    lambda t, n: t.randint(3, 90, (n,)),
    lambda t, n: t.randint(-5, 1 << 40, (n,)),
    lambda t, n: t.randperm(n),
    lambda t, n: t.bernoulli(t.full((n,), 0.3)),
    lambda t, n: t.empty(n, dtype=t.uint8).random_(),
    lambda t, n: t.poisson(t.full((n % 50,), 3.0)),
    lambda t, n: t.get_rng_state(),
    lambda t, n: t.set_rng_state(t.get_rng_state()),
    lambda t, n: t.manual_seed(n).get_state(),
]


@pytest.mark.parametrize("seed", range(3))
def test_draws_of_all_kinds_and_sizes_in_any_order(seed: int) -> None:
    """Numbers are made ahead by the block; whatever is drawn next, the stream is torch's."""
    choice = np.random.default_rng(seed)
    sizes = (0, 1, 2, 5, 15, 16, 17, 21, 48, 100, 320, 624, 625, 700, 1300, 5000)
    for t in (mindtorch, torch):
        t.manual_seed(seed)
    for _ in range(600):
        draw, n = MIXED[choice.integers(len(MIXED))], int(choice.choice(sizes))
        mine, theirs = draw(mindtorch, n), draw(torch, n)
        if theirs is not None:
            assert mine.tolist() == theirs.tolist()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_numbers_that_are_accepted_or_not(dtype: str) -> None:
    """Poisson, binomial, gamma and Dirichlet numbers, over the sizes of their parameters."""

    def draws(t: Any) -> list[Any]:
        t.manual_seed(3)
        kind = getattr(t, dtype)
        rates = t.tensor([0.0, 0.3, 2.0, 9.9, 10.0, 33.0, 500.0, 1e5] * 25, dtype=kind)
        chances = t.tensor([0.0, 0.02, 0.3, 0.5, 0.51, 0.97, 1.0] * 40, dtype=kind)
        counts = t.tensor([0.0, 1.0, 7.0, 40.0, 3000.0] * 56, dtype=kind)
        shapes = t.tensor([1e-3, 0.05, 0.6, 1.0, 3.7, 80.0] * 40, dtype=kind)
        made = [t.poisson(rates), t.binomial(counts, chances), t._standard_gamma(shapes)]
        made += [t.poisson(rates.view(8, 25).t()), t._sample_dirichlet(shapes.view(40, 6))]
        return [*made, t.get_rng_state()]

    (*ours, mixed, state), (*oracle, wanted, after) = draws(mindtorch), draws(torch)
    assert not differences([*ours, state], [*oracle, after])
    # The quotient is of a sum, whose last digit may differ for doubles.
    assert not differences(mixed, wanted, rtol=4e-16 if dtype == "float64" else 0)


@pytest.mark.parametrize("p", [0.0, 1e-17, 2.0**-53, 0.1, 0.3, 0.5, 0.9, 1 - 2.0**-53, 1.0])
@pytest.mark.parametrize("n", [5, 3000])
def test_bernoulli_of_a_number_draws_torchs_bits(p: float, n: int) -> None:
    """Also where the probability is next to a number that can be drawn, and for any count."""

    def draw(t: Any) -> Any:
        t.manual_seed(n)
        return t.empty(n).bernoulli_(p), t.empty(n, dtype=t.float64).bernoulli_(p), t.rand(2)

    assert_same_value(*both(draw))


def test_names_of_the_namespace_are_torchs() -> None:
    """What ``from torch.random import *`` brings is there."""
    assert set(torch.random.__all__) <= set(mindtorch.random.__all__)
    assert mindtorch.random.thread_safe_generator() is torch.random.thread_safe_generator() is None


def test_fresh_numbers_have_memory_of_their_size():
    """Whatever is drawn besides does not stay in the storage."""
    for dtype in ("float32", "float64", "float16", "complex64"):
        for n in (3, 16, 25, 5000):
            for name in ("randn", "rand"):
                made = getattr(mindtorch, name)(n, dtype=getattr(mindtorch, dtype))
                assert made.untyped_storage().nbytes() == n * made.itemsize, (name, dtype, n)


ON_META = [
    lambda t, d: t.empty(3, dtype=d, device="meta").normal_(),
    lambda t, d: t.randn_like(t.empty(3, dtype=d, device="meta")),
    lambda t, d: t.normal(1.5, -0.3, (3,), dtype=d, device="meta"),
    lambda t, d: t.randn(0, dtype=d, device="meta"),
    lambda t, d: t.randint_like(t.empty(3, dtype=d, device="meta"), -500, 500),
    lambda t, d: t.empty(3, dtype=d, device="meta").random_(-5, 70000),
    lambda t, d: t.randint(5, 5, (3,), dtype=d, device="meta"),
    lambda t, d: t.randint(-500, 500, (3,), dtype=d, device="meta"),
    lambda t, d: t.randperm(70000, dtype=d, device="meta"),
    lambda t, d: t.randperm(-3, dtype=d, device="meta"),
]


@pytest.mark.parametrize("call", ON_META)
def test_what_is_drawn_nowhere_is_refused_as_the_oracle_refuses_it(call):
    """On meta normal numbers need a floating dtype, and integers need none that holds them."""
    for dtype in ("bool", "uint8", "int64", "float16", "float32", "complex64"):
        found = []
        for home in (mindtorch, torch):
            try:
                made = call(home, getattr(home, dtype))
                found.append((tuple(made.shape), str(made.dtype).rpartition(".")[2]))
            except (RuntimeError, NotImplementedError) as e:
                found.append((type(e), str(e)))
        assert found[0] == found[1], dtype


@pytest.mark.parametrize("shape", [(4,), (1, 4), (3, 4), (2, 4)])
def test_samples_lie_one_after_the_other(shape: tuple[int, ...]) -> None:
    for count, again in [(1, False), (2, False), (3, False), (4, False), (1, True), (3, True)]:
        strides = [
            home.ones(shape).multinomial(count, again).stride() for home in (mindtorch, torch)
        ]
        assert strides[0] == strides[1], (count, again)
