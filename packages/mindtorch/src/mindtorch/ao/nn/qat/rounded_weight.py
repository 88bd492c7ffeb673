"""What layers that round their weight in training have in common."""

from __future__ import annotations

from typing import Any

from mindtorch.nn.utils.parametrize import type_before_parametrizations

__all__ = ["checked_qconfig", "qconfig_of", "take"]


def checked_qconfig(qconfig: Any) -> Any:
    """*qconfig*. Raises AssertionError for none."""
    assert qconfig, "qconfig must be provided for QAT module"
    return qconfig


def qconfig_of(mod: Any, wanted: type, refusal: str) -> Any:
    """The ``qconfig`` of a layer of floats.

    Raises AssertionError with *refusal* if it is not of the class *wanted*, and if it has none.
    """
    assert type_before_parametrizations(mod) == wanted, refusal
    assert hasattr(mod, "qconfig"), "Input float module must have qconfig defined"
    assert mod.qconfig, "Input float module must have a valid qconfig"
    return mod.qconfig


def take(layer: Any, mod: Any, names: tuple[str, ...] = ("weight", "bias")) -> Any:
    """*layer*, with the parameters of *mod* for its own."""
    for name in names:
        setattr(layer, name, getattr(mod, name))
    return layer
