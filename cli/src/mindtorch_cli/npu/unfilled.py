"""Large host tensors that nobody fills: so a plan can build a model that this machine cannot hold.

A program mostly builds its model on the host and then moves it. In a plan the numbers do not
matter, so what would only fill or convert :data:`LARGE` bytes of host memory, or change each number
for itself, is left out: the memory is asked for, but the system gives it when it is written, which
is never. What the op would refuse it refuses: its meta kernel is asked. Other ops run as they are.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from math import prod
from typing import Any

import mindtorch as torch
from mindtorch.call.dispatch_entry import OVERLOADS
from mindtorch.call.overload import INPLACE

__all__ = ["LARGE", "leave_large_host_tensors_unfilled"]

#: Bytes: to fill as many takes some ten milliseconds.
LARGE = 1 << 20

#: Ops that make a tensor as large as the one that they are given.
_LIKE = ("_to_copy", "clone")
#: Ops that make one of the size that comes first.
_MAKE = ("ones", "rand", "randn")

_CPU, _META = (
    torch._C.DispatchKeySet(key) for key in (torch._C.DispatchKey.CPU, torch._C.DispatchKey.Meta)
)


def leave_large_host_tensors_unfilled() -> torch.library.Library:
    """From now on, for as long as the returned library lives."""
    library = torch.library.Library("aten", "IMPL")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that kernels are overridden
        for name, spared in {
            **{name: _changed(name) for name in _changes()},
            **dict.fromkeys(_LIKE, _made_like),
            **dict.fromkeys(_MAKE, _made),
        }.items():
            kernel = torch.library.get_kernel(f"aten::{name}", "CPU")
            library.impl(name, _unless_large(kernel, spared), "CPU")
    return library


def _changes() -> list[str]:
    """The in-place ops that draw, copy or fill numbers, or change each for itself."""
    return [
        o.name.removeprefix("aten::")
        for o in OVERLOADS.values()
        if o.kind == INPLACE
        and not o.composed
        and (o.row.random or "pointwise" in o.row.tags or o.base in ("copy_", "fill_", "zero_"))
    ]


def _unless_large(kernel: Any, spared: Any) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = spared(*args, **kwargs)
        return kernel.call_boxed(_CPU, *args, **kwargs) if found is None else found

    return run


def _changed(name: str) -> Any:
    """What stands for the op *name* where its target is large: nothing but its refusals."""
    on_meta = torch.library.get_kernel(f"aten::{name}", "Meta")

    def changed(target: torch.Tensor, *args: Any, **kwargs: Any) -> torch.Tensor | None:
        if target.nbytes < LARGE:
            return None
        kwargs.pop("generator", None)
        on_meta.call_boxed(_META, *map(_without_numbers, (target, *args)), **kwargs)
        return target

    return changed


def _without_numbers(value: Any) -> Any:
    return value.detach().to("meta") if isinstance(value, torch.Tensor) else value


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
