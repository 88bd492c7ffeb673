"""``torch.vmap``: a function of samples becomes one of batches.

Errors and their order: torch/_functorch/vmap.py.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import include_keys

from ..functionality import transforms  # noqa: F401  (forbids what samples cannot do)
from ..functionality.batching import Level, batch, batched, call_op, levels
from ..generator import get_rng_state, set_rng_state
from ..tensor import Tensor
from ..utils._pytree import _broadcast_to_and_flatten, tree_flatten, tree_map_, tree_unflatten

__all__ = ["vmap", "vmap_level"]


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
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(
            "Only allowed values for randomness are 'error', 'different', or 'same'. "
            f"Got {randomness}"
        )
    if not (chunk_size is None or chunk_size > 0):
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")

    @functools.wraps(func)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        if not isinstance(out_dims, int):
            tree_map_(functools.partial(_check_int_or_none, func, out_dims), out_dims)
        flat_dims, flat_args, spec = _inputs(func, in_dims, args)
        size = _batch_size(flat_dims, flat_args)
        if chunk_size is None:
            return _over_batch(func, size, flat_dims, flat_args, spec, out_dims, randomness, kwargs)
        return _in_chunks(
            func, size, chunk_size, flat_dims, flat_args, spec, out_dims, randomness, kwargs
        )

    return wrapped


# Inputs -------------------------------------------------------------------------------------------


def _inputs(
    func: Callable[..., Any], in_dims: Any, args: tuple[Any, ...]
) -> tuple[list[int | None], list[Any], Any]:
    what = f"vmap({_name(func)}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{what}: expected `in_dims` to be int or a (potentially nested) tuple matching the "
            f"structure of inputs, got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({_name(func)})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you "
            "are trying to vmap over a function with no inputs. The latter is unsupported."
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
    return flat_dims, flat_args, spec


def _batch_size(flat_dims: list[int | None], flat_args: list[Any]) -> int:
    sizes = [a.size(d) for d, a in zip(flat_dims, flat_args, strict=True) if d is not None]
    if not sizes:
        raise ValueError("vmap: Expected at least one Tensor to vmap over")
    if any(size != sizes[0] for size in sizes):
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return sizes[0]


# The call -----------------------------------------------------------------------------------------


@contextmanager
def vmap_level(size: int, randomness: str) -> Iterator[int]:
    """A batch of *size* samples in the block; gives the number of its level."""
    stack = levels.get()
    number = stack[-1].number + 1 if stack else 1
    token = levels.get()
    try:
        levels.set((*stack, Level(number, size, randomness)))
        with include_keys(K.FuncTorchVmapMode):
            yield number
    finally:
        levels.set(token)


def _over_batch(
    func: Callable[..., Any],
    size: int,
    flat_dims: list[int | None],
    flat_args: list[Any],
    spec: Any,
    out_dims: Any,
    randomness: str,
    kwargs: dict[str, Any],
) -> Any:
    with vmap_level(size, randomness) as level:
        inputs = [
            a if d is None else batch(a, d, level)
            for d, a in zip(flat_dims, flat_args, strict=True)
        ]
        outputs = func(*tree_unflatten(inputs, spec), **kwargs)
        return _outputs(func, outputs, out_dims, level, size)


def _in_chunks(
    func: Callable[..., Any],
    size: int,
    chunk: int,
    flat_dims: list[int | None],
    flat_args: list[Any],
    spec: Any,
    out_dims: Any,
    randomness: str,
    kwargs: dict[str, Any],
) -> Any:
    state = get_rng_state() if randomness == "same" else None
    made: list[list[Any]] = []
    structure: Any = None
    for start in range(0, size, chunk):
        length = min(chunk, size - start)
        part = [
            a if d is None else a.narrow(d, start, length)
            for d, a in zip(flat_dims, flat_args, strict=True)
        ]
        if state is not None:
            set_rng_state(state)
        outputs = _over_batch(func, length, flat_dims, part, spec, out_dims, randomness, kwargs)
        flat, structure = tree_flatten(outputs)
        made.append(flat)
    dims = _broadcast_to_and_flatten(out_dims, structure)
    assert dims is not None  # each chunk has checked it
    joined = [
        call_op("cat", list(parts), dim)
        for parts, dim in zip(zip(*made, strict=True), dims, strict=True)
    ]
    return tree_unflatten(joined, structure)


# Outputs ------------------------------------------------------------------------------------------


def _outputs(func: Callable[..., Any], outputs: Any, out_dims: Any, level: int, size: int) -> Any:
    flat, spec = tree_flatten(outputs)

    def incompatible() -> NoReturn:
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible "
            f"with the structure of `outputs`. out_dims has structure {tree_flatten(out_dims)[1]} "
            f"but outputs has structure {spec}."
        )

    dims: list[Any] | None
    if isinstance(outputs, Tensor):
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
    name = _name(func)
    whole = [_whole(name, t, level, size, d) for t, d in zip(flat, dims, strict=True)]
    return tree_unflatten(whole, spec)


def _whole(name: str, t: Any, level: int, size: int, dim: int | None) -> Any:
    """One output as a tensor of the batch."""
    if dim is None:
        if batched(t, level) is not None:
            raise ValueError(
                f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None"
            )
        return t
    if not isinstance(t, Tensor):
        raise ValueError(
            f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(t)}. "
            "Did you mean to set out_dims= to None for output?"
        )
    found = batched(t, level)
    n = t.dim() + 1
    if not -n <= dim < n:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-n}, {n - 1}], but got {dim})"
        )
    dim %= n
    if found is None:
        return t.unsqueeze(dim).expand(*t.shape[:dim], size, *t.shape[dim:])
    if found.bdim == dim:
        return found.value
    return found.value.movedim(found.bdim, dim)


def _check_int_or_none(func: Callable[..., Any], out_dims: Any, value: Any) -> None:
    if value is not None and not isinstance(value, int):
        raise ValueError(
            f"vmap({_name(func)}, ..., out_dims={out_dims}): `out_dims` must be an int, None or a "
            "python collection of ints representing where in the outputs the vmapped dimension "
            "should appear."
        )


def _name(func: Callable[..., Any]) -> str:
    if hasattr(func, "__name__"):
        return func.__name__
    if isinstance(func, functools.partial):
        return f"functools.partial({_name(func.func)}, ...)"
    return repr(func)
