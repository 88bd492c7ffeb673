"""``torch.unique_consecutive``: results are left out as the flags say, as torch does in Python."""

from __future__ import annotations

from typing import Any

from ..call.intercept import overridable
from ..core.operators import ops

__all__ = ["unique_consecutive"]


def _consecutive_return_inverse_and_counts(
    input: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    return ops.unique_consecutive(
        input, return_inverse=return_inverse, return_counts=return_counts, dim=dim
    )


def _consecutive_return_inverse(
    input: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    return _consecutive_return_inverse_and_counts(input, return_inverse, return_counts, dim)[:2]


def _consecutive_return_counts(
    input: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    found = _consecutive_return_inverse_and_counts(input, return_inverse, return_counts, dim)
    return found[0], found[2]


def _consecutive_return_output(
    input: Any, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    return _consecutive_return_inverse_and_counts(input, return_inverse, return_counts, dim)[0]


#: By (return_inverse, return_counts); Python names them where arguments do not fit.
_FORMS = {
    (False, False): _consecutive_return_output,
    (False, True): _consecutive_return_counts,
    (True, False): _consecutive_return_inverse,
    (True, True): _consecutive_return_inverse_and_counts,
}


def unique_consecutive(*args: Any, **kwargs: Any) -> Any:
    """The first element (or slice along *dim*) of each run of equal ones.

    ``unique_consecutive(input, return_inverse=False, return_counts=False, dim=None)`` gives the
    values, then for each flag that is set the indices or the lengths of the runs.

    torch looks for the flags the wrong way round where they are positional, and so does this.
    Source: torch functional.py, the two boolean_dispatch of unique_consecutive.
    """

    def flag(name: str, position: int) -> bool:
        value = kwargs.get(name, args[position] if position < len(args) else False)
        return bool(value)

    return _FORMS[flag("return_inverse", 2), flag("return_counts", 1)](*args, **kwargs)


unique_consecutive = overridable(unique_consecutive)
