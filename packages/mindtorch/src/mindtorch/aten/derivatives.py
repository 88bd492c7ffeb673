"""Gradient formulas that several families share."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..call.forms import NoFormula

__all__ = [
    "delayed_refusal",
    "listed_as_not_implemented",
    "no_formula_for",
    "not_implemented_for",
]


def delayed_refusal(t: Any, text: str) -> Any:
    """*t*, whose own gradient is refused with *text* when it is asked for.

    Source: torch torch/csrc/autograd/functions/basic_ops.cpp, DelayedError.
    """
    nodes = import_module("mindtorch._C._functions")  # seldom needed
    return nodes.DelayedError(text, 1)(t)


def not_implemented_for(name: str, *arguments: str) -> dict[str, Callable[[Any, Any], Any]]:
    """Formulas for an op through which torch lets gradients be asked for, and then refuses them.

    Source: torch torch/csrc/autograd/functions/basic_ops.cpp, Error.
    """

    def refuse(g: Any, c: Any) -> Any:
        raise RuntimeError(f"derivative for aten::{name} is not implemented")

    return NoFormula.fromkeys(arguments, refuse)


def listed_as_not_implemented(name: str, *arguments: str) -> dict[str, Callable[[Any, Any], Any]]:
    """The same where torch's list of formulas has the op, so that its node has the op's name."""
    return dict(not_implemented_for(name, *arguments))


def no_formula_for(name: str, *arguments: str) -> dict[str, Callable[[Any, Any], Any]]:
    """The same where it is torch's list of formulas that refuses them.

    Source: torch csrc/autograd/FunctionsManual.cpp, not_implemented_base.
    """

    def refuse(g: Any, c: Any) -> Any:
        raise NotImplementedError(f"the derivative for '{name}' is not implemented.")

    return dict.fromkeys(arguments, refuse)
