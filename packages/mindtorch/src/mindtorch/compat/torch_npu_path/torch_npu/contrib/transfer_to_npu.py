"""Programs for CUDA run on the NPU: importing this module lets ``cuda`` mean it.

Device strings, ``torch.cuda``, ``.cuda()``, autocast and NCCL mean the NPU from then on; tensors
go on saying that they are on ``npu``. Where the NPU is called ``cuda`` (``--cuda-as-npu``), nothing
is left to do.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from mindtorch.amp import autocast
from mindtorch.cuda._on_npu import take_over
from mindtorch.distributed import Backend
from mindtorch.nn import Module
from mindtorch.tensor import Tensor
from mindtorch_storage import ACCELERATOR, Device, TypedStorage, UntypedStorage
from mindtorch_storage.device import CUDA, name_device


def _of_device_type(init: Callable[..., None]) -> Callable[..., None]:
    """*init*, whose first argument is the name of a device type."""

    @wraps(init)
    def translated(self: Any, device_type: Any, *args: Any, **kwargs: Any) -> None:
        init(self, ACCELERATOR if device_type == CUDA else device_type, *args, **kwargs)

    return translated


def transfer() -> None:
    """Let ``cuda`` mean the NPU; a second call does nothing."""
    if Device(CUDA).type == ACCELERATOR:
        return
    name_device(CUDA, ACCELERATOR)
    take_over("mindtorch.cuda")
    for owner in (Tensor, Module, UntypedStorage, TypedStorage):
        owner.cuda = owner.npu
    Tensor.is_cuda = Tensor.is_npu
    autocast.__init__ = _of_device_type(autocast.__init__)
    Backend.backend_capability[Backend.NCCL].append(ACCELERATOR)
    Backend.default_device_backend_map[ACCELERATOR] = Backend.NCCL


transfer()
