"""Runs passes one after another, in an order that their constraints allow."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

from ....nn import Module
from ..._compatibility import compatibility
from ...graph_module import GraphModule
from ..pass_manager import _validate_pass_schedule_constraint
from .pass_base import PassResult

__all__ = ["PassManager", "pass_result_wrapper", "this_before_that_pass_constraint"]

logger = logging.getLogger(__name__)
Constraint = Callable[[Callable[..., Any], Callable[..., Any]], bool]


@compatibility(is_backward_compatible=False)
def pass_result_wrapper(fn: Any) -> Any:
    """A function that changes a module in place, as a pass that says that it did."""
    if fn is None:
        return None

    @wraps(fn)
    def wrapped_fn(gm: Any) -> Any:
        result = fn(gm)
        if result is None or isinstance(result, Module):
            return PassResult(gm if result is None else result, True)
        return result if isinstance(result, PassResult) else None

    if not inspect.isfunction(fn):
        wrapped_fn.__name__ = type(fn).__name__
    return wrapped_fn


def _topological_sort_passes(passes: list[Any], constraints: list[Any]) -> list[Any]:
    """The passes in an order that the constraints allow. Raises RuntimeError for a circle."""
    if not constraints:
        return passes
    before = {
        p: [b for b in passes if b != p and not all(allowed(p, b) for allowed in constraints)]
        for p in passes
    }
    ordered = [p for p in before if not before[p]]
    for done in ordered:  # it grows on the way
        for p, waiting in before.items():
            if done in waiting:
                waiting.remove(done)
                if not waiting:
                    ordered.append(p)
    circle = [p for p in passes if before[p]]
    if circle:
        raise RuntimeError(f"Circular dependency detected within the following passes: {circle}")
    return ordered


@compatibility(is_backward_compatible=False)
def this_before_that_pass_constraint(
    this: Callable[..., Any], that: Callable[..., Any]
) -> Constraint:
    """A constraint: *this* comes before *that*."""

    def depends_on(a: Callable[..., Any], b: Callable[..., Any]) -> bool:
        return not (a == that and b == this)

    return depends_on


@compatibility(is_backward_compatible=False)
class PassManager:
    """Runs passes on a module.

    :param passes: called with a module, they return a PassResult.
    :param constraints: whether a pass may come before another.
    :param steps: how often the passes run at most; they run until none changes anything.
    :param run_checks_after_each_pass: run the checks then, too.
    """

    passes: list[Any]
    constraints: list[Any]
    _validated: bool = False
    steps: int = 1

    def __init__(
        self,
        passes: list[Any] | None = None,
        constraints: list[Any] | None = None,
        steps: int | None = None,
        run_checks_after_each_pass: bool = False,
        suppress_check_failures: bool = False,
    ) -> None:
        self.constraints = constraints or []
        self.passes = passes or []
        self.steps = steps or self.steps
        self.run_checks_after_each_pass = run_checks_after_each_pass
        self.suppress_check_failures = suppress_check_failures

    def add_pass(self, _pass: Any) -> None:
        """Add a pass at the end."""
        self.passes.append(_pass)
        self._validated = False

    def add_constraint(self, constraint: Any) -> None:
        """Add a constraint."""
        self.constraints.append(constraint)
        self._validated = False

    def validate_constraints(self) -> None:
        """Check the order of the passes. Raises RuntimeError."""
        for constraint in () if self._validated else self.constraints:
            _validate_pass_schedule_constraint(constraint, self.passes)
        self._validated = True

    def solve_constraints(self) -> None:
        """Bring the passes into an order that the constraints allow."""
        self.passes = _topological_sort_passes(self.passes, self.constraints)
        self._validated = True

    def add_checks(self, check: Callable[..., Any]) -> None:
        """Check the module with *check*, which takes it and raises."""
        parameters = list(inspect.signature(check).parameters.values())
        if len(parameters) != 1:
            raise TypeError("PassManager check function should only take in one variable, a module")
        self.check = check  # type: ignore[method-assign]  # what add_checks is for

    def check(self, module: Any) -> None:
        """Check the module."""

    def __call__(self, module: Any) -> PassResult:
        if not self._validated:
            self.solve_constraints()
        self.check(module)
        changed = False
        for _ in range(self.steps):
            result = self._round(module)
            module, changed = result.graph_module, changed or result.modified
            if not result.modified:
                break
        return PassResult(module, changed)

    def _round(self, module: Any) -> PassResult:
        """Run each pass once."""
        changed = False
        for i in range(len(self.passes)):
            result = self._run(i, module)
            module, changed = result.graph_module, changed or result.modified
            if isinstance(module, GraphModule):
                module.recompile()
            if self.run_checks_after_each_pass:
                self.check(module)
        return PassResult(module, changed)

    def _run(self, i: int, module: Any) -> Any:
        """Run the pass *i*. What it raises says which passes ran before."""
        *before, name = map(_name, self.passes[: i + 1])
        logger.debug("Running pass '%s'", name)
        try:
            result = self.passes[i](module)
            if isinstance(result, PassResult) or hasattr(result, "graph_module"):
                return result
            raise TypeError(
                f"The result of the pass {name} should be type PassResult. Please wrap it with "
                "pass_result_wrapper()"
            )
        except Exception as e:
            raise Exception(
                f"An error occurred when running the '{name}' pass after the following passes: "
                f"{before}"
            ) from e


def _name(fn: Any) -> str:
    """What a pass is called in messages."""
    return str(fn.__name__ if inspect.isfunction(fn) else type(fn).__name__)
