"""Runs passes one after another, in an order that their constraints allow."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable
from functools import wraps
from queue import Queue
from typing import Any

from ....nn import Module
from ..._compatibility import compatibility
from ...graph_module import GraphModule
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
        res = fn(gm)
        if res is None:
            return PassResult(gm, True)
        if isinstance(res, PassResult):
            return res
        if isinstance(res, Module):
            return PassResult(res, True)
        return None

    if not inspect.isfunction(fn):
        wrapped_fn.__name__ = type(fn).__name__
    return wrapped_fn


def _validate_pass_schedule_constraint(
    constraint: Constraint, passes: list[Callable[..., Any]]
) -> None:
    for i, a in enumerate(passes):
        for j, b in enumerate(passes[i + 1 :]):
            if not constraint(a, b):
                raise RuntimeError(
                    f"pass schedule constraint violated. Expected {a} before {b} but found {a} at "
                    f"index {i} and {b} at index{j} in pass list."
                )


def _topological_sort_passes(passes: list[Any], constraints: list[Any]) -> list[Any]:
    """The passes in an order that the constraints allow. Raises RuntimeError for a circle."""
    if not constraints:
        return passes
    after: dict[Any, list[Any]] = {p: [] for p in passes}
    waiting: dict[Any, int] = dict.fromkeys(passes, 0)
    for a in passes:
        for b in passes:
            if a == b:
                continue
            for constraint in constraints:
                if not constraint(a, b):
                    after[b].append(a)
                    waiting[a] += 1
    ready: Queue[Any] = Queue()
    for p, n in waiting.items():
        if n == 0:
            ready.put(p)
    done: dict[Any, bool] = dict.fromkeys(passes, False)
    ordered: list[Any] = []
    while not ready.empty():
        p = ready.get()
        ordered.append(p)
        done[p] = True
        for following in after[p]:
            if not done[following]:
                waiting[following] -= 1
                if waiting[following] == 0:
                    ready.put(following)
    circle = [p for p in passes if waiting[p] > 0]
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
        self.passes = passes or []
        self.constraints = constraints or []
        if steps:
            self.steps = steps
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
        if self._validated:
            return
        for constraint in self.constraints:
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
        overall = False
        for _ in range(self.steps):
            modified = False
            for i, fn in enumerate(self.passes):
                name = fn.__name__ if inspect.isfunction(fn) else type(fn).__name__
                logger.debug("Running pass '%s'", name)
                try:
                    res = fn(module)
                    if not isinstance(res, PassResult) and not hasattr(res, "graph_module"):
                        raise TypeError(
                            f"The result of the pass {name} should be type PassResult. Please wrap "
                            "it with pass_result_wrapper()"
                        )
                except Exception as e:
                    before = [
                        p.__name__ if inspect.isfunction(p) else type(p).__name__
                        for p in self.passes[:i]
                    ]
                    raise Exception(
                        f"An error occurred when running the '{name}' pass after the following "
                        f"passes: {before}"
                    ) from e
                module = res.graph_module
                modified = modified or res.modified
                if isinstance(module, GraphModule):
                    module.recompile()
                if self.run_checks_after_each_pass:
                    self.check(module)
            overall = overall or modified
            if not modified:
                break
        return PassResult(module, overall)
