"""``torch._numpy``: numpy's functions over tensors, asked as torch's are asked.

``numpy_calls.txt`` has a call a line; the universal functions are called on pairs of dtypes,
and subscripts, that are drawn at random.
"""

from __future__ import annotations

import itertools
import pickle
import random
import re
import warnings
from pathlib import Path

import mindtorch
import mindtorch._numpy as ours
import mindtorch._numpy._util as our_util
import mindtorch._numpy.testing as our_testing
import numpy
import pytest
import torch
import torch._numpy as oracle
import torch._numpy._util as oracle_util
import torch._numpy.testing as oracle_testing

BOTH = (
    {"np": ours, "torch": mindtorch, "_util": our_util},
    {"np": oracle, "torch": torch, "_util": oracle_util},
)
CALLS = [
    line
    for line in (Path(__file__).parent / "numpy_calls.txt").read_text("utf-8").splitlines()
    # Where memory lies, and what is in memory that nobody wrote, are no answers.
    if ".data" not in line
]
DTYPES = ("?", "u1", "i1", "i4", "i8", "f2", "f4", "f8", "c8", "c16")
UNARY = (
    "abs arccos arccosh arcsin arcsinh arctan arctanh bitwise_not cbrt ceil conjugate cos cosh "
    "deg2rad degrees exp exp2 expm1 fabs fix floor invert isfinite isinf isnan log log10 log1p "
    "log2 logical_not negative positive rad2deg radians reciprocal rint sign signbit sin sinh "
    "sqrt square tan tanh trunc"
).split()
BINARY = (
    "add arctan2 bitwise_and bitwise_or bitwise_xor copysign divide divmod equal float_power "
    "floor_divide fmax fmin fmod gcd greater greater_equal heaviside hypot lcm ldexp left_shift "
    "less less_equal logaddexp logaddexp2 logical_and logical_or logical_xor matmul maximum "
    "minimum mod multiply nextafter not_equal power remainder right_shift subtract true_divide"
).split()
#: Parts of subscripts; "a" stands for an array.
PARTS = (
    "0 -1 5 : 0:2 1::2 ::-1 None ... [0,1] [0,5] [] True False np.array([0,1]) np.array(1) "
    "np.array([True,False]) np.array([[0,1],[1,0]]) [[0],[1]] (0,1) 1.0 torch.tensor([0,1]) "
    "np.array([0,1],dtype='i1') np.array([0.,1]) [True,False]"
).split()


def plain(value):
    """A result as types, dtypes, shapes and numbers."""
    if hasattr(value, "tensor"):
        value = value.tensor
        kind = "array"
    elif isinstance(value, (torch.Tensor, mindtorch.Tensor)):
        kind = "tensor"
    elif isinstance(value, (tuple, list)):
        return type(value).__name__, [plain(one) for one in value]
    elif isinstance(value, (bool, int, str, type(None))):
        return value
    elif isinstance(value, (float, complex)):
        return type(value).__name__, numpy.asarray(value)
    else:
        return re.sub(r" at 0x\w+", "", repr(value)).replace("mindtorch", "torch")
    return kind, str(value.dtype), tuple(value.shape), value.resolve_conj().numpy()


def answer(call, names):
    """What a call gives, or the error that it raises."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = eval(call, dict(names))
        return plain(result)
    except Exception as error:
        return [c.__name__ for c in type(error).__mro__], str(error).replace("mindtorch", "torch")


def alike(one, other):
    """Whether two answers are one; numbers may differ in their last bits."""
    if isinstance(one, (tuple, list)):
        return (
            isinstance(other, (tuple, list))
            and len(one) == len(other)
            and all(map(alike, one, other))
        )
    if isinstance(one, numpy.ndarray):
        return numpy.allclose(one, other, rtol=1e-5, atol=1e-7, equal_nan=True)
    return bool(one == other)


def differing(calls):
    """The calls that are answered in two ways, with both answers."""
    found = []
    for call in calls:
        mine, wanted = (answer(call, names) for names in BOTH)
        if not alike(mine, wanted):
            found.append((call, mine, wanted))
    return found


@pytest.mark.parametrize("start", range(0, len(CALLS), 40))
def test_a_call_is_answered_as_in_torch(start):
    assert not differing(CALLS[start : start + 40])


@pytest.mark.parametrize("name", UNARY)
def test_a_function_of_one_array(name):
    calls = [f"np.{name}(np.array([1,0],dtype='{dtype}'))" for dtype in DTYPES]
    calls += [f"np.{name}({value})" for value in ("1", "1.5", "True", "1j")]
    calls += [
        f"np.{name}(np.array([1.]), out=np.zeros((2,1), dtype='f4'))",
        f"np.{name}(np.array([1]), dtype='f4')",
        f"np.{name}(x=1)",
    ]
    assert not differing(calls)


@pytest.mark.parametrize("name", BINARY)
def test_a_function_of_two_arrays(name):
    draw = random.Random(name)
    numbers = ("2", "1.5", "True", "1j", "300", "-1")
    calls = [
        f"np.{name}(np.array([1,2],dtype='{a}'), np.array([2,1],dtype='{b}'))"
        for a, b in draw.sample(list(itertools.product(DTYPES, DTYPES)), 20)
    ]
    for dtype, number in draw.sample(list(itertools.product(DTYPES, numbers)), 20):
        array = f"np.array([1],dtype='{dtype}')"
        calls += [f"np.{name}({array}, {number})", f"np.{name}({number}, {array})"]
    calls += [f"np.{name}({a}, {b})" for a, b in itertools.product(numbers[:4], repeat=2)]
    calls += [f"np.{name}(np.array([1.]), 2, out=np.zeros((2,1), dtype='f4'))"]
    # Half precision beside a complex number is a dtype that arrays do not have.
    half = [call for call in calls if "'f2'" in call and "1j" in call]
    assert not differing([call for call in calls if call not in half])


@pytest.mark.parametrize("seed", range(4))
def test_a_subscript(seed):
    draw = random.Random(seed)
    array = "np.arange(24).reshape(2,3,4)"
    calls = []
    for _ in range(60):
        index = ",".join(draw.choice(PARTS) for _ in range(draw.choice((1, 2, 2, 3, 3, 4))))
        calls.append(f"{array}[{index}]")
        calls.append(f"[x := {array}, x.__setitem__(np.s_[{index}], -1), x][2]")
    assert not differing(calls)


def test_every_public_name_is_there():
    def public(module):
        return {name for name in vars(module) if not name.startswith("_")}

    assert public(oracle) <= public(ours)
    assert public(oracle.linalg) - {"functools", "TYPE_CHECKING"} <= public(ours.linalg)
    assert public(oracle.fft) - {"functools", "torch"} <= public(ours.fft)
    assert public(oracle_testing) - {"utils"} <= public(our_testing)
    assert {name for name in dir(oracle.ndarray)} <= set(dir(ours.ndarray))


def test_arrays_carry_gradients():
    for np, framework in ((ours, mindtorch), (oracle, torch)):
        x = framework.tensor([1.0, 2.0], requires_grad=True)
        (np.sin(np.array(x, copy=False)) * 2).sum().tensor.backward()
        assert numpy.allclose(x.grad.numpy(), 2 * numpy.cos([1.0, 2.0]))


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_dtype_is_pickled(dtype):
    for np in (ours, oracle):
        kept = np.dtype(dtype)
        assert pickle.loads(pickle.dumps(kept)) == kept


def test_assertions_see_through_arrays():
    for np, testing in ((ours, our_testing), (oracle, oracle_testing)):
        testing.assert_equal(np.array([1, 2]), [1, 2])
        testing.assert_allclose(np.array([1.0]), 1 + 1e-9)
        testing.assert_array_equal([np.array(1), 2], np.array([1, 2]))
        testing.assert_almost_equal(np.float64(1.0), 1.00000001)
        testing.assert_array_less(np.array([1]), [2])
        for check in (testing.assert_equal, testing.assert_array_equal, testing.assert_allclose):
            with pytest.raises(AssertionError):
                check(np.array([1, 2]), np.array([1, 3]))
