"""``triton_op`` and ``wrap_triton``: ops around kernels of Triton, which compiles for GPUs.

An op may be defined and run as long as it launches no kernel: there is no Triton here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .custom_op import custom_op

__all__ = ["triton_op", "wrap_triton"]


def triton_op(
    name: str,
    fn: Callable[..., Any] | None = None,
    /,
    *,
    mutates_args: str | Iterable[str],
    schema: str | None = None,
) -> Callable[..., Any]:
    """Make a function an op whose kernels are Triton's, on every device.

    See :func:`custom_op`, which has the same arguments.
    """
    made: Callable[..., Any] = custom_op(name, fn, mutates_args=mutates_args, schema=schema)
    return made


def wrap_triton(triton_kernel: Callable[..., Any], /) -> Any:
    """Refuse: there is no Triton. Raises ModuleNotFoundError, as torch does without it."""
    raise ModuleNotFoundError("No module named 'triton'", name="triton")
