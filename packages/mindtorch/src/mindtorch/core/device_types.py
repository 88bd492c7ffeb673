"""Types of devices as torch lists them: where a path of its API works or is worth while."""

from __future__ import annotations

from typing import Final

from mindtorch_storage.device import ACCELERATOR, CUDA

__all__ = ["CAPTURABLE", "FOREACH", "FUSED"]

#: Where the step of an optimizer may be captured; the accelerator of a build goes by its own name.
CAPTURABLE: Final = (CUDA, "xpu", "hpu", ACCELERATOR)
#: Where ops over lists of tensors are worth while.
FOREACH: Final = (CUDA, "xpu", "mtia", ACCELERATOR)
#: Where optimizers are fused.
FUSED: Final = ("mps", CUDA, "xpu", "hpu", "cpu", "mtia", ACCELERATOR)
