"""Functions of local tensors as functions of distributed ones."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from mindtorch.utils import _pytree as pytree

from ....tensor import Tensor
from .._api import DTensor

__all__ = ["local_map"]


def local_map(
    func: Callable[..., Any] | None = None,
    out_placements: Any = None,
    in_placements: Any = None,
    in_grad_placements: Any = None,
    device_mesh: Any = None,
    *,
    redistribute_inputs: bool = False,
) -> Any:
    """Let a function of local tensors take distributed ones, and place its results.

    :param out_placements: of each result; None for one that is not distributed.
    :param in_placements: those that each argument has to have; None for what is no tensor.
    :param in_grad_placements: those of the gradients of the arguments.
    :param redistribute_inputs: give arguments these placements, where they have others.

    Raises ValueError for other placements, AssertionError for another number of them than there are
    arguments or results.
    """
    if func is None:
        return functools.partial(
            local_map,
            out_placements=out_placements,
            in_placements=in_placements,
            in_grad_placements=in_grad_placements,
            device_mesh=device_mesh,
            redistribute_inputs=redistribute_inputs,
        )
    inner = func

    @functools.wraps(inner)
    def wrapped(*args: Any, **kwargs: Any) -> Any:
        flat, tree = pytree.tree_flatten(args)
        if in_placements is not None and len(in_placements) != len(flat):
            raise AssertionError(
                f"in_placements length {len(in_placements)} does not match the number of input "
                f"args {len(flat)}!"
            )
        mesh = device_mesh or next((x.device_mesh for x in flat if isinstance(x, DTensor)), None)
        wanted = in_placements or (None,) * len(flat)
        grads = in_grad_placements or (None,) * len(flat)
        local = [
            _local(x, want, grad, in_placements is not None, redistribute_inputs)
            for x, want, grad in zip(flat, wanted, grads, strict=True)
        ]
        result = inner(*pytree.tree_unflatten(local, tree), **kwargs)
        if not any(isinstance(x, DTensor) for x in flat):
            return result
        return _placed(result, out_placements, mesh)

    return wrapped


def _local(x: Any, want: Any, grad: Any, asked: bool, redistributes: bool) -> Any:
    if not isinstance(x, DTensor):
        if asked and want is not None and not isinstance(x, Tensor):
            raise AssertionError(
                f"Non-Tensor input {x} expects None placements but received {want}!"
            )
        return x
    if asked:
        if want is None:
            raise AssertionError(f"DTensor input {x} expects placements but received {want}!")
        if x.placements != tuple(want):
            if not redistributes:
                raise ValueError(
                    f"arg {x} in local_map has a mismatched placements: arg placements is "
                    f"{x.placements} but the input placements is {tuple(want)}! If "
                    "redistribute_inputs is wanted, set redistribute_inputs=True to local_map."
                )
            x = x.redistribute(placements=want)
    return x.to_local(grad_placements=grad)


def _placed(result: Any, placements: Any, mesh: Any) -> Any:
    flat, tree = pytree.tree_flatten(result)
    listed: Sequence[Any] = placements if isinstance(placements, tuple) else (placements,)
    if len(flat) != len(listed):
        raise AssertionError(
            "local_map requires one PlacementType be provided for each output value, received "
            f"{len(listed)} out_placements but {len(flat)} is expected!"
        )
    made = []
    for x, p in zip(flat, listed, strict=True):
        if not isinstance(x, Tensor) and p is not None:
            raise AssertionError(f"Non-tensor output {x} expects None placements but got {p}!")
        made.append(x if p is None else DTensor.from_local(x, mesh, p, run_check=False))
    return pytree.tree_unflatten(made, tree)
