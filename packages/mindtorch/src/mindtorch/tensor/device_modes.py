"""Default devices as the function modes that they are in torch.

Here a default device costs factories a look at a variable, and no mode lies on a stack; who asks
for the stack is shown one where torch has one.
"""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch.modes import FUNCTION

from ..core.late_bound import LateBound
from .defaults import DeviceContext, default_device

__all__ = ["function_stack"]

device_mode = LateBound("DeviceContext")


def function_stack() -> list[Any]:
    """The function modes of this thread, lowest first, default devices among them."""
    blocks = DeviceContext.blocks.get()
    base = blocks[0][2] if blocks else default_device()
    if base is None and not blocks:
        return list(FUNCTION.modes)
    found: list[Any] = [] if base is None else [device_mode(base)]
    modes = FUNCTION.modes
    for level in range(len(modes) + 1):
        found += [device_mode(device) for device, depth, _ in blocks if depth == level]
        found += modes[level : level + 1]
    return found
