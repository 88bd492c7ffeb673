"""Every pair of dtypes: in place, into ``out=``, with 0-d tensors and with Python numbers."""

import itertools

import mindtorch
import pytest
import torch

from .rows import Call, compare, outcome

DTYPES = (
    "uint8 int8 int16 int32 int64 float16 float32 float64 complex64 complex128 bool bfloat16 "
    "uint16 uint32 uint64 float8_e4m3fn complex32"
).split()
NUMBERS = (2, True, 1.5, 2j)
FORMS = ("", "_", "out")
WITH_NUMBERS = ("add", "mul", "div", "pow", "eq")
#: torch has no kernel of ``pow`` for these but for some exponents, which it treats apart.
NO_POWERS = ("float8_e4m3fn", "complex32", "float16")
OPS = ("add", "div", "pow", "eq", "bitwise_and")


#: Dtypes that numpy lacks -> those that hold their numbers.
WIDER = {"torch.complex32": "complex64", "torch.float8_e4m3fn": "float32"}


def readable(o):
    """An outcome whose value numpy can compare."""
    wider = WIDER.get(str(getattr(o.value, "dtype", "")))
    if wider is None:
        return o
    home = mindtorch if isinstance(o.value, mindtorch.Tensor) else torch
    return o._replace(value=o.value.to(getattr(home, wider)))


def lines_of(what, call_of):
    """The line that two outcomes differ in, if they do."""
    got, want = (readable(outcome(*call_of(home))) for home in (mindtorch, torch))
    lines = compare(got, want, tolerance=(4e-3, 4e-3))
    if lines and got.error is not None and want.error is not None:
        function, call = call_of(torch)  # of two errors, that of the operands will do
        lines = compare(got, outcome(function, Call(call.args, {})))
    return [f"{what}: {line}" for line in lines]


@pytest.mark.parametrize("name", OPS)
def test_pairs(name):
    """A function, a method in place, and ``out=`` of another kind of number."""
    lines = []
    for a, b in itertools.product(DTYPES, DTYPES):
        forms = [f for f in FORMS if f == "out" or hasattr(torch.Tensor, name + f)]
        for form, shapes in itertools.product(forms, (((2,), (2,)), ((2,), ()), ((), (2,)))):

            def call_of(home):
                x = home.ones(shapes[0], dtype=getattr(home, a))
                y = home.ones(shapes[1], dtype=getattr(home, b))
                if form == "out":
                    target = home.zeros(shapes[0], dtype=getattr(home, a))
                    wide = home.ones(shapes[0], dtype=home.float32)
                    return getattr(home, name), Call((wide, y), {"out": target})
                return getattr(type(x), name + form), Call((x, y), {})

            lines += lines_of(f"{name}{form} {a}{shapes[0]} {b}{shapes[1]}", call_of)
    for a, number in itertools.product(DTYPES, NUMBERS):
        if name not in WITH_NUMBERS or name == "pow" and a in NO_POWERS:
            continue
        for form, shape in itertools.product(("", "_"), ((2,), ())):

            def call_of(home):
                x = home.ones(shape, dtype=getattr(home, a))
                return getattr(type(x), name + form), Call((x, number), {})

            lines += lines_of(f"{name}{form} {a}{shape} {number}", call_of)
    assert not lines, "\n".join(lines)


#: What every dtype holds, or rounds to; nothing that C leaves open.
VALUES = (0.0, 1.0, 2.0, 3.0, 7.0, 0.5, 1.25, 100.0, 126.0)
FLOAT8 = ("float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "float8_e8m0fnu")
EXTREMES = (448.0, 449.0, 465.0, 6e4, 1e5, 1e-9, -3.0, float("inf"), float("-inf"), float("nan"))


@pytest.mark.parametrize("to", (*DTYPES, *FLOAT8))
def test_casts(to):
    """``to`` and ``copy_`` from every dtype, and back."""
    lines = []
    for source in (*DTYPES, *FLOAT8):
        values = VALUES
        if to in FLOAT8 and source in ("float32", "float64", "bfloat16", "complex64"):
            values += EXTREMES

        def call_of(home):
            x = home.tensor(values, dtype=home.float64).to(getattr(home, source))
            there = home.zeros(len(values), dtype=getattr(home, to)).copy_(x)
            back = there.to(getattr(home, source))
            plain = home.complex128 if there.is_complex() or back.is_complex() else home.float64
            bits = there.view(home.uint8) if to in FLOAT8 else there.to(plain)
            results = bits, x.to(getattr(home, to)).to(plain), back.to(plain)
            return (lambda *r: list(r)), Call(results, {})

        if to in FLOAT8 and values is not VALUES:
            values = tuple(v for v in values if v == v)  # NaN has many bits
        lines += lines_of(f"{source} to {to}", call_of)
    assert not lines, "\n".join(lines)


def test_a_check_of_dtypes_holds_for_whichever_argument_has_which():
    """What was allowed of one order of dtypes says nothing of another."""
    for a, b in (("float16", "uint8"), ("float32", "int64"), ("complex64", "int32")):
        for lib in (mindtorch, torch):
            x, y = (lib.ones(2, dtype=getattr(lib, name)) for name in (a, b))
            for fits in ((x, x, y), (x, y, x), (x, y, x)):
                assert lib.addcdiv(*fits, value=2).tolist() == [3, 3]
            for _ in range(2):
                with pytest.raises(RuntimeError, match="Integer division with addcdiv"):
                    lib.addcdiv(x, y, y, value=2)


def test_truth_is_written_to_both_its_dtypes_and_complex_numbers_may_be_true():
    for lib in (mindtorch, torch):
        for name in ("any", "all"):
            for of in ("uint8", "float32", "bool"):
                for to in ("uint8", "bool"):
                    out = lib.empty(0, dtype=getattr(lib, to))
                    x = lib.ones(2, 2, dtype=getattr(lib, of))
                    assert getattr(lib, name)(x, 0, out=out).tolist() == [1, 1] and out.numel() == 2
        truth = lib.zeros(2, dtype=lib.bool)
        assert truth.copy_(lib.tensor([1j, 0])).tolist() == [True, False]
        assert truth.copy_(1j).tolist() == [True, True]


def test_blocks_on_a_diagonal_weigh_dtypes_by_dims():
    """A tensor without dims does not widen others of its kind."""
    dtypes = DTYPES[:12]
    sizes = [(), (2,), (1, 2)]
    for one, other in itertools.product(dtypes, dtypes):
        for pair in itertools.product(sizes, sizes):
            ours, theirs = (
                home.block_diag(
                    *[
                        home.ones(size, dtype=getattr(home, dtype))
                        for size, dtype in zip(pair, (one, other), strict=True)
                    ]
                )
                for home in (mindtorch, torch)
            )
            assert str(ours.dtype) == str(theirs.dtype), (one, other, pair)
            assert ours.tolist() == theirs.tolist()
