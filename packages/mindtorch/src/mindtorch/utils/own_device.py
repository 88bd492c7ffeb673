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
from mindtorch_npu import is_initialized
from mindtorch_storage import ACCELERATOR, DEVICE_TYPES, Device, UntypedStorage
from mindtorch_storage.device import name_private_device
from mindtorch_storage.layout import contiguous_strides

from .._ops import ops as operators
from ..backends import launching
from ..backends.backend import BACKENDS, Backend, add_backend, drop_backend
from ..call.row import Out
from ..core import signature as S
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
    if name in DEVICE_TYPES or name in BACKENDS:
        raise RuntimeError(f"Cannot register privateuse1 backend with in-tree device name: {name}")
    if _name != ACCELERATOR or is_initialized():
        raise RuntimeError(
            f"torch.register_privateuse1_backend() has already been set! Current backend: {_name}"
        )
    _name = name
    drop_backend(ACCELERATOR)
    name_private_device(name)
    name_private_use(name)
    add_backend(
        Backend(
            name=name,
            key=DispatchKey.PrivateUse1,
            kernel=None,
            current_device=None,
            copies=_ByKernels(),
            read=_read,
            numbers=None,
            autocast=DispatchKey.AutocastPrivateUse1,
        )
    )
    registry.register_schema(_COPY)


def create_empty_tensor(shape: Sequence[int], dtype: Any) -> Tensor:
    """A tensor on the device of one's own, which has no memory that mindtorch knows."""
    size = tuple(shape)
    t = wrap(phantom_array(size, dtype.np, contiguous_strides(size)), S.DEVICE_BITS[_name])
    alias = t._shared_ = Alias()
    alias.value = 0
    alias.storage = UntypedStorage._meta(0, Device(_name, 0))
    return t


def _read(t: Tensor) -> Any:
    """The numbers of a tensor: a copy of them."""
    return t.detach().cpu()._a_


class _ByKernels:
    """Copies from, to and within such a device: memory of the kind of device, its kernel fills."""

    def to_device(self, t: Any, out: Out, device: Device, non_blocking: bool) -> Any:
        """A copy on the device."""
        return _put(t, out, device)

    def to_host(self, t: Any, out: Out, non_blocking: bool) -> Any:
        """A copy on the host."""
        return _put(t, out, Device("cpu"))

    def within(self, t: Any, out: Out, device: Device, non_blocking: bool) -> Any:
        """A copy on another device, or in another dtype or layout."""
        return _put(t, out, device)

    #: With a copy beside the target.
    into = staticmethod(launching.into)
    #: The same.
    number = staticmethod(launching.number)


def _put(source: Any, out: Out, device: Any) -> Any:
    """A copy of *source* on *device*, which the kernel of the device of one's own fills."""
    strides = out.strides or contiguous_strides(out.shape)
    made = ops.empty_strided(out.shape, strides, dtype=out.dtype, device=device)
    operators.aten._copy_from.default(source, made)
    return made
