"""Kernels that look few numbers up at once give what those for many give, which go step by step."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from mindtorch.aten import (
    avg_pooling,
    convolution_kernel,
    grid_sampling,
    pooling_window,
    sliding_blocks,
    upsampling,
    volume_pooling,
)
from mindtorch.call.row import ROWS

CONVOLUTIONS = {
    "plain": ((2, 3, 7, 6), (4, 3, 3, 2), (1, 1), (0, 0), (1, 1), False, (0, 0), 1),
    "strides": ((1, 4, 9, 8), (6, 2, 3, 3), (2, 3), (1, 2), (2, 1), False, (0, 0), 2),
    "depthwise": ((2, 4, 6), (8, 1, 3), (1,), (1,), (1,), False, (0,), 4),
    "transposed": ((2, 4, 3, 4), (4, 3, 3, 2), (2, 1), (1, 0), (1, 2), True, (1, 0), 1),
    "transposed groups": ((1, 6, 4), (6, 2, 3), (3,), (1,), (1,), True, (2,), 3),
    "volumes": ((1, 2, 4, 5, 3), (3, 2, 2, 3, 1), (1, 2, 1), (0, 1, 1), (1, 1, 1), False, (0,), 1),
}


def numbers(*shape: int) -> Any:
    return np.random.default_rng(len(shape)).standard_normal(shape)


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Runs something with few numbers and again as if they were many."""

    def run(make: Any) -> tuple[Any, Any]:
        few = make()
        monkeypatch.setattr(convolution_kernel, "is_few", lambda *_: False)
        monkeypatch.setattr(sliding_blocks, "is_few", lambda *_: False)
        monkeypatch.setattr(sliding_blocks, "_FEW", 0)
        monkeypatch.setattr(pooling_window, "_FEW", 0)
        monkeypatch.setattr(grid_sampling, "_FEW", 0)
        monkeypatch.setattr(upsampling, "_WIDE", 0)
        many = make()
        monkeypatch.undo()
        return few, many

    yield run


@pytest.mark.parametrize("case", CONVOLUTIONS)
def test_convolutions(case: str, both: Any) -> None:
    shape, weights, *options = CONVOLUTIONS[case]
    x, w = numbers(*shape), numbers(*weights)
    groups, transposed = options[5], options[3]
    bias = numbers(weights[1] * groups if transposed else weights[0])
    few, many = both(
        lambda: convolution_kernel.prepare_convolution(x, w, bias, *options)(x, w, bias)
    )
    np.testing.assert_allclose(few, many, 1e-12, 1e-12)
    g = numbers(*few.shape)
    rest = (None, *options, (True, True, True))
    few, many = both(lambda: convolution_kernel.prepare_backward(g, x, w, *rest)(g, x, w))
    for one, other in zip(few, many, strict=True):
        np.testing.assert_allclose(one, other, 1e-12, 1e-12)


@pytest.mark.parametrize("padding", [(0, 0), (1, 2)])
def test_sliding_blocks(padding: tuple[int, int], both: Any) -> None:
    x, sizes = numbers(2, 3, 7, 6), ((3, 2), (1, 2), padding, (2, 1))
    few, many = both(lambda: sliding_blocks._prepare_im2col(x, *sizes)(x))
    np.testing.assert_array_equal(few, many)
    back = both(lambda: sliding_blocks._prepare_col2im(few, (7, 6), *sizes)(few))
    np.testing.assert_allclose(*back, 1e-12, 1e-12)


@pytest.mark.parametrize("padded", [False, True])
@pytest.mark.parametrize("included", [False, True])
def test_gradients_of_means(padded: bool, included: bool, both: Any) -> None:
    planes, volumes = numbers(2, 3, 7, 6), numbers(2, 5, 4, 6)
    options: Any = (2, 3), (2, 2), (1, 1) if padded else (0, 0), True, included, None
    g = numbers(
        *both(lambda: avg_pooling._prepare_avg(planes, *options)(planes, *options))[1].shape
    )
    make = avg_pooling._prepare_avg_backward
    np.testing.assert_allclose(
        *both(lambda: make(g, planes, *options)(g, planes, *options)), 1e-12, 1e-12
    )
    options = (2, 3, 2), (2, 1, 2), (1, 0, 1) if padded else (0, 0, 0), False, included, None
    means = both(lambda: volume_pooling._prepare_avg(volumes, *options)(volumes, *options))
    np.testing.assert_allclose(*means, 1e-12, 1e-12)
    g = numbers(*means[0].shape)
    deep = volume_pooling._prepare_avg_backward
    np.testing.assert_allclose(
        *both(lambda: deep(g, volumes, *options)(g, volumes, *options)), 1e-12, 1e-12
    )


@pytest.mark.parametrize("align", [False, True])
@pytest.mark.parametrize("padding", [0, 1, 2])
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("sizes", [(4, 5), (3, 2, 4)])
def test_samples_of_grids(
    sizes: tuple[int, ...], mode: int, padding: int, align: bool, both: Any
) -> None:
    images, options = numbers(2, 3, *sizes), (mode, padding, align)
    grid = numbers(2, *[2] * len(sizes), len(sizes))
    make = grid_sampling._prepare_sample
    few, many = both(lambda: make(images, grid, *options)(images, grid, *options))
    np.testing.assert_allclose(few, many, 1e-12, 1e-12)
    back, args = grid_sampling._prepare_sample_backward, (few, images, grid, *options, (1, 1))
    for one, other in zip(*both(lambda: back(*args)(*args)), strict=True):
        np.testing.assert_allclose(one, other, 1e-12, 1e-12)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_samples_of_what_is_not_finite(number: float, both: Any) -> None:
    images, grid, options = numbers(1, 2, 3, 3), numbers(1, 2, 2, 2), (0, 0, False)
    images[0, 0, 1, 1] = number
    grid[0, 0, 0, 0] = number
    make = grid_sampling._prepare_sample
    few, many = both(lambda: make(images, grid, *options)(images, grid, *options))
    np.testing.assert_array_equal(few, many)


@pytest.mark.parametrize("number", [1.0, np.nan, np.inf])
@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize(
    "name", ["linear1d", "bilinear2d", "bicubic2d", "trilinear3d", "nearest3d"]
)
def test_resized_images(name: str, corners: bool, number: float, both: Any) -> None:
    n = int(name[-2])
    sizes, outs = (4, 5, 3)[:n], (7, 3, 6)[:n]
    rest = (corners, *[None] * n) if "nearest" not in name else (None,) * n
    images, gradient = numbers(2, 3, *sizes), numbers(2, 3, *outs)
    images[0, 1, 2] = gradient[0, 1, 2] = number
    make: Any = ROWS[f"upsample_{name}"].prepare
    back: Any = ROWS[f"upsample_{name}_backward"].prepare
    few, many = both(lambda: make(images, outs, *rest)(images, outs, *rest))
    np.testing.assert_allclose(few, many, 1e-12, 1e-12)
    args = (gradient, outs, (2, 3, *sizes), *rest)
    few, many = both(lambda: back(*args)(*args))
    np.testing.assert_allclose(few, many, 1e-12, 1e-12)
