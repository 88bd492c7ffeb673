"""Random numbers are torch's, bit for bit, and so is the state that the generator is left in.

Every distribution over every dtype, size and layout; generators, their states and seeds; the
generators of the simulated NPU.
"""

from __future__ import annotations

import copy
import math
import pickle
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import assert_same_value, assert_torch_error, both, differences

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


SIZES = [0, 1, 2, 3, 10, 127, 128, 255, 256, 257, 299, 300, 301, 302, 2001, 2049, 20000, 65537]


@pytest.mark.parametrize("dtype", ["int64", "int32", "int8", "uint8", "float32", "float16"])
def test_permutations_of_every_size(dtype: str) -> None:
    """Those of few elements are swapped, those of many are worked out."""

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


# generators --------------------------------------------------------------------------------------


def test_a_program_without_a_seed_draws_other_numbers_in_each_process() -> None:
    """The default generators start from a seed of the operating system, new ones from torch's."""
    text = (
        "import sys, importlib; t = importlib.import_module(sys.argv[1]); "
        "print(t.initial_seed(), t.Generator().initial_seed(), t.rand(()).item())"
    )
    texts = {"torch": text, "mindtorch": text + "; t.npu.init(); print(t.npu.initial_seed())"}
    for name in ("torch", "mindtorch"):
        runs = [
            subprocess.run(
                [sys.executable, "-c", texts[name], name],
                check=True,
                capture_output=True,
                text=True,
            ).stdout.split()
            for _ in range(2)
        ]
        for place, (first, second) in enumerate(zip(*runs, strict=True)):
            assert (first == second) is (place == 1), (name, place)
        assert int(runs[0][1]) == torch.Generator().initial_seed()


def test_a_seed_that_is_set_first_holds_for_a_device_that_starts_later() -> None:
    """A device's generator takes the seed that was given before the device was first used."""
    text = "import mindtorch as t; t.manual_seed(5); t.npu.init(); print(t.npu.initial_seed())"
    ran = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)
    assert ran.stdout == "5\n"


@pytest.mark.parametrize("p", [0.0, 1e-17, 2.0**-53, 0.1, 0.3, 0.5, 0.9, 1 - 2.0**-53, 1.0])
@pytest.mark.parametrize("n", [5, 3000])
def test_bernoulli_of_a_number_draws_torchs_bits(p: float, n: int) -> None:
    """Also where the probability is next to a number that can be drawn, and for any count."""

    def draw(t: Any) -> Any:
        t.manual_seed(n)
        return t.empty(n).bernoulli_(p), t.empty(n, dtype=t.float64).bernoulli_(p), t.rand(2)

    assert_same_value(*both(draw))


SEEDS = [0, 1, -1, 2**31, 2**32 + 5, 2**63 - 1, 2**64 - 1, -(2**63), 2**64, -(2**63) - 1]
SEEDS += [1.5, "a", None, True, [1], np.int64(7), np.float64(2.5)]


@pytest.mark.parametrize("seed", SEEDS, ids=repr)
@pytest.mark.parametrize("where", ["torch", "generator"])
def test_seeds(where: str, seed: Any) -> None:
    """Those that are taken start the same stream, the others are refused in torch's words."""

    def seeded(t: Any) -> Any:
        g = t.manual_seed(seed) if where == "torch" else t.Generator().manual_seed(seed)
        return g.initial_seed(), t.randn(3, generator=g)

    try:
        seeded(torch)
    except Exception:
        assert_torch_error(*both(seeded))
    else:
        assert_same_value(*both(seeded))


def test_states_go_both_ways() -> None:
    """After whatever was drawn: torch goes on from our state, and we from torch's."""
    ours, theirs = mindtorch.Generator(), torch.Generator()
    for k in range(60):
        draw = (lambda t, g: t.rand(k, generator=g), lambda t, g: t.randn(k % 5, generator=g))[
            k % 2
        ]
        draw(mindtorch, ours), draw(torch, theirs)
        state, wanted = ours.get_state().numpy(), theirs.get_state().numpy()
        assert (state == wanted).all(), k
        if k % 7 == 0:
            ours = mindtorch.Generator().set_state(mindtorch.from_numpy(wanted.copy()))
            theirs = torch.Generator().set_state(torch.from_numpy(state.copy()))


@pytest.mark.parametrize("seed", range(3))
def test_states_among_numbers_that_were_made_ahead(seed: int) -> None:
    """At any place of the words that the engine gave at once, with normals of one kind and of many.

    The state is torch's, whoever goes on from it does so, and asking for it moves nothing.
    """
    random = Random(seed)
    sizes = ((16,), (16, 32, 160), (16, 20, 1, 3))[seed]
    ours, theirs = mindtorch.Generator(), torch.Generator()
    mindtorch.randn(1 << 16, generator=ours)  # from here on numpy's engine has the numbers
    torch.randn(1 << 16, generator=theirs)
    for turn in range(900):
        name = random.choice(("randn", "randn", "randn", "rand"))
        n = random.choice(sizes) if name == "randn" else 16 * random.choice(sizes)
        got, want = (getattr(t, name)(n, generator=g) for t, g in pairs(ours, theirs))
        assert got.tolist() == want.tolist(), (turn, name, n)
        if random.random() < 0.2:
            state = theirs.get_state()
            assert ours.get_state().tolist() == state.tolist(), (turn, name, n)
        if random.random() < 0.02:
            ours.set_state(mindtorch.tensor(state.tolist(), dtype=mindtorch.uint8))
            theirs.set_state(state)
        if random.random() < 0.02:  # of 64 bits, by another way of numpy's
            got, want = (t.randint(1 << 40, (3000,), generator=g) for t, g in pairs(ours, theirs))
            assert got.tolist() == want.tolist(), turn


def pairs(ours: Any, theirs: Any) -> tuple[tuple[Any, Any], ...]:
    """Each framework with its generator."""
    return (mindtorch, ours), (torch, theirs)


def test_states_that_are_none() -> None:
    """Refused in torch's words, and the generator is left as it was."""

    def refusals(t: Any) -> list[str]:
        g = t.Generator().manual_seed(3)
        state = g.get_state()
        found = []
        bad = [3, [1], t.zeros(5056), t.zeros(10, dtype=t.uint8), t.zeros(5056, dtype=t.uint8)]
        bad += [t.stack([state] * 2, 1)[:, 0], state.to("meta")]
        for value in bad:
            try:
                g.set_state(value)
            except Exception as error:
                found.append(f"{type(error).__name__}: {error}")
        assert (g.get_state() == state).all()
        return found

    assert refusals(mindtorch) == refusals(torch)


def test_making_generators() -> None:
    """Devices and arguments."""
    for device in (None, "cpu", "cpu:0", "cpu:1", mindtorch.device("cpu")):
        assert mindtorch.Generator(device).device == mindtorch.device("cpu")
    for args in (("cuda",), ("xpu",), ("mps",), ("meta",), (1.5,), ([],), ("cpu", 3)):
        assert_torch_error(*both(lambda t, a=args: t.Generator(*a)))
    assert_torch_error(*both(lambda t: t.Generator(foo=1)))


@pytest.mark.parametrize(
    "way",
    [copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g)), lambda g: g.clone_state()],
    ids=["deepcopy", "pickle", "clone_state"],
)
def test_copies_go_on_from_the_same_state(way: Callable[[Any], Any]) -> None:
    """And do not move the original."""
    for t in (mindtorch, torch):
        g = t.Generator().manual_seed(3)
        t.randn(3, generator=g)
        twin = way(g)
        assert t.randn(3, generator=twin).tolist() == t.randn(3, generator=g).tolist()


def test_fork_rng_puts_back() -> None:
    """Also after an exception; not where it is not enabled."""

    def program(t: Any) -> list[Any]:
        t.manual_seed(3)
        with t.random.fork_rng():
            t.rand(5)
        made = [t.rand(2)]
        with pytest.raises(KeyError), t.random.fork_rng():
            t.manual_seed(8)
            raise KeyError
        made.append(t.rand(2))
        with t.random.fork_rng(enabled=False):
            t.rand(5)
        state = t.random.get_rng_state()
        made += [t.rand(2), t.random.initial_seed()]
        t.random.set_rng_state(state)
        return [*made, t.rand(2)]

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert_same_value(*both(program))


# the simulated NPU -------------------------------------------------------------------------------


def test_each_npu_has_a_stream_of_its_own() -> None:
    """All are seeded by ``manual_seed``; drawing on one moves no other, nor the host's."""
    t = mindtorch
    t.manual_seed(5)
    first, second = t.randn(40, device="npu:0"), t.randn(40, device="npu:1")
    assert first.tolist() == second.tolist()
    t.npu.manual_seed(6)
    again = t.rand(3, device="npu")
    state = t.npu.get_rng_state()
    more = t.rand(3, device="npu")
    t.npu.set_rng_state(state)
    assert t.rand(3, device="npu").tolist() == more.tolist()
    t.npu.manual_seed(6)
    assert t.rand(3, device="npu").tolist() == again.tolist()
    before = t.get_rng_state()
    t.nn.functional.dropout(t.ones(9, device="npu"))
    assert (t.get_rng_state() == before).all()


def test_a_pipeline_on_an_npu_draws_from_its_stream() -> None:
    """What is recorded draws at the flush, in the order of the program."""
    t = mindtorch
    t.manual_seed(5)
    with t.pipeline():
        x, y = t.rand(3, device="npu"), t.rand(3, device="npu")
    t.manual_seed(5)
    assert [x.tolist(), y.tolist()] == [t.rand(3, device="npu").tolist() for _ in range(2)]


def test_a_generator_serves_its_kind_of_device_only() -> None:
    """In torch's words."""
    t = mindtorch
    g = t.Generator("npu").manual_seed(3)
    twin = t.Generator("npu:0").manual_seed(3)
    assert (
        t.rand(3, device="npu", generator=g).tolist()
        == t.rand(3, device="npu", generator=twin).tolist()
    )
    with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator but found"):
        t.rand(3, generator=g)
    with pytest.raises(RuntimeError, match="Expected a 'npu' device type for generator but found"):
        t.empty(3, device="npu").normal_(generator=t.Generator())


#: What draws: name -> call on a device and its generator. Some draw an odd number of normals.
_DRAWS: dict[str, Callable[[Any, Any], Any]] = {
    "rand": lambda t, g: t.rand(5, device="npu", generator=g),
    "randn of few": lambda t, g: t.randn(3, device="npu", generator=g),
    "randn of many": lambda t, g: t.randn(33, device="npu", generator=g),
    "doubles": lambda t, g: t.randn(7, device="npu", dtype=t.float64, generator=g),
    "integers": lambda t, g: t.randint(0, 9, (6,), device="npu", generator=g),
    "permutation": lambda t, g: t.randperm(11, device="npu", generator=g),
    "coins": lambda t, g: t.empty(9, device="npu").bernoulli_(0.5, generator=g),
    "exponential": lambda t, g: t.empty(2, device="npu").exponential_(generator=g),
    "choices": lambda t, g: t.multinomial(t.ones(7, device="npu"), 3, generator=g),
}


@pytest.mark.parametrize("name", _DRAWS)
def test_an_npus_numbers_belong_to_seed_and_offset(name: str) -> None:
    """The state is CUDA's: 16 bytes, and nothing else decides what comes next."""
    t, draw = mindtorch, _DRAWS[name]
    g = t.Generator("npu").manual_seed(2**40 + 7)
    first = draw(t, g).tolist()
    offset = g.get_offset()
    assert offset > 0
    assert offset % 4 == 0
    state = g.get_state()
    assert state.numpy().tobytes() == struct.pack("<Qq", 2**40 + 7, offset)
    second = draw(t, g).tolist()
    other = t.Generator("npu").manual_seed(2**40 + 7).set_offset(offset)
    assert draw(t, other).tolist() == second
    assert draw(t, g.set_state(state)).tolist() == second
    assert draw(t, g.set_offset(0)).tolist() == first
    shared = g.graphsafe_get_state()
    assert draw(t, shared).tolist() == second
    assert shared.get_offset() == g.get_offset()
    assert draw(t, pickle.loads(pickle.dumps(other.set_offset(offset)))).tolist() == second


def draw_twice(g: Any) -> list[Any]:
    """Numbers, and where the generator is then."""
    drawn = [mindtorch.rand(3, device="npu:1", generator=g).tolist() for _ in range(2)]
    return [*drawn, g.get_offset(), g.get_state().tolist()]


def test_misuse_of_an_npus_state() -> None:
    """In the words of CUDA's generator."""
    t = mindtorch
    g = t.Generator("npu:1")
    assert g.device == t.device("npu", 1)
    assert t.Generator("npu").device.index == t.npu.current_device()
    for call, text in (
        (lambda: g.set_offset(3), "offset must be a multiple of 4"),
        (lambda: g.set_state(t.zeros(15, dtype=t.uint8)), "RNG state is wrong size"),
        (lambda: g.set_state(t.get_rng_state()), "RNG state is wrong size"),
        (lambda: t.Generator("npu:99"), "The device_index is invalid."),
    ):
        with pytest.raises(RuntimeError) as raised:
            call()
        assert str(raised.value) == text
    for bad in (2**64, -(2**63) - 1, True, None, "4", 1.5, np.int64(4)):
        with pytest.raises(Exception) as want:
            torch.Generator().set_offset(bad)
        with pytest.raises(Exception) as got:
            g.set_offset(bad)
        assert repr(got.value) == repr(want.value)
    assert g.set_offset(-4).get_offset() == 2**64 - 4  # as a number without a sign
    assert draw_twice(g) == draw_twice(g.set_offset(-4))
    g.set_state(t.tensor([5, *[0] * 7], dtype=t.uint8))  # a seed alone
    assert (g.initial_seed(), g.get_offset()) == (5, 0)
    before = t.npu.get_rng_state()
    t.npu._set_rng_state_offset(100)
    assert t.npu._get_rng_state_offset() == 100
    t.npu.set_rng_state(before)
    assert t.npu.get_rng_state().tolist() == before.tolist()


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
