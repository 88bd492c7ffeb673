"""The library's functions and layers, written in what scripts have.

Only those whose Python says what no script can. They are compiled, never called.
"""

from __future__ import annotations

from typing import Any

__all__ = ["MODULES", "home"]

#: The modules that hold them.
MODULES = (
    "attention", "convolutions", "containers", "functional_images", "functional_losses",
    "functional_normalizations", "functional_poolings", "functional_resampling", "grad_modes",
    "layers", "normalizations", "recurrent", "transformers",
)  # fmt: skip


def home(where: str, names: dict[str, Any]) -> None:
    """Say that the functions and classes of a module stand for those of ``where`` in torch."""
    for name, value in list(names.items()):
        if getattr(value, "__module__", None) == names["__name__"]:
            value.script_home_ = f"__torch__.{where}.{name}"
