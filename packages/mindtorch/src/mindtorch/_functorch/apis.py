"""``torch._functorch.apis``: what torch.func offers, under the name of torch's inside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..func import grad, grad_and_value, vmap
from .vmap import _check_randomness_arg, _flatten_chunks_output, get_chunk_sizes

__all__ = [
    "chunk_vmap",
    "grad",
    "grad_and_value",
    "vmap",
]


def chunk_vmap(
    func: Callable[..., Any],
    in_dims: Any = 0,
    out_dims: Any = 0,
    randomness: str = "error",
    chunks: int = 2,
) -> Callable[..., Any]:
    """*func* over a batch, in *chunks* pieces one after another.

    Raises ValueError for fewer than one.
    """
    import functools

    import mindtorch as torch

    from .vmap import _process_batched_inputs, tree_unflatten

    _check_randomness_arg(randomness)
    if chunks == 1:
        return vmap(func, in_dims=in_dims, out_dims=out_dims, randomness=randomness)
    mapped = vmap(func, in_dims=in_dims, out_dims=out_dims, randomness=randomness)

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        size, flat_dims, flat_args, spec = _process_batched_inputs(in_dims, args, func)
        each = -(-size // chunks)
        sizes = get_chunk_sizes(size, each)
        pieces = [
            t.split(sizes, dim=dim) if dim is not None else [t] * len(sizes)
            for t, dim in zip(flat_args, flat_dims)
        ]
        outputs = [mapped(*tree_unflatten(list(p), spec), **kwargs) for p in zip(*pieces)]
        columns, out_spec = _flatten_chunks_output(outputs)
        dims = _dims(out_dims, out_spec)
        joined = [torch.cat(column, dim=dim) for column, dim in zip(columns, dims)]
        return tree_unflatten(joined, out_spec)

    return wrapped


def _dims(out_dims: Any, spec: Any) -> Any:
    from ..utils._pytree import _broadcast_to_and_flatten

    return _broadcast_to_and_flatten(out_dims, spec)
