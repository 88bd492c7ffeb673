"""What follows the range of the weight of a layer that is to be quantized."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

__all__ = ["weight_observer_of"]


def weight_observer_of(mod: Any) -> Callable[[], Any]:
    """What makes the observer of weights of *mod*: its ``qconfig`` says, or the default one."""
    # The package's mappings name the layers that call this.
    from .....quantization.default_qconfigs import default_dynamic_qconfig

    qconfig = mod.qconfig
    if qconfig is None or qconfig.weight is None:
        qconfig = default_dynamic_qconfig
    found: Callable[[], Any] = qconfig.weight
    return found
