"""What cannot be done without numbers, or to tensors of which none can stand for the numbers."""

from __future__ import annotations

from typing import Any

__all__ = [
    "DataDependentOutputException",
    "DynamicOutputShapeException",
    "FakeTensorDeviceMismatchError",
    "MetadataMismatchError",
    "UnsupportedFakeTensorException",
    "UnsupportedMutationAliasingException",
    "UnsupportedOperatorException",
]


class UnsupportedFakeTensorException(RuntimeError):  # torch's name
    """A tensor that no fake tensor can stand for."""


class UnsupportedOperatorException(RuntimeError):  # torch's name
    """An operator that fake tensors do not know."""

    def __init__(self, func: Any) -> None:
        super().__init__(func)
        self.func = func


class _NeedsNumbers(RuntimeError):
    def __init__(self, func: Any) -> None:
        super().__init__(func)
        self.func = func


class DynamicOutputShapeException(_NeedsNumbers):  # torch's name
    """The shape of the result depends on numbers."""


class DataDependentOutputException(_NeedsNumbers):  # torch's name
    """The result is a number."""


class FakeTensorDeviceMismatchError(RuntimeError):
    """Arguments on several devices."""


class MetadataMismatchError(RuntimeError):
    """What a real call gave looks otherwise than what the fake one said."""


class UnsupportedMutationAliasingException(RuntimeError):  # torch's name
    """A change of arguments that alias each other."""
