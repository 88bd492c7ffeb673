"""Calls with another number each time: they do what first calls do, and what torch does."""

from __future__ import annotations

import contextlib
import sys
import warnings

import mindtorch
import numpy as np
import pytest
import torch

NUMBERS = (1, 1.0, 2, 0.5, -0.0, 0.0, 0.5, 3.0, 1, 7, -1.5, 0.25, 1e30, float("nan"), 4.0, 4, True)
#: ``t`` is the framework, ``a`` and ``b`` are tensors of one shape, ``n`` is the number.
CALLS = {
    "add with alpha": lambda t, a, b, n: t.add(a, b, alpha=n),
    "add_ with alpha": lambda t, a, b, n: a.clone().add_(b, alpha=n),
    "sub with alpha": lambda t, a, b, n: t.sub(a, b, alpha=n),
    "add": lambda t, a, b, n: a + n,
    "radd": lambda t, a, b, n: n + a,
    "mul_": lambda t, a, b, n: a.clone().mul_(n),
    "div": lambda t, a, b, n: a / n,
    "pow": lambda t, a, b, n: a**n,
    "rpow": lambda t, a, b, n: n**a,
    "gt": lambda t, a, b, n: a > n,
    "eq": lambda t, a, b, n: a == n,
    "clamp": lambda t, a, b, n: t.clamp(a, -1, n),
    "clamp_min": lambda t, a, b, n: t.clamp_min(a, n),
    "addcmul": lambda t, a, b, n: t.addcmul(a, b, b, value=n),
    "addcdiv_": lambda t, a, b, n: a.clone().addcdiv_(b, b + 10, value=n),
    "lerp": lambda t, a, b, n: t.lerp(a, b, n),
    "leaky_relu": lambda t, a, b, n: t.nn.functional.leaky_relu(a, n),
    "celu": lambda t, a, b, n: t.nn.functional.celu(a, n),
    "hardtanh": lambda t, a, b, n: t.nn.functional.hardtanh(a, -2.0, n),
    "softplus": lambda t, a, b, n: t.nn.functional.softplus(a, n),
    "threshold": lambda t, a, b, n: t.threshold(a, n, 9.0),
    "fill_": lambda t, a, b, n: a.clone().fill_(n),
    "full": lambda t, a, b, n: t.full((2,), n),
    "full_like": lambda t, a, b, n: t.full_like(a, n),
    "masked_fill": lambda t, a, b, n: a.masked_fill(b > 0, n),
    "where": lambda t, a, b, n: t.where(a > b, a, n),
    "vector_norm": lambda t, a, b, n: t.linalg.vector_norm(a, n),
    "remainder": lambda t, a, b, n: t.remainder(a, n),
    "xlogy": lambda t, a, b, n: t.xlogy(a, n),
    "add into": lambda t, a, b, n: t.add(a, b, alpha=n, out=_into(a)),
    "pow into": lambda t, a, b, n: t.pow(a, n, out=_into(a)),
    "clamp into": lambda t, a, b, n: t.clamp(a, -1, n, out=_into(a)),
    "leaky_relu into": lambda t, a, b, n: t._C._nn.leaky_relu(a, n, out=_into(a)),
    "mul into": lambda t, a, b, n: t.mul(a, n, out=_into(a)),
    "setitem": lambda t, a, b, n: _set(a.clone(), n),
}
OF_INTEGERS = ("add", "radd", "mul_", "gt", "eq", "clamp", "fill_", "full_like", "remainder", "pow")


def _into(a):
    return a.detach() * 0


def _set(a, n):
    a[0] = n
    return a


def outcomes(t, call, dtype, recorded=False):
    """What *call* comes to for each of the numbers, in turn."""
    a = t.tensor([[-2, 1, 3], [0, 4, -1]], dtype=getattr(t, dtype))
    b = t.tensor([[1, 1, 2], [-1, 2, 3]], dtype=getattr(t, dtype))
    if recorded:
        a.requires_grad_()
    found = []
    for _ in range(2):
        for number in NUMBERS:
            try:
                r = call(t, a, b, number)
            except Exception as error:
                found.append(type(error).__name__)
                continue
            if recorded and r.requires_grad and number is not True:  # which torch cannot save
                (r,) = t.autograd.grad(r.sum(), a, materialize_grads=True)
            found.append((str(r.dtype), tuple(r.shape), r.stride(), r.detach().numpy()))
    return found


def assert_alike(ours, theirs):
    """The same shapes, dtypes and errors, and numbers that are about equal."""
    for i, (x, y) in enumerate(zip(ours, theirs, strict=True)):
        number = NUMBERS[i % len(NUMBERS)]
        assert type(x) is type(y) and x[:3] == y[:3], number
        if type(x) is tuple:
            np.testing.assert_allclose(x[3], y[3], rtol=1e-5, err_msg=repr(number))


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("recorded", [False, True])
def test_floats(name, recorded):
    results = [outcomes(t, CALLS[name], "float32", recorded) for t in (mindtorch, torch)]
    assert_alike(*results)


@pytest.mark.parametrize("name", OF_INTEGERS)
@pytest.mark.parametrize("dtype", ["int64", "uint8", "int16"])
def test_integers(name, dtype):
    with np.errstate(all="ignore"):
        results = [outcomes(t, CALLS[name], dtype) for t in (mindtorch, torch)]
    assert_alike(*results)


@pytest.mark.parametrize("name", ["addcmul", "addcdiv_", "mul_", "full", "gt"])
def test_another_number_enters_no_more_frames(name):
    """Nothing looks at these numbers before the kernel runs."""
    a, b = mindtorch.rand(2, 3), mindtorch.rand(2, 3)

    def frames(number):
        found = 0

        def profiler(frame, event, argument):
            nonlocal found
            found += event == "call"

        sys.setprofile(profiler)
        try:
            CALLS[name](mindtorch, a, b, number)
        finally:
            sys.setprofile(None)
        return found

    for i in range(6):
        CALLS[name](mindtorch, a, b, 1.5 + i)
    assert frames(100.5) <= frames(100.5) + 3  # a number may have to become an array


def test_a_number_that_is_warned_of_is_warned_of_when_the_call_is_known():
    """Degrees of freedom follow from a number, too."""
    for name in ("std", "var", "std_mean", "var_mean"):
        found = []
        for t in (mindtorch, torch):
            x, said = t.tensor(3.0), []
            for correction in (0, 0, 0, 0, 0, 10, 0, 3):
                with warnings.catch_warnings(record=True) as heard:
                    warnings.simplefilter("always")
                    getattr(t, name)(x, 0, correction=correction)
                said.append([str(w.message).partition(" (Triggered")[0] for w in heard])
            found.append(said)
        assert found[0] == found[1], name


#: ``x`` has three rows, ``r`` says how often each is wanted, ``m`` which of them are.
SIZED = {
    "repeat_interleave": lambda t, x, r, m: x.repeat_interleave(r, 0),
    "repeated places": lambda t, x, r, m: x.index_select(0, t.repeat_interleave(r)),
    "arithmetic of places": lambda t, x, r, m: t.repeat_interleave(r) * 2 + 1,
    "size put in": lambda t, x, r, m: t.repeat_interleave(r, output_size=int(r.sum())) * 2,
    "index": lambda t, x, r, m: x[m] * 2,
    "aten.index": lambda t, x, r, m: t.ops.aten.index(x, [m]) * 2,
    "masked_select": lambda t, x, r, m: t.masked_select(x, m[:, None]) * 2,
    "nonzero": lambda t, x, r, m: t.nonzero(m) * 2,
    "unique": lambda t, x, r, m: t.unique(r) * 2,
    "unique_consecutive": lambda t, x, r, m: t.unique_consecutive(r) * 2,
    "bincount": lambda t, x, r, m: t.bincount(r) * 2,
    "one_hot": lambda t, x, r, m: t.nn.functional.one_hot(r) * 2,
}


@pytest.mark.parametrize("pipelined", [False, True], ids=["now", "pipeline"])
@pytest.mark.parametrize("device", ["cpu", "npu"])
@pytest.mark.parametrize("name", SIZED)
def test_sizes_follow_from_the_numbers_when_the_call_is_known(name, device, pipelined):
    """Arguments look alike in each call; how large the result is follows from what is in them."""
    context = mindtorch.pipeline() if pipelined else contextlib.nullcontext()
    for rows in ((1, 2, 1),) * 6 + ((1, 2, 3), (1, 2, 1), (0, 0, 1), (4, 4, 4)):
        want = SIZED[name](torch, *_sized(torch, rows, "cpu"))
        with context:
            got = SIZED[name](mindtorch, *_sized(mindtorch, rows, device))
            assert got.shape == want.shape
        assert got.tolist() == want.tolist()


def _sized(t, rows, device):
    r = t.tensor(rows, device=device)
    return t.arange(12.0, device=device).reshape(3, 4), r, r > 1
