"""Random numbers of CUDA's devices: there are none, and a seed waits for a use that never comes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from mindtorch_storage.device import CUDA

from ..aten import torch
from . import _absent

__all__ = [
    "get_rng_state",
    "get_rng_state_all",
    "set_rng_state",
    "set_rng_state_all",
    "manual_seed",
    "manual_seed_all",
    "seed",
    "seed_all",
    "initial_seed",
]


def get_rng_state(device: Any = CUDA) -> torch.Tensor:
    """Raises AssertionError: there is no CUDA here."""
    return _absent._lazy_init()


def get_rng_state_all() -> list[torch.Tensor]:
    """The state of every device's generator: none."""
    return [get_rng_state(i) for i in range(_absent.device_count())]


def set_rng_state(new_state: torch.Tensor, device: Any = CUDA) -> None:
    """Keep the state for the first use of the device."""
    state = new_state.clone(memory_format=torch.contiguous_format)
    _absent._lazy_call(lambda: state)


def set_rng_state_all(new_states: Iterable[torch.Tensor]) -> None:
    """Keep a state for every device."""
    for i, state in enumerate(new_states):
        set_rng_state(state, i)


def manual_seed(seed: int) -> None:
    """Keep the seed for the first use of the present device."""
    seed = int(seed)
    _absent._lazy_call(lambda: seed)


def manual_seed_all(seed: int) -> None:
    """Keep the seed for the first use of every device."""
    seed = int(seed)
    _absent._lazy_call(lambda: seed)


def seed() -> None:
    """Have the present device seeded at its first use."""
    _absent._lazy_call(lambda: None)


def seed_all() -> None:
    """Have every device seeded at its first use."""
    _absent._lazy_call(lambda: None)


def initial_seed() -> int:
    """Raises AssertionError: there is no CUDA here."""
    return _absent._lazy_init()
