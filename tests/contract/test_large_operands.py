"""Kernels that work on many elements in another way than on few give the same numbers, to the bit.

What an op does with each element does not depend on how many there are: the whole is what its
pieces are, in every layout. Beside random bits there are the numbers that ways differ in.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import differences

#: Two blocks and a part of one.
SIZE = 70_000
#: At least so many elements are in a piece: few, but gelu of less has another error function.
FEW = 300
WORDS = {"float32": np.uint32, "float64": np.uint64, "float16": np.uint16}
EDGES = (
    *(0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -0.5, 3, -3, 6, 20, 0.3, 1e30, -1e30),
    *(1e-40, -1e-40, 6e-5, -6e-8, 65504, 65520, 2.0**28, 3 * 2.0**29),
)

ELEMENTWISE: dict[str, Callable[..., Any]] = {
    **{
        n: lambda t, x, n=n: getattr(t, n)(x)
        for n in ("sign", "sgn", "nan_to_num", "erf", "erfinv", "abs", "sigmoid")
    },
    **{
        n: lambda t, x, n=n: getattr(t.nn.functional, n)(x)
        for n in (
            *("relu", "hardswish", "hardsigmoid", "hardtanh", "elu", "selu", "celu", "gelu"),
            *("silu", "mish", "softplus", "leaky_relu", "logsigmoid"),
        )
    },
    "a steep elu": lambda t, x: t.nn.functional.elu(x, -0.7),
    "leaky_relu below zero": lambda t, x: t.nn.functional.leaky_relu(x, -0.3),
    "a steep softplus": lambda t, x: t.nn.functional.softplus(x, 2.0, 5.0),
    "threshold": lambda t, x: t.nn.functional.threshold(x, 0.1, 20.0),
    "nan_to_num by numbers": lambda t, x: t.nan_to_num(x, 1.0, 2.0, -3.0),
    "prelu": lambda t, x: t.nn.functional.prelu(x, t.tensor([0.25], dtype=x.dtype)),
    "softshrink": lambda t, x: t.nn.functional.softshrink(x, 0.3),
    "clamp": lambda t, x: x.clamp(-0.5, 0.5),
    "clamp below": lambda t, x: x.clamp(min=0.0),
    "clamp above minus zero": lambda t, x: x.clamp(min=-0.0),
    "clamp above": lambda t, x: x.clamp(max=0.0),
    "clamp by nan": lambda t, x: x.clamp(float("nan"), 1.0),
    "clamp crossed": lambda t, x: x.clamp(1.0, -1.0),
    **{
        f"{n} by {v}": lambda t, x, n=n, v=v: getattr(t, n)(x, v)
        for n in ("fmod", "remainder", "floor_divide")
        for v in (0.3, -0.3, 7.0, 0.0, -0.0, 1e30, 1e-40, float("inf"), float("-inf"))
    },
}
PAIRS: dict[str, Callable[..., Any]] = {
    "fmod": lambda t, x, y: t.fmod(x, y),
    "remainder": lambda t, x, y: t.remainder(x, y),
    "floor_divide": lambda t, x, y: t.floor_divide(x, y),
    "hypot": lambda t, x, y: t.hypot(x, y),
    "lerp": lambda t, x, y: t.lerp(x, y, y),
    **{
        f"{name}_backward": lambda t, x, y, name=name, rest=rest: getattr(
            t.ops.aten, f"{name}_backward"
        )(x, y, *rest)
        for name, rest in {
            **dict.fromkeys(("hardswish", "hardsigmoid", "gelu", "silu", "mish"), ()),
            **dict.fromkeys(("sigmoid", "tanh"), ()),
            "leaky_relu": (0.1, False),
            "hardtanh": (-1, 1),
            "softplus": (1, 20),
            "threshold": (0.5,),
        }.items()
    },
    "gelu_backward by tanh": lambda t, x, y: t.ops.aten.gelu_backward(x, y, approximate="tanh"),
    "log_sigmoid_backward": lambda t, x, y: t.ops.aten.log_sigmoid_backward(x, y, y),
    "softplus_backward of a low limit": lambda t, x, y: t.ops.aten.softplus_backward(x, y, 2, 5),
    "plain elu_backward": lambda t, x, y: t.ops.aten.elu_backward(x, 1, 1, 1, False, y),
    "elu_backward": lambda t, x, y: t.ops.aten.elu_backward(x, 0.7, 1.1, 1, False, y),
    "elu_backward of a result": lambda t, x, y: t.ops.aten.elu_backward(x, 0.7, 1, 1, True, y),
}
#: Ops whose numbers torch has to the bit.
EXACT = ("sign", "sgn", "nan_to_num", "clamp", "relu", "threshold", "leaky")

LAYOUTS: dict[str, Callable[[Any], Any]] = {
    "contiguous": lambda x: x,
    "of a block": lambda x: x[:32768],
    "one more": lambda x: x[:32769],
    "turned": lambda x: x.view(280, 250).t(),
    "strided": lambda x: x[::2],
    "channels last": lambda x: x.view(7, 4, 50, 50).permute(0, 3, 1, 2),
}


def numbers(dtype: str, seed: int) -> np.ndarray[Any, Any]:
    """A third are usual numbers alone, among the others are edges and numbers of random bits."""
    rng = np.random.default_rng(seed)
    made = (rng.standard_normal(SIZE) * 3).astype(dtype)
    word = WORDS[dtype]
    bits = rng.integers(0, np.iinfo(word).max, SIZE, word, endpoint=True).view(dtype)
    with np.errstate(over="ignore"):
        edges = np.array(EDGES).astype(dtype)[rng.integers(0, len(EDGES), SIZE)]
    which = rng.integers(0, 3, SIZE)
    which[: SIZE // 3] = 2
    return np.choose(which, (bits, edges, made))


def bits_of(x: Any) -> bytes:
    """The bits of a tensor's numbers, NaN as one."""
    a = np.array(x.detach().contiguous().numpy())
    if a.dtype.kind == "f":
        a[np.isnan(a)] = np.nan
    return a.tobytes()


def in_pieces(function: Callable[..., Any], *operands: Any) -> Any:
    parts = zip(*(x.reshape(-1).tensor_split(x.numel() // FEW) for x in operands), strict=True)
    return mindtorch.cat([function(mindtorch, *part) for part in parts])


@pytest.mark.parametrize("dtype", WORDS)
@pytest.mark.parametrize("name", [*ELEMENTWISE, *PAIRS])
def test_the_whole_is_what_its_pieces_are(name: str, dtype: str) -> None:
    function = ELEMENTWISE.get(name) or PAIRS[name]
    arrays = [numbers(dtype, seed) for seed in ((1,) if name in ELEMENTWISE else (1, 2))]
    for layout, change in LAYOUTS.items():
        ours = [change(mindtorch.from_numpy(a.copy())) for a in arrays]
        theirs = [change(torch.from_numpy(a.copy())) for a in arrays]
        whole, oracle = function(mindtorch, *ours), function(torch, *theirs)
        assert whole.stride() == oracle.stride(), layout
        assert bits_of(whole) == bits_of(in_pieces(function, *ours)), layout
        if name.startswith(EXACT) and "backward" not in name:
            assert bits_of(whole) == bits_of(oracle), layout


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("shape", [(20_000,), (20_001,), (600, 33), (70, 1000), (4, 9, 600)])
def test_products_are_multiplied_in_the_order_of_torch(shape: tuple[int, ...], dtype: str) -> None:
    rng = np.random.default_rng(0)
    made = (rng.standard_normal(shape) * 0.1 + 1).astype(dtype)

    def products(t: Any) -> Any:
        x = t.from_numpy(made.copy())
        whole = [x.prod(), x.mT.prod() if x.dim() > 1 else x.prod()]
        return [*whole, *[x.prod(d) for d in range(-1, x.dim())], x.prod(0, True)]

    assert not differences(products(mindtorch), products(torch))


@pytest.mark.parametrize("turned", [False, True])
def test_every_half_in_single_precision(turned: bool) -> None:
    def wide(t: Any) -> bytes:
        halves = t.arange(-(1 << 15), 1 << 15).to(t.int16).view(t.float16)
        return bits_of((halves.view(256, 256).t() if turned else halves).float())

    assert wide(mindtorch) == wide(torch)


@pytest.mark.parametrize("way", ["to", "copy_", "turned"])
def test_single_precision_in_half(way: str) -> None:
    """Numbers of random bits, and each half, each middle of two, and what is next to them."""
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16).astype(np.float64)
    every = np.sort(every[np.isfinite(every)])
    near = np.concatenate((every, (every[:-1] + every[1:]) / 2, [65520, -65520])).astype(np.float32)
    bits = np.random.default_rng(0).integers(0, 1 << 32, 1 << 18, np.uint32).view(np.float32)
    infinity = np.float32(np.inf)
    sides = np.nextafter(near, infinity), np.nextafter(near, -infinity)
    made = np.concatenate((near, *sides, bits))

    def half(t: Any) -> bytes:
        x = t.from_numpy(made[: len(made) // 256 * 256].copy())
        if way == "copy_":
            return bits_of(t.empty(x.shape, dtype=t.float16).copy_(x))
        return bits_of((x.view(256, -1).t() if way == "turned" else x).half())

    assert half(mindtorch) == half(torch)


SELECTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "kthvalue": lambda t, x: x.kthvalue(7),
    "kthvalue first": lambda t, x: x.kthvalue(500, 0, True),
    "median": lambda t, x: x.median(1),
    "median first": lambda t, x: x.median(0),
    "nanmedian": lambda t, x: x.nanmedian(1),
    "topk": lambda t, x: x.topk(9),
    "topk smallest": lambda t, x: x.topk(9, largest=False),
    "topk first": lambda t, x: x.topk(5, 0),
    "nansum": lambda t, x: x.nansum(),
    "multinomial": lambda t, x: (t.manual_seed(0), t.multinomial(x.abs().nan_to_num(1), 7))[1],
    "multinomial again": lambda t, x: (
        t.manual_seed(0),
        t.multinomial(x.abs().nan_to_num(1), 7, True),
    )[1],
}


@pytest.mark.parametrize("which", ["apart", "few values", "with NaN"])
@pytest.mark.parametrize("name", SELECTIONS)
def test_elements_chosen_of_many(name: str, which: str) -> None:
    made = np.random.default_rng(0).permutation(1000 * 600).reshape(1000, 600).astype(np.float32)
    if which == "few values":
        made %= 11
    if which == "with NaN":
        made[3::7, 5::9] = np.nan
    if name == "kthvalue" and which == "few values":
        made %= 3

    def chosen(t: Any) -> Any:
        found = SELECTIONS[name](t, t.from_numpy(made.copy()))
        if which == "few values" and isinstance(found, tuple):  # of equal ones any may be taken
            return found[0]
        return found

    assert not differences(chosen(mindtorch), chosen(torch), rtol=1e-6 * (name == "nansum"))


@pytest.mark.parametrize("mode", ["reflect", "replicate", "circular"])
@pytest.mark.parametrize(
    ("shape", "pad"),
    [((2, 3, 2000), (3, 4)), ((2, 60, 50), (3, 0, 2, 5)), ((2, 3, 30, 40, 9), (1, 2, 3, 4, 5, 0))],
)
@pytest.mark.parametrize("turned", [False, True])
def test_padding_and_its_gradient(
    mode: str, shape: tuple[int, ...], pad: tuple[int, ...], turned: bool
) -> None:
    made = np.random.default_rng(0).standard_normal(shape).astype(np.float32)

    def padded(t: Any) -> Any:
        x = t.from_numpy(made.copy())
        x = (x.mT.contiguous().mT if turned else x).requires_grad_()
        out = t.nn.functional.pad(x, pad, mode=mode)
        out.backward(out.detach())
        return out, x.grad

    assert not differences(padded(mindtorch), padded(torch), rtol=1e-6)


@pytest.mark.parametrize("dtype", ["float32", "int64", "bool", "complex64"])
@pytest.mark.parametrize("shape", [(5000,), (30, 200), (7, 30, 40)])
def test_places_by_index(shape: tuple[int, ...], dtype: str) -> None:
    made = np.random.default_rng(0).integers(-1, 2, shape).astype(dtype)

    def found(t: Any) -> list[Any]:
        x = t.from_numpy(made.copy())
        results = [x.nonzero(), x.mT.nonzero() if x.dim() > 1 else x, t.zeros_like(x).nonzero()]
        for d in range(x.dim()):
            sizes = [n - (i != d) for i, n in enumerate(shape)]
            index = (t.arange(int(np.prod(sizes))) * 7 % shape[d]).reshape(sizes)
            results += [x.gather(d, index), x.scatter_add(d, index, x)]
            try:
                x.gather(d, index + 1)
            except RuntimeError as error:
                results.append(str(error))
        return results

    assert not differences(found(mindtorch), found(torch))


@pytest.mark.parametrize("factor", [2, 3, 1.7, 0.6, 9])
@pytest.mark.parametrize("mode", ["nearest", "bilinear"])
def test_gradients_of_interpolation(mode: str, factor: float) -> None:
    made = np.random.default_rng(0).standard_normal((2, 3, 130, 50)).astype(np.float32)

    def gradient(t: Any) -> Any:
        x = t.from_numpy(made.copy()).requires_grad_()
        out = t.nn.functional.interpolate(x, scale_factor=factor, mode=mode)
        out.backward(out.detach())
        return x.grad

    assert not differences(gradient(mindtorch), gradient(torch), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("mode", ["nearest", "bilinear"])
@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_grid_samples(padding: str, mode: str) -> None:
    rng = np.random.default_rng(0)
    made = rng.standard_normal((2, 3, 30, 40)).astype(np.float32)
    places = (rng.standard_normal((2, 90, 80, 2)) * 0.9).astype(np.float32)

    def sampled(t: Any) -> Any:
        x, grid = (t.from_numpy(a.copy()).requires_grad_() for a in (made, places))
        out = t.nn.functional.grid_sample(x, grid, mode, padding, align_corners=False)
        out.sum().backward()
        return out, x.grad, grid.grad

    assert not differences(sampled(mindtorch), sampled(torch), rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64"])
@pytest.mark.parametrize("largest", [3, 2**7, 2**30, 2**62])
def test_products_of_integers(dtype: str, largest: int) -> None:
    """Also of such as double does not hold, which wrap around."""
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-largest, largest, (2, 200, 190)).astype(dtype) for _ in range(2))

    def products(t: Any) -> Any:
        x, y = t.from_numpy(a.copy()), t.from_numpy(b.copy())
        return x[0] @ y[0].t(), t.bmm(x, y.mT)

    assert not differences(products(mindtorch), products(torch))


def test_in_place_with_out_and_with_gradients() -> None:
    made = numbers("float32", 5)[: SIZE // 3]
    made = np.tile(made, 3)

    def found(t: Any, ways: tuple[Callable[..., Any], ...]) -> list[Any]:
        results = []
        for way in ways:
            x = t.from_numpy(made.copy()).requires_grad_()
            way(t, x).sum().backward()
            target, same = t.empty(0), t.from_numpy(made.copy())
            results += [x.grad, t.clamp(same, -1, 1, out=target), target, t.relu_(same), same]
        return results

    ways = tuple(ELEMENTWISE[n] for n in ("relu", "leaky_relu", "clamp", "hardtanh", "threshold"))
    assert not differences(*map(partial(found, ways=ways), (mindtorch, torch)))


def test_threads_do_not_share_memory_of_blocks() -> None:
    """Each thread's kernels have temporaries of their own."""
    rng = np.random.default_rng(0)
    arrays = [rng.standard_normal(SIZE).astype(np.float32) for _ in range(4)]

    def activated(made: np.ndarray[Any, Any]) -> bytes:
        x = mindtorch.from_numpy(made)
        return bits_of(mindtorch.ops.aten.gelu_backward(x, mindtorch.nn.functional.silu(x)))

    alone = [activated(made) for made in arrays]
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(activated, arrays * 8)) == alone * 8
