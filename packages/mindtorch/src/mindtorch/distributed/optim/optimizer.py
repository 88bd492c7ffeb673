"""An optimizer of parameters that workers hold, each with gradients of its own."""

from __future__ import annotations

import threading
from typing import Any

from .. import autograd, rpc

__all__ = ["DistributedOptimizer"]


class _LocalOptimizer:
    """The optimizer of the parameters of one worker."""

    #: Optimizers of one worker may have the same parameters: they step one after the other.
    _stepping = threading.Lock()

    def __init__(self, optim_cls: Any, params_rref: Any, *args: Any, **kwargs: Any) -> None:
        params = [rref.local_value() for rref in params_rref]
        self.optim = optim_cls(params, *args, **kwargs)

    def step(self, context_id: int) -> None:
        """Make a step with the gradients of a context."""
        found = autograd.get_gradients(context_id)
        with self._stepping:
            for param, grad in found.items():
                param.grad = grad
            self.optim.step()


def _new_local_optimizer(
    optim_cls: Any, params_rref: Any, args: Any, kwargs: Any
) -> rpc.RRef[_LocalOptimizer]:
    return rpc.RRef(_LocalOptimizer(optim_cls, params_rref, *args, **kwargs))


def _local_optimizer_step(optimizer: Any, context_id: int) -> None:
    optimizer.local_value().step(context_id)


def _wait_for_all(futures: list[Any]) -> list[Any]:
    """What all futures give. Raises the last error, once all are done."""
    errors: list[Exception] = []
    found = []
    for future in futures:
        try:
            found.append(future.wait())
        except Exception as error:
            errors.append(error)
    if errors:
        raise errors.pop()
    return found


class DistributedOptimizer:
    """An optimizer of parameters that workers hold: each worker steps with those it has.

    :param optimizer_class: the class of the optimizers.
    :param params_rref: references to the parameters.
    :param args: what each optimizer is made with, beside its parameters.
    """

    def __init__(self, optimizer_class: Any, params_rref: Any, *args: Any, **kwargs: Any) -> None:
        of_worker: dict[Any, list[Any]] = {}
        for param in params_rref:
            of_worker.setdefault(param.owner(), []).append(param)
        self.is_functional_optim = False
        self.remote_optimizers = _wait_for_all(
            [
                rpc.rpc_async(worker, _new_local_optimizer, (optimizer_class, params, args, kwargs))
                for worker, params in of_worker.items()
            ]
        )

    def step(self, context_id: int) -> None:
        """Let all optimizers step with the gradients of a context."""
        _wait_for_all(
            [
                rpc.rpc_async(optimizer.owner(), _local_optimizer_step, (optimizer, context_id))
                for optimizer in self.remote_optimizers
            ]
        )
