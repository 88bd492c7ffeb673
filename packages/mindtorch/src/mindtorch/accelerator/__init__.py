"""``torch.accelerator``: ``mindtorch_npu.accelerator`` under the name that users know."""

from __future__ import annotations

import sys

import mindtorch_storage as st
from mindtorch_npu import accelerator

# The package of the devices knows of no dtypes.
accelerator._dtypes.update(
    value for value in map(st.__dict__.get, st.__all__) if isinstance(value, st.DType)
)
sys.modules[__name__] = accelerator
sys.modules[f"{__name__}.memory"] = accelerator.memory
sys.modules[f"{__name__}.graphs"] = accelerator.graphs
