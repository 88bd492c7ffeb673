"""``torch._functorch.vmap``: the steps of one call over a batch, by torch's names.

Libraries whose containers hold tensors put steps of their own in place of these, so each step is
looked up in this module when it is due.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import include_keys

from .._C._functorch import (
    _add_batch_dim,
    _remove_batch_dim,
    is_batchedtensor,  # noqa: F401 (theirs)
)
from .._C._functorch import _unwrap_batched as _apart
from ..functionality import transforms
from ..functionality.batching import Level, batched, call_op, levels
from ..tensor import Tensor
from ..tensor.default_generator import get_rng_state, set_rng_state
from ..utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_map_, tree_unflatten

__all__: list[str] = []


def _get_name(func: Callable[..., Any]) -> str:
    name = getattr(func, "__name__", None)
    if name is None and isinstance(func, functools.partial):
        name = f"functools.partial({_get_name(func.func)}, ...)"
    return repr(func) if name is None else str(name)


def _check_randomness_arg(randomness: str) -> None:
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. "
            f"Got {randomness}"
        )


def _check_out_dims_is_int_or_int_pytree(out_dims: Any, func: Callable[..., Any]) -> None:
    def check(value: Any) -> None:
        if value is not None and not isinstance(value, int):
            raise ValueError(
                f"vmap({_get_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, "
                "None or a python collection of ints representing where in the outputs the vmapped "
                "dimension should appear."
            )

    if not isinstance(out_dims, int):
        tree_map_(check, out_dims)


def vmap_impl(
    func: Callable[..., Any],
    in_dims: Any,
    out_dims: Any,
    randomness: str,
    chunk_size: int | None,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Call *func* over the batch that *args* hold, at most *chunk_size* samples at a time."""
    _check_out_dims_is_int_or_int_pytree(out_dims, func)
    size, flat_dims, flat_args, spec = _process_batched_inputs(in_dims, args, func)
    if chunk_size is None:
        return _flat_vmap(func, size, flat_dims, flat_args, spec, out_dims, randomness, **kwargs)
    chunks = _get_chunked_inputs(flat_args, flat_dims, size, chunk_size)
    return _chunked_vmap(func, flat_dims, chunks, spec, out_dims, randomness, **kwargs)


# Inputs -------------------------------------------------------------------------------------------


def _process_batched_inputs(
    in_dims: Any, args: tuple[Any, ...], func: Callable[..., Any]
) -> tuple[int, list[int | None], list[Any], Any]:
    """The batch size, the mapped dim of each leaf, the leaves, and how they are nested."""
    what = f"vmap({_get_name(func)}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{what}: expected `in_dims` to be int or a (potentially nested) tuple matching the "
            f"structure of inputs, got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({_get_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or "
            "you are trying to vmap over a function with no inputs. The latter is unsupported."
        )
    flat_args, spec = tree_flatten(args)
    flat_dims = _broadcast_to_and_flatten(in_dims, spec)
    if flat_dims is None:
        raise ValueError(
            f"{what}: in_dims is not compatible with the structure of `inputs`. in_dims has "
            f"structure {tree_flatten(in_dims)[1]} but inputs has structure {spec}."
        )
    for i, (arg, dim) in enumerate(zip(flat_args, flat_dims, strict=True)):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(
                f"{what}: Got in_dim={dim} for an input but in_dim must be either an integer "
                "dimension or None."
            )
        if not isinstance(arg, Tensor):
            raise ValueError(
                f"{what}: Got in_dim={dim} for an input but the input is of type {type(arg)}. We "
                "cannot vmap over non-Tensor arguments, please use None as the respective in_dim"
            )
        n = arg.dim()
        if not -n <= dim < n:
            raise ValueError(
                f"{what}: Got in_dim={dim} for some input, but that input is a Tensor of "
                f"dimensionality {n} so expected in_dim to satisfy -{n} <= in_dim < {n}."
            )
        flat_dims[i] = dim % n
    return _validate_and_get_batch_size(flat_dims, flat_args), flat_dims, flat_args, spec


def _validate_and_get_batch_size(flat_in_dims: list[int | None], flat_args: list[Any]) -> int:
    """The size that all mapped dims have. Raises ValueError where they differ, and for none."""
    sizes = [a.size(d) for d, a in zip(flat_in_dims, flat_args, strict=True) if d is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return int(sizes[0])


def _create_batched_inputs(
    flat_in_dims: list[int | None], flat_args: list[Any], vmap_level: int, args_spec: Any
) -> Any:
    """The arguments as one sample sees them."""
    samples = [
        a if d is None else _add_batch_dim(a, d, vmap_level)
        for d, a in zip(flat_in_dims, flat_args, strict=True)
    ]
    return tree_unflatten(samples, args_spec)


# The call -----------------------------------------------------------------------------------------


@contextmanager
def vmap_increment_nesting(batch_size: int, randomness: str) -> Iterator[int]:
    """A batch of *batch_size* samples in the block; gives the number of its level."""
    before = levels.get()
    number = before[-1].number + 1 if before else 1
    hidden = transforms.hidden_keys()
    try:
        if hidden:
            transforms.set_hidden(0)
        levels.set((*before, Level(number, batch_size, randomness)))
        with include_keys(K.FuncTorchVmapMode):
            yield number
    finally:
        levels.set(before)
        if hidden:
            transforms.set_hidden(hidden)


def _flat_vmap(
    func: Callable[..., Any],
    batch_size: int,
    flat_in_dims: list[int | None],
    flat_args: list[Any],
    args_spec: Any,
    out_dims: Any,
    randomness: str,
    **kwargs: Any,
) -> Any:
    """One call of *func* for the whole batch."""
    with vmap_increment_nesting(batch_size, randomness) as level:
        inputs = _create_batched_inputs(flat_in_dims, flat_args, level, args_spec)
        return _unwrap_batched(func(*inputs, **kwargs), out_dims, level, batch_size, func)


def get_chunk_sizes(total_elems: int, chunk_size: int) -> list[int]:
    """Pieces of *chunk_size*, and what is left."""
    n, rest = divmod(total_elems, chunk_size)
    return [chunk_size] * n + ([rest] if rest else [])


def _get_chunked_inputs(
    flat_args: list[Any], flat_in_dims: list[int | None], batch_size: int, chunk_size: int
) -> Iterator[tuple[Any, ...]]:
    """The leaves of each piece of the batch."""
    sizes = get_chunk_sizes(batch_size, chunk_size)
    pieces = [
        [t] * len(sizes) if dim is None else t.split(sizes, dim=dim)
        for t, dim in zip(flat_args, flat_in_dims, strict=True)
    ]
    return zip(*pieces, strict=True)


def _chunked_vmap(
    func: Callable[..., Any],
    flat_in_dims: list[int | None],
    chunks_flat_args: Iterable[tuple[Any, ...]],
    args_spec: Any,
    out_dims: Any,
    randomness: str,
    **kwargs: Any,
) -> Any:
    """A call of *func* for each piece of the batch, and what they give put together."""
    state = get_rng_state() if randomness == "same" else None
    outputs = []
    for leaves in chunks_flat_args:
        size = _validate_and_get_batch_size(flat_in_dims, list(leaves))
        if state is not None:
            set_rng_state(state)
        outputs.append(
            _flat_vmap(
                func, size, flat_in_dims, list(leaves), args_spec, out_dims, randomness, **kwargs
            )
        )
    columns, spec = _flatten_chunks_output(outputs)
    return tree_unflatten(_concat_chunked_outputs(out_dims, spec, columns), spec)


def _flatten_chunks_output(chunks_output_: list[Any]) -> tuple[list[tuple[Any, ...]], Any]:
    """For each leaf of the result its pieces, and how the result is nested."""
    flat = [tree_flatten(out) for out in chunks_output_]
    return list(zip(*(leaves for leaves, _ in flat), strict=True)), flat[0][1]


def _concat_chunked_outputs(
    out_dims: Any, arg_spec: Any, flat_output_chunks: list[tuple[Any, ...]]
) -> list[Any]:
    """The pieces of each leaf as one tensor."""
    dims = _broadcast_to_and_flatten(out_dims, arg_spec)
    assert dims is not None  # each piece has checked it
    return [
        call_op("cat", list(parts), dim)
        for parts, dim in zip(flat_output_chunks, dims, strict=True)
    ]


# Outputs ------------------------------------------------------------------------------------------


def _unwrap_batched(
    batched_outputs: Any, out_dims: Any, vmap_level: int, batch_size: int, func: Callable[..., Any]
) -> Any:
    """What one sample gave as tensors of the batch."""
    flat, spec = tree_flatten(batched_outputs)

    def incompatible() -> NoReturn:
        raise ValueError(
            f"vmap({_get_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not "
            "compatible with the structure of `outputs`. out_dims has structure "
            f"{tree_flatten(out_dims)[1]} but outputs has structure {spec}."
        )

    dims: list[Any] | None
    if isinstance(batched_outputs, Tensor):
        if isinstance(out_dims, tuple) and len(out_dims) == 1:
            dims = list(out_dims)
        elif out_dims is None or isinstance(out_dims, int):
            dims = [out_dims]
        else:
            incompatible()
    else:
        dims = _broadcast_to_and_flatten(out_dims, spec)
        if dims is None:
            incompatible()
    name = _get_name(func)
    whole = [
        _maybe_remove_batch_dim(name, t, vmap_level, batch_size, d)
        for t, d in zip(flat, dims, strict=True)
    ]
    return tree_unflatten(whole, spec)


def _maybe_remove_batch_dim(
    name: str, batched_output: Any, vmap_level: int, batch_size: int, out_dim: int | None
) -> Any:
    """One output as a tensor of the batch."""
    if out_dim is None:
        if batched(batched_output, vmap_level) is not None:
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return batched_output
    if not isinstance(batched_output, Tensor):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type "
            f"{type(batched_output)}. Did you mean to set out_dims= to None for output?"
        )
    return _remove_batch_dim(batched_output, vmap_level, batch_size, out_dim)


# A batch whose size is known ----------------------------------------------------------------------


def restore_vmap(
    func: Callable[..., Any], in_dims: Any, batch_size: int, randomness: str
) -> Callable[..., tuple[Any, Any]]:
    """*func* over a batch of *batch_size*; gives batches, and along which dimension each lies.

    The dimension is None for what is the same for all samples.
    """

    def inner(*args: Any, **kwargs: Any) -> tuple[Any, Any]:
        with vmap_increment_nesting(batch_size, randomness) as level:
            return unwrap_batched(func(*wrap_batched(args, in_dims, level), **kwargs), level)

    return inner


def wrap_batched(args: tuple[Any, ...], bdims: Any, level: int) -> Any:
    """*args* as one sample of *level* sees them."""
    flat, spec = tree_flatten(args)
    dims = _broadcast_to_and_flatten(bdims, spec)
    assert dims is not None, "flat_bdims must not be None"
    return _create_batched_inputs(dims, flat, level, spec)


def unwrap_batched(args: Any, level: int) -> tuple[Any, Any]:
    """The batches of what one sample of *level* is, and the dimension of each."""
    flat, spec = tree_flatten(args)
    if not flat:
        return args, ()
    found = [_apart(t, level) if isinstance(t, Tensor) else (t, None) for t in flat]
    values, dims = zip(*found, strict=True)
    return tree_unflatten(list(values), spec), tree_unflatten(list(dims), spec)
