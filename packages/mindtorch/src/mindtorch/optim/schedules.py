"""Learning rates that follow a formula of the epoch."""

from __future__ import annotations

import functools
import math
import weakref
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from ..core.module_names import spelled_out
from ..core.warning import warn
from ..tensor import Tensor
from .optimizer import Optimizer

__all__ = [
    "ConstantLR",
    "CosineAnnealingLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "PolynomialLR",
    "StepLR",
]

EPOCH_DEPRECATION_WARNING = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where "
    "possible. Please use `scheduler.step()` to step the scheduler. During the deprecation, if "
    "epoch is different from None, the closed form is used instead of the new chainable form, "
    "where available. Please open an issue if you are unable to replicate your use case: "
    "https://github.com/pytorch/pytorch/issues/new/choose."
)
_MANUAL = (
    "See more details at https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)


def _check_optimizer(optimizer: Any) -> None:
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


def _per_group(name: str, optimizer: Any, value: Any) -> list[Any]:
    """*value* for each group: itself if it is a list, else repeated."""
    n = len(optimizer.param_groups)
    if not isinstance(value, list | tuple):
        return [value] * n
    if len(value) != n:
        raise ValueError(
            f"{name} must have the same length as optimizer.param_groups. {name} has {len(value)} "
            f"values, param_groups has {n}."
        )
    return list(value)


def _copied(value: Any) -> Any:
    return value.clone() if isinstance(value, Tensor) else value


def _put(group: dict[str, Any], key: str, value: Any) -> None:
    """Set an option of a group; a tensor keeps its identity, for who holds it."""
    if isinstance(group[key], Tensor):
        group[key].fill_(value.item() if isinstance(value, Tensor) else value)
    else:
        group[key] = value


def _counting(optimizer: Any) -> None:
    """Let ``optimizer.step`` note that it was called."""
    if hasattr(optimizer.step, "_wrapped_by_lr_sched"):
        return
    function = optimizer.step.__func__
    me = weakref.ref(optimizer)

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        own: Any = me()
        own._opt_called = True
        return function(own, *args, **kwargs)

    marked: Any = wrapper
    marked._wrapped_by_lr_sched = True
    optimizer.step = marked


class _enable_get_lr_call:
    """Inside, *o* computes its rates: ``get_lr`` does not warn."""

    def __init__(self, o: Any) -> None:
        self.o = o

    def __enter__(self) -> _enable_get_lr_call:
        self.o._get_lr_called_within_step = True
        return self

    def __exit__(self, *exception: object) -> None:
        self.o._get_lr_called_within_step = False


def _warn_get_lr_called_within_step(lr_scheduler: Any) -> None:
    """Warn of a program that asks ``get_lr`` for the last rate."""
    if not lr_scheduler._get_lr_called_within_step:
        warn(
            "To get the last learning rate computed by the scheduler, please use `get_last_lr()`.",
            UserWarning,
        )


class LRScheduler:
    """Base of schedules; a subclass computes the rates of all groups in :meth:`get_lr`.

    :param last_epoch: where to go on; -1 starts anew.
    """

    # Whether get_lr runs inside of step(), where it is not a question of the user.
    _get_lr_called_within_step = False
    # Whether __init__ makes the first step, which must not change a resumed rate.
    _is_initial = False

    optimizer: Any
    base_lrs: list[Any]
    last_epoch: int
    _step_count: int
    _last_lr: list[Any]

    def __init__(self, optimizer: Any, last_epoch: int = -1) -> None:
        _check_optimizer(optimizer)
        self.optimizer = optimizer
        for i, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", _copied(group["lr"]))
            elif "initial_lr" not in group:
                raise KeyError(
                    f"param 'initial_lr' is not specified in param_groups[{i}] when resuming "
                    "scheduler with last_epoch >= 0.\nThis typically happens when:\n"
                    "1. You're trying to resume training from a checkpoint but haven't properly "
                    "loaded the optimizer state\n"
                    "2. You're using last_epoch >= 0 for a fresh training run (not recommended)"
                )
        self.base_lrs = [_copied(g["initial_lr"]) for g in optimizer.param_groups]
        self.last_epoch = last_epoch
        _counting(optimizer)
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer."""
        return {k: v for k, v in self.__dict__.items() if k != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` returned."""
        self.__dict__.update(state_dict)

    def get_last_lr(self) -> list[Any]:
        """The rates of all groups as the last step set them."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The rates of all groups for :attr:`last_epoch`. For :meth:`step` to call."""
        raise NotImplementedError

    def step(self, epoch: int | None = None) -> None:
        """Go on by one, and set the rates.

        :param epoch: deprecated: where to go.
        """
        if self._step_count == 1:
            if not hasattr(self.optimizer.step, "_wrapped_by_lr_sched"):
                warn(
                    "Seems like `optimizer.step()` has been overridden after learning rate "
                    "scheduler initialization. Please, make sure to call `optimizer.step()` before "
                    f"`lr_scheduler.step()`. {_MANUAL}",
                    UserWarning,
                )
            elif not getattr(self.optimizer, "_opt_called", False):
                warn(
                    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch "
                    "1.1.0 and later, you should call them in the opposite order: "
                    "`optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will "
                    "result in PyTorch skipping the first value of the learning rate schedule. "
                    f"{_MANUAL}",
                    UserWarning,
                )
        self._step_count += 1
        if epoch is not None:
            warn(EPOCH_DEPRECATION_WARNING, UserWarning)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        with _enable_get_lr_call(self):
            if epoch is None:
                self.last_epoch += 1
                rates = self.get_lr()
            else:
                self.last_epoch = epoch
                rates = getattr(self, "_get_closed_form_lr", self.get_lr)()
        groups = self.optimizer.param_groups
        for group, rate in zip(groups, rates, strict=True):
            _put(group, "lr", rate)
        self._last_lr = self._rates_()

    def _rates_(self) -> list[Any]:
        """The present rates of all groups."""
        return [_copied(group["lr"]) for group in self.optimizer.param_groups]

    def _times_(self, factor: float) -> list[Any]:
        """The present rates of all groups times *factor*."""
        return [group["lr"] * factor for group in self.optimizer.param_groups]


class _LRScheduler(LRScheduler):
    """The name of :class:`LRScheduler` before torch 2."""


@spelled_out("state_dict", "load_state_dict")
class _WithFunctions(LRScheduler):
    """A schedule that asks a function per group; their code is not part of the state."""

    lr_lambdas: list[Callable[[int], float]]

    def state_dict(self) -> dict[str, Any]:
        """All attributes but the optimizer; of functions, the attributes of callable objects."""
        state = {k: v for k, v in self.__dict__.items() if k not in ("optimizer", "lr_lambdas")}
        state["lr_lambdas"] = [
            None if isinstance(f, _FUNCTION_TYPES) else f.__dict__.copy() for f in self.lr_lambdas
        ]
        return state

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what :meth:`state_dict` returned."""
        own = dict(state_dict)
        for function, attributes in zip(self.lr_lambdas, own.pop("lr_lambdas")):
            if attributes is not None:
                function.__dict__.update(attributes)
        self.__dict__.update(own)

    def _set_functions_(self, optimizer: Any, lr_lambda: Any) -> None:
        n = len(optimizer.param_groups)
        self.optimizer = optimizer
        if not isinstance(lr_lambda, list | tuple):
            self.lr_lambdas = [lr_lambda] * n
        elif len(lr_lambda) != n:
            raise ValueError(f"Expected {n} lr_lambdas, but got {len(lr_lambda)}")
        else:
            self.lr_lambdas = list(lr_lambda)


_FUNCTION_TYPES = (type(_copied), type(len))


class LambdaLR(_WithFunctions):
    """The base rate times ``lr_lambda(epoch)``.

    :param lr_lambda: a function, or a list of one per group.
    """

    def __init__(self, optimizer: Any, lr_lambda: Any, last_epoch: int = -1) -> None:
        self._set_functions_(optimizer, lr_lambda)
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        return [
            base * f(self.last_epoch)
            for f, base in zip(self.lr_lambdas, self.base_lrs, strict=True)
        ]


class MultiplicativeLR(_WithFunctions):
    """The last rate times ``lr_lambda(epoch)``.

    :param lr_lambda: a function, or a list of one per group.
    """

    def __init__(self, optimizer: Any, lr_lambda: Any, last_epoch: int = -1) -> None:
        self._set_functions_(optimizer, lr_lambda)
        for function in self.lr_lambdas:
            if not callable(function):
                raise TypeError(
                    f"lr_lambda should be a function, but got {type(function).__name__}"
                )
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        if self._is_initial:
            return self._rates_()
        groups = self.optimizer.param_groups
        return [g["lr"] * f(self.last_epoch) for f, g in zip(self.lr_lambdas, groups, strict=True)]


class StepLR(LRScheduler):
    """Times *gamma* every *step_size* epochs."""

    def __init__(
        self, optimizer: Any, step_size: int, gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        if self.last_epoch == 0 or self.last_epoch % self.step_size:
            return self._rates_()
        return self._times_(self.gamma)

    def _get_closed_form_lr(self) -> list[Any]:
        factor = self.gamma ** (self.last_epoch // self.step_size)
        return [base * factor for base in self.base_lrs]


class MultiStepLR(LRScheduler):
    """Times *gamma* at each of the *milestones*."""

    def __init__(
        self,
        optimizer: Any,
        milestones: Iterable[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        times = self.milestones.get(self.last_epoch)
        return self._rates_() if times is None else self._times_(self.gamma**times)

    def _get_closed_form_lr(self) -> list[Any]:
        passed = bisect_right(sorted(self.milestones.elements()), self.last_epoch)
        return [base * self.gamma**passed for base in self.base_lrs]


class ConstantLR(LRScheduler):
    """Times *factor* until epoch *total_iters*."""

    def __init__(
        self,
        optimizer: Any,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        if self.last_epoch == 0:
            return self._times_(self.factor)
        if self.last_epoch != self.total_iters:
            return self._rates_()
        return self._times_(1.0 / self.factor)

    def _get_closed_form_lr(self) -> list[Any]:
        factor = self.factor + (self.last_epoch >= self.total_iters) * (1 - self.factor)
        return [base * factor for base in self.base_lrs]


class LinearLR(LRScheduler):
    """Times a factor that goes straight from *start_factor* to *end_factor*."""

    def __init__(
        self,
        optimizer: Any,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError(
                "Starting multiplicative factor expected to be greater than 0 and less or equal "
                "to 1."
            )
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        epoch, total, start = self.last_epoch, self.total_iters, self.start_factor
        if epoch == 0:
            return self._times_(start)
        if self._is_initial or epoch > total:
            return self._rates_()
        rise = self.end_factor - start
        return self._times_(1.0 + rise / (total * start + (epoch - 1) * rise))

    def _get_closed_form_lr(self) -> list[Any]:
        rise = self.end_factor - self.start_factor
        done = min(self.total_iters, self.last_epoch)
        factor = self.start_factor + rise * done / self.total_iters
        return [base * factor for base in self.base_lrs]


class ExponentialLR(LRScheduler):
    """Times *gamma* every epoch."""

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        return self._rates_() if self._is_initial else self._times_(self.gamma)

    def _get_closed_form_lr(self) -> list[Any]:
        return [base * self.gamma**self.last_epoch for base in self.base_lrs]


class PolynomialLR(LRScheduler):
    """Down to zero at *total_iters*, as a power of the way left."""

    def __init__(
        self,
        optimizer: Any,
        total_iters: int = 5,
        power: float = 1.0,
        last_epoch: int = -1,
    ) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        epoch, total = self.last_epoch, self.total_iters
        if self._is_initial or epoch > total:
            return self._rates_()
        return self._times_(((1.0 - epoch / total) / (1.0 - (epoch - 1) / total)) ** self.power)

    def _get_closed_form_lr(self) -> list[Any]:
        left = 1.0 - min(self.total_iters, self.last_epoch) / self.total_iters
        return [base * left**self.power for base in self.base_lrs]


class CosineAnnealingLR(LRScheduler):
    """Down to *eta_min* in *T_max* epochs along a cosine, and up again."""

    def __init__(
        self, optimizer: Any, T_max: int, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates for :attr:`last_epoch`."""
        _warn_get_lr_called_within_step(self)
        if self._is_initial:
            return self._rates_()
        epoch, period, low = self.last_epoch, self.T_max, self.eta_min
        rates = self._rates_()
        if self._step_count == 1 and epoch > 0:
            height = (1 + math.cos(epoch * math.pi / period)) / 2
            return [low + (base - low) * height for base in self.base_lrs]
        if (epoch - 1 - period) % (2 * period) == 0:
            rise = 1 - math.cos(math.pi / period)
            return [
                lr + (base - low) * rise / 2 for base, lr in zip(self.base_lrs, rates, strict=True)
            ]
        now = 1 + math.cos(math.pi * epoch / period)
        before = 1 + math.cos(math.pi * (epoch - 1) / period)
        return [now / before * (lr - low) + low for lr in rates]

    def _get_closed_form_lr(self) -> list[Any]:
        height = 1 + math.cos(math.pi * self.last_epoch / self.T_max)
        return [self.eta_min + (base - self.eta_min) * height / 2 for base in self.base_lrs]
