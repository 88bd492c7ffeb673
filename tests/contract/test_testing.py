"""``torch.testing``: what is close, what the errors say, and which numbers are drawn."""

from __future__ import annotations

import itertools
import re
import warnings
from collections import OrderedDict

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import differences

NAN, INF = float("nan"), float("inf")


def values(home):
    """Leaves and structures to compare, each with each."""
    t = home.tensor
    yield from (None, True, False, np.bool_(True), 0, 1, 2, 1.0, NAN, INF, 1e-9, 2 + 1j)
    yield from (np.int64(1), np.float32(2), "a", b"ab", b"ac", {1}, object)
    yield from ([], [1, 2], (1, 3), [1, [2, None]], [1, [2, 0]], [True], range(3))
    yield from ({}, {"a": 1}, OrderedDict(b=1), {"b": 2, "a": 1}, {"a": 2, "b": [1]})
    yield from (t(1), t(2), t(1.0), t(NAN), t(True), t(False), t(1 + 1j), t([1.0]), t([1]))
    yield from (t([1.0, 2, 3]), t([1.0, 2, 4]), t([0.0, NAN, INF]), t([INF, NAN, 1.0]))
    yield t([1.0, 2, 3.0000001], requires_grad=True)
    yield home.nn.Parameter(t([1.0, 2, 3]))
    for name in ("float16", "bfloat16", "float64", "int8", "uint8", "complex64", "bool"):
        yield t([0, 2, 3], dtype=getattr(home, name))
    yield from (t([[1.0, 2], [3, 4]]), t([[1.0, 2], [7, 4]]), t([[1.0, 7], [2, 4]]).t())
    yield from (home.zeros(0), home.zeros(0, 2), home.zeros(3, device="meta"))
    yield from (np.array([1.0, 2, 3]), np.array([1.0, 2, 5]), np.array(["a"]))
    for numbers in ([1.0, 2, 3], [1.0, 2, 4], 1.0, 2.0):
        yield home.quantize_per_tensor(t(numbers), 0.5, 0, home.qint8)
    scales, points = t([0.5, 0.25, 1.0]), t([0, 0, 0])
    yield home.quantize_per_channel(t([1.0, 2, 3]), scales, points, 0, home.qint8)
    yield [t([1.0]), {"x": t([2, 3])}]
    yield [t([1.0]), {"x": t([2, 4])}]


OPTIONS = [
    {},
    {"rtol": 0.4, "atol": 0.1},
    {"rtol": 0, "atol": 0, "check_dtype": False},
    {"equal_nan": True, "check_device": False},
    {"allow_subclasses": False, "check_stride": True},
    {"rtol": 1.0},
    {"msg": "other words"},
    {"msg": lambda text: f"<{text}>", "check_dtype": False},
]


def told(home, name, *args, **kwargs):
    """What a call raises, and its warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FutureWarning)
        try:
            getattr(home.testing, name)(*args, **kwargs)
            text = "close"
        except Exception as error:
            text = f"{type(error).__name__}: {error}".replace("mindtorch.", "torch.")
    return text, [str(w.message) for w in caught if w.category is FutureWarning]


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: " ".join(options) or "none")
def test_pairs_are_close_or_say_what_torch_says(options):
    """Each value against each other one: the same verdict, the same words."""
    ours, oracle = list(values(mindtorch)), list(values(torch))
    places = range(len(ours))
    wrong = []
    for i, j in itertools.product(places, places):
        mine = told(mindtorch, "assert_close", ours[i], ours[j], **options)
        theirs = told(torch, "assert_close", oracle[i], oracle[j], **options)
        if mine != theirs:
            wrong.append(f"{oracle[i]!r}, {oracle[j]!r}:\n{mine}\n{theirs}")
    assert not wrong, "\n\n".join(wrong[:5]) + f"\n({len(wrong)})"


def nested_values(home):
    """Jagged tensors of the same and of other lengths, their values, and such of padded memory."""
    x = home.nested.nested_tensor([home.ones(2, 3), home.zeros(4, 3)], layout=home.jagged)
    yield from (x, x.clone(), x + 1, x.transpose(1, 2), (x + 1).transpose(1, 2), x.double())
    yield from (x.values(), home.nested.nested_tensor([home.ones(3)], layout=home.jagged))
    offsets, lengths = home.tensor([0, 2, 4]), home.tensor([2, 1])
    yield home.nested.nested_tensor_from_jagged(home.ones(4, 3), offsets, lengths)


def values_of_a_byte(home):
    """Tensors of dtypes that have no arithmetic."""
    for name in ("float8_e4m3fn", "float8_e5m2"):
        for numbers in ([1.0, 2, 4], [1.0, 2, 5], [2.0, 2, 5], [[1.0], [NAN]], 1.0, 2.0):
            yield home.tensor(numbers).to(getattr(home, name))


FAMILIES = {"nested": nested_values, "of a byte": values_of_a_byte}


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("exact", [{}, {"rtol": 0, "atol": 0}, {"rtol": 0.5, "atol": 0}])
def test_pairs_without_arithmetic_of_their_own_are_compared_by_values(family, exact):
    """Nested tensors by their values, numbers of one byte for equality."""
    ours, oracle = list(FAMILIES[family](mindtorch)), list(FAMILIES[family](torch))
    for i, j in itertools.product(range(len(ours)), repeat=2):
        mine = told(mindtorch, "assert_close", ours[i], ours[j], **exact)
        theirs = told(torch, "assert_close", oracle[i], oracle[j], **exact)
        said = [re.sub(r"\bj\d+", "j", str(words)) for words in (mine, theirs)]
        assert said[0] == said[1], f"{oracle[i]!r}, {oracle[j]!r}"


def test_the_deprecated_form_has_its_own_tolerances():
    """``assert_allclose`` warns, takes lists, and looks at no dtype."""
    ours = [v for v in values(mindtorch) if isinstance(v, (mindtorch.Tensor, list))]
    oracle = [v for v in values(torch) if isinstance(v, (torch.Tensor, list))]
    for i, j in itertools.product(range(9, 28), range(9, 28)):
        mine = told(mindtorch, "assert_allclose", ours[i], ours[j])
        assert mine == told(torch, "assert_allclose", oracle[i], oracle[j]), (oracle[i], oracle[j])


DTYPES = (
    "bool uint8 int8 int16 int32 int64 uint16 uint32 uint64 float16 bfloat16 float32 float64 "
    "complex32 complex64 complex128 float8_e4m3fn float8_e5m2"
).split()
MADE = [
    {},
    {"low": 1},
    {"high": 1},
    {"low": -1000, "high": 1000},
    {"low": -1e10, "high": 1e10},
    {"low": 300, "high": 1e300},
    {"low": -INF, "high": INF},
    {"low": 1.5, "high": 3.7},
    {"low": 2, "high": 2},
    {"low": 5, "high": 2},
    {"low": NAN},
    {"requires_grad": True},
    {"noncontiguous": True},
    {"exclude_zero": True, "low": 0, "high": 2},
    {"shape": ()},
    {"shape": (0, 3)},
    {"shape": (1,), "noncontiguous": True},
    {"shape": (2, 3, 2, 2), "memory_format": "channels_last"},
    {"noncontiguous": True, "memory_format": "channels_last"},
    {"device": "meta"},
]


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_numbers_drawn_are_torchs(dtype):
    """``make_tensor`` from the same seed: the same tensor, or the same refusal."""
    for options in MADE:
        made = []
        for home in (mindtorch, torch):
            given = {"shape": (3, 4), "device": "cpu", **options}
            shape = given.pop("shape")
            if "memory_format" in given:
                given["memory_format"] = getattr(home, given["memory_format"])
            home.manual_seed(5)
            with warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter("always", FutureWarning)
                try:
                    result = home.testing.make_tensor(*shape, dtype=getattr(home, dtype), **given)
                except (ValueError, TypeError, RuntimeError) as error:
                    result = f"{type(error).__name__}: {str(error).splitlines()[0]}"
            made.append((result, [str(w.message) for w in caught if w.category is FutureWarning]))
        (mine, heard), (theirs, wanted) = made
        assert heard == wanted, options
        if isinstance(theirs, str):
            assert mine == theirs, options
        else:
            assert not isinstance(mine, str), (options, mine)
            if dtype.startswith("float8"):  # numpy has none
                assert str(mine.dtype) == str(theirs.dtype)
                mine, theirs = mine.detach().float(), theirs.detach().float()
                assert not differences(mine, theirs), options
                continue
            assert not differences(mine, theirs), options
            assert mine.requires_grad == theirs.requires_grad


def test_what_cannot_be_drawn_is_refused():
    """No dtype, or one without numbers."""
    for wrong in ("x", None, 3):
        texts = []
        for home in (mindtorch, torch):
            with pytest.raises(TypeError) as error:
                home.testing.make_tensor(2, dtype=wrong, device="cpu")
            texts.append(str(error.value))
        assert texts[0] == texts[1]
