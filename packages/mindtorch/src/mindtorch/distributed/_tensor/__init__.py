"""Distributed tensors under the place that they had before."""

from __future__ import annotations

import sys

from ..tensor import (
    DeviceMesh,
    DTensor,
    Partial,
    Placement,
    Replicate,
    Shard,
    device_mesh,
    distribute_module,
    distribute_tensor,
    empty,
    experimental,
    full,
    init_device_mesh,
    ones,
    rand,
    randn,
    zeros,
)
from . import placement_types

sys.modules[f"{__name__}.experimental"] = experimental
sys.modules[f"{__name__}.device_mesh"] = device_mesh
