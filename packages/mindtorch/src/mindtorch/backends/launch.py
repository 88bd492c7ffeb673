"""What a backend is given to run: a kernel, what it reads, and where it writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..core.copies import store, store_all
from .plan import Plan

__all__ = ["Launch", "write"]


class Launch:
    """A kernel, its operands and the memory of its results; calling it computes."""

    __slots__ = ("compute", "many", "name", "plan", "targets", "values")

    def __init__(
        self,
        name: str,
        plan: Plan | None,
        values: list[Any],
        targets: list[Any],
        compute: Callable[[Launch], object],
        many: bool = False,
    ) -> None:
        #: The op, for errors and logs: ``aten::add.Tensor``.
        self.name = name
        self.plan = plan
        #: What the kernel takes; tensors are ndarrays over their memory.
        self.values = values
        #: The memory of each result, as an ndarray; None for those that are absent.
        self.targets = targets
        self.compute = compute
        #: Whether the kernel gives a tuple.
        self.many = many

    def __call__(self) -> None:
        self.compute(self)


def write(launch: Launch) -> None:
    """Run the kernel of a plan; its results go to the targets."""
    assert launch.plan is not None
    result = launch.plan.compute_arrays(list(launch.values))
    if launch.many:
        store_all(launch.targets, result)
    else:
        store(launch.targets[0], result)
