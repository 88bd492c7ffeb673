"""Which driver serves the devices: the simulator, or one over a module of torch's shape."""

from __future__ import annotations

import os

from mindtorch_npu import runtime
from mindtorch_npu.protocols import Driver

if runtime.HARDWARE:
    from mindtorch_npu.hardware import HardwareDriver
else:
    from mindtorch_npu.simulator import Simulator

__all__ = ["make_driver"]


def make_driver() -> Driver:
    """The driver that ``MINDTORCH_NPU_DRIVER`` named when the package was imported."""
    if not runtime.HARDWARE:
        return Simulator.from_environment()
    name = os.environ.get("MINDTORCH_NPU_DRIVER", "")
    if name != "torch_npu" and "." not in name:
        raise ValueError(
            "MINDTORCH_NPU_DRIVER must be simulator, torch_npu or the path of an accelerator "
            f"module as torch.cuda, got {name!r}"
        )
    return HardwareDriver(name)


runtime.make_driver = make_driver
