"""Names and numbers of reductions: ``torch.nn._reduction`` reads them from here."""

from __future__ import annotations

from typing import Any

from ...core.warning import warn

__all__ = ["get_enum", "legacy_get_enum", "legacy_get_string"]

_NUMBERS = {"none": 0, "mean": 1, "elementwise_mean": 1, "sum": 2}


def get_enum(reduction: str) -> int:
    """The number of a reduction. Raises ValueError for a word that is none."""
    number = _NUMBERS.get(reduction)
    if number is None:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    if reduction == "elementwise_mean":
        warn(
            "reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.",
        )
    return number


def legacy_get_string(size_average: Any, reduce: Any, emit_warning: bool = True) -> str:
    """The reduction that the old arguments *size_average* and *reduce* say."""
    average = True if size_average is None else size_average
    reduces = True if reduce is None else reduce
    found = ("mean" if average else "sum") if reduces else "none"
    if emit_warning:
        warn(
            "size_average and reduce args will be deprecated, please use "
            f"reduction='{found}' instead.",
        )
    return found


def legacy_get_enum(size_average: Any, reduce: Any, emit_warning: bool = True) -> int:
    """The number of that reduction."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))
