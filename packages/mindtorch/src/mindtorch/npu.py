"""``torch.npu``: the package ``mindtorch_npu`` under the name that users know."""

from __future__ import annotations

import sys

import mindtorch_npu

# One module, two names: what is set through one is seen through the other.
sys.modules[__name__] = mindtorch_npu
