"""What optimizers that count steps share: the counter, the loop over parameters, the checks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mindtorch_storage as st
from mindtorch_autograd import enable_grad

from ..data import tensor
from ..tensor import Tensor
from .direct import add, mul_
from .optimizer import Optimizer, graph_free

__all__ = [
    "CountingOptimizer",
    "advance",
    "check_betas",
    "check_captured",
    "check_fused",
    "check_moments",
    "check_options_of_fused",
    "check_rate",
    "evaluated",
    "make_counts_tensors",
    "number",
    "step_count",
]


def number(value: Any) -> Any:
    """A number, where options may be tensors."""
    return value.item() if isinstance(value, Tensor) else value


def step_count(param: Any, on_device: bool, value: float) -> Tensor:
    """How often a parameter was changed: a float tensor, as in torch's state dicts."""
    dtype = st.float32
    if not on_device and st.get_default_dtype() is st.float64:
        dtype = st.float64
    return tensor(value, dtype=dtype, device=param.device if on_device else "cpu")


#: Where torch has fused kernels; the npu goes by its own name, as a renamed backend does there.
_FUSED = ["mps", "cuda", "xpu", "hpu", "cpu", "mtia", "npu"]


#: Where a step may be captured; the npu by its own name, as above.
_CAPTURED = ["cuda", "xpu", "hpu", "npu"]


def check_captured(
    param: Any, group: dict[str, Any], what: str = "params and state_steps", xla: bool = True
) -> None:
    """Raises AssertionError where steps of *param* are to be captured, and cannot be.

    *what* torch names; *xla*: whether it does so there for single tensors.
    Source: torch optim/adam.py and its kin, _single_tensor_adam and _multi_tensor_adam.
    """
    if param.device.type not in _CAPTURED:
        devices = [*_CAPTURED, "xla"] if xla and not group["foreach"] else _CAPTURED
        raise AssertionError(f"If capturable=True, {what} must be on supported devices: {devices}.")


def check_fused(param: Any) -> None:
    """Refuse a parameter that torch's fused kernels do not take.

    Source: torch optim/optimizer.py, _device_dtype_check_for_fused.
    """
    if not (param.is_floating_point() and param.device.type in _FUSED):
        raise RuntimeError(
            "`fused=True` requires all the params to be floating point Tensors of supported "
            f"devices: {_FUSED} but {param.dtype} and {param.device.type}"
        )


def check_options_of_fused(differentiable: bool, foreach: bool | None) -> None:
    """Refuse what torch's fused kernels cannot do."""
    if differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")


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


class CountingOptimizer(Optimizer):
    """An optimizer whose update of one parameter is all that it adds."""

    #: What a group lacks that was saved before torch had it.
    _LATER: dict[str, Any] = {
        "foreach": None,
        "maximize": False,
        "differentiable": False,
        "capturable": False,
    }

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        for group in self.param_groups:
            for name, value in self._LATER.items():
                group.setdefault(name, value)
            make_counts_tensors(self, group, bool(group.get("capturable")))

    @graph_free
    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """One step. Returns what *closure* returns, else None."""
        loss = None if closure is None else evaluated(closure)
        for group in self.param_groups:
            for param in group["params"]:
                grad = param.grad
                if grad is None:
                    continue
                state = self.state[param]
                if not state:
                    state["step"] = step_count(param, bool(group.get("capturable")), 0.0)
                    self._start(param, state, group)
                if group.get("capturable"):
                    self._check_captured(param, group)
                count = advance(state["step"])
                if group["maximize"]:
                    grad = -grad
                self._update(param, grad, state, group, count)
        return loss

    def _check_captured(self, param: Any, group: dict[str, Any]) -> None:
        check_captured(param, group)

    def _start(self, param: Any, state: dict[str, Any], group: dict[str, Any]) -> None:
        """Put what a parameter's first step needs into *state*."""
        raise NotImplementedError

    def _update(
        self, param: Any, grad: Any, state: dict[str, Any], group: dict[str, Any], count: float
    ) -> None:
        """Change *param*; this is step *count*."""
        raise NotImplementedError


def decayed(param: Any, grad: Any, group: dict[str, Any]) -> Any:
    """The gradient with the pull towards zero; a decoupled one acts on *param* at once."""
    weight_decay = group["weight_decay"]
    if weight_decay == 0:
        return grad
    if group.get("decoupled_weight_decay"):
        mul_(param, 1 - number(group["lr"]) * weight_decay)
        return grad
    return add(grad, param, weight_decay)
