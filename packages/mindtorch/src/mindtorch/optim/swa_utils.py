"""Averages of a model's parameters over training, and the learning rate that goes with them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable
from copy import deepcopy
from typing import Any, Literal, TypeAlias

from .. import nn
from ..aten import torch
from ..nn import Module
from ..tensor import Tensor as Tensor
from ..utils._foreach_utils import _get_foreach_kernels_supported_devices
from .optimizer import Optimizer
from .schedules import LRScheduler, _warn_get_lr_called_within_step
from .schedules import _per_group as _format_param

__all__ = [
    "AveragedModel",
    "update_bn",
    "SWALR",
    "get_ema_multi_avg_fn",
    "get_swa_multi_avg_fn",
    "get_ema_avg_fn",
    "get_swa_avg_fn",
]

PARAM_LIST: TypeAlias = tuple[Any, ...] | list[Any]


def _check_decay(decay: float) -> None:
    if decay < 0.0 or decay > 1.0:
        raise ValueError(
            f"Invalid decay value {decay} provided. Please provide a value in [0,1] range."
        )


def _is_real(tensor: Any) -> bool:
    return torch.is_floating_point(tensor) or torch.is_complex(tensor)


def get_ema_multi_avg_fn(decay: float = 0.999) -> Callable[..., None]:
    """A function that updates lists of exponential averages in place.

    :param decay: how much of an average is kept. Raises ValueError outside of [0, 1].
    """
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param_list: PARAM_LIST, current_param_list: PARAM_LIST, _: Any) -> None:
        if _is_real(ema_param_list[0]):
            torch._foreach_lerp_(ema_param_list, current_param_list, 1 - decay)
            return
        for ema, current in zip(ema_param_list, current_param_list):
            ema.copy_(ema * decay + current * (1 - decay))

    return ema_update


def get_swa_multi_avg_fn() -> Callable[..., None]:
    """A function that updates lists of equal averages in place."""

    @torch.no_grad()
    def swa_update(
        averaged_param_list: PARAM_LIST,
        current_param_list: PARAM_LIST,
        num_averaged: Any,
    ) -> None:
        if _is_real(averaged_param_list[0]):
            count = num_averaged.item() if isinstance(num_averaged, torch.Tensor) else num_averaged
            torch._foreach_lerp_(averaged_param_list, current_param_list, 1.0 / (count + 1))
            return
        changes = torch._foreach_sub(current_param_list, averaged_param_list)
        if isinstance(num_averaged, torch.Tensor):
            divisors = [torch.add(num_averaged, 1)] * len(averaged_param_list)
            torch._foreach_addcdiv_(averaged_param_list, changes, divisors)
        else:
            torch._foreach_add_(averaged_param_list, changes, alpha=1.0 / (num_averaged + 1))

    return swa_update


def get_ema_avg_fn(decay: float = 0.999) -> Callable[..., torch.Tensor]:
    """A function that gives the next exponential average of one tensor.

    :param decay: how much of an average is kept. Raises ValueError outside of [0, 1].
    """
    _check_decay(decay)

    @torch.no_grad()
    def ema_update(ema_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return decay * ema_param + (1 - decay) * current_param

    return ema_update


def get_swa_avg_fn() -> Callable[..., torch.Tensor]:
    """A function that gives the next equal average of one tensor."""

    @torch.no_grad()
    def swa_update(averaged_param: Any, current_param: Any, num_averaged: Any) -> Any:
        return averaged_param + (current_param - averaged_param) / (num_averaged + 1)

    return swa_update


class AveragedModel(Module):
    """A copy of a model whose parameters are averages of the model's.

    :param model: whose parameters are averaged; it is copied.
    :param device: where the averages are.
    :param avg_fn: ``avg_fn(average, parameter, count)`` gives the next average of one tensor.
    :param multi_avg_fn: updates lists of averages in place.
    :param use_buffers: average buffers too; else they are copied at each update.

    By default all updates count alike.
    """

    n_averaged: Any

    def __init__(
        self,
        model: Module,
        device: Any = None,
        avg_fn: Callable[..., Any] | None = None,
        multi_avg_fn: Callable[..., None] | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        own = deepcopy(model)
        self.module = own if device is None else own.to(device)
        self.register_buffer("n_averaged", torch.zeros((), dtype=torch.long, device=device))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the copy gives."""
        return self.module(*args, **kwargs)

    def _averaged_(self, model: Module) -> list[torch.Tensor]:
        parts: Iterable[torch.Tensor] = model.parameters()
        if self.use_buffers:
            parts = itertools.chain(parts, model.buffers())
        return [part.detach() for part in parts]

    def _update_each_(
        self, average_of: Callable[..., Any], averages: PARAM_LIST, presents: PARAM_LIST
    ) -> None:
        for average, present in zip(averages, presents):
            count = self.n_averaged.to(average.device)
            average.copy_(average_of(average, present, count))

    def update_parameters(self, model: Module) -> None:
        """Take the present parameters of *model* into the averages."""
        own = self._averaged_(self.module)
        given = [p.to(a.device) for a, p in zip(own, self._averaged_(model))]
        if self.n_averaged == 0:
            for average, present in zip(own, given):
                average.copy_(present)
        elif self.multi_avg_fn is not None or self.avg_fn is None:
            lists_on = _get_foreach_kernels_supported_devices()
            groups: dict[Any, tuple[list[torch.Tensor], list[torch.Tensor]]] = {}
            for average, present in zip(own, given):
                averages, presents = groups.setdefault((average.device, average.dtype), ([], []))
                averages.append(average)
                presents.append(present)
            for (device, _), (averages, presents) in groups.items():
                if self.multi_avg_fn is None and device.type not in lists_on:
                    self._update_each_(get_swa_avg_fn(), averages, presents)
                    continue
                update = self.multi_avg_fn or get_swa_multi_avg_fn()
                update(averages, presents, self.n_averaged.to(device))
        else:
            self._update_each_(self.avg_fn, own, given)
        if not self.use_buffers:
            for kept, buffer in zip(self.module.buffers(), model.buffers()):
                kept.detach().copy_(buffer.detach().to(kept.device))
        self.n_averaged += 1


@torch.no_grad()
def update_bn(loader: Iterable[Any], model: Module, device: Any = None) -> None:
    """Compute the statistics of batch normalisations anew, from all batches of *loader*.

    :param loader: yields inputs, or lists and tuples that begin with them.
    :param device: where the inputs are moved.
    """
    kind = nn.modules.batchnorm._BatchNorm
    momenta = {norm: norm.momentum for norm in model.modules() if isinstance(norm, kind)}
    if not momenta:
        return
    for norm in momenta:
        norm.reset_running_stats()
    was_training = model.training
    model.train()
    for module in momenta:
        module.momentum = None  # an average in which all batches count alike
    for batch in loader:
        inputs: Any = batch[0] if isinstance(batch, (list, tuple)) else batch
        model(inputs if device is None else inputs.to(device))
    for module, momentum in momenta.items():
        module.momentum = momentum
    model.train(was_training)


class SWALR(LRScheduler):
    """From the rates that there are to constant ones, in *anneal_epochs* steps.

    :param swa_lr: the rate at the end, or a list of one per group.
    :param anneal_strategy: ``"cos"`` or ``"linear"``.
    """

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float,
        anneal_epochs: int = 10,
        anneal_strategy: Literal["cos", "linear"] = "cos",
        last_epoch: int = -1,
    ) -> None:
        for rate, group in zip(_format_param("swa_lr", optimizer, swa_lr), optimizer.param_groups):
            group["swa_lr"] = rate
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(
                f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}"
            )
        self._anneal_strategy = anneal_strategy
        if not isinstance(anneal_epochs, int) or anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    @staticmethod
    def _linear_anneal(t: float) -> float:
        return t

    @staticmethod
    def _cosine_anneal(t: float) -> float:
        return (1 - math.cos(math.pi * t)) / 2

    @staticmethod
    def _get_initial_lr(lr: Any, swa_lr: Any, alpha: float) -> Any:
        if alpha == 1:
            return swa_lr
        return (lr - alpha * swa_lr) / (1 - alpha)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        anneal = self.anneal_func
        # _step_count is incremented before the rates of a step are asked for.
        step = self._step_count - 1
        if self.anneal_epochs == 0:
            step = max(1, step)
        before = anneal(max(0, min(1, (step - 1) / max(1, self.anneal_epochs))))
        rates = [
            self._get_initial_lr(group["lr"], group["swa_lr"], before)
            for group in self.optimizer.param_groups
        ]
        share = anneal(max(0, min(1, step / max(1, self.anneal_epochs))))
        return [
            group["swa_lr"] * share + rate * (1 - share)
            for group, rate in zip(self.optimizer.param_groups, rates, strict=True)
        ]

    @property
    def anneal_func(self) -> Callable[[float], float]:
        """How far the rates have come at a share of the epochs."""
        return self._linear_anneal if self._anneal_strategy == "linear" else self._cosine_anneal
