"""``torch.random``: seeds and states of the default generators."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from mindtorch_npu import device_count, is_initialized
from mindtorch_npu import random as npu_random
from mindtorch_storage import Device

from ._pickling import living_in
from .generator import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

__all__ = [
    "Generator",
    "default_generator",
    "fork_rng",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "set_rng_state",
    "thread_safe_generator",
]


living_in(__name__, get_rng_state, initial_seed, manual_seed, seed, set_rng_state)


def thread_safe_generator() -> Generator | None:
    """The generator of the data loader's thread that this is, None anywhere else.

    Always None: mindtorch has no data loader, so no thread is one of its.
    """
    return None


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
    :param enabled: False: the block changes nothing.
    """
    if device_type is not None:
        Device(device_type)  # refuses what is none
    if not enabled or device_type == "meta":
        yield
        return
    if devices is None:
        count = device_count()
        if count > 1 and is_initialized():  # else nobody draws on them
            _warn_once(count, _caller, _devices_kw)
        devices = range(count)
    indices = list(devices)
    host = get_rng_state()
    states = [npu_random.get_rng_state(i) for i in indices]
    try:
        yield
    finally:
        set_rng_state(host)
        for i, state in zip(indices, states, strict=True):
            npu_random.set_rng_state(state, i)


_warned: list[bool] = []


def _warn_once(count: int, caller: str, keyword: str) -> None:
    if _warned:
        return
    _warned.append(True)
    warnings.warn(
        f"NPU reports that you have {count} available devices, and you have used {caller} without "
        "explicitly specifying which devices are being used. For safety, we initialize *every* "
        "NPU device by default, which can be quite slow if you have a lot of NPUs. If you know "
        "that you are only making use of a few NPU devices, set the environment variable "
        f"MINDTORCH_NPU_DEVICES or the '{keyword}' keyword argument of {caller} with the set of "
        "devices you are actually using.",
        stacklevel=4,
    )
