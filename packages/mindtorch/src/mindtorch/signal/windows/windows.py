"""The windows: each a formula of equally spaced numbers."""

from __future__ import annotations

from collections.abc import Iterable
from math import pi, sqrt
from typing import Any

from ...aten import torch
from ...aten.torch import Tensor

__all__ = [
    "bartlett",
    "blackman",
    "cosine",
    "exponential",
    "gaussian",
    "general_cosine",
    "general_hamming",
    "hamming",
    "hann",
    "kaiser",
    "nuttall",
]


class _Grid:
    """The places of a window, of what its function was *given*.

    Raises ValueError for a length, dtype or layout that no window has.
    """

    def __init__(self, name: str, given: dict[str, Any]) -> None:
        self.M: int = given["M"]
        self.sym: bool = given["sym"]
        self.how = {k: given[k] for k in ("dtype", "layout", "device", "requires_grad")}
        dtype, layout = given["dtype"] or torch.get_default_dtype(), given["layout"]
        self.how["dtype"] = dtype
        if self.M < 0:
            raise ValueError(f"{name} requires non-negative window length, got M={self.M}")
        if layout is not torch.strided:
            raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
        if dtype not in (torch.float32, torch.float64):
            raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")

    @property
    def length(self) -> int:
        """Of the period, from one place to the same one of the next window."""
        return self.M if not self.sym and self.M > 1 else self.M - 1

    def ones(self) -> Tensor:
        """The window of no place, or of one."""
        return torch.ones((self.M,), **self.how)

    def numbers(self, first: Any, last: Any) -> Tensor:
        """Equally spaced numbers, one for each place."""
        return torch.linspace(start=first, end=last, steps=self.M, **self.how)

    def scaled(self, first: float, scale: float) -> Tensor:
        """Numbers that begin with *first* and grow by one, times *scale*."""
        return self.numbers(first * scale, (first + (self.M - 1)) * scale)


def exponential(
    M: int,
    *,
    center: float | None = None,
    tau: float = 1.0,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window exp(-|n - center| / tau). Raises ValueError unless *tau* is positive."""
    grid = _Grid("exponential", locals())
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    if M == 0:
        return grid.ones()
    middle = grid.length / 2.0 if center is None else center
    return torch.exp(-torch.abs(grid.scaled(-middle, 1 / tau)))


def cosine(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window sin(pi (n + 1/2) / M)."""
    grid = _Grid("cosine", locals())
    if M == 0:
        return grid.ones()
    return torch.sin(grid.scaled(0.5, pi / (grid.length + 1)))


def gaussian(
    M: int,
    *,
    std: float = 1.0,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window exp(-((n - center) / std)^2 / 2). Raises ValueError unless *std* is positive."""
    grid = _Grid("gaussian", locals())
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    if M == 0:
        return grid.ones()
    return torch.exp(-(grid.scaled(-grid.length / 2.0, 1 / (std * sqrt(2))) ** 2))


def kaiser(
    M: int,
    *,
    beta: float = 12.0,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window of a Bessel function's shape. Raises ValueError for a negative *beta*."""
    grid = _Grid("kaiser", locals())
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M < 2:
        return grid.ones()
    # Tensors of the window's dtype: the ends must not be more exact than what lies between them.
    shape = torch.tensor(beta, dtype=grid.how["dtype"], device=device)
    last = torch.minimum(shape, (M - 1) * (2.0 * shape / grid.length) - shape)
    k = grid.numbers(-shape, last)
    return torch.i0(torch.sqrt(shape * shape - torch.pow(k, 2))) / torch.i0(shape)


def hamming(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window 0.54 - 0.46 cos(2 pi n / (M - 1))."""
    return general_hamming(**locals())


def hann(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window (1 - cos(2 pi n / (M - 1))) / 2."""
    return general_hamming(**locals(), alpha=0.5)


def blackman(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window 0.42 - 0.5 cos(x) + 0.08 cos(2 x), with x = 2 pi n / (M - 1)."""
    given = locals()
    _Grid("blackman", given)  # which refuses by that name
    return general_cosine(**given, a=[0.42, 0.5, 0.08])


def bartlett(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window of a triangle, 1 - |2 n / (M - 1) - 1|."""
    grid = _Grid("bartlett", locals())
    if M < 2:
        return grid.ones()
    return 1 - torch.abs(grid.numbers(-1, (M - 1) * (2 / grid.length) - 1))


def general_cosine(
    M: int,
    *,
    a: Iterable[float],
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window that is the sum of (-1)^i a_i cos(2 pi i n / (M - 1)).

    Raises TypeError unless *a* is a list or tuple, ValueError if it is empty.
    """
    grid = _Grid("general_cosine", locals())
    if M < 2:
        return grid.ones()
    if not isinstance(a, Iterable):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    k = grid.numbers(0, (M - 1) * (2 * pi / grid.length))
    how = {name: value for name, value in grid.how.items() if name != "layout"}
    weights = [-weight if i % 2 else weight for i, weight in enumerate(a)]
    signed = torch.tensor(weights, **how).unsqueeze(-1)
    i = torch.arange(len(weights), **how).unsqueeze(-1)
    return (signed * torch.cos(i * k)).sum(0)


def general_hamming(
    M: int,
    *,
    alpha: float = 0.54,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window alpha - (1 - alpha) cos(2 pi n / (M - 1))."""
    given = locals()
    del given["alpha"]
    return general_cosine(**given, a=[alpha, 1.0 - alpha])


def nuttall(
    M: int,
    *,
    sym: bool = True,
    dtype: torch.dtype | None = None,
    layout: torch.layout = torch.strided,
    device: torch.device | None = None,
    requires_grad: bool = False,
) -> Tensor:
    """The window of four cosines by Nuttall."""
    return general_cosine(**locals(), a=[0.3635819, 0.4891775, 0.1365995, 0.0106411])
