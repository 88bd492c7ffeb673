"""float16 and bfloat16 of few and of many elements: the oracle's bits, in every form."""

from __future__ import annotations

import mindtorch
import numpy as np
import pytest
import torch

from .batches import every

#: Below and above the number of elements from which tables are looked into, also of every second,
#: and above that from which blocks are worked on, the last of which is no whole one. All are whole
#: vectors of any processor: of the rest the oracle rounds a product with alpha.
SIZES = (32, 2 * 4096 + 64, 2 * 32768 + 64)
DTYPES = ("float16", "bfloat16")

#: Numbers of each class, as float32 that a half type rounds.
CLASSES = {
    "random": lambda rng, n: rng.normal(size=n),
    "subnormal": lambda rng, n: rng.normal(size=n) * 2.0**-15,
    "near overflow": lambda rng, n: rng.uniform(-1, 1, n) * 65504 * 1.2,
    "special": lambda rng, n: rng.choice([np.inf, -np.inf, np.nan, 0.0, -0.0, 1.0, -3.5], n),
    "ties": lambda rng, n: rng.integers(-4096, 4096, n) * 0.5,
}

PAIRS = {
    "add": lambda t, a, b: a + b,
    "sub": lambda t, a, b: a - b,
    "rsub": lambda t, a, b: t.rsub(a, b),
    "add with alpha": lambda t, a, b: t.add(a, b, alpha=0.3),
    "sub with alpha": lambda t, a, b: t.sub(a, b, alpha=-2),
    "rsub with alpha": lambda t, a, b: t.rsub(a, b, alpha=1.7),
    "mul": lambda t, a, b: a * b,
    "div": lambda t, a, b: a / b,
    "maximum": lambda t, a, b: t.maximum(a, b),
    "minimum": lambda t, a, b: t.minimum(a, b),
    "copysign": lambda t, a, b: t.copysign(a, b.nan_to_num()),
    "neg": lambda t, a, b: -a,
    "abs": lambda t, a, b: a.abs(),
    "sign": lambda t, a, b: a.sign(),
    "floor": lambda t, a, b: a.floor(),
    "sqrt": lambda t, a, b: a.abs().sqrt(),
    "relu": lambda t, a, b: a.relu(),
    "lerp": lambda t, a, b: t.lerp(a, b, 0.25),
    "lt": lambda t, a, b: a < b,
    "eq": lambda t, a, b: a == b,
    "ne of every second": lambda t, a, b: a[::2] != b[1::2],
    "ge 0-d": lambda t, a, b: a >= b[3],
    "gt a number": lambda t, a, b: a > 0.1,
    "le a number at the left": lambda t, a, b: 0.1 <= a,
    "eq a large number": lambda t, a, b: a == 65504,
    "lt float32": lambda t, a, b: a < b.float(),
    "lt in place": lambda t, a, b: a.clone().lt_(b),
    "gt to out": lambda t, a, b: t.gt(a, b, out=t.empty(a.shape, dtype=t.bool)),
    "add a number": lambda t, a, b: a + 0.1,
    "a number less it": lambda t, a, b: 0.1 - a,
    "add 0-d": lambda t, a, b: a + b[3],
    "add to 0-d": lambda t, a, b: t.sub(a[3], b, alpha=3),
    "add float32": lambda t, a, b: a + b.float(),
    "add expanded": lambda t, a, b: a + b[:1].expand(len(a)),
    "add every second": lambda t, a, b: a[::2] - b[1::2],
    "add turned": lambda t, a, b: a[:8].view(2, 4).t() + b[:8].view(4, 2),
    "add in place": lambda t, a, b: a.clone().add_(b),
    "sub in place with alpha": lambda t, a, b: a.clone().sub_(b, alpha=0.7),
    "add to every second": lambda t, a, b: a.clone()[::2].add_(b[: (len(a) + 1) // 2]),
    "neg in place": lambda t, a, b: a.clone().neg_(),
    "mul in place": lambda t, a, b: a.clone().mul_(b),
    "div in place": lambda t, a, b: a.clone().div_(b),
    "mul 0-d": lambda t, a, b: a * b[3],
    "mul 0-d float32": lambda t, a, b: a * b[3].float(),
    "mul turned": lambda t, a, b: a[:8].view(2, 4).t() * b[:8].view(4, 2),
    "abs of every second": lambda t, a, b: a[::2].abs(),
    "add to a float32": lambda t, a, b: a.float().add_(b),
    "add to out": lambda t, a, b: t.add(a, b, out=t.empty_like(a)),
    "integers by 0-d": lambda t, a, b: t.arange(len(a)) % 99 * b[3],
    "short integers by 0-d": lambda t, a, b: (t.arange(len(a)) % 99).to(t.int16) * b[3],
    "float32 by 0-d": lambda t, a, b: t.nn.functional.prelu(a.float(), b[3].float()),
    "float32 and 0-d": lambda t, a, b: t.maximum(a.float(), b[3]),
    "addcmul": lambda t, a, b: t.addcmul(a, b, b[3], value=0.5),
    "where": lambda t, a, b: t.where(a > b, a, b),
    "sub to out": lambda t, a, b: t.sub(a, b, alpha=2, out=t.empty_like(a)),
    "add to another out": lambda t, a, b: t.add(a, b, out=a.float()),
    "add to an operand": lambda t, a, b: t.add(c := a.clone(), b, out=c),
    "mul to out": lambda t, a, b: t.mul(a, b, out=t.empty_like(a)),
    "neg to out": lambda t, a, b: t.neg(a, out=t.empty_like(a)),
}


def _bits(value):
    """What a tensor's memory says, all NaN alike."""
    value = value.detach()
    nan = value.isnan() if value.is_floating_point() else value.new_zeros(value.shape).bool()
    shape, kind = tuple(value.shape), str(value.dtype).rpartition(".")[2]
    width = {"float16": "int16", "bfloat16": "int16", "float32": "int32", "bool": "bool"}[kind]
    home = mindtorch if isinstance(value, mindtorch.Tensor) else torch
    bits = value.contiguous().view(getattr(home, width)).masked_fill(nan, 0)
    return kind, shape, value.stride(), bits.numpy().tobytes(), nan.numpy().tobytes()


@every("op", PAIRS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_are_the_oracles_to_the_bit(op, dtype):
    """For operands of each class with each: at the first call, and where it is known."""
    rng = np.random.default_rng(5)
    for n in SIZES:
        for one in CLASSES.values():
            a = one(rng, n).astype(np.float32)
            for other in CLASSES.values():
                b = other(rng, n).astype(np.float32)
                found = []
                for home in (torch, mindtorch):
                    x, y = (home.from_numpy(v).to(getattr(home, dtype)) for v in (a, b))
                    calls = 1 if home is torch else 4
                    found += [_bits(PAIRS[op](home, x, y)) for _ in range(calls)]
                wanted, *mine = found
                assert all(m == wanted for m in mine), (op, dtype, n)


#: Rows of one operand, whose results of many numbers stand in a table; with numbers that change.
LOOKED_UP = {
    "gelu": lambda t, x, n: t.nn.functional.gelu(x),
    "gelu by tanh": lambda t, x, n: t.nn.functional.gelu(x, approximate="tanh"),
    "exp": lambda t, x, n: x.exp(),
    "exp in place": lambda t, x, n: x.clone().exp_(),
    "exp to out": lambda t, x, n: t.exp(x, out=t.empty_like(x)),
    "exp to a float32": lambda t, x, n: t.exp(x, out=x.float()),
    "mul": lambda t, x, n: x * n,
    "mul at the left": lambda t, x, n: n * x,
    "mul in place": lambda t, x, n: x.clone().mul_(n),
    "mul 0-d": lambda t, x, n: x * t.tensor(n),
    "div": lambda t, x, n: x / n,
    "pow": lambda t, x, n: x**n,
    "elu": lambda t, x, n: t.nn.functional.elu(x, n),
    "softplus": lambda t, x, n: t.nn.functional.softplus(x, abs(n) + 1),
    "clamp": lambda t, x, n: x.clamp(min=n),
    "isfinite": lambda t, x, n: x.isfinite(),
    "ne": lambda t, x, n: x != n,
    "turned": lambda t, x, n: x.view(64, -1).t().exp(),
    "every second": lambda t, x, n: x[::2].exp(),
    "a gradient": lambda t, x, n: _gradient(t, x, n),
}


def _gradient(t, x, n):
    leaf = x.clone().requires_grad_()
    (t.nn.functional.silu(leaf) * n).backward(x)
    return leaf.grad


@every("op", LOOKED_UP)
@pytest.mark.parametrize("dtype", DTYPES)
def test_results_in_a_table_are_those_of_few(op, dtype):
    """To the bit, of every number, whatever the numbers beside it are in the next call."""
    every_one = np.resize(np.arange(1 << 16, dtype=np.uint16).astype(np.int16), (1 << 18) + 192)
    x = mindtorch.from_numpy(every_one).view(getattr(mindtorch, dtype))
    few = x[: 1 << 16].tensor_split(64)
    for n in (0.5, -0.0, 0.0, 2.0, 2, -1, 0.5):
        found = LOOKED_UP[op](mindtorch, x, n).reshape(-1)
        if op == "turned":
            found = found.view(-1, 64).t().reshape(-1)
        if op == "every second":
            found, parts = found[: 1 << 15], [LOOKED_UP["exp"](mindtorch, p[::2], n) for p in few]
        else:
            found, parts = found[: 1 << 16], [LOOKED_UP[op](mindtorch, p, n) for p in few]
            if op == "turned":
                parts = [LOOKED_UP["exp"](mindtorch, p, n) for p in few]
        assert _bits(found) == _bits(mindtorch.cat(parts)), n


@pytest.mark.parametrize("flushed", [False, True])
def test_each_number_of_float16_in_float32(flushed):
    """To the bit, where subnormal numbers are taken for zero, too: conversions take them as is."""
    every_one = np.arange(1 << 16, dtype=np.uint16).astype(np.int16)
    homes = (torch, mindtorch)
    try:
        for home in homes:
            home.set_flush_denormal(flushed)
        found = [_bits(home.from_numpy(every_one).view(home.float16).float()) for home in homes]
    finally:
        for home in homes:
            home.set_flush_denormal(False)
    assert found[1] == found[0]


@every("dtype", DTYPES)
def test_sums_at_indices_are_rounded_at_each_step(dtype):
    """``put`` and ``index_put`` add one number after the other to a half."""
    numbers = np.random.default_rng(0).normal(size=12) * 3
    found = []
    for t in (mindtorch, torch):
        a, b = (t.tensor(x).to(getattr(t, dtype)) for x in (numbers[:5], numbers[5:]))
        at = t.tensor([1, 1, 1, 1, 3, 1, 1])
        sums = t.put(a, at, b, True), a.clone().put_(at, b, True), a.index_put((at,), b, True)
        found.append([x.tolist() for x in sums])
    assert found[0] == found[1]
