"""Names and numbers of reductions: ``torch.nn._reduction`` reads them from here."""

from __future__ import annotations

from ...core.warning import warn

__all__ = ["get_enum", "legacy_get_enum", "legacy_get_string", "reduction_number"]


def get_enum(reduction: str) -> int:
    """The number of a reduction. Raises ValueError for a word that is none."""
    if reduction == "mean":
        return 1
    if reduction == "none":
        return 0
    if reduction == "sum":
        return 2
    if reduction == "elementwise_mean":
        warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.")
        return 1
    raise ValueError(f"{reduction} is not a valid value for reduction")


def legacy_get_string(
    size_average: bool | None, reduce: bool | None, emit_warning: bool = True
) -> str:
    """The reduction that the old arguments *size_average* and *reduce* say."""
    average = True if size_average is None else size_average
    reduces = True if reduce is None else reduce
    found = ("mean" if average else "sum") if reduces else "none"
    if emit_warning:
        warn(
            "size_average and reduce args will be deprecated, please use "
            f"reduction='{found}' instead."
        )
    return found


def legacy_get_enum(
    size_average: bool | None, reduce: bool | None, emit_warning: bool = True
) -> int:
    """The number of that reduction."""
    return get_enum(legacy_get_string(size_average, reduce, emit_warning))


def reduction_number(size_average: bool | None, reduce: bool | None, reduction: str) -> int:
    """The number of a reduction, which the old arguments say where they are given."""
    if size_average is not None or reduce is not None:
        return legacy_get_enum(size_average, reduce)
    return get_enum(reduction)
