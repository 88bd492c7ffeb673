"""Samples of the random rows. See the package's docstring."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import Call, Maker, call
from .pointwise import INF

# The test seeds both frameworks alike before each call; the numbers must then be the same.


def _random_shapes() -> Iterator[tuple[int, ...]]:
    yield from ((), (5,), (15,), (16,), (40,), (3, 0), (4, 25))


def _generator(make: Maker) -> Any:
    made = make.torch.Generator()
    made.manual_seed(5)
    return made


def random_sizes(make: Maker) -> Iterator[Call]:
    for shape in _random_shapes():
        yield call(shape)
        if make.kind in ("float", "complex"):
            yield call(shape, dtype=make.type(make.dtype))


def bad_random_sizes(make: Maker) -> Iterator[Call]:
    yield call((-1,))
    yield call((2,), dtype=make.type("int64"))
    yield call((2,), generator=3)


def random_sizes_generator(make: Maker) -> Iterator[Call]:
    for shape in _random_shapes():
        yield call(shape, generator=_generator(make))


def random_like(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "complex"):
        yield call(make(3, 7))
        yield call(make(2, 10).transpose(0, 1))
    yield call(make(20), dtype=make.type("float64"))


def random_like_generator(make: Maker) -> Iterator[Call]:
    if make.kind == "float":
        yield call(make(3, 7), generator=_generator(make))


def randint(make: Maker) -> Iterator[Call]:
    for high in (1, 10, 1 << 27, 1 << 28, 1 << 40):
        yield call(high, (3, 7))
    yield call(2, (5,), dtype=make.type("bool"))
    yield call(100, (5,), dtype=make.type("float32"))


def bad_randint(make: Maker) -> Iterator[Call]:
    yield call(0, (3,))
    yield call(300, (3,), dtype=make.type("uint8"))
    yield call(3, (3,), dtype=make.type("bool"))
    yield call(3, (3,), dtype=make.type("complex64"))
    yield call(3, (-1,))


def randint_generator(make: Maker) -> Iterator[Call]:
    yield call(10, (3, 7), generator=_generator(make))


def randint_low(make: Maker) -> Iterator[Call]:
    yield call(-5, 5, (3, 7))
    yield call(-(2**62), 2**62, (9,))
    yield call(-3, 100, (9,), dtype=make.type("int8"))


def bad_randint_low(make: Maker) -> Iterator[Call]:
    yield call(5, 3, (3,))
    yield call(-2, 3, (3,), dtype=make.type("uint8"))


def randint_low_generator(make: Maker) -> Iterator[Call]:
    yield call(-5, 5, (3, 7), generator=_generator(make))


def randint_like(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "int"):
        yield call(make(3, 7), 10)


def randint_like_generator(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "int"):
        yield call(make(3, 7), 10, generator=_generator(make))


def randint_like_tensor(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "int"):
        yield call(make(3, 7), make(values=10, dtype="int64"))


def randint_like_tensor_generator(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "int"):
        yield call(make(3, 7), make(values=10, dtype="int64"), generator=_generator(make))


def randint_like_low_dtype(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "int"):
        yield call(make(3, 7), 2, 10)


def randint_like_low_generator_dtype(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "int"):
        yield call(make(3, 7), 2, 10, generator=_generator(make))


def randperm(make: Maker) -> Iterator[Call]:
    for n in (0, 1, 2, 100):
        yield call(n)
    yield call(20, dtype=make.type("float32"))
    yield call(20, dtype=make.type("int32"))


def bad_randperm(make: Maker) -> Iterator[Call]:
    yield call(-1)
    yield call(300, dtype=make.type("uint8"))
    yield call(3, dtype=make.type("bool"))
    yield call(4000, dtype=make.type("float16"))


def randperm_generator(make: Maker) -> Iterator[Call]:
    yield call(50, generator=_generator(make))


def _targets(make: Maker) -> Iterator[Any]:
    if make.kind == "float":
        yield make(3)
        yield make(40)
        yield make(5, 8)
        yield make(8, 5).transpose(0, 1)
        yield make(20, noncontiguous=True)


def uniform_(make: Maker) -> Iterator[Call]:
    for x in _targets(make):
        yield call(x)
        yield call(x, -1.3, 2.7)


def bad_uniform_(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="float32"), 1, 0)
    yield call(make(2, dtype="float32"), 0, INF)
    yield call(make(2, dtype="float32"), -3e38, 3e38)
    yield call(make(2, dtype="int64"))


def normal_(make: Maker) -> Iterator[Call]:
    for x in _targets(make):
        yield call(x)
        yield call(x, 1.5, 0.3)


def bad_normal_(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="float32"), 0, -1)
    yield call(make(2, dtype="int64"))


def random_from(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "int"):
        yield call(make(9), 3, 90)
        yield call(make(9), 3, None)


def bad_random_from(make: Maker) -> Iterator[Call]:
    yield call(make(2), 3, 2)


def random_to(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "int"):
        yield call(make(9), 100)


def bad_random_to(make: Maker) -> Iterator[Call]:
    yield call(make(2), 0)
    yield call(make(2, dtype="uint8"), 300)


def random_(make: Maker) -> Iterator[Call]:
    if make.kind != "complex":
        yield call(make(9))
        yield call(make(3, 7))


def exponential_(make: Maker) -> Iterator[Call]:
    for x in _targets(make):
        yield call(x)
        yield call(x, 2.5)


def bad_exponential_(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="float32"), 0)
    yield call(make(2, dtype="int64"))


def geometric_(make: Maker) -> Iterator[Call]:
    if make.kind in ("float", "int"):
        for p in (0.2, 0.9):
            yield call(make(40), p)
            yield call(make(8, 5).transpose(0, 1), p)
            yield call(make(0), p)


def bad_geometric_(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="float32"), 0.0)
    yield call(make(2, dtype="float32"), 1.5)
    yield call(make(2, dtype="bool"), 0.5)


def cauchy_(make: Maker) -> Iterator[Call]:
    for x in _targets(make):
        yield call(x)
        yield call(x, 1.5, 0.3)


def bad_cauchy_(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="float32"), 0, 0.0)
    yield call(make(2, dtype="int64"))


def log_normal_(make: Maker) -> Iterator[Call]:
    for x in _targets(make):
        yield call(x)
        yield call(x, 0.5, 0.3)


def bad_log_normal_(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="float32"), 0, 0.0)
    yield call(make(2, dtype="int64"))


def poisson(make: Maker) -> Iterator[Call]:
    if make.kind == "float":
        yield call(make(40, low=0, high=9))
        yield call(make(6, 10, low=5, high=60).transpose(0, 1))
        yield call(make(2, 0))


def bad_poisson(make: Maker) -> Iterator[Call]:
    yield call(make(values=[1.0, -1.0], dtype="float32"))
    yield call(make(2, dtype="int64"))


def binomial(make: Maker) -> Iterator[Call]:
    if make.dtype in ("float32", "float64"):
        yield call(make(values=[0.0, 3.0, 9.0, 40.0, 500.0]), make(5, low=0, high=1))
        yield call(make(values=[100.0] * 30), make(30, low=0, high=1))
        yield call(make(values=[5.0] * 4), make(values=[0.0, 1.0, 0.5, 0.9]))


def bad_binomial(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="int64"), make(2, dtype="float32"))
    yield call(make(2, dtype="float32"), make(2, dtype="float64"))
    yield call(make(2, dtype="float32"), make(3, dtype="float32"))


def standard_gamma(make: Maker) -> Iterator[Call]:
    if make.dtype in ("float32", "float64"):
        yield call(make(40, low=0.05, high=5))
        yield call(make(6, 4, low=0.5, high=50).transpose(0, 1))
        yield call(make(values=[0.0, 1.0, 1e-3]))


def bad_standard_gamma(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="int64"))
    yield call(make(2, dtype="float16"))


def sample_dirichlet(make: Maker) -> Iterator[Call]:
    if make.dtype in ("float32", "float64"):
        yield call(make(5, low=0.05, high=5))
        yield call(make(6, 4, low=0.5, high=50))


def bad_sample_dirichlet(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="int64"))
    yield call(make(2, dtype="float16"))


def normal(make: Maker) -> Iterator[Call]:
    if make.kind == "float":
        for n in (3, 40):
            yield call(make(n), 0.5)
            yield call(make(n))
            yield call(1.5, make(n, low=0.1, high=2))
            yield call(make(n), make(n, low=0.1, high=2))
        yield call(make(3, 1), make(7, low=0.1, high=2))


def bad_normal(make: Maker) -> Iterator[Call]:
    yield call(make(2, dtype="float32"), -1.0)
    yield call(make(2, dtype="float32"), make(values=[-1.0, 1.0], dtype="float32"))
    yield call(make(2, dtype="int64"), 1.0)
    yield call(make(2, dtype="float32"), make(3, low=1, dtype="float32"))


def normal_size(make: Maker) -> Iterator[Call]:
    for shape in _random_shapes():
        yield call(1.5, 0.3, shape)


def bad_normal_size(make: Maker) -> Iterator[Call]:
    yield call(0.0, -1.0, (2,))
    yield call(0.0, 1.0, (2,), dtype=make.type("int64"))


def bernoulli(make: Maker) -> Iterator[Call]:
    if make.kind == "float":
        yield call(make(40, low=0, high=1))
        yield call(make(2, 10, low=0, high=1).transpose(0, 1))


def bad_bernoulli(make: Maker) -> Iterator[Call]:
    yield call(make(values=[2.0], dtype="float32"))
    yield call(make(values=[-0.1], dtype="float32"))
    yield call(make(2, dtype="int64"))


def bernoulli_p(make: Maker) -> Iterator[Call]:
    if make.kind != "complex":
        yield call(make(40), 0.3)


def bad_bernoulli_p(make: Maker) -> Iterator[Call]:
    yield call(make(3), 1.5)


def bernoulli_tensor(make: Maker) -> Iterator[Call]:
    if make.kind != "complex":
        yield call(make(4, 10), make(4, 10, low=0, high=1, dtype="float32"))
        yield call(make(4, 10), make(10, low=0, high=1, dtype="float64"))


def bad_bernoulli_tensor(make: Maker) -> Iterator[Call]:
    yield call(make(3, dtype="float32"), make(2, low=0, high=1, dtype="float32"))
    yield call(make(3, dtype="float32"), make(values=[1.5], dtype="float32"))


def bernoulli_number(make: Maker) -> Iterator[Call]:
    if make.kind != "complex":
        yield call(make(4, 10))
        yield call(make(4, 10), 0.3)


def bad_bernoulli_number(make: Maker) -> Iterator[Call]:
    yield call(make(3), 1.5)


def multinomial(make: Maker) -> Iterator[Call]:
    if make.kind == "float":
        yield call(make(7, low=0.1, high=3), 1)
        yield call(make(7, low=0.1, high=3), 4)
        yield call(make(3, 7, low=0.1, high=3), 2)
        yield call(make(3, 7, low=0.1, high=3), 9, True)


def bad_multinomial(make: Maker) -> Iterator[Call]:
    yield call(make(values=[1.0, 2.0], dtype="float32"), 3)
    yield call(make(values=[1.0, -2.0], dtype="float32"), 1)
    yield call(make(values=[0.0, 0.0], dtype="float32"), 1)
    yield call(make(values=1.0, dtype="float32"), 1)
    yield call(make(3, dtype="int64"), 1)
    yield call(make(values=[1.0, 2.0], dtype="float32"), 0)
    yield call(make(values=[INF, 2.0], dtype="float32"), 1)
    yield call(make(values=[1.0, -1.0], dtype="float32"), 3, True)


def dropout(make: Maker) -> Iterator[Call]:
    if make.kind == "float":
        for p in (0.0, 0.3, 0.5, 1.0):
            yield call(make(3, 14), p, True)
            yield call(make(3, 14), p, False)


def bad_dropout(make: Maker) -> Iterator[Call]:
    yield call(make(3, dtype="float32"), 1.5, True)
    yield call(make(3, dtype="float32"), -0.5, True)


def gamma_slope(make: Maker) -> Iterator[Call]:
    """Parameters and numbers of every region that is approximated in its own way."""
    yield call(make(40, low=0.05, high=6), make(40, low=0.01, high=8))
    yield call(make(60, low=8.5, high=30), make(60, low=2, high=40))
    yield call(make(3, 4, low=0.1, high=2).t(), make(3, low=0.01, high=0.7))
    yield call(make(low=0.5, high=2), make(low=0.5, high=2))
    yield call(make(0, 2), make(0, 2))
    yield call(make(values=[1.0, 0.0, 2.0, 9.0]), make(values=[0.0, 1.0, 0.8, 9.0]))


def dirichlet_slope(make: Maker) -> Iterator[Call]:
    """Numbers and concentrations of every region that is approximated in its own way."""
    if make.kind != "float":
        yield call(make(3), make(3), make(3))
        return
    for low, high, more in ((0.5, 2, 3), (0.5, 6, 8), (7, 30, 30)):
        alpha = make(60, low=low, high=high, grad=False)
        total = alpha + make(60, low=low, high=more, grad=False)
        yield call(make(60, low=0.001, high=0.999, grad=False), alpha, total)
    yield call(make(0, 2, grad=False), make(0, 2, grad=False), make(0, 2, grad=False))
