"""``torch.onnx._internal.exporter._registration``: which function translates which operator.

A translation is called as the operator is, with the builder of the graph in front: tensors come as
:class:`Value`, all else as it stands in the program. It returns the value, or the values, that the
operator gives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...._ops import OpOverload, ops

__all__ = ["TRANSLATIONS", "Translation", "translates"]

Translation = Callable[..., Any]
#: Translations by the names of overloads (``add.Tensor``, ``space::name`` beside ATen), or by
#: functions of Python.
TRANSLATIONS: dict[Any, Translation] = {}


def translates(*names: str) -> Callable[[Translation], Translation]:
    """Let the decorated function translate operators of ``aten``.

    :param names: the overloads, several separated by spaces; ``add`` is ``add.default``.
    """

    def register(function: Translation) -> Translation:
        for name in " ".join(names).split():
            assert name not in TRANSLATIONS, name
            TRANSLATIONS[name] = function
        return function

    return register


def overload(name: str) -> OpOverload:
    """The operator of ``aten`` that is registered as *name*."""
    base, _, rest = name.partition(".")
    found: OpOverload = getattr(getattr(ops.aten, base), rest or "default")
    return found


def translation_of(target: Any) -> Translation | None:
    """The function that translates what a node calls; None where there is none."""
    if isinstance(target, OpOverload):
        namespace, _, name = target.name().partition("::")
        return TRANSLATIONS.get(name if namespace == "aten" else target.name())
    return TRANSLATIONS.get(target)
