"""Collectives of several processes: what torch's gloo makes, in processes of its own."""

from __future__ import annotations

import random

import pytest

from . import crew_overlaps as overlaps
from . import crew_programs as programs
from .both_frameworks import ours, torch
from .crew import crew, needs_mpi

pytestmark = needs_mpi

#: What gloo carries.
DTYPES = ("float32", "float64", "float16", "bfloat16", "int8", "uint8", "int32", "int64", "bool")
WHOLE = ("SUM", "PRODUCT", "MIN", "MAX", "BAND", "BOR", "BXOR")
FRACTIONAL = ("SUM", "PRODUCT", "MIN", "MAX", "AVG")
NAMES = (
    *("all_reduce", "reduce", "broadcast", "all_gather", "gather", "scatter"),
    *("reduce_scatter", "all_to_all"),
    *("all_gather_single", "reduce_scatter_single", "all_to_all_single"),
)


def same(size, function, *args):
    """Both crews of *size* give the same, which is given."""
    got = crew(ours.__name__, size).run(function, *args)
    want = crew(torch.__name__, size).run(function, *args)
    assert got == want
    return got


def drawn_call(draw):
    """The arguments of ``programs.collective``, chosen by *draw*."""
    dtype = draw.choice(DTYPES)
    ops = FRACTIONAL if dtype in ("float32", "float64", "float16", "bfloat16") else WHOLE
    shape = tuple(draw.randint(1, 4) for _ in range(draw.randint(1, 3)))
    layout = draw.choice(["plain", "transposed", "stepped"])
    root, later = draw.randint(0, 1), draw.random() < 0.5
    return (
        draw.choice(NAMES),
        dtype,
        shape,
        layout,
        draw.choice(ops),
        root,
        draw.randint(0, 50),
        later,
    )


@pytest.mark.parametrize("size", [2, 4])
def test_collectives_give_what_gloo_gives(size):
    """Of tensors in any memory; gloo takes some of them for what they are not."""
    draw = random.Random(size)
    for _ in range(150):
        call = drawn_call(draw)
        got = crew(ours.__name__, size).run(programs.collective, *call)
        in_one_piece = [*call[:3], "plain", *call[4:]]
        assert got == crew(torch.__name__, size).run(programs.collective, *in_one_piece), call


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [2, 4])
def test_each_collective_gives_what_gloo_gives(size, name):
    for dtype in DTYPES:
        same(size, programs.collective, name, dtype, (3, 2), "plain", "SUM", 1, 5, False)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_sparse_tensors_are_summed_and_else_refused(size):
    got, want = (crew(t.__name__, size).run(programs.sparse) for t in (ours, torch))
    shown = ". This could be because"  # what follows lists the backends of a build
    for mine, theirs in zip(got, want, strict=True):
        for i, (a, b) in enumerate(zip(mine, theirs, strict=True)):
            assert str(a).partition(shown)[0] == str(b).partition(shown)[0], i


def test_parts_may_be_uneven():
    for seed in range(3):
        same(4, programs.uneven, seed)


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("program", ["objects", "messages", "groups", "futures", "profiles"])
def test_programs_run_as_with_gloo(size, program):
    same(size, getattr(programs, program))


@pytest.mark.parametrize("size", [2, 4])
def test_functions_at_the_end_of_calls_may_make_calls(size):
    """All processes make them in one order, whatever the program does meanwhile; gloo hangs."""
    sums = [("float32", (2,), [float(size * size * i + 1)] * 2) for i in range(4)]
    found = crew(ours.__name__, size).run(programs.callbacks)
    assert found == [[sums, ("float32", (1,), [float(size)])]] * size


def test_what_gloo_refuses_is_refused_in_its_words():
    same(2, programs.refusals)


def test_numbers_of_two_bytes_are_rounded_once():
    """Where gloo rounds after each addition, the sum is the nearest there is."""
    values = [2048.0, 1.0, 1.0, 1.0]
    want = torch.tensor(2051.0).half().item()
    for found in crew("mindtorch", 4).run(programs.rounding, "float16", values):
        assert found[0] == want and found[1] == torch.tensor(2051 / 4).half().item()


def test_all_dtypes_are_carried_under_other_names():
    names = [*DTYPES, "int16", "uint16", "uint32", "complex64", "complex128"]
    names += ["float8_e4m3fn", "float8_e5m2"]
    for rank, (found, scaled) in enumerate(crew("mindtorch", 2).run(programs.every_dtype, names)):
        for name, (outs, sent) in zip(names, found, strict=True):
            want = [
                programs.said(programs.drawn(ours, r, 3, (2, 3), name).t(), ours) for r in (0, 1)
            ]
            assert outs == want and sent == want[1], (rank, name)
        assert scaled == ("float32", (2,), [5.0, 5.0])


def test_lists_of_accelerators_may_be_uneven():
    """As nccl's are, which broadcasts and reduces one after the other."""
    for rank, (found,) in enumerate(crew("mindtorch", 3).run(programs.uneven_lists, "npu")):
        *outs, part, first, second, third = [values for _, _, values in found]
        assert outs == [[10.0], [11.0] * 2, [12.0] * 3]
        assert part == [3.0 * rank + 3] * (rank + 1)
        assert [first, second, third] == [[rank + r] * (r + 1) for r in range(3)]


def test_tensors_on_accelerators_are_ordered_with_their_streams():
    for found, device in crew("mindtorch", 2).run(programs.accelerators, "npu"):
        z, outs, half = found
        assert z[2] == [300.0 * (1 + 4) + 1] * 2 and device == "npu:0"
        assert [o[2] for o in outs] == [[0, 0], [1, 1]] and half[2] == [1.0, 1.0]


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "int64"])
@pytest.mark.parametrize("name", overlaps.CALLS)
@pytest.mark.parametrize("size", [2, 4])
def test_a_result_in_the_memory_of_what_is_given(size, name, dtype, later):
    """Programs gather into a tensor of which they give their own part."""
    same(size, overlaps.overlapping, name, dtype, later)
