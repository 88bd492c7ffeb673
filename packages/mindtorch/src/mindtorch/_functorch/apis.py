"""``torch._functorch.apis``: what torch.func offers, under the name of torch's inside."""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import repeat
from typing import Any

from ..func import grad, grad_and_value, vmap
from .vmap import (
    _check_out_dims_is_int_or_int_pytree,
    _check_randomness_arg,
    _chunked_vmap,
    _process_batched_inputs,
)

__all__ = [
    "argnums_t",
    "chunk_vmap",
    "grad",
    "grad_and_value",
    "in_dims_t",
    "out_dims_t",
    "vmap",
]

argnums_t = int | tuple[int, ...]
in_dims_t = int | tuple[Any, ...]
out_dims_t = int | tuple[int, ...] | None


def chunk_vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    chunks: int = 2,
) -> Callable[..., Any]:
    """*func* over a batch, in *chunks* pieces one after another.

    Raises RuntimeError for fewer than one.
    """
    _check_randomness_arg(randomness)
    if chunks == 1:
        return vmap(func, in_dims=in_dims, out_dims=out_dims, randomness=randomness)

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        _check_out_dims_is_int_or_int_pytree(out_dims, func)
        _, flat_dims, flat_args, spec = _process_batched_inputs(in_dims, args, func)
        cut = [
            repeat(t) if dim is None else t.chunk(chunks, dim)
            for t, dim in zip(flat_args, flat_dims, strict=True)
        ]
        pieces = zip(*cut, strict=False)  # what is not mapped goes on forever
        return _chunked_vmap(func, flat_dims, pieces, spec, out_dims, randomness, **kwargs)

    return wrapped
