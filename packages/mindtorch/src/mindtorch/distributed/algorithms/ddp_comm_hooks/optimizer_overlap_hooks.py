"""Hooks that let optimizers step as soon as the gradients of a bucket are averaged."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ....autograd import Variable
from ....futures import Future
from ..._c10d.buckets import GradBucket

__all__: list[str] = []

_FUNCTIONAL_OPTIM_STEP_METHOD_NAME = "step_param"


class _OptimizerHookState:
    """An optimizer that steps one parameter at a time, and which parameters it steps."""

    __slots__ = ("functional_optimizer", "params_to_optimize")

    def __init__(self, functional_optim: Any, params: Iterable[Any] | None = None) -> None:
        self.functional_optimizer = functional_optim
        if not hasattr(functional_optim, _FUNCTIONAL_OPTIM_STEP_METHOD_NAME):
            raise ValueError(
                f"Class {type(functional_optim)} must implement method "
                f"{_FUNCTIONAL_OPTIM_STEP_METHOD_NAME}."
            )
        self.params_to_optimize = None if params is None else set(params)


def _apply_optim_in_backward_hook(
    gradient_is_bucket_view: bool,
) -> Callable[[Any, GradBucket], Any]:
    """A hook that averages a bucket and lets the parameters' own optimizers step.

    Its state is a weak reference to the ``DistributedDataParallel``. Once backward is over, the
    parameters that were stepped have no gradient.
    """
    waiting = False

    def apply_optim_in_backward_hook(hook_state: Any, bucket: GradBucket) -> Any:
        nonlocal waiting
        model = hook_state()
        model.reducer._run_allreduce_hook(bucket).wait()
        bucket.buffer().div_(model.process_group.size())
        for param, grad in zip(bucket.parameters(), bucket.gradients(), strict=True):
            optimizers = getattr(param, "_in_backward_optimizers", ())
            if optimizers:
                param.grad = grad
            for optimizer in optimizers:
                optimizer.step()

        def drop_gradients() -> None:
            nonlocal waiting
            waiting = False
            for param in model._get_data_parallel_params(model.module):
                if hasattr(param, "_in_backward_optimizers"):
                    param.grad = None

        if not waiting:
            Variable._execution_engine.queue_callback(drop_gradients)
            waiting = True
        done: Any = Future()
        done.set_result(bucket.buffer())
        return done

    return apply_optim_in_backward_hook


def _hook_then_optimizer(
    hook: Callable[[Any, GradBucket], Any], optimizer_state: _OptimizerHookState
) -> Callable[[Any, GradBucket], Any]:
    """A hook that steps the parameters of a bucket by what *hook* makes of it."""
    chosen = optimizer_state.params_to_optimize

    def hook_then_optimizer_wrapper(hook_state: Any, bucket: GradBucket) -> Any:
        def optimizer_step(_: Any) -> Any:
            for grad, param in zip(bucket.gradients(), bucket.parameters(), strict=True):
                if chosen is None or param in chosen:
                    optimizer_state.functional_optimizer.step_param(param, grad)
            return bucket.buffer()

        return hook(hook_state, bucket).then(optimizer_step)

    return hook_then_optimizer_wrapper
