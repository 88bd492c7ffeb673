"""``torch.random``: seeds and states of the default generators."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from mindtorch_npu import device_count, is_initialized
from mindtorch_npu import random as npu_random
from mindtorch_npu.naming import NAME
from mindtorch_storage import ACCELERATOR, Device

from .backends.backend import BACKENDS, Backend
from .backends.devices import generator_on
from .core.module_names import living_in
from .core.warning import warn
from .tensor.default_generator import default_generator as default_generator
from .tensor.default_generator import (
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)
from .tensor.generator import Generator

__all__ = [
    "set_rng_state",
    "get_rng_state",
    "manual_seed",
    "seed",
    "initial_seed",
    "fork_rng",
    "thread_safe_generator",
]


living_in(__name__, get_rng_state, initial_seed, manual_seed, seed, set_rng_state)


def thread_safe_generator() -> Generator | None:
    """The generator of the data loader's thread that this is, None anywhere else.

    Processes of a data loader have a default generator each, threads share it.
    """
    data = sys.modules.get(f"{__package__}.utils.data")  # who has no loader has no thread of one
    info = None if data is None else data.get_worker_info()
    if info is None or getattr(info, "worker_method", None) != "thread" or info.rng is None:
        return None
    found: Generator | None = info.rng.torch_generator
    return found


@contextmanager
def fork_rng(
    devices: Iterable[int] | None = None,
    enabled: bool = True,
    _caller: str = "fork_rng",
    _devices_kw: str = "devices",
    device_type: str | None = None,
) -> Iterator[None]:
    """Random numbers drawn in the block leave the generators as they were before it.

    :param devices: indices of the accelerators whose generators are put back too; all by default,
        with torch's warning where there are several. The host's generator always is.
    :param enabled: False: nothing is put back.
    :param device_type: another kind of device to put back the generators of.
    """
    kind = None if device_type is None else Device(device_type).type  # refuses what is none
    if not enabled or kind == "meta":
        yield
        return
    module = _generators_of(kind)
    if devices is None:
        count = 0 if module is None else module.device_count()
        if module is _NPU and count > 1 and is_initialized():  # else nobody draws on them
            _warn_once(count, _caller, _devices_kw)
        devices = range(count)
    indices = [] if module is None else list(devices)
    host = get_rng_state()
    states = [module.get_rng_state(i) for i in indices]
    try:
        yield
    finally:
        set_rng_state(host)
        for i, state in zip(indices, states, strict=True):
            module.set_rng_state(state, i)


def _generators_of(kind: str | None) -> Any:
    """The module with the generators of a kind of device, None for the host's own."""
    if kind is None or kind == ACCELERATOR:
        return _NPU
    if kind == "cpu":
        return None
    module = getattr(import_module(__package__), kind, None)
    backend = BACKENDS.get(kind)
    if module is None and backend is not None and backend.numbers is not None:
        return _Generators(backend)
    if module is None:
        raise RuntimeError(
            f"Device '{kind}' does not have a corresponding module registered as 'torch.{kind}'."
        )
    return module


class _Generators:
    """Those of a backend's devices."""

    def __init__(self, backend: Backend) -> None:
        self.name = backend.name
        self.device_count = backend.device_count

    def get_rng_state(self, index: int) -> Any:
        """The state of the generator of one device."""
        return generator_on(Device(self.name, index)).get_state()

    def set_rng_state(self, state: Any, index: int) -> None:
        """Go on from *state* there."""
        generator_on(Device(self.name, index)).set_state(state)


class _NPU:
    """The accelerators, as the modules of other kinds of device show theirs."""

    device_count = staticmethod(device_count)
    get_rng_state = staticmethod(npu_random.get_rng_state)
    set_rng_state = staticmethod(npu_random.set_rng_state)


_warned: list[bool] = []


def _warn_once(count: int, caller: str, keyword: str) -> None:
    if _warned:
        return
    _warned.append(True)
    warn(
        f"{NAME} reports that you have {count} available devices, and you have used {caller} "
        "without explicitly specifying which devices are being used. For safety, we initialize "
        f"*every* {NAME} device by default, which can be quite slow if you have a lot of "
        f"{NAME}s. If you know that you are only making use of a few {NAME} devices, set the "
        f"environment variable MINDTORCH_NPU_DEVICES or the '{keyword}' keyword argument of "
        f"{caller} with the set of "
        "devices you are actually using.",
    )
