"""What may change of distributed tensors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mindtorch.utils import _pytree as pytree

from .._api import DTensor
from .._dispatch import replicating

__all__ = ["context_parallel", "implicit_replication", "local_map", "register_sharding"]


@contextmanager
def implicit_replication() -> Iterator[None]:
    """Let plain tensors beside distributed ones be replicated."""
    replicating[0] += 1
    try:
        yield
    finally:
        replicating[0] -= 1


@contextmanager
def context_parallel(
    mesh: Any, *, buffers: Any = None, buffer_seq_dims: Any = None, no_restore_buffers: Any = None
) -> Iterator[None]:
    """Split sequences over a mesh: a mesh of one has them whole."""
    if mesh.size() != 1:
        raise RuntimeError("several processes are not available yet")
    yield


def local_map(
    func: Any = None,
    out_placements: Any = None,
    in_placements: Any = None,
    in_grad_placements: Any = None,
    device_mesh: Any = None,
    *,
    redistribute_inputs: bool = False,
) -> Any:
    """A function of local tensors as one of distributed ones."""

    def wrapped(*args: Any, **kwargs: Any) -> Any:
        flat, tree = pytree.tree_flatten((args, kwargs))
        mesh = device_mesh or next((x.device_mesh for x in flat if isinstance(x, DTensor)), None)
        local = [x.to_local() if isinstance(x, DTensor) else x for x in flat]
        inner_args, inner_kwargs = pytree.tree_unflatten(local, tree)
        result = func(*inner_args, **inner_kwargs)
        if mesh is None:
            return result
        many = isinstance(result, tuple)
        placed = out_placements if many else (out_placements,)
        made = [
            r if p is None else DTensor.from_local(r, mesh, p)
            for r, p in zip(result if many else (result,), placed)
        ]
        return tuple(made) if many else made[0]

    return wrapped


def register_sharding(op: Any) -> Any:
    """Register how an operator splits; on a mesh of one nothing is split."""
    return lambda fn: fn
