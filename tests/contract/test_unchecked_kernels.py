"""Kernels that torch's functions call beneath, which write to whatever memory they are given.

Their calls are those that the functions make: of wrong ones torch ends its process.
"""

from __future__ import annotations

import mindtorch
import pytest
import torch

from ..samples import Maker, find
from .helpers import assert_torch_error, differences

BOTH = (mindtorch, torch)
LAYERS = {
    "_transform_bias_rescale_qkv": "transform_qkv",
    "_native_multi_head_attention": "native_attention",
    "_transformer_encoder_layer_fwd": "encoder_layer",
}
KINDS = ("float32", "float64", "int64")


def numbers(home, *shape, dtype="float32"):
    """The same numbers for each framework."""
    total = 1
    for n in shape:
        total *= n
    made = (home.arange(total) * 7 % 11 - 4).reshape(shape)
    return made.to(getattr(home, dtype))


def same(calls):
    """Results of both frameworks, equal."""
    ours, oracle = [calls(home) for home in BOTH]
    assert not differences(ours, oracle, rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("name", ["_cummax_helper", "_cummin_helper"])
@pytest.mark.parametrize("dtype", KINDS)
def test_running_extremes_are_written(name, dtype):
    def calls(home):
        x = numbers(home, 3, 4, dtype=dtype)
        found = []
        for dim in (0, 1):
            values, places = home.zeros_like(x), home.zeros(3, 4, dtype=home.int64)
            assert getattr(home, name)(x, values, places, dim) is None
            found += [values, places]
        return tuple(found)

    same(calls)


def test_running_extremes_want_their_dtypes():
    for values, places in (("float64", "int64"), ("float32", "int32")):
        texts = []
        for home in BOTH:
            x = numbers(home, 3, 4)
            with pytest.raises(RuntimeError, match="expected scalar type") as caught:
                home._cummax_helper(
                    x,
                    home.zeros(3, 4, dtype=getattr(home, values)),
                    home.zeros(3, 4, dtype=getattr(home, places)),
                    1,
                )
            texts.append(str(caught.value))
        assert texts[0] == texts[1]


def test_running_logarithm_of_a_sum():
    same(lambda home: home._logcumsumexp(numbers(home, 3, 4), 1))
    same(lambda home: home._logcumsumexp(numbers(home, 3, 4), 0, out=home.zeros(3, 4)))


def test_linear_combination_of_slices():
    same(lambda home: home._compute_linear_combination(numbers(home, 3, 2, 2), numbers(home, 4, 3)))

    def added(home):
        out = numbers(home, 4, 2)
        home._compute_linear_combination(numbers(home, 3, 2), numbers(home, 4, 3), out=out)
        return out

    same(added)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16", "float16"])
def test_product_with_weights_of_bytes(dtype):
    def calls(home):
        scales = numbers(home, 8, dtype=dtype)
        weights = numbers(home, 8, 32, dtype="int8")
        return home._weight_int8pack_mm(numbers(home, 3, 32, dtype=dtype), weights, scales)

    same(calls)


def test_product_with_weights_of_bytes_says_what_it_takes():
    def made(home):
        a, b, s = numbers(home, 3, 4), numbers(home, 5, 4, dtype="int8"), numbers(home, 5)
        return (
            (a.double(), b, s), (a, b.int(), s), (a, b.t(), s), (a, b, s[:3]), (a, b, s.double()),
            (a.t().contiguous().t(), b, s), (a, b[:, :2].contiguous(), s), (a[0], b, s),
        )  # fmt: skip

    for ours, oracle in zip(made(mindtorch), made(torch), strict=True):
        assert_torch_error(
            lambda args=ours: mindtorch._weight_int8pack_mm(*args),
            lambda args=oracle: torch._weight_int8pack_mm(*args),
        )


@pytest.mark.parametrize("dtype", ["float32", "float64", "float16", "bfloat16"])
@pytest.mark.parametrize("name", LAYERS)
def test_layers_of_transformers(name, dtype):
    generator = find(LAYERS[name])
    calls = [list(generator(Maker(home, dtype))) for home in BOTH]
    near = {"float32": 2e-4, "float64": 1e-10, "float16": 3e-2, "bfloat16": 2e-1}[dtype]
    for ours, oracle in zip(*calls, strict=True):
        got = getattr(mindtorch, name)(*ours.args)
        want = getattr(torch, name)(*oracle.args)
        assert not differences(got, want, rtol=near, atol=near)


@pytest.mark.parametrize("name", LAYERS)
def test_layers_of_transformers_refuse_what_does_not_fit(name):
    generator = find(LAYERS[name], bad=True)
    calls = [list(generator(Maker(home))) for home in BOTH]
    for ours, oracle in zip(*calls, strict=True):
        assert_torch_error(
            lambda call=ours: getattr(mindtorch, name)(*call.args),
            lambda call=oracle: getattr(torch, name)(*call.args),
        )


@pytest.mark.parametrize("name", ["_logcumsumexp", "_compute_linear_combination"])
def test_gradients_are_refused(name):
    texts = []
    for home in BOTH:
        x = numbers(home, 3, 2).requires_grad_()
        more = 1 if name == "_logcumsumexp" else numbers(home, 4, 3)
        result = getattr(home, name)(x, more)
        with pytest.raises(RuntimeError, match="is not implemented") as caught:
            result.sum().backward()
        texts.append(str(caught.value))
    assert texts[0] == texts[1]
