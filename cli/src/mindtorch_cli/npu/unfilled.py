"""Large host tensors that nobody fills: so a plan can build a model that this machine cannot hold.

A program mostly builds its model on the host and then moves it. In a plan the numbers do not
matter, so what would only fill or convert :data:`LARGE` bytes of host memory is left out: the
memory is asked for, but the system gives it when it is written, which is never. Other ops run as
they are.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import prod
from typing import Any

import mindtorch as torch

__all__ = ["LARGE", "leave_large_host_tensors_unfilled"]

#: Bytes: to fill as many takes some ten milliseconds.
LARGE = 1 << 20

#: Ops that only fill what they are given.
_FILL = (
    *("zero_", "fill_.Scalar", "fill_.Tensor", "copy_", "uniform_", "normal_", "erfinv_"),
    *[f"random_{bounds}" for bounds in ("", ".from", ".to")],
    *("exponential_", "bernoulli_.float", "clamp_"),
    *[f"{name}_.{operand}" for name in ("mul", "add") for operand in ("Tensor", "Scalar")],
)
#: Ops that make a tensor as large as the one that they are given.
_LIKE = ("_to_copy", "clone")
#: Ops that make one of the size that comes first.
_MAKE = ("ones", "rand", "randn")

_CPU = torch._C.DispatchKeySet(torch._C.DispatchKey.CPU)


def leave_large_host_tensors_unfilled() -> torch.library.Library:
    """From now on, for as long as the returned library lives."""
    library = torch.library.Library("aten", "IMPL")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that kernels are overridden
        for names, spared in ((_FILL, _filled), (_LIKE, _made_like), (_MAKE, _made)):
            for name in names:
                kernel = torch.library.get_kernel(f"aten::{name}", "CPU")
                library.impl(name, _unless_large(kernel, spared), "CPU")
    return library


def _unless_large(kernel: Any, spared: Any) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = spared(*args, **kwargs)
        return kernel.call_boxed(_CPU, *args, **kwargs) if found is None else found

    return run


def _filled(target: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor | None:
    if target.nbytes < LARGE:
        return None
    other = args[0] if args else None
    if isinstance(other, torch.Tensor) and other.shape != target.shape:
        try:
            if torch.broadcast_shapes(other.shape, target.shape) != target.shape:
                return None
        except RuntimeError:
            return None  # the op itself says what is wrong
    return target


def _made_like(source: torch.Tensor, **how: Any) -> torch.Tensor | None:
    dtype = how.get("dtype") or source.dtype
    if source.numel() * dtype.itemsize < LARGE or how.get("layout") or how.get("pin_memory"):
        return None
    if torch.device(how.get("device") or "cpu").type != "cpu":
        return None
    made: torch.Tensor = torch.zeros_like(
        source, dtype=dtype, memory_format=how.get("memory_format")
    )
    return made


def _made(size: Sequence[int], *args: Any, **how: Any) -> torch.Tensor | None:
    dtype = how.get("dtype") or torch.get_default_dtype()
    if prod(size) * dtype.itemsize < LARGE or how.get("layout") or how.get("pin_memory"):
        return None
    made: torch.Tensor = torch.zeros(size, dtype=dtype, device="cpu")
    return made
