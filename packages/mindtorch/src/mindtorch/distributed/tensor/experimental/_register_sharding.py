"""Sharding rules of programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .._dispatch import propagator
from .._dtensor_spec import DTensorSpec
from .._sharding import Call, Choice, sharding_rule

__all__ = ["register_sharding"]


def register_sharding(op: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Register how an operator, or each of a list, runs on parts, in place of what is known.

    The function that is decorated gets the arguments of the operator, with a spec (``ndim``,
    ``shape``, ``placements``) for each tensor, and returns pairs of lists: placements of results,
    and of arguments (None for what is no tensor), on one dimension of a mesh.
    """
    overloads = op if isinstance(op, list) else [op]

    def register(function: Callable[..., Any]) -> Callable[..., Any]:
        def rule(call: Call, mesh_dim: int) -> Iterable[Choice]:
            args = [call.given[n] for n in call.names if n in call.given]
            for outputs, inputs in function(*args):
                placed = [
                    p
                    for arg, p in zip(args, inputs, strict=False)
                    if isinstance(arg, DTensorSpec | list | tuple) and p is not None
                ]
                yield call.choice(outputs, placed)

        sharding_rule(*(o._name.partition("::")[2] for o in overloads))(rule)
        propagator.forget()
        return function

    return register
