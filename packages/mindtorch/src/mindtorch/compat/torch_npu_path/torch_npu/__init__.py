"""``torch_npu``, the extension of torch for Ascend NPUs, over the simulated NPU.

A program for NPUs imports it and names fused operators, formats and settings of the hardware.
Here ``torch_npu.npu`` is ``torch.npu``; the operators compute what their documentation says, of
torch's own; there are no private formats. What is not there raises AttributeError.

Source of signatures and formulas: the reference "Ascend Extension for PyTorch", its pages of
``torch_npu`` and ``torch_npu.npu``.
"""

import mindtorch_npu as npu
from mindtorch.__about__ import __torch_version__ as __version__
from mindtorch_npu import accelerator_device

from . import attention, contrib, formats, operators, optim, profiler
from .attention import *
from .formats import *
from .operators import *

__all__ = ["contrib", "npu", "optim", "profiler"]
__all__ += attention.__all__ + formats.__all__ + operators.__all__

# Who imports this package knows the NPU.
accelerator_device.offered = True
