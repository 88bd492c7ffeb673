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

from . import contrib, optim, profiler
from .attention import npu_fusion_attention
from .formats import (
    copy_memory_,
    empty_with_format,
    get_npu_format,
    npu_dtype_cast,
    npu_format_cast,
    npu_format_cast_,
)
from .operators import (
    fast_gelu,
    npu_add_rms_norm,
    npu_bmmV2,
    npu_broadcast,
    npu_confusion_transpose,
    npu_fast_gelu,
    npu_gelu,
    npu_linear,
    npu_max,
    npu_min,
    npu_mish,
    npu_reshape,
    npu_rms_norm,
    npu_rotary_mul,
    npu_scaled_masked_softmax,
    npu_silu,
    npu_silu_,
    npu_swiglu,
    npu_transpose,
    one_,
)

__all__ = [
    "contrib",
    "copy_memory_",
    "empty_with_format",
    "fast_gelu",
    "get_npu_format",
    "npu",
    "npu_add_rms_norm",
    "npu_bmmV2",
    "npu_broadcast",
    "npu_confusion_transpose",
    "npu_dtype_cast",
    "npu_fast_gelu",
    "npu_format_cast",
    "npu_format_cast_",
    "npu_fusion_attention",
    "npu_gelu",
    "npu_linear",
    "npu_max",
    "npu_min",
    "npu_mish",
    "npu_reshape",
    "npu_rms_norm",
    "npu_rotary_mul",
    "npu_scaled_masked_softmax",
    "npu_silu",
    "npu_silu_",
    "npu_swiglu",
    "npu_transpose",
    "one_",
    "optim",
    "profiler",
]

# Who imports this package knows the NPU.
accelerator_device.offered = True
