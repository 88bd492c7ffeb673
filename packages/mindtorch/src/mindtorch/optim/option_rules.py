"""What the options of optimizers may be, and what torch says of those that are not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ..tensor import Tensor

__all__ = ["BETAS", "EPS", "MOMENTS", "ONE_ELEMENT", "RATE", "Rule", "not_negative", "rule"]

#: Looks at all options of an optimizer, and raises ValueError where one may not be.
Rule: TypeAlias = Callable[[Mapping[str, Any]], None]


def rule(option: str, holds: Callable[[Any], bool], text: str, at: int | None = None) -> Rule:
    """*holds* of the value of *option*, or of its part *at*; else *text* with that value."""

    def check(options: Mapping[str, Any]) -> None:
        value = options[option] if at is None else options[option][at]
        if not holds(value):
            raise ValueError(text.format(value))

    return check


def not_negative(option: str, text: str | None = None, at: int | None = None) -> Rule:
    """A rule that refuses numbers below zero, and what is no number."""
    return rule(option, lambda v: 0.0 <= v, text or f"Invalid {option} value: {{}}", at)


def _has_one_element(value: Any) -> bool:
    return not isinstance(value, Tensor) or value.numel() == 1


ONE_ELEMENT = rule("lr", _has_one_element, "Tensor lr must be 1-element")
RATE = (ONE_ELEMENT, not_negative("lr", "Invalid learning rate: {}"))
EPS = not_negative("eps", "Invalid epsilon value: {}")
BETAS = tuple(
    rule("betas", lambda v: 0.0 <= v < 1.0, f"Invalid beta parameter at index {i}: {{}}", i)
    for i in range(2)
)
#: Of optimizers with running means of gradients.
MOMENTS = (*RATE, EPS, *BETAS, not_negative("weight_decay"))
