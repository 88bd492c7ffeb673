"""What the steps of optimizers share: counters, fused steps, decay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from itertools import repeat
from typing import Any

import mindtorch_storage as st
from mindtorch_autograd import enable_grad

from ..aten.from_data import tensor
from ..core import signature as S
from ..core.operators import ops
from ..tensor import Tensor
from ..tensor.tensor_impl import alias_of
from . import captured, direct, recorded
from .step_options import _device_dtype_check_for_fused, _get_capturable_supported_devices

__all__ = [
    "advance",
    "check_captured",
    "check_fused",
    "check_lists",
    "check_options_of_fused",
    "check_steps",
    "decay",
    "evaluated",
    "in_working_precision",
    "make_counts_tensors",
    "number",
    "ops_of",
    "prepared",
    "step_count",
    "uncounted",
    "unscaled",
]


def number(value: Any, stays: bool = False) -> Any:
    """A number, where options may be tensors, which *stays* leaves as they are."""
    return value.item() if isinstance(value, Tensor) and not stays else value


def ops_of(differentiable: bool, capturable: bool = False) -> Any:
    """The ops of a step: those that keep what a gradient needs, that read no number, or are fast.

    Where numbers are not read, the count of steps is a tensor of the device, and so is what follows
    from it.
    """
    return recorded if differentiable else captured if capturable else direct


def counts_on_device(fused: bool | None, steps: Sequence[Any]) -> bool:
    """Whether a kernel of the accelerator makes the whole step, which reads the counts there."""
    return bool(fused and steps and steps[0].device.type != "cpu")


def step_count(param: Any, on_device: bool, value: float) -> Tensor:
    """How often a parameter was changed: a float tensor, as in torch's state dicts."""
    dtype = st.float32
    if not on_device and st.get_default_dtype() is st.float64:
        dtype = st.float64
    if on_device:  # by a kernel, which may be captured
        return ops.full((), value, dtype=dtype, device=param.device)
    return tensor(value, dtype=dtype, device="cpu")


def check_captured(
    param: Any, foreach: Any = False, what: str = "params and state_steps", xla: bool = True
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


def unscaled(grads: list[Any], fused: Any, grad_scale: Any, found_inf: Any) -> bool:
    """Divide *grads* by the scale of a gradient scaler; False where the step is to be left out."""
    if not fused:
        if grad_scale is not None or found_inf is not None:
            raise AssertionError("Expected grad_scale and found_inf to be None")
        return True
    if found_inf is not None and found_inf.item():
        return False
    if grad_scale is not None:
        with uncounted(fused, grads):
            for grad in grads:
                grad.div_(grad_scale.to(grad.device))
    return True


def uncounted(fused: Any, *written: list[Any]) -> AbstractContextManager[None]:
    """Where a step is fused, no version tells of what the block writes, as none of torch's does."""
    return _uncounted(written) if fused else nullcontext()


@contextmanager
def _uncounted(written: Sequence[list[Any]]) -> Iterator[None]:
    aliases = [alias_of(t) for tensors in written for t in tensors if t is not None]
    before = [alias.value for alias in aliases]
    yield
    for alias, version in zip(aliases, before):
        alias.value = version


def in_working_precision(
    fused: Any, grads: list[Any], *written: list[Any]
) -> AbstractContextManager[list[list[Any]]]:
    """*grads* and the lists *written*; fused steps count with float32 for float16 and bfloat16.

    What a step makes of the lists *written* is rounded once, when it is done.
    """
    return _widened(grads, *written) if fused else nullcontext([grads, *written])


@contextmanager
def _widened(grads: list[Any], *written: list[Any]) -> Iterator[list[list[Any]]]:
    halves = (st.float16, st.bfloat16)
    wide = [[t.float() if t.dtype in halves else t for t in ts] for ts in (grads, *written)]
    with uncounted(True, *written):
        yield wide
        for tensors, copies in zip(written, wide[1:]):
            for given, copy in zip(tensors, copies):
                if copy is not given:
                    given.copy_(copy)


def evaluated(closure: Callable[[], Any]) -> Any:
    """What *closure* gives, which may run a backward."""
    with enable_grad():
        return closure()


def make_counts_tensors(states: Any, group: dict[str, Any], on_device: bool) -> None:
    """The counts of a state from before torch 1.12 are numbers."""
    for param in group["params"]:
        own = states.get(param, {})
        step = own.get("step")
        if step is not None and not isinstance(step, Tensor):
            own["step"] = step_count(param, on_device, float(step))


def advance(step: Any, reads: bool = True) -> Any:
    """Count one more step and return the count: a number, or the tensor where nobody *reads*.

    Not an op: the number is needed at once, and an op would make a pipeline compute all that it
    has put off.
    """
    if step.device.type != "cpu" or step._sig_ & S.OF_CLASS:
        step.add_(1)
        return step.item() if reads else step
    numbers = step._host_()
    numbers += 1
    alias_of(step).value += 1
    return numbers.item()


def decay(k: Any, weight_decay: Any, lr: Any = None, decoupled: bool = False) -> Any:
    """What gives the gradient with the pull towards zero, from a parameter and its gradient.

    A decoupled one acts on the parameter at once. None where nothing pulls.
    """
    if weight_decay == 0:
        return None

    def decayed(param: Any, grad: Any) -> Any:
        if decoupled:
            k.mul_(param, 1 - lr * weight_decay)
            return grad
        return k.add(grad, param, weight_decay)

    return decayed


def prepared(
    params: Sequence[Any],
    grads: Sequence[Any],
    steps: Sequence[Any],
    *state: Sequence[Any],
    maximize: bool,
    has_complex: bool,
    captured: Callable[[Any], None] | None,
    decayed: Callable[[Any, Any], Any] | None = None,
    reads: bool = True,
) -> Iterator[tuple[Any, ...]]:
    """Each parameter's count of steps, the parameter, its gradient and its *state*, ready for use.

    Real and imaginary parts are numbers of their own. An empty list of *state* gives None. Counts
    are tensors where nobody *reads* them, and where steps may be captured.
    """
    columns = [each or repeat(None) for each in state]
    if captured is None and decayed is None and reads and not (maximize or has_complex):
        return zip(map(advance, steps), params, grads, *columns)  # as they are

    def ready() -> Iterator[tuple[Any, ...]]:
        for param, grad, step, *own in zip(params, grads, steps, *columns):
            if captured is not None:
                captured(param)
            count = advance(step, reads=reads and captured is None)
            if maximize:
                grad = -grad
            if decayed is not None:
                grad = decayed(param, grad)
            if has_complex and param.is_complex():
                param, grad = ops.view_as_real(param), ops.view_as_real(grad)
                own = [t if t is None else ops.view_as_real(t) for t in own]
            yield (count, param, grad, *own)

    return ready()
