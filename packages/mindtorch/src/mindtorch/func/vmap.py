"""``torch.vmap``: a function of samples becomes one of batches."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from .._functorch.vmap import _check_randomness_arg, vmap_impl
from ..core.tracebacks import leaving

__all__ = ["vmap"]


def vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    *,
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """*func* over a batch: ``vmap(func)(x)`` is ``stack([func(sample) for sample in x])``.

    :param in_dims: which dimension of each input is the batch's: an int, or a nested tuple as the
        inputs; None for an input that all samples share.
    :param out_dims: where the batch dimension goes in each output.
    :param randomness: ``"error"`` refuses random ops, ``"same"`` gives all samples the same
        numbers, ``"different"`` each its own.
    :param chunk_size: compute at most so many samples at a time.

    Most ops run once for the whole batch; what has no rule runs in a loop over samples. Raises
    ValueError for dimensions that do not fit, RuntimeError for what cannot be batched (data read
    with ``item``, data-dependent shapes, in-place ops on tensors without the batch).
    """
    _check_randomness_arg(randomness)
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @leaving
    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        return vmap_impl(func, in_dims, out_dims, randomness, chunk_size, *args, **kwargs)

    return wrapped
