"""Max pooling of large images: values, places and gradients of the oracle, to the bit."""

from __future__ import annotations

from typing import Any

import mindtorch
import numpy as np
import pytest
import torch

from .helpers import differences

#: Kernel, stride, padding, dilation, ceil_mode: tiles, overlapping windows, gaps, borders.
WINDOWS = (
    (2, 2, 0, 1, False),
    ((2, 3), (2, 3), 0, 1, False),
    (3, 2, 1, 1, False),
    (3, 1, 1, 1, False),
    ((1, 4), (3, 1), (0, 2), 1, True),
    ((5, 2), (2, 3), (2, 1), (1, 3), True),
    (2, 3, 0, 2, False),
    ((17, 16), (3, 2), (8, 8), 1, False),  # more places than a byte counts
)
DTYPES = ("float32", "float64", "float16", "int32", "int64", "int16")
LAYOUTS = {
    "contiguous": lambda t, x: x,
    "three dims": lambda t, x: x[0],
    "channels last": lambda t, x: x.to(memory_format=t.channels_last),
    "turned": lambda t, x: x.mT.contiguous().mT,
}
#: What stands among the numbers: many are equal; what maxima of two numbers decide otherwise.
AMONG = {"few": (), "zeros": (0.0, -0.0), "infinite": (-np.inf,), "nan": (np.nan, -np.inf)}


def _numbers(dtype: str, among: tuple[float, ...]) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(len(among))
    made = rng.integers(-9, 9, (5, 13, 36, 47)).astype(dtype)
    for number in among:
        made[rng.random(made.shape) < 0.2] = number
    if among == (-np.inf,):
        made[:2] = -np.inf
    return made


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("window", WINDOWS, ids=str)
def test_maxima_places_and_gradients(window: tuple[Any, ...], dtype: str) -> None:
    floating = dtype.startswith("float")
    for name, among in AMONG.items() if floating else (("few", ()),):
        made = _numbers(dtype, among)
        for layout, change in LAYOUTS.items():

            def pooled(t: Any, made: Any = made, change: Any = change) -> Any:
                x = change(t, t.from_numpy(made.copy())).requires_grad_(floating)
                args = [v if isinstance(v, bool | tuple) else (v, v) for v in window]
                best, where = t.ops.aten.max_pool2d_with_indices(x, *args)
                if not floating:
                    return best, where
                best.backward((where % 7).to(best.dtype))
                return best, where, x.grad

            assert not differences(pooled(mindtorch), pooled(torch)), (name, layout)


@pytest.mark.parametrize("shape", [(0, 3, 80, 90), (1, 1, 300, 301)])
def test_none_and_one_image(shape: tuple[int, ...]) -> None:
    made = np.random.default_rng(0).standard_normal(shape).astype(np.float32)

    def pooled(t: Any) -> Any:
        x = t.from_numpy(made.copy()).requires_grad_()
        best, where = t.nn.functional.max_pool2d(x, 3, 2, 1, return_indices=True)
        if x.numel():
            best.backward(best.detach())
        return best, where, x.grad

    assert not differences(pooled(mindtorch), pooled(torch))
