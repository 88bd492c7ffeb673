"""What the optimizers share: the loop of a step, counters, the checks of options."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mindtorch_storage as st
from mindtorch_autograd import enable_grad

from ..data import tensor
from ..tensor import Tensor
from . import direct, recorded
from .optimizer import (
    Optimizer,
    _device_dtype_check_for_fused,
    _get_capturable_supported_devices,
    _use_grad_for_differentiable,
)

__all__ = [
    "CountingOptimizer",
    "advance",
    "check_betas",
    "check_captured",
    "check_fused",
    "check_lists",
    "check_moments",
    "check_not_negative",
    "check_options_of_fused",
    "check_rate",
    "check_steps",
    "decayed",
    "evaluated",
    "in_single_precision",
    "make_counts_tensors",
    "number",
    "ops_of",
    "step_count",
    "unscaled",
]


def number(value: Any) -> Any:
    """A number, where options may be tensors."""
    return value.item() if isinstance(value, Tensor) else value


def ops_of(differentiable: bool) -> Any:
    """The ops of a step: those that keep what a gradient needs, or the fast ones."""
    return recorded if differentiable else direct


def step_count(param: Any, on_device: bool, value: float) -> Tensor:
    """How often a parameter was changed: a float tensor, as in torch's state dicts."""
    dtype = st.float32
    if not on_device and st.get_default_dtype() is st.float64:
        dtype = st.float64
    return tensor(value, dtype=dtype, device=param.device if on_device else "cpu")


def check_captured(
    param: Any, foreach: Any, what: str = "params and state_steps", xla: bool = True
) -> None:
    """Raises AssertionError where steps of *param* are to be captured, and cannot be.

    *what* torch names; *xla*: whether it does so there for single tensors.
    Source: torch optim/adam.py and its kin, _single_tensor_adam and _multi_tensor_adam.
    """
    if param.device.type not in _get_capturable_supported_devices(False):
        devices = _get_capturable_supported_devices(xla and not foreach)
        raise AssertionError(f"If capturable=True, {what} must be on supported devices: {devices}.")


check_fused = _device_dtype_check_for_fused


def check_options_of_fused(differentiable: bool, foreach: bool | None) -> None:
    """Refuse what torch's fused kernels cannot do."""
    if differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


def check_lists(foreach: bool | None, differentiable: bool) -> None:
    """Refuse to differentiate where ops over lists were asked for."""
    if foreach and differentiable:
        raise AssertionError("_foreach ops don't support autograd")


def check_steps(state_steps: list[Any]) -> None:
    """Refuse counts that are no tensors, as they were before torch 1.12."""
    if not all(isinstance(t, Tensor) for t in state_steps):
        raise RuntimeError(
            "API has changed, `state_steps` argument must contain a list of singleton tensors"
        )


def unscaled(grads: list[Any], grad_scale: Any, found_inf: Any) -> bool:
    """Divide *grads* by the scale of a gradient scaler; False where the step is to be left out."""
    if found_inf is not None and found_inf.item():
        return False
    if grad_scale is not None:
        for grad in grads:
            grad.div_(grad_scale.to(grad.device))
    return True


@contextmanager
def in_single_precision(grads: list[Any], *written: list[Any]) -> Iterator[list[list[Any]]]:
    """*grads* and the lists *written* with float32 for float16 and bfloat16, as fused steps count.

    What a step makes of the lists *written* is rounded once, when it is done.
    """
    halves = (st.float16, st.bfloat16)
    wide = [[t.float() if t.dtype in halves else t for t in ts] for ts in (grads, *written)]
    yield wide
    for tensors, copies in zip(written, wide[1:]):
        for given, copy in zip(tensors, copies):
            if copy is not given:
                given.copy_(copy)


def evaluated(closure: Callable[[], Any]) -> Any:
    """What *closure* gives, which may run a backward."""
    with enable_grad():
        return closure()


def make_counts_tensors(optimizer: Optimizer, group: dict[str, Any], on_device: bool) -> None:
    """The counts of a state from before torch 1.12 are numbers."""
    for param in group["params"]:
        own = optimizer.state.get(param, {})
        step = own.get("step")
        if step is not None and not isinstance(step, Tensor):
            own["step"] = step_count(param, on_device, float(step))


def advance(step: Any) -> float:
    """Count one more step and return the count.

    Not an op: the number is needed at once, and an op would make a pipeline compute all that it
    has put off.
    """
    if step.device.type != "cpu":
        step.add_(1)
        return step.item()
    numbers = step._host()
    numbers += 1
    if step._shared is not None:
        step._shared.value += 1
    return numbers.item()


def check_rate(lr: Any) -> None:
    """Raises ValueError for a learning rate that is negative, or a tensor of several."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    check_not_negative("learning rate", lr)


def check_not_negative(name: str, value: Any) -> None:
    """Raises ValueError for a negative option."""
    if not 0.0 <= value:
        raise ValueError(f"Invalid {name}: {value}")


def check_betas(betas: Any) -> None:
    """Raises ValueError for shares outside of [0, 1)."""
    for i in range(2):
        if not 0.0 <= betas[i] < 1.0:
            raise ValueError(f"Invalid beta parameter at index {i}: {betas[i]}")


def check_moments(lr: Any, eps: float, betas: Any, weight_decay: float) -> None:
    """Refuse what optimizers with running means of gradients cannot use, in torch's order."""
    check_rate(lr)
    check_not_negative("epsilon value", eps)
    check_betas(betas)
    check_not_negative("weight_decay value", weight_decay)


def _step_of(name: str) -> Callable[..., Any]:
    """The ``step`` of the optimizer class *name*."""

    def step(self: Any, closure: Callable[[], Any] | None = None) -> Any:
        """One step. Returns what *closure* returns, else None."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            lists: list[list[Any]] = [[] for _ in range(self._LISTS)]
            has_complex = self._init_group(group, *lists)
            self._apply(group, lists, has_complex)
        return loss

    step.__qualname__ = f"{name}.step"
    return _use_grad_for_differentiable(step)


class CountingOptimizer(Optimizer):
    """An optimizer that collects what a step needs in lists, and hands them to one function."""

    #: What a group lacks that was saved before torch had it.
    _LATER: dict[str, Any] = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    }
    #: How many lists ``_init_group`` fills.
    _LISTS = 0

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self._LATER.items():
                group.setdefault(name, value)
            on_device = bool(group.get("capturable") or group.get("fused"))
            make_counts_tensors(self, group, on_device)

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if CountingOptimizer in cls.__bases__ and "step" not in vars(
            cls
        ):  # torch's have a step each
            cls.step = _step_of(cls.__name__)  # type: ignore[method-assign]

    def _collect(
        self, group: dict[str, Any], params: list[Any], grads: list[Any], **lists: list[Any]
    ) -> bool:
        """Fill the lists with what has a gradient; *lists* goes by the names in the state.

        Returns whether a parameter is complex.
        """
        found = []
        states = self.state
        for param in group["params"]:
            grad = param.grad
            if grad is None:
                continue
            state = states[param]
            if not state:
                if grad.is_sparse:
                    raise RuntimeError(self._no_sparse())
                self._start(param, grad, state, group)
            params.append(param)
            grads.append(grad)
            found.append(state)
        for name, values in lists.items():
            values += [state[name] for state in found]
        return any([param.is_complex() for param in params])

    def _no_sparse(self) -> str:
        return f"{type(self).__name__} does not support sparse gradients"

    def _init_group(self, group: dict[str, Any], *lists: list[Any]) -> bool:
        """Fill *lists* with parameters, gradients and state; whether a parameter is complex."""
        raise NotImplementedError

    def _apply(self, group: dict[str, Any], lists: list[list[Any]], has_complex: bool) -> None:
        """Change the parameters that were collected."""
        raise NotImplementedError

    def _start(self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Put what a parameter's first step needs into *state*."""
        raise NotImplementedError


def decayed(
    k: Any, param: Any, grad: Any, weight_decay: Any, lr: Any = None, decoupled: bool = False
) -> Any:
    """The gradient with the pull towards zero; a decoupled one acts on *param* at once."""
    if weight_decay == 0:
        return grad
    if decoupled:
        k.mul_(param, 1 - lr * weight_decay)
        return grad
    return k.add(grad, param, weight_decay)
