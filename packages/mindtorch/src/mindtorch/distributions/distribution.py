"""The base class of all distributions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..aten import torch
from ..aten.torch import Size, Tensor
from ..core.tracebacks import shorten
from ..core.warning import warn
from . import constraints
from .utils import _NO_DIMS, lazy_property

__all__ = ["Distribution"]


class Distribution:
    """A probability distribution, or a batch of them.

    A sample's shape is ``sample_shape + batch_shape + event_shape``: independent draws,
    independent distributions with parameters of their own, and one value.
    """

    has_rsample: Any = False
    has_enumerate_support: Any = False
    _validate_args: Any = __debug__

    @staticmethod
    def set_default_validate_args(value: bool) -> None:
        """Switch the checks of parameters and values on or off for all distributions."""
        if value not in [True, False]:
            raise ValueError
        Distribution._validate_args = value

    def __init__(
        self,
        batch_shape: Size = _NO_DIMS,
        event_shape: Size = _NO_DIMS,
        validate_args: bool | None = None,
    ) -> None:
        try:
            self._batch_shape, self._event_shape = batch_shape, event_shape
            if validate_args is not None:
                self._validate_args = validate_args
            if self._validate_args:
                self._check_parameters_()
            super().__init__()
        except Exception as error:
            shorten(error)
            raise

    def _check_parameters_(self) -> None:
        try:
            declared = self.arg_constraints
        except NotImplementedError:
            warn(
                f"{self.__class__} does not define `arg_constraints`. Please set "
                "`arg_constraints = {}` or initialize the distribution with "
                "`validate_args=False` to turn off validation.",
            )
            return
        for param, constraint in declared.items():
            if constraints.is_dependent(constraint):
                continue
            if param not in self.__dict__ and isinstance(getattr(type(self), param), lazy_property):
                continue  # it follows from one that was given
            value = getattr(self, param)
            if not constraint.check(value).all():
                raise ValueError(
                    f"Expected parameter {param} ({type(value).__name__} of shape "
                    f"{tuple(value.shape)}) of distribution {self!r} to satisfy the constraint "
                    f"{constraint!r}, but found invalid values:\n{value}"
                )

    def expand(self, batch_shape: Any, _instance: Any = None) -> Any:
        """The same distribution with its batch dimensions expanded to *batch_shape*."""
        raise NotImplementedError

    @property
    def batch_shape(self) -> Size:
        """The shape over which parameters are batched."""
        return self._batch_shape

    @property
    def event_shape(self) -> Size:
        """The shape of a single value, without batching."""
        return self._event_shape

    @property
    def arg_constraints(self) -> dict[str, constraints.Constraint]:
        """What each parameter must satisfy, by name."""
        raise NotImplementedError

    @property
    def support(self) -> Any:
        """What values must satisfy."""
        raise NotImplementedError

    @property
    def mean(self) -> Tensor:
        """The mean."""
        raise NotImplementedError

    @property
    def mode(self) -> Tensor:
        """The most probable value."""
        raise NotImplementedError(f"{self.__class__} does not implement mode")

    @property
    def variance(self) -> Tensor:
        """The variance."""
        raise NotImplementedError

    @property
    def stddev(self) -> Tensor:
        """The standard deviation."""
        return self.variance.sqrt()

    def sample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        """Draw values, without gradients."""
        with torch.no_grad():
            return self.rsample(sample_shape)

    def rsample(self, sample_shape: Any = _NO_DIMS) -> Tensor:
        """Draw values that are differentiable functions of the parameters."""
        raise NotImplementedError

    def sample_n(self, n: int) -> Tensor:
        """Draw *n* values."""
        warn(
            "`sample_n(n)` will be deprecated. Use `sample((n,))` instead.",
            FutureWarning,
        )
        return self.sample(Size((n,)))

    def log_prob(self, value: Tensor) -> Tensor:
        """The logarithm of the probability (density) of *value*."""
        raise NotImplementedError

    def cdf(self, value: Tensor) -> Tensor:
        """The probability of being at most *value*."""
        raise NotImplementedError

    def icdf(self, value: Tensor) -> Tensor:
        """The value whose :meth:`cdf` is *value*."""
        raise NotImplementedError

    def enumerate_support(self, expand: bool = True) -> Tensor:
        """All values of a discrete distribution along a new first dimension.

        :param expand: whether to expand them over the batch.
        """
        raise NotImplementedError

    def entropy(self) -> Tensor:
        """The entropy in nats."""
        raise NotImplementedError

    def perplexity(self) -> Tensor:
        """The exponential of the entropy."""
        return torch.exp(self.entropy())

    def _extended_shape(self, sample_shape: Any = _NO_DIMS) -> Size:
        """The shape of samples that are drawn in *sample_shape*."""
        if not isinstance(sample_shape, Size):
            sample_shape = Size(sample_shape)
        return Size(sample_shape + self._batch_shape + self._event_shape)

    def _check_(self, value: Any) -> None:
        """Refuse *value* if it is none of the distribution's, and that is to be found out."""
        if self._validate_args:
            self._validate_sample(value)

    def _validate_sample(self, value: Tensor) -> None:
        """Refuse values of another shape, or outside the support, with a ValueError."""
        if not isinstance(value, Tensor):
            raise ValueError("The value argument to log_prob must be a Tensor")
        start = len(value.size()) - len(self._event_shape)
        if value.size()[start:] != self._event_shape:
            raise ValueError(
                "The right-most size of value must match event_shape: "
                f"{value.size()} vs {self._event_shape}."
            )
        actual, expected = value.size(), self._batch_shape + self._event_shape
        for i, j in zip(reversed(actual), reversed(expected), strict=False):
            if i != 1 and j != 1 and i != j:
                raise ValueError(
                    "Value is not broadcastable with batch_shape+event_shape: "
                    f"{actual} vs {expected}."
                )
        try:
            support = self.support
        except NotImplementedError:
            warn(
                f"{self.__class__} does not define `support` to enable sample validation. Please "
                "initialize the distribution with `validate_args=False` to turn off validation.",
            )
            return
        if support is None:
            raise AssertionError("support is unexpectedly None")
        if not support.check(value).all():
            raise ValueError(
                f"Expected value argument ({type(value).__name__} of shape {tuple(value.shape)}) "
                f"to be within the support ({support!r}) of the distribution {self!r}, but found "
                f"invalid values:\n{value}"
            )

    def _get_checked_instance(self, cls: type, _instance: Any = None) -> Any:
        """What ``expand`` of *cls* fills: *_instance*, or a new object of the class of self.

        Raises NotImplementedError for a class that is made another way than *cls*.
        """
        if _instance is None and type(self).__init__ != cls.__init__:
            raise NotImplementedError(
                f"Subclass {self.__class__.__name__} of {cls.__name__} that defines a custom "
                "__init__ method must also define a custom .expand() method."
            )
        return self.__new__(type(self)) if _instance is None else _instance

    def _expand_parameters_(
        self,
        cls: Any,
        batch_shape: Any,
        _instance: Any,
        names: Iterable[str],
        same: Iterable[str] = (),
        event_shape: Any = None,
    ) -> Any:
        """The ``expand`` of *cls*, whose parameters *names* begin with the batch's dimensions.

        :param same: attributes that are taken over as they are.
        :param event_shape: what *cls* gives its base as the shape of an event.
        """
        new = self._get_checked_instance(cls, _instance)
        batch_shape = Size(batch_shape)
        for name in names:
            value = self.__dict__.get(name)
            if value is not None:
                own = value.shape[len(self._batch_shape) :]
                value = value.expand(batch_shape + own)
                setattr(new, name, value)
                if "_param" in self.__dict__:  # the given one of probs and logits
                    new._param = value
        for name in same:
            setattr(new, name, getattr(self, name))
        return self._expanded_(new, batch_shape, Size() if event_shape is None else event_shape)

    def _expanded_(self, new: Any, batch_shape: Size, event_shape: Size, **parts: Any) -> Any:
        """*new*, which ``expand`` fills, with *parts* and shapes; nothing is checked again."""
        vars(new).update(parts)
        Distribution.__init__(new, batch_shape, event_shape, validate_args=False)
        new._validate_args = self._validate_args
        return new

    def __repr__(self) -> str:
        shown = []
        for name in self.arg_constraints:
            if name in self.__dict__:
                value = self.__dict__[name]
                shown.append(f"{name}: {value if value.numel() == 1 else value.size()}")
        return f"{self.__class__.__name__}({', '.join(shown)})"
