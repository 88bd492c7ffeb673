"""A device of the user's in the place of the NPU: torch's ``PrivateUse1``.

mindtorch knows nothing of such a device's memory. Its tensors have a shape and a dtype; their
class keeps the rest. All ops on them run kernels that the user registered at ``PrivateUse1``;
numbers come and go through two of them, ``aten::empty_strided`` and ``aten::_copy_from``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mindtorch_dispatch import DispatchKey, registry
from mindtorch_dispatch.keys import name_private_use
from mindtorch_dispatch.keyset import DEVICE_BIT
from mindtorch_npu import is_initialized
from mindtorch_storage import ACCELERATOR, DEVICE_TYPES, Device, UntypedStorage
from mindtorch_storage.device import name_private_device
from mindtorch_storage.layout import contiguous_strides

from .._ops import ops as operators
from ..aten.register import give_away
from ..backends.transfer import elsewhere
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.row import Out
from ..call.specialize import boxed
from ..core import signature as S
from ..core.copies import copy_strides
from ..core.operators import ops
from ..tensor import Tensor
from ..tensor.array_memory import phantom_array
from ..tensor.construction import wrap
from ..tensor.tensor_impl import Alias

__all__ = ["create_empty_tensor", "device_name", "rename"]

#: What the device is called; ``npu`` while nobody took its place.
_name = ACCELERATOR
_COPY = "aten::_copy_from(Tensor self, Tensor dst, bool non_blocking=False) -> Tensor"


def device_name() -> str:
    """What ``PrivateUse1`` is called."""
    return _name


def rename(name: str) -> None:
    """Give ``PrivateUse1`` to a device called *name*; the NPU goes.

    Raises RuntimeError with torch's text for a device of torch's own, and where the name is
    given away: to another device, or to the NPU by its use.
    """
    global _name
    if name == _name:
        return
    if name in DEVICE_TYPES:
        raise RuntimeError(f"Cannot register privateuse1 backend with in-tree device name: {name}")
    if _name != ACCELERATOR or is_initialized():
        raise RuntimeError(
            f"torch.register_privateuse1_backend() has already been set! Current backend: {_name}"
        )
    _name = name
    name_private_device(name)
    S.DEVICE_BITS[name] = S.DEVICE_BITS.pop(ACCELERATOR)
    DEVICE_BIT[name] = DEVICE_BIT.pop(ACCELERATOR)
    name_private_use(name)
    give_away(DispatchKey.PrivateUse1, _transfer)
    registry.register_schema(_COPY)
    elsewhere[name] = _put
    Tensor._read_elsewhere = _read


def create_empty_tensor(shape: Sequence[int], dtype: Any) -> Tensor:
    """A tensor on the device of one's own, which has no memory that mindtorch knows."""
    t = wrap(phantom_array(tuple(shape), dtype.np, contiguous_strides(tuple(shape))), S.NPU)
    alias = t._shared = Alias()
    alias.value = 0
    alias.storage = UntypedStorage._meta(0, Device(_name, 0))
    return t


def _read(t: Tensor) -> Any:
    """The numbers of a tensor: a copy of them."""
    return t.detach().cpu()._a


def _build_transfer(overload: Overload, sig: int, mask: int) -> Call:
    """Copies to, from and within the device: memory of its kind, filled by its kernel."""

    def call(self: Any, *options: Any) -> Any:
        out = Out(tuple(self._a.shape), options[0] or self.dtype, copy_strides(self, options[5]))
        return _put(self, out, options[2] or self.device)

    return call


def _put(source: Any, out: Out, device: Any) -> Any:
    """A copy of *source* on *device*, which the kernel of the device of one's own fills."""
    strides = out.strides or contiguous_strides(out.shape)
    made = ops.empty_strided(out.shape, strides, dtype=out.dtype, device=device)
    operators.aten._copy_from.default(source, made)
    return made


_transfer = boxed(_build_transfer)
