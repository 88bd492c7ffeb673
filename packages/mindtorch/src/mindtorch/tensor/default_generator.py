"""The generator of the host that ops draw from, and functions that seed all devices' with it."""

from __future__ import annotations

from typing import Any, Final, SupportsInt

from . import Tensor
from .generator import Generator

__all__ = [
    "default_generator",
    "get_rng_state",
    "initial_seed",
    "manual_seed",
    "seed",
    "seed_hooks",
    "set_rng_state",
]

#: The generator of ops that are given none, on the cpu: each process starts with another seed.
default_generator: Final = Generator()
default_generator.seed()

#: Called with the seed by :func:`manual_seed`: accelerators seed their generators here.
seed_hooks: list[Any] = []


def manual_seed(seed: SupportsInt) -> Generator:
    """Seed the generators of all devices and return the cpu's."""
    number = int(seed)
    default_generator.manual_seed(number)
    for hook in seed_hooks:
        hook(number)
    return default_generator


def seed() -> int:
    """Seed the generators of all devices from the operating system; returns the seed."""
    fresh = default_generator.seed()
    for hook in seed_hooks:
        hook(fresh)
    return fresh


def initial_seed() -> int:
    """The seed of the default generator."""
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the default generator."""
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Set the state of the default generator."""
    default_generator.set_state(new_state)
