"""What ``assert_close`` says of two leaves: the error, and by how much they differ."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..aten import torch

__all__ = ["ErrorMeta", "item_text", "make_scalar_mismatch_msg", "make_tensor_mismatch_msg"]

Identifier = str | Callable[[str], str] | None


class ErrorMeta(Exception):
    """Two leaves differ or cannot be compared: which error the caller shall see, and where.

    :param type: the class of the error.
    :param msg: its text, without the place.
    :param id: the places that lead to the leaves, from the outside in.
    """

    def __init__(self, type: type[Exception], msg: str, *, id: tuple[Any, ...] = ()) -> None:
        super().__init__(
            "If you are a user and see this message during normal operation please file an issue "
            "at https://github.com/pytorch/pytorch/issues. If you are a developer and working on "
            "the comparison functions, please `raise ErrorMeta.to_error()` for user facing errors."
        )
        self.type, self.msg, self.id = type, msg, id

    def to_error(self, msg: str | Callable[[str], str] | None = None) -> Exception:
        """The error itself; *msg* is its text, or makes it of the one that would be used."""
        if isinstance(msg, str):
            return self.type(msg)
        text = self.msg
        if self.id:
            text += f"\n\nThe failure occurred for item {item_text(self.id)}"
        return self.type(text if msg is None else msg(text))


def item_text(id: tuple[Any, ...]) -> str:
    """A place in a structure as one writes it: ``[0]['a']``."""
    return "".join([f"[{part!r}]" for part in id])


def make_scalar_mismatch_msg(
    actual: Any, expected: Any, *, rtol: float, atol: float, identifier: Identifier = None
) -> str:
    """How two numbers differ.

    :param identifier: what the text calls them in place of ``"Scalars"``, or what changes that.
    """
    difference = abs(actual - expected)
    relative = math.inf if expected == 0 else difference / abs(expected)
    equal = not rtol and not atol
    return (
        f"{_named(identifier, 'Scalars')} are not {'equal' if equal else 'close'}!\n\n"
        f"Expected {expected} but got {actual}.\n"
        f"Absolute difference: {difference}{_allowed(atol, equal)}\n"
        f"Relative difference: {relative}{_allowed(rtol, equal)}"
    )


def make_tensor_mismatch_msg(
    actual: Any,
    expected: Any,
    matches: Any,
    *,
    rtol: float,
    atol: float,
    identifier: Identifier = None,
) -> str:
    """How many elements of two tensors differ, and the greatest differences.

    :param matches: a bool tensor of the same shape: which elements are close.
    :param identifier: what the text calls them for ``"Tensor-likes"``, or what changes that.
    """
    if not (actual.is_floating_point() or actual.is_complex()):
        actual, expected = actual.to(torch.int64), expected.to(torch.int64)
    name = _named(identifier, "Tensor-likes")
    count = matches.numel()
    wrong = count - int(matches.sum())
    mismatched = f"Mismatched elements: {wrong} / {count} ({wrong / count:.1%})"
    if is_float_of_a_byte(actual):
        first = tuple(torch.nonzero(~matches)[0].tolist())
        return (
            f"{name} are not 'equal'!\n\n{mismatched}\n"
            f"The first mismatched element is at index {first}."
        )
    absolute = torch.abs(actual - expected)
    relative = absolute / torch.abs(expected)
    equal = not rtol and not atol
    lines = [f"{name} are not {'equal' if equal else 'close'}!", "", mismatched]
    for kind, difference, allowed in (("absolute", absolute, atol), ("relative", relative, rtol)):
        # Only what is not close can be the greatest.
        difference = difference.masked_fill(matches, 0)
        most, place = torch.max(difference.flatten(), dim=0)
        index = tuple(int(i) for i in np.unravel_index(place.item(), tuple(matches.shape)))
        text = f"Greatest {kind} difference: {most.item()} at index {index}"
        lines.append(text + _allowed(allowed, equal))
    return "\n".join(lines)


def is_float_of_a_byte(x: Any) -> bool:
    """Whether *x* has a dtype without arithmetic, of which numbers are the same or not."""
    return bool(x.is_floating_point() and x.element_size() == 1)


def _named(identifier: Identifier, usual: str) -> str:
    if identifier is None:
        return usual
    return identifier(usual) if callable(identifier) else identifier


def _allowed(tolerance: float, equal: bool) -> str:
    return "" if equal else f" (up to {tolerance} allowed)"
