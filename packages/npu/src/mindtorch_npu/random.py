"""Random number generators of the devices. Whoever has generators supplies them.

The framework on top calls :func:`set_generator_factory`; the factory gets a device index and
returns an object with ``manual_seed``, ``seed``, ``initial_seed``, ``get_state`` and ``set_state``.
A state is whatever those give: in mindtorch a uint8 tensor of 16 bytes, seed and offset.
What sets something before the initialisation is done when the runtime starts.

Source: torch/cuda/random.py; aten/src/ATen/cuda/CUDAGeneratorImpl.cpp.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from mindtorch_storage.device import Device

from mindtorch_npu.devices import current_device, device_count
from mindtorch_npu.naming import TYPE
from mindtorch_npu.runtime import is_initialized, lazy_call, lazy_init, on_init

__all__ = [
    "get_rng_state",
    "get_rng_state_all",
    "initial_seed",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "set_rng_state",
    "set_rng_state_all",
]

default_generators: tuple[Any, ...] = ()
_factory: Callable[[int], Any] | None = None


def set_generator_factory(factory: Callable[[int], Any]) -> None:
    """Take the generators from *factory*, one for each device index."""
    global _factory
    _factory = factory
    if is_initialized():
        _make_generators()


def _make_generators() -> None:
    global default_generators
    if _factory is not None:
        default_generators = tuple(_factory(i) for i in range(device_count()))
        vars(sys.modules[__package__])["default_generators"] = default_generators


on_init(_make_generators)


def _generator(index: int) -> Any:
    if not default_generators:
        raise RuntimeError("no generators: set_generator_factory was not called")
    return default_generators[index]


def _get_device(device: int | str | Device) -> Device:
    """The device that *device* names."""
    if isinstance(device, str):
        return Device(device)
    return Device(TYPE, device) if isinstance(device, int) else device


def _get_generator(device: Device) -> Any:
    """The generator of a device; of the current one where the index is missing."""
    return _generator(_index(device))


def _index(device: Any) -> int:
    device = _get_device(device)
    return current_device() if device.index is None else int(device.index)


def _set_rng_state_offset(offset: int, device: int | str | Device = TYPE) -> None:
    """Move a device's generator to *offset* numbers, now or when the runtime starts."""
    lazy_call(lambda: _get_generator(_get_device(device)).set_offset(offset))


def _get_rng_state_offset(device: int | str | Device = TYPE) -> int:
    """How many numbers a device's generator has drawn, a multiple of four."""
    lazy_init()
    return int(_get_generator(_get_device(device)).get_offset())


def get_rng_state(device: Any = TYPE) -> Any:
    """The state of a device's generator.

    Raises AssertionError where there is no device, RuntimeError where nobody supplied generators.
    """
    lazy_init()
    return _generator(_index(device)).get_state()


def get_rng_state_all() -> list[Any]:
    """The states of all devices' generators, by index."""
    return [get_rng_state(i) for i in range(device_count())]


def set_rng_state(new_state: Any, device: Any = TYPE) -> None:
    """Set the state of a device's generator, now or when the runtime starts."""
    if not is_initialized() and hasattr(new_state, "clone"):
        new_state = new_state.clone()  # it is used later
    lazy_call(lambda: _generator(_index(device)).set_state(new_state))


def set_rng_state_all(new_states: Iterable[Any]) -> None:
    """Set the states of the devices' generators, by index."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)


def _seed_current(seed: int) -> None:
    if default_generators:  # seeding is never an error: without generators it has no effect
        default_generators[current_device()].manual_seed(seed)


def manual_seed(seed: int) -> None:
    """Seed the current device's generator, now or when the runtime starts."""
    seed = int(seed)
    lazy_call(lambda: _seed_current(seed), seed=True)


def manual_seed_all(seed: int) -> None:
    """Seed every device's generator, now or when the runtime starts."""
    seed = int(seed)

    def call() -> None:
        for generator in default_generators:
            generator.manual_seed(seed)

    lazy_call(call, seed_all=True)


def seed() -> None:
    """Seed the current device's generator with a random number."""
    lazy_call(lambda: _generator(current_device()).seed())


def seed_all() -> None:
    """Seed every device's generator with the same random number."""

    def call() -> None:
        if default_generators:
            first, *others = default_generators
            first.seed()
            for generator in others:
                generator.manual_seed(first.initial_seed())

    lazy_call(call)


def initial_seed() -> int:
    """The seed of the current device's generator, an int of 64 bits."""
    lazy_init()
    return int(_generator(current_device()).initial_seed())
