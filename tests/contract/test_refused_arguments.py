"""Calls that go through in mindtorch only if it looks less closely than the oracle does."""

from __future__ import annotations

import itertools

import mindtorch
import numpy as np
import pytest
import torch

from tests.contract.helpers import both, differences


def same(program):
    """Both frameworks return the same, or raise the same."""
    ours, oracles = (_outcome(call) for call in both(program))
    assert not differences(ours, oracles, rtol=2e-6, atol=2e-6), (ours, oracles)


def _outcome(call):
    try:
        return call()
    except Exception as error:
        return [type(error).__name__, str(error)]


@pytest.mark.parametrize("tau", [(2,), (1,), (3,), (0,), (4, 2), (2, 2), ()], ids=str)
def test_reflections_fit_what_they_multiply(tau):
    sizes = (2, 2), (3, 2), (2, 3), (4, 2, 2), (0, 2), (2,)
    for matrix, other, left in itertools.product(sizes, sizes, (True, False)):
        same(lambda t: t.ormqr(*(t.ones(s) for s in (matrix, tau, other)), left).shape)
    for matrix in sizes:
        same(lambda t: t.orgqr(t.ones(matrix), t.ones(tau)).shape)


@pytest.mark.parametrize("place", range(3))
def test_reflections_have_one_dtype(place):
    def program(t):
        given = [t.ones(2, 2), t.ones(2), t.ones(2, 2)]
        given[place] = given[place].double()
        return t.ormqr(*given)

    same(program)


@pytest.mark.parametrize("size", [-1, 0, 3, 4, 6, 12])
@pytest.mark.parametrize("dim", [None, 0, -1])
def test_the_size_that_is_said_of_a_repetition_is_checked(dim, size):
    same(lambda t: t.ones(2, 3).repeat_interleave(2, dim=dim, output_size=size))


@pytest.mark.parametrize("dtype", ["int32", "bool", "complex64", "float64", "half"])
def test_means_and_sums_without_nan_have_a_dtype_for_it(dtype):
    for name, shape in itertools.product(("nanmean", "nansum"), ((2,), (0,))):
        same(lambda t: getattr(t.ones(shape), name)(dtype=getattr(t, dtype)))


@pytest.mark.parametrize(
    "value",
    [3j, 3 + 0j, 3, 2.5, True, [1, 2], "a", None, np.float32(2), np.int64(2), np.ones(2)],
    ids=repr,
)
@pytest.mark.parametrize("part", ["real", "imag"])
@pytest.mark.parametrize("dtype", ["complex64", "float64", "int32"])
def test_a_part_is_given_a_tensor_or_a_number_that_it_holds(dtype, part, value):
    def program(t):
        x = t.ones(2, dtype=getattr(t, dtype))
        setattr(x, part, value)
        return x

    same(program)


@pytest.mark.parametrize("dtypes", [*itertools.product(["float32", "half", "int64"], repeat=2)])
def test_parts_of_numbers_have_their_dtypes(dtypes):
    for exponent in ("int32", "int64"):
        same(
            lambda t: tuple(
                t.frexp(
                    t.ones(2, dtype=getattr(t, dtypes[0])),
                    out=(
                        t.empty(2, dtype=getattr(t, dtypes[1])),
                        t.empty(2, dtype=getattr(t, exponent)),
                    ),
                )
            )
        )


@pytest.mark.parametrize("dtype", ["float32", "half", "int64", "bool", "complex64"])
@pytest.mark.parametrize("limits", [(1j,), (1j, 2), (1, 2j), (None, 1j)], ids=str)
def test_limits_are_real(limits, dtype):
    same(lambda t: t.ones(2, dtype=getattr(t, dtype)).clamp(*limits))


MADE = {
    "arange": lambda t, out: t.arange(3, out=out),
    "arange from": lambda t, out: t.arange(1, 4, out=out),
    "range": lambda t, out: t.range(0, 2, out=out),
    "linspace": lambda t, out: t.linspace(0, 1, 3, out=out),
    "logspace": lambda t, out: t.logspace(0, 1, 3, out=out),
    "eye": lambda t, out: t.eye(3, out=out),
    "full": lambda t, out: t.full((3,), 1.5, out=out),
    "rand": lambda t, out: t.rand(3, out=out),
    "randint": lambda t, out: t.randint(3, (3,), out=out),
    "normal": lambda t, out: t.normal(0.0, 1.0, (3,), out=out),
    "fftfreq": lambda t, out: t.fft.fftfreq(3, out=out),
    "rfftfreq": lambda t, out: t.fft.rfftfreq(4, out=out),
}


@pytest.mark.parametrize("made", MADE)
def test_new_numbers_are_written_to_places_that_are_there_once(made):
    same(lambda t: MADE[made](t, t.empty(1).expand(3)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "half", "int32", "complex64"])
@pytest.mark.parametrize("size", [0, 3, 7])
@pytest.mark.filterwarnings("ignore:The number of elements in the out tensor")
def test_frequencies_are_written_to_out(size, dtype):
    for name in ("fftfreq", "rfftfreq"):
        for n in (0, 1, 4, 5):
            same(lambda t: getattr(t.fft, name)(n, 0.5, out=t.empty(size, dtype=getattr(t, dtype))))


@pytest.mark.parametrize("bound", [-(2**70), -(2**63), -(2**62) - 1, -(2**62), 2**63, 2**70])
def test_a_bound_beyond_64_bits_is_cut_with_a_warning(bound):
    heard = []
    for t in (mindtorch, torch):
        with pytest.warns() as warned:
            t.arange(4)[bound:], t.arange(4)[:bound]
            t.arange(4)[-(2**65) :]
        heard.append([(str(w.message), w.category) for w in warned])
    assert heard[0] == heard[1]


PARTS = {
    "as they should be": ((3,), (2,), ()),
    "a batch of compressed ones": ((1, 3), (2,), ()),
    "a batch of plain ones": ((3,), (1, 2), ()),
    "a batch without values": ((1, 3), (1, 2), ()),
    "a number for compressed ones": ((), (2,), ()),
    "a number for plain ones": ((3,), (), ()),
    "dense values": ((3,), (2,), (2,)),
}


@pytest.mark.parametrize("checked", [True, False])
@pytest.mark.parametrize("parts", PARTS)
@pytest.mark.filterwarnings("ignore:Sparse")
def test_parts_of_a_compressed_tensor_have_dimensions_that_fit(parts, checked):
    compressed, plain, dense = PARTS[parts]

    def program(t, name, block, dtype="int64"):
        first = t.arange(3)[: np.prod(compressed, dtype=int)].view(compressed)
        second = t.arange(2)[: np.prod(plain, dtype=int)].view(plain).to(getattr(t, dtype))
        values = t.ones(2, *block, *dense)
        return getattr(t, name)(first, second, values, check_invariants=checked).shape

    for layout in ("csr", "csc", "bsr", "bsc"):
        block = (1, 1) if layout.startswith("b") else ()
        same(lambda t: program(t, f"sparse_{layout}_tensor", block))
    same(lambda t: program(t, "sparse_csr_tensor", (), "float32"))


@pytest.mark.parametrize("layout", ["sparse_coo", "sparse_csr"])
def test_a_sparse_tensor_is_not_handed_over(layout):
    same(lambda t: t.ones(2, 2).to_sparse(layout=getattr(t, layout)).__dlpack__())


def test_transforms_over_several_dims_look_at_the_dims_before_the_dtype():
    def told(t):
        found = []
        inputs = t.ones(2, 2).half(), t.ones(()).half(), t.ones(2, 2), t.ones(2, 2) * 1j
        several = ((3,), (-2, -1)), ((3, 4, 5), None), (None, (5,)), (None, ()), (None, None)
        for name, x in itertools.product(("fft", "rfft", "irfft", "hfft", "ihfft"), inputs):
            one = [(f"{name}", a) for a in ((None, 0), (0, -1), (2, 7))]
            for each, (s, dim) in [*one, *[(f"{name}n", a) for a in several]]:
                for norm in (None, "x"):
                    try:
                        result = getattr(t.fft, each)(x, s, dim, norm)
                        found.append((each, s, dim, norm, tuple(result.shape)))
                    except (RuntimeError, IndexError) as error:
                        text = str(error).split("\n")[0]
                        found.append((each, s, dim, norm, type(error).__name__, text))
        return found

    assert told(mindtorch) == told(torch)


def test_trapezoids_of_single_numbers_have_no_dim_to_go_along():
    def told(t):
        found, single = [], t.tensor(1.0)
        for y, x in itertools.product((single, single.bool(), t.ones(2), t.ones(0)), repeat=2):
            for name in ("trapezoid", "cumulative_trapezoid"):
                try:
                    found.append(getattr(t, name)(y, x).tolist())
                except (RuntimeError, IndexError) as error:
                    found.append((type(error).__name__, str(error)))
        return found

    assert told(mindtorch) == told(torch)
