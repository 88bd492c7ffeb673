"""``hann_window`` and its kin: weights for a stretch of a signal.

Source: torch aten/src/ATen/native/TensorFactories.cpp.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..call.row import Out, op
from ..core.errors import c_type_name
from .options import OPTIONS, dtype_or_default
from .prepared import constant
from .special import loaded

__all__: list[str] = []


def _check(name: str, length: int, dtype: Any, options: tuple[Any, ...]) -> None:
    if not (dtype.is_floating_point or dtype.is_complex):
        layout, device, _ = options
        raise RuntimeError(
            f"{name} expects floating point dtypes, got: TensorOptions(dtype={c_type_name(dtype)}, "
            f"device={device or 'cpu'}, layout=Strided{' (default)' if layout is None else ''}, "
            "requires_grad=false (default), pinned_memory=false, memory_format=(nullopt))"
        )
    if length < 0:
        raise RuntimeError(
            f"{name} requires non-negative window_length, got window_length={length}"
        )


def _hamming(n: int, kind: Any, alpha: float = 0.54, beta: float = 0.46) -> Any:
    steps = np.arange(n).astype(kind) * kind(2 * math.pi / (n - 1))
    return np.cos(steps) * kind(-beta) + kind(alpha)


def _blackman(n: int, kind: Any) -> Any:
    steps = np.arange(n).astype(kind) * kind(math.pi / (n - 1))
    return np.cos(steps * kind(4)) * kind(0.08) - np.cos(steps * kind(2)) * kind(0.5) + kind(0.42)


def _bartlett(n: int, kind: Any) -> Any:
    window = np.arange(n).astype(kind) * kind(2 / (n - 1))
    half = ((n - 1) >> 1) + 1
    window[half:] = window[half:] * kind(-1) + kind(2)
    return window


def _kaiser(n: int, kind: Any, beta: float = 12.0) -> Any:
    steps = np.arange(n).astype(np.float64)
    inside = np.maximum(1 - (steps * (2 / (n - 1)) - 1) ** 2, 0)
    return (loaded("i0")(beta * np.sqrt(inside)) / loaded("i0")(np.array([beta]))).astype(kind)


def _numbers(rule: Callable[..., Any]) -> Callable[..., Any]:
    def numbers(length: int, periodic: bool, shape: tuple[float, ...], dtype: Any) -> Any:
        kind = dtype_or_default(dtype).np
        if length <= 1:
            return np.ones(max(length, 0), kind)
        return rule(length + bool(periodic), kind.type, *shape)[:length].astype(kind)

    return numbers


def _define(
    name: str, rule: Callable[..., Any], more: tuple[tuple[str, str], ...], *, says: str
) -> None:
    """The overloads of one window: with its shape's parameters, one by one."""
    numbers = _numbers(rule)
    forms: list[tuple[str, str, int]] = [("", "", 0), (".periodic", ", bool periodic", 1)]
    parameters = ", bool periodic"
    for i, (overload, parameter) in enumerate(more):
        parameters += f", float {parameter}"
        forms.append((f".{overload}", parameters, 2 + i))

    for overload, text, count in forms:

        def meta(length: int, *rest: Any, count: int = count) -> Out:
            found = dtype_or_default(rest[count])
            _check(name, length, found, rest[count + 1 :])
            return Out((length,), found)

        def prepare(length: int, *rest: Any, count: int = count) -> Any:
            periodic = rest[0] if count else True
            return constant(lambda: numbers(length, periodic, rest[1:count], rest[count]))

        op(
            f"{name}{overload}(int window_length{text}, *, {OPTIONS}) -> Tensor",
            says=says,
            meta=meta,
            prepare=prepare,
            half=False,
            variants="function",
            samples=f"window{count}",
            tags=("rounds",),
        )


_define(
    "hann_window",
    lambda n, kind: _hamming(n, kind, 0.5, 0.5),
    (),
    says="Return the Hann window: a raised cosine.",
)
_define(
    "hamming_window",
    _hamming,
    (("periodic_alpha", "alpha"), ("periodic_alpha_beta", "beta")),
    says="Return the Hamming window: a raised cosine on a pedestal.",
)
_define("blackman_window", _blackman, (), says="Return the Blackman window: a sum of two cosines.")
_define(
    "bartlett_window",
    _bartlett,
    (),
    says="""Return the Bartlett window: a triangle.

>>> torch.bartlett_window(5, periodic=False)
tensor([0.0000, 0.5000, 1.0000, 0.5000, 0.0000])
""",
)
_define(
    "kaiser_window",
    _kaiser,
    (("beta", "beta"),),
    says="Return the Kaiser window, whose shape beta sets.",
)
