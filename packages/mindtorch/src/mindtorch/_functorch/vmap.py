"""``torch._functorch.vmap``: the parts of vmap that libraries import."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import Tensor
from ..func import vmap
from ..utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_unflatten  # noqa: F401

__all__ = ["vmap"]


def _get_name(func: Callable[..., Any]) -> str:
    return func.__name__ if hasattr(func, "__name__") else repr(func)


def _check_randomness_arg(randomness: str) -> None:
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. Got "
            f"{randomness}"
        )


def _validate_and_get_batch_size(flat_in_dims: list[int | None], flat_args: list[Any]) -> int:
    """The size that all mapped dims have. Raises ValueError where they differ, and for none."""
    sizes = [a.size(d) for d, a in zip(flat_in_dims, flat_args) if d is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return int(sizes[0])


def _process_batched_inputs(
    in_dims: Any, args: tuple[Any, ...], func: Callable[..., Any]
) -> tuple[int, list[int | None], list[Any], Any]:
    """The batch size, the mapped dim of each leaf, the leaves, and how they are nested."""
    name = _get_name(func)
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): expected `in_dims` to be int or a "
            f"(potentially nested) tuple matching the structure of inputs, got: {type(in_dims)}."
        )
    if len(args) == 0:
        raise ValueError(
            f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are "
            "trying to vmap over a function with no inputs. The latter is unsupported."
        )
    flat_args, spec = tree_flatten(args)
    dims = _broadcast_to_and_flatten(in_dims, spec)
    if dims is None:
        raise ValueError(
            f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): in_dims is not compatible with the "
            f"structure of inputs. in_dims has structure {tree_flatten(in_dims)[1]} but inputs has "
            f"structure {spec}."
        )
    for i, (arg, dim) in enumerate(zip(flat_args, dims)):
        if dim is not None and not isinstance(arg, Tensor):
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for an input "
                f"but the input is of type {type(arg)}. We cannot vmap over non-Tensor arguments, "
                "please use None as the respective in_dim"
            )
        if dim is not None and (dim < -arg.dim() or dim >= arg.dim()):
            raise ValueError(
                f"vmap({name}, in_dims={in_dims}, ...)(<inputs>): Got in_dim={dim} for some input, "
                f"but that input is a Tensor of dimensionality {arg.dim()} so expected in_dim to "
                f"satisfy -{arg.dim()} <= in_dim < {arg.dim()}."
            )
        if dim is not None and dim < 0:
            dims[i] = dim % arg.dim()
    return _validate_and_get_batch_size(dims, flat_args), dims, flat_args, spec


def get_chunk_sizes(total_elems: int, chunk_size: int) -> list[int]:
    """Pieces of *chunk_size*, and what is left."""
    n, rest = divmod(total_elems, chunk_size)
    return [chunk_size] * n + ([rest] if rest else [])


def _flatten_chunks_output(chunks_output_: list[Any]) -> tuple[list[tuple[Any, ...]], Any]:
    """For each leaf of the result its pieces, and how the result is nested."""
    flat = [tree_flatten(out) for out in chunks_output_]
    return list(zip(*(leaves for leaves, _ in flat))), flat[0][1]
