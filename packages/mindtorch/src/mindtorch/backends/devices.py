"""Which device a call runs on."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import mindtorch_npu as npu_runtime
from mindtorch_npu import random as npu_random
from mindtorch_storage import ACCELERATOR, Device

from ..call.arguments import tensors_of
from ..call.device_checks import device_check
from ..call.device_mismatch import apart, followed
from ..call.overload import Overload
from ..core import signature as S
from ..core.errors import devices_differ, raise_if
from ..tensor.defaults import default_device
from ..tensor.drawing_generator import check_generator, drawing_from
from ..tensor.generator import Generator


def current_device() -> Device:
    """The NPU that is current in this thread."""
    return _npu(npu_runtime.current_device())


@cache
def _npu(index: int) -> Device:
    return Device(ACCELERATOR, index)


def drawing_on(
    device: Device, args: tuple[Any, ...], run: Callable[..., Any]
) -> Callable[..., Any]:
    """*run*, whose kernels draw from the generator of *device* if *args* has none.

    Raises RuntimeError for a generator of another kind of device.
    """
    for a in args:
        if isinstance(a, Generator):
            check_generator(a, device.type)
    return drawing_from(npu_random._get_generator(device), run)


def device_of(overload: Overload, args: tuple[Any, ...]) -> Device:
    """The one device of a call: the one asked for, else that of the tensors.

    Raises torch's error where tensors lie on different NPUs.
    """
    asked = args[overload.device_position] if overload.device_position >= 0 else None
    if asked is not None:
        return current_device() if asked.index is None else asked
    found: Device | None = None
    for t in tensors_of(overload, args):
        if t._sig & S.NPU:
            device = t.device
            if found is None:
                found = device
            elif device != found:
                if overload.row.devices.indexed:
                    followed(args)  # says it in words of its own
                raise_if(apart(overload, args))
                check = device_check(overload)
                if check is not None:
                    check(args)
                raise devices_differ(str(found), str(device))
    if found is not None:
        return found
    default = default_device()  # of a factory; that of another kind brought it here, too
    if default is not None and default.type == ACCELERATOR and default.index is not None:
        return default
    return current_device()
