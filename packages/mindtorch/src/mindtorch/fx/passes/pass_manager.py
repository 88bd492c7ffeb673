"""The older way to run passes: functions from a module to a module."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import reduce, wraps
from inspect import unwrap
from typing import Any

__all__ = [
    "PassManager", "inplace_wrapper", "log_hook", "loop_pass",
    "these_before_those_pass_constraint", "this_before_that_pass_constraint",
]  # fmt: skip

logger = logging.getLogger(__name__)


def inplace_wrapper(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A function that changes a module in place, as a pass that returns it."""

    @wraps(fn)
    def wrapped_fn(gm: Any) -> Any:
        fn(gm)
        return gm

    return wrapped_fn


def log_hook(fn: Callable[..., Any], level: int = logging.INFO) -> Callable[..., Any]:
    """A pass whose result is logged."""

    @wraps(fn)
    def wrapped_fn(gm: Any) -> Any:
        val = fn(gm)
        logger.log(level, "Ran pass %s\t Return value: %s", fn, val)
        return val

    return wrapped_fn


def loop_pass(
    base_pass: Callable[..., Any],
    n_iter: int | None = None,
    predicate: Callable[..., bool] | None = None,
) -> Callable[..., Any]:
    """A pass that runs another several times, or as long as *predicate* of its result is true."""
    if not (n_iter is not None) ^ (predicate is not None):
        raise AssertionError("Exactly one of `n_iter`or `predicate` must be specified.")

    @wraps(base_pass)
    def new_pass(source: Any) -> Any:
        if predicate is None and n_iter is not None:
            if n_iter > 0:
                return reduce(lambda result, _: base_pass(result), range(n_iter), source)
            raise RuntimeError(
                f"loop_pass must be given positive int n_iter (given {n_iter}) xor predicate "
                f"(given {predicate})"
            )
        assert predicate is not None
        while predicate(source):
            source = base_pass(source)
        return source

    return new_pass


def _validate_pass_schedule_constraint(constraint: Any, passes: list[Any]) -> None:
    for i, a in enumerate(passes):
        for j, b in enumerate(passes[i + 1 :]):
            if not constraint(a, b):
                raise RuntimeError(
                    f"pass schedule constraint violated. Expected {a} before {b} but found {a} at "
                    f"index {i} and {b} at index{j} in pass list."
                )


def this_before_that_pass_constraint(this: Any, that: Any) -> Callable[..., bool]:
    """A constraint: *this* comes before *that*."""

    def depends_on(a: Any, b: Any) -> bool:
        return not (a == that and b == this)

    return depends_on


def these_before_those_pass_constraint(these: Any, those: Any) -> Callable[..., bool]:
    """The same for wrapped passes, by the functions inside."""

    def depends_on(a: Any, b: Any) -> bool:
        return not (unwrap(a) == those and unwrap(b) == these)

    return depends_on


class PassManager:
    """Runs passes, each on the result of the one before."""

    passes: list[Any]
    constraints: list[Any]
    _validated: bool = False

    def __init__(
        self, passes: list[Any] | None = None, constraints: list[Any] | None = None
    ) -> None:
        self.passes = passes or []
        self.constraints = constraints or []

    @classmethod
    def build_from_passlist(cls, passes: list[Any]) -> PassManager:
        """A manager of these passes."""
        return cls(passes)

    def add_pass(self, _pass: Any) -> None:
        """Add a pass at the end."""
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint: Any) -> None:
        """Add a constraint."""
        self.constraints.append(constraint)
        self._validated = False

    def remove_pass(self, _passes: list[str]) -> None:
        """Take passes out by name."""
        if _passes is None:
            return
        self.passes = [p for p in self.passes if p.__name__ not in _passes]
        self._validated = False

    def replace_pass(self, _target: Any, _replacement: Any) -> None:
        """Put one pass in the place of another."""
        self.passes = [_replacement if p.__name__ == _target.__name__ else p for p in self.passes]
        self._validated = False

    def validate(self) -> None:
        """Check the order of the passes. Raises RuntimeError."""
        for constraint in () if self._validated else self.constraints:
            _validate_pass_schedule_constraint(constraint, self.passes)
        self._validated = True

    def __call__(self, source: Any) -> Any:
        self.validate()
        return reduce(lambda given, each: each(given), self.passes, source)
