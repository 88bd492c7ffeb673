"""What the scripts of layers have in common."""

from __future__ import annotations

from typing import Any

from ... import nn
from ..internal import _qualified_name

__all__ = ["Layer", "stand_for_layers"]


class Layer:
    """The script of a layer of ``torch.nn``, of the same name.

    :cvar script_extra_: further attributes of the layer that the script reads.
    """

    script_library_ = True
    script_extra_: tuple[str, ...] = ()

    def __getattr__(self, name: str) -> Any:
        """What the layer of that name has: it is compiled, never read."""
        raise AttributeError(name)


def stand_for_layers(names: dict[str, Any]) -> None:
    """Say that the classes of a module stand for the layers of their names."""
    for name, value in list(names.items()):
        own = getattr(value, "__module__", None) == names["__name__"]
        layer = getattr(nn, name, None) or getattr(nn.modules.linear, name, None)
        if own and isinstance(value, type) and layer is not None:
            value.script_home_ = _qualified_name(layer)  # type: ignore[attr-defined]  # a mark
