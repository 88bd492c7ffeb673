"""``once_differentiable``: for a ``backward`` that cannot itself be differentiated."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from mindtorch_autograd import grad_mode, installed
from mindtorch_autograd.node import Error, Output

__all__ = ["once_differentiable"]


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a ``backward`` that cannot itself be differentiated: trying to raises."""

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        with grad_mode.no_grad():
            outputs = fn(ctx, *args)
        if not grad_mode.is_grad_enabled():
            return outputs
        space = installed.space
        watched = [a for a in args if space.is_value(a) and space.requires_grad(a)]
        if not watched:
            return outputs
        single = not isinstance(outputs, tuple)
        results = [outputs] if single else list(outputs)
        error = Error(
            "trying to differentiate twice a function that was marked with @once_differentiable",
            tuple([space.edge(a) for a in watched]),
        )
        error._num_outputs_ = len(results)
        for nr, x in enumerate(results):
            if x is not None:
                results[nr] = space.detach(x)
                space.set_history(results[nr], error if len(results) == 1 else Output(error, nr))
        return results[0] if single else tuple(results)

    return wrapper
