"""One module on several devices, each of which takes a part of every batch."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from ...aten import torch
from ..modules import Module
from .parallel_apply import parallel_apply
from .replicate import replicate
from .scatter_gather import gather, scatter_kwargs

__all__ = ["DataParallel", "data_parallel"]


def _devices_of(module: Any, device_ids: Any) -> list[torch.device]:
    """The accelerators to use for *module*: none where it lies on the host."""
    first = next(chain(module.parameters(), module.buffers()), None)
    if first is None or first.device.type in ("cpu", "meta"):
        return []
    kind = first.device.type
    if device_ids is None:
        device_ids = range(torch.get_device_module(kind).device_count())
    return [torch.device(kind, d) if isinstance(d, int) else torch.device(d) for d in device_ids]


def _check_place(module: Any, device: torch.device) -> None:
    for t in chain(module.parameters(), module.buffers()):
        if t.device != device:
            raise RuntimeError(
                "module must have its parameters and buffers on device "
                f"{device} (device_ids[0]) but found one of them on device: {t.device}"
            )


class DataParallel(Module):
    """Runs *module* on several devices at once, each with a part of the batch.

    On the host it calls the module as it is.

    :param device_ids: the devices; all accelerators of the module's kind if None.
    :param output_device: where results come together, the first device if None.
    :param dim: the dimension of the batch.
    """

    def __init__(
        self,
        module: Any,
        device_ids: Sequence[int | torch.device] | None = None,
        output_device: int | torch.device | None = None,
        dim: int = 0,
    ) -> None:
        super().__init__()
        devices = _devices_of(module, device_ids)
        self.module = module
        self.device_ids: Any = []
        if not devices:
            return
        self.dim = dim
        self.device_ids = [d.index for d in devices]
        self.output_device = devices[0].index if output_device is None else output_device
        self.src_device_obj = devices[0]
        if len(devices) == 1:
            self.module.to(self.src_device_obj)

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        if not self.device_ids:
            return self.module(*inputs, **kwargs)
        _check_place(self.module, self.src_device_obj)
        kind = self.src_device_obj.type
        devices = [torch.device(kind, i) for i in self.device_ids]
        scattered, named = self.scatter(inputs, kwargs, devices)
        if not scattered and not named:  # a module without arguments
            scattered, named = ((),), ({},)
        if len(devices) == 1:
            return self.module(*scattered[0], **named[0])
        replicas = self.replicate(self.module, devices[: len(scattered)])
        outputs = self.parallel_apply(replicas, scattered, named)
        return self.gather(outputs, self.output_device)

    def replicate(self, module: Any, device_ids: Sequence[Any]) -> list[Any]:
        """Copies of the module."""
        return replicate(module, device_ids, not torch.is_grad_enabled())

    def scatter(self, inputs: Any, kwargs: Any, device_ids: Sequence[Any]) -> Any:
        """The parts of the arguments."""
        return scatter_kwargs(inputs, kwargs, device_ids, dim=self.dim)

    def parallel_apply(self, replicas: Sequence[Any], inputs: Any, kwargs: Any) -> list[Any]:
        """The results of the copies."""
        return parallel_apply(replicas, inputs, kwargs, self.device_ids[: len(replicas)])

    def gather(self, outputs: Any, output_device: Any) -> Any:
        """The results on one device."""
        return gather(outputs, output_device, dim=self.dim)


def data_parallel(
    module: Any,
    inputs: Any,
    device_ids: Sequence[int | torch.device] | None = None,
    output_device: int | torch.device | None = None,
    dim: int = 0,
    module_kwargs: Any = None,
) -> Any:
    """The result of *module* for *inputs*, computed on several devices.

    Raises RuntimeError for a module on the host, for which there are none.
    """
    if not isinstance(inputs, tuple):
        inputs = (inputs,) if inputs is not None else ()
    devices = _devices_of(module, device_ids)
    if not devices:
        raise RuntimeError("device type could not be determined")
    _check_place(module, devices[0])
    target = devices[0] if output_device is None else output_device
    scattered, named = scatter_kwargs(inputs, module_kwargs, devices, dim)
    if not scattered and not named:
        scattered, named = ((),), ({},)
    if len(devices) == 1:
        return module(*scattered[0], **named[0])
    used = devices[: len(scattered)]
    outputs = parallel_apply(replicate(module, used), scattered, named, used)
    return gather(outputs, target, dim)
