"""What a function's second run must find as its first one did: random numbers, autocast, device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from mindtorch_storage import ACCELERATOR, Device
from mindtorch_storage.device import CUDA

from ... import amp  # noqa: F401  (see Note [Packages first])
from ...amp import autocast
from ...amp.switches import (
    get_autocast_dtype,
    is_autocast_available,
    is_autocast_cache_enabled,
    is_autocast_enabled,
)
from ...backends.devices import generator_on
from ...core import signature as S
from ...core.warning import warn
from ...random import fork_rng
from ...tensor import Tensor
from ...tensor.default_generator import get_rng_state, set_rng_state
from ...tensor.defaults import DeviceContext, default_device
from .._pytree import tree_flatten


class DefaultDeviceType:
    """The type of device whose random state is kept where no argument says one."""

    _default_device_type: str | None = None

    @staticmethod
    def set_device_type(device: str = CUDA) -> None:
        """Choose it."""
        DefaultDeviceType._default_device_type = device

    @staticmethod
    def get_device_type() -> str:
        """The one chosen, else the host."""
        return DefaultDeviceType._default_device_type or "cpu"


def get_device_states(*args: Any) -> tuple[list[int], list[Any]]:
    """The indices of the accelerators among the tensors of *args*, and their random states."""
    found = [
        t.device
        for t in tree_flatten(args)[0]
        if isinstance(t, Tensor) and t._sig_ & S.ACCELERATORS
    ]
    indices: list[Any] = [d.index for d in found]
    return indices, [generator_on(d).get_state() for d in found]


def set_device_states(
    devices: Sequence[int], states: Sequence[Any], *, device_type: str | None = None
) -> None:
    """Put the random states of accelerators back."""
    kind = device_type or DefaultDeviceType.get_device_type()
    if kind == "meta":
        return
    if kind == "cpu":
        kind = ACCELERATOR
    for index, state in zip(devices, states, strict=False):
        generator_on(Device(kind, index)).set_state(state)


def _infer_device_type(*args: Any) -> str:
    """The device whose random state a checkpoint keeps: that of its tensors."""
    types = [
        t.device.type
        for t in tree_flatten(args)[0]
        if isinstance(t, Tensor) and t.device.type != "cpu"
    ]
    if len(set(types)) > 1:
        warn(
            "Tensor arguments, excluding CPU tensors, are detected on at least two types of "
            "devices. Device state will only be saved for devices of a single device type, and "
            "the remaining devices will be ignored. Consequently, if any checkpointed functions "
            "involve randomness, this may result in incorrect gradients. (Note that if CUDA "
            "devices are among the devices detected, it will be prioritized; otherwise, the first "
            "device encountered will be selected.)\n"
            f"Device types: {sorted(set(types))} first device type: {types[0]}",
        )
    return types[0] if types else DefaultDeviceType.get_device_type()


class Environment:
    """The thread's state at the first run of a function with *args*."""

    def __init__(self, args: Any, preserve_rng_state: bool) -> None:
        self.device_type = _infer_device_type(*args)
        self.preserve = preserve_rng_state
        kinds = ["cpu", *([self.device_type] if self.device_type not in ("cpu", "meta") else [])]
        self.autocast = [
            {
                "device_type": kind,
                "enabled": is_autocast_enabled(kind),
                "dtype": get_autocast_dtype(kind),
                "cache_enabled": is_autocast_cache_enabled(),
            }
            for kind in kinds
            if is_autocast_available(kind)
        ]
        self.device = default_device()
        self.devices: list[int] = []
        if preserve_rng_state:
            self.host_state = get_rng_state()
            self.devices, self.states = get_device_states(*args)

    @contextmanager
    def again(self) -> Iterator[None]:
        """Run the body in that state; afterwards random numbers go on as if it had not run."""
        with ExitStack() as stack:
            stack.enter_context(
                fork_rng(self.devices, enabled=self.preserve, device_type=self.device_type)
            )
            if self.preserve:
                set_rng_state(self.host_state)
                set_device_states(self.devices, self.states, device_type=self.device_type)
            for settings in self.autocast:
                stack.enter_context(autocast(**settings))
            if self.device is not None:
                DeviceContext.enter(self.device)
                stack.callback(DeviceContext.exit)
            yield
