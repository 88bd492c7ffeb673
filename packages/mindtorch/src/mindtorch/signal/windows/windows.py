"""The windows: each a formula of equally spaced numbers."""

from __future__ import annotations

from collections.abc import Iterable
from math import pi, sqrt
from typing import Any

import mindtorch as torch
from mindtorch import Tensor

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


def _check(name: str, M: int, dtype: torch.dtype, layout: torch.layout) -> None:
    """Raise ValueError for a length, dtype or layout that no window has."""
    if M < 0:
        raise ValueError(f"{name} requires non-negative window length, got M={M}")
    if layout is not torch.strided:
        raise ValueError(f"{name} is implemented for strided tensors only, got: {layout}")
    if dtype not in (torch.float32, torch.float64):
        raise ValueError(f"{name} expects float32 or float64 dtypes, got: {dtype}")


def _settings(
    dtype: torch.dtype | None, layout: torch.layout, device: Any, requires_grad: bool
) -> dict[str, Any]:
    """What the functions that make tensors are told."""
    return {
        "dtype": torch.get_default_dtype() if dtype is None else dtype,
        "layout": layout,
        "device": device,
        "requires_grad": requires_grad,
    }


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
    how = _settings(dtype, layout, device, requires_grad)
    _check("exponential", M, how["dtype"], layout)
    if tau <= 0:
        raise ValueError(f"Tau must be positive, got: {tau} instead.")
    if sym and center is not None:
        raise ValueError("Center must be None for symmetric windows")
    if M == 0:
        return torch.empty((0,), **how)
    if center is None:
        center = (M if not sym and M > 1 else M - 1) / 2.0
    constant = 1 / tau
    k = torch.linspace(start=-center * constant, end=(-center + (M - 1)) * constant, steps=M, **how)
    return torch.exp(-torch.abs(k))


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
    how = _settings(dtype, layout, device, requires_grad)
    _check("cosine", M, how["dtype"], layout)
    if M == 0:
        return torch.empty((0,), **how)
    start = 0.5
    constant = pi / (M + 1 if not sym and M > 1 else M)
    k = torch.linspace(start=start * constant, end=(start + (M - 1)) * constant, steps=M, **how)
    return torch.sin(k)


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
    how = _settings(dtype, layout, device, requires_grad)
    _check("gaussian", M, how["dtype"], layout)
    if std <= 0:
        raise ValueError(f"Standard deviation must be positive, got: {std} instead.")
    if M == 0:
        return torch.empty((0,), **how)
    start = -(M if not sym and M > 1 else M - 1) / 2.0
    constant = 1 / (std * sqrt(2))
    k = torch.linspace(start=start * constant, end=(start + (M - 1)) * constant, steps=M, **how)
    return torch.exp(-(k**2))


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
    how = _settings(dtype, layout, device, requires_grad)
    _check("kaiser", M, how["dtype"], layout)
    if beta < 0:
        raise ValueError(f"beta must be non-negative, got: {beta} instead.")
    if M == 0:
        return torch.empty((0,), **how)
    if M == 1:
        return torch.ones((1,), **how)
    # Tensors of the window's dtype: the ends must not be more exact than what lies between them.
    shape = torch.tensor(beta, dtype=how["dtype"], device=device)
    start = -shape
    constant = 2.0 * shape / (M if not sym else M - 1)
    end = torch.minimum(shape, start + (M - 1) * constant)
    k = torch.linspace(start=start, end=end, steps=M, **how)
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
    return general_hamming(
        M, sym=sym, dtype=dtype, layout=layout, device=device, requires_grad=requires_grad
    )


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
    return general_hamming(
        M,
        alpha=0.5,
        sym=sym,
        dtype=dtype,
        layout=layout,
        device=device,
        requires_grad=requires_grad,
    )


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
    _check("blackman", M, torch.get_default_dtype() if dtype is None else dtype, layout)
    return general_cosine(
        M,
        a=[0.42, 0.5, 0.08],
        sym=sym,
        dtype=dtype,
        layout=layout,
        device=device,
        requires_grad=requires_grad,
    )


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
    how = _settings(dtype, layout, device, requires_grad)
    _check("bartlett", M, how["dtype"], layout)
    if M == 0:
        return torch.empty((0,), **how)
    if M == 1:
        return torch.ones((1,), **how)
    start = -1
    constant = 2 / (M if not sym else M - 1)
    k = torch.linspace(start=start, end=start + (M - 1) * constant, steps=M, **how)
    return 1 - torch.abs(k)


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
    how = _settings(dtype, layout, device, requires_grad)
    _check("general_cosine", M, how["dtype"], layout)
    if M == 0:
        return torch.empty((0,), **how)
    if M == 1:
        return torch.ones((1,), **how)
    if not isinstance(a, Iterable):
        raise TypeError("Coefficients must be a list/tuple")
    if not a:
        raise ValueError("Coefficients cannot be empty")
    constant = 2 * pi / (M if not sym else M - 1)
    k = torch.linspace(start=0, end=(M - 1) * constant, steps=M, **how)
    signed = torch.tensor(
        [(-1) ** i * weight for i, weight in enumerate(a)],
        device=device,
        dtype=how["dtype"],
        requires_grad=requires_grad,
    )
    i = torch.arange(
        signed.shape[0],
        dtype=signed.dtype,
        device=signed.device,
        requires_grad=signed.requires_grad,
    )
    return (signed.unsqueeze(-1) * torch.cos(i.unsqueeze(-1) * k)).sum(0)


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
    return general_cosine(
        M,
        a=[alpha, 1.0 - alpha],
        sym=sym,
        dtype=dtype,
        layout=layout,
        device=device,
        requires_grad=requires_grad,
    )


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
    return general_cosine(
        M,
        a=[0.3635819, 0.4891775, 0.1365995, 0.0106411],
        sym=sym,
        dtype=dtype,
        layout=layout,
        device=device,
        requires_grad=requires_grad,
    )
