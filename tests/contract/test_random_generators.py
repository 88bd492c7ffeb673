"""Generators are torch's: their seeds, states and copies; those of the simulated NPU are CUDA's."""

from __future__ import annotations

import copy
import pickle
import struct
import subprocess
import sys
import warnings
from collections.abc import Callable
from random import Random
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import assert_same_value, assert_torch_error, both


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


def test_states_are_exchanged_while_a_stream_is_captured() -> None:
    """Each captured kernel draws from the state of its time, and a replay leaves nothing behind."""
    t = mindtorch
    generator = t.Generator("npu").manual_seed(3)
    old, new = generator.graphsafe_get_state(), t.Generator("npu").manual_seed(9)

    def draw(g: Any) -> Any:
        return t.rand(2, device="npu", generator=g)

    graph = t.npu.NPUGraph()
    with t.npu.graph(graph):
        drawn = [draw(generator)]
        for state in (new, old):
            generator.graphsafe_set_state(state)
            drawn.append(draw(generator))
    found = []
    for _ in range(2):
        graph.replay()
        found.append([numbers.tolist() for numbers in drawn])
    first, second = t.Generator("npu").manual_seed(3), t.Generator("npu").manual_seed(9)
    assert found == [[draw(g).tolist() for g in (first, second, first)] for _ in range(2)]
    assert draw(generator).tolist() == draw(first).tolist()


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
