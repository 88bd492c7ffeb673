"""Whole steps of optimizers as ops: ``_fused_adam_``, ``_fused_sgd_`` and their kin.

Each is made of the functional form that ``torch.optim`` has of the step. Unlike there, the counts
of steps are counted by the caller, and rates may be tensors.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ..call.row import op

__all__ = ["STEPS"]

_SCALER = "Tensor? grad_scale=None, Tensor? found_inf=None"


def _step(name: str) -> Any:
    """The function of lists *name* of ``torch.optim``, which stands on the ops."""
    home = import_module("mindtorch.optim._functional")
    return getattr(home, name)


def _before(state_steps: Any) -> list[Any]:
    """Copies of the counts as they were before the step, which functions count themselves."""
    return [step - 1 for step in state_steps]


def _adam(name: str) -> Any:
    def step(
        self: Any,
        grads: Any,
        exp_avgs: Any,
        exp_avg_sqs: Any,
        max_exp_avg_sqs: Any,
        state_steps: Any,
        lr: Any,
        beta1: float,
        beta2: float,
        weight_decay: float,
        eps: float,
        amsgrad: bool,
        maximize: bool,
        grad_scale: Any,
        found_inf: Any,
    ) -> None:
        if max_exp_avg_sqs and not amsgrad:
            raise RuntimeError(
                "Expected max_exp_avg_sqs.empty() to be true, but got false.  (Could this error "
                "message be improved?  If so, please report an enhancement request to PyTorch.)"
            )
        _step(name)(
            self,
            grads,
            exp_avgs,
            exp_avg_sqs,
            max_exp_avg_sqs,
            _before(state_steps),
            fused=True,
            grad_scale=grad_scale,
            found_inf=found_inf,
            lr=lr,
            beta1=beta1,
            beta2=beta2,
            weight_decay=weight_decay,
            eps=eps,
            amsgrad=amsgrad,
            maximize=maximize,
        )

    return step


def _sgd(
    self: Any,
    grads: Any,
    momentum_buffer_list: Any,
    weight_decay: float,
    momentum: float,
    lr: Any,
    dampening: float,
    nesterov: bool,
    maximize: bool,
    is_first_step: bool,
    grad_scale: Any,
    found_inf: Any,
) -> None:
    buffers = [None] * len(self) if is_first_step or not momentum else list(momentum_buffer_list)
    _step("sgd")(
        self,
        grads,
        buffers,
        fused=True,
        grad_scale=grad_scale,
        found_inf=found_inf,
        weight_decay=weight_decay,
        momentum=momentum,
        lr=lr,
        dampening=dampening,
        nesterov=nesterov,
        maximize=maximize,
    )
    if is_first_step:
        for given, made in zip(momentum_buffer_list, buffers):
            if made is not None:
                given.data.copy_(made)  # past its version, as torch's kernel


def _adagrad(
    self: Any,
    grads: Any,
    state_sums: Any,
    state_steps: Any,
    lr: Any,
    lr_decay: float,
    weight_decay: float,
    eps: float,
    maximize: bool,
    grad_scale: Any,
    found_inf: Any,
) -> None:
    _step("adagrad")(
        self,
        grads,
        state_sums,
        _before(state_steps),
        fused=True,
        grad_scale=grad_scale,
        found_inf=found_inf,
        lr=lr,
        lr_decay=lr_decay,
        weight_decay=weight_decay,
        eps=eps,
        maximize=maximize,
    )


_ADAM = (
    "Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] exp_avgs, Tensor(d!)[] exp_avg_sqs, "
    "Tensor(e!)[] max_exp_avg_sqs, Tensor[] state_steps, *, {} lr, float beta1, float beta2, "
    f"float weight_decay, float eps, bool amsgrad, bool maximize, {_SCALER}"
)
_SGD = (
    "Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] momentum_buffer_list, *, "
    "float weight_decay, float momentum, {} lr, float dampening, bool nesterov, bool maximize, "
    f"bool is_first_step, {_SCALER}"
)
_ADAGRAD = (
    "Tensor(a!)[] self, Tensor(b!)[] grads, Tensor(c!)[] state_sums, {} state_steps, *, {} lr, "
    f"float lr_decay, float weight_decay, float eps, bool maximize, {_SCALER}"
)
STEPS = [
    op(
        f"_fused_{name}_{overload}({schema.format(*kinds)}) -> ()",
        composite=composite,
        variants="function",
    )
    for overload, rate, counts in (
        ("", "float", "Tensor(d!)[]"),
        (".tensor_lr", "Tensor", "Tensor[]"),
    )
    for name, schema, kinds, composite in (
        ("adam", _ADAM, (rate,), _adam("adam")),
        ("adamw", _ADAM, (rate,), _adam("adamw")),
        ("sgd", _SGD, (rate,), _sgd),
        ("adagrad", _ADAGRAD, (counts, rate), _adagrad),
    )
]
