"""The base of constraints; those that depend on others, or have more dimensions than another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..aten.torch import Tensor

__all__ = [
    "Constraint",
    "MixtureSameFamilyConstraint",
    "is_dependent",
]


class Constraint:
    """A region over which a variable is valid, within which it can be optimised.

    ``is_discrete``: whether the region is; ``event_dim``: how many of the last dimensions make up
    one value, over which :meth:`check` reduces.
    """

    is_discrete: Any = False
    event_dim: Any = 0

    def check(self, value: Tensor) -> Tensor:
        """Which events of *value* satisfy the constraint."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return type(self).__name__[1:] + "()"

    def _show_(self, *names: str) -> str:
        shown = ", ".join(f"{name}={getattr(self, name)}" for name in names)
        return f"{type(self).__name__[1:]}({shown})"


class _Dependent(Constraint):
    """Stands for a constraint that depends on other variables."""

    def __init__(self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented):
        self._is_discrete = is_discrete
        self._event_dim = event_dim
        super().__init__()

    @property
    def is_discrete(self) -> bool:
        """Whether the region is discrete. Raises NotImplementedError if nobody said."""
        if self._is_discrete is NotImplemented:
            raise NotImplementedError(".is_discrete cannot be determined statically")
        return bool(self._is_discrete)

    @property
    def event_dim(self) -> int:
        """The dimensions of an event. Raises NotImplementedError if nobody said."""
        if self._event_dim is NotImplemented:
            raise NotImplementedError(".event_dim cannot be determined statically")
        return int(self._event_dim)

    def __call__(
        self, *, is_discrete: Any = NotImplemented, event_dim: Any = NotImplemented
    ) -> _Dependent:
        """The same with more facts known."""
        said = (is_discrete, self._is_discrete), (event_dim, self._event_dim)
        new, dims = (before if now is NotImplemented else now for now, before in said)
        return _Dependent(is_discrete=new, event_dim=dims)

    def check(self, x: Tensor) -> Tensor:
        raise ValueError("Cannot determine validity of dependent constraint")


def is_dependent(constraint: Any) -> bool:
    """Whether *constraint* depends on other variables, so that it cannot be checked alone."""
    return isinstance(constraint, _Dependent)


class _DependentProperty(property, _Dependent):
    """A property of a distribution that is a constraint, and a dependent one of the class."""

    def __init__(
        self,
        fn: Callable[..., Any] | None = None,
        *,
        is_discrete: bool | None = NotImplemented,
        event_dim: int | None = NotImplemented,
    ) -> None:
        property.__init__(self, fn)
        self._is_discrete = is_discrete
        self._event_dim = event_dim

    def __call__(self, fn: Callable[..., Any]) -> _DependentProperty:
        """Decorate *fn*, with the facts that this one was made with."""
        return _DependentProperty(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


def _too_few_dims(constraint: Constraint, value: Tensor) -> ValueError:
    return ValueError(f"Expected value.dim() >= {constraint.event_dim} but got {value.dim()}")


def _all_beyond(found: Tensor, kept: int) -> Tensor:
    """Whether all is *found*, by the first *kept* dimensions."""
    return found.reshape(found.shape[:kept] + (-1,)).all(-1)


class _IndependentConstraint(Constraint):
    """A constraint whose last batch dimensions belong to the event: all of them must satisfy it."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int) -> None:
        for name, value, kind, called in (
            ("base_constraint", base_constraint, Constraint, "a Constraint"),
            ("reinterpreted_batch_ndims", reinterpreted_batch_ndims, int, "an int"),
        ):
            if not isinstance(value, kind):
                raise AssertionError(f"{name} must be {called}, got {type(value).__name__}")
        if reinterpreted_batch_ndims < 0:
            raise AssertionError(
                f"reinterpreted_batch_ndims must be >= 0, got {reinterpreted_batch_ndims}"
            )
        self.base_constraint = base_constraint
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims
        super().__init__()

    @property
    def is_discrete(self) -> bool:
        """Whether the base is discrete."""
        return bool(self.base_constraint.is_discrete)

    @property
    def event_dim(self) -> int:
        """The base's, and the dimensions taken from the batch."""
        return int(self.base_constraint.event_dim + self.reinterpreted_batch_ndims)

    def check(self, value: Tensor) -> Tensor:
        found = self.base_constraint.check(value)
        if found.dim() < self.reinterpreted_batch_ndims:
            raise _too_few_dims(self, value)
        return _all_beyond(found, found.dim() - self.reinterpreted_batch_ndims)

    def __repr__(self) -> str:
        name = type(self).__name__[1:]
        return f"{name}({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """The support of a mixture: a value must be valid for every component."""

    def __init__(self, base_constraint: Constraint) -> None:
        if not isinstance(base_constraint, Constraint):
            raise AssertionError(
                f"base_constraint must be a Constraint, got {type(base_constraint).__name__}"
            )
        self.base_constraint = base_constraint
        super().__init__()

    @property
    def is_discrete(self) -> bool:
        """Whether the components' support is discrete."""
        return bool(self.base_constraint.is_discrete)

    @property
    def event_dim(self) -> int:
        """The dimensions of the components' events."""
        return int(self.base_constraint.event_dim)

    def check(self, value: Tensor) -> Tensor:
        by_component = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        if value.dim() < self.event_dim:
            raise _too_few_dims(self, value)
        return _all_beyond(by_component, value.dim() - self.event_dim)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_constraint!r})"
