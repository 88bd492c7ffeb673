"""Which device a call runs on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindtorch_storage import ACCELERATOR, Device

from ..call.arguments import tensors_of
from ..call.device_checks import device_check
from ..call.device_mismatch import apart, followed
from ..call.overload import Overload
from ..core import signature as S
from ..core.backend_registry import BACKENDS, complete
from ..core.errors import devices_differ, raise_if
from ..tensor.defaults import default_device
from ..tensor.drawing_generator import check_generator, drawing_from
from ..tensor.generator import Generator


def current_device() -> Device:
    """The accelerator that is current in this thread."""
    return complete(Device(ACCELERATOR))


#: The generators of devices whose backend has none of its own.
_generators: dict[Device, Generator] = {}


def generator_on(device: Device) -> Generator:
    """The generator from which kernels on *device* draw where none is given."""
    own = BACKENDS[device.type].generator
    if own is not None:
        found: Generator = own(device)
        return found
    made = _generators.get(device)
    if made is None:
        made = Generator(device)
        made.seed()  # as on the cpu, each process has numbers of its own
        made = _generators.setdefault(device, made)  # another thread may have been first
    return made


def seed_generators(seed: int) -> None:
    """Start the generators of all devices anew, but of backends that have some of their own."""
    for backend in list(BACKENDS.values()):
        if backend.numbers is not None and backend.generator is None:
            for index in range(backend.device_count()):
                generator_on(Device(backend.name, index)).manual_seed(seed)


def drawing_on(
    device: Device, args: tuple[Any, ...], run: Callable[..., Any]
) -> Callable[..., Any]:
    """*run*, whose kernels draw from the generator of *device* if *args* has none.

    Raises RuntimeError for a generator of another kind of device.
    """
    for a in args:
        if isinstance(a, Generator):
            check_generator(a, device.type)
    return drawing_from(generator_on(device), run)


def device_of(overload: Overload, args: tuple[Any, ...]) -> Device:
    """The one device of a call: the one asked for, else that of the tensors.

    Raises torch's error where tensors lie on different accelerators.
    """
    asked = args[overload.device_position] if overload.device_position >= 0 else None
    if asked is not None:
        return complete(asked)
    found: Device | None = None
    for t in tensors_of(overload, args):
        if t._sig_ & S.ACCELERATORS:
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
    if default is not None and S.DEVICE_BITS.get(default.type, 0) & S.ACCELERATORS:
        return complete(default)
    return current_device()
