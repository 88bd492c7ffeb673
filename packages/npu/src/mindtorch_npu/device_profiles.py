"""Devices that a plan can be made for: one row each.

``total`` is what the driver reports, in MiB; ``context`` is what a process cannot have of it, for
the driver and its libraries take it; ``padding`` is added to each request before it is rounded, as
torch_npu does before Ascend950 (source: torch_npu's allocator). ``basis`` says where the total
comes from:

``ours``      the simulator's own
``nominal``   the memory that the part is sold with; its driver reports somewhat less
``reported``  what users report as ``total_memory`` of torch's device properties; not checked
``given``     whoever asked for the plan

Every context is an estimate, and nothing here was measured: figures vary with driver and libraries
by some hundred MiB, so what fits by less than that may not. ``MINDTORCH_NPU_MEMORY`` overrides the
total.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["PROFILES", "SIMULATOR", "Profile", "profile"]


class Profile(NamedTuple):
    """One kind of device; sizes are MiB, padding is bytes."""

    name: str
    total: int
    context: int
    padding: int = 0
    major: int = 0
    minor: int = 0
    basis: str = "reported"


#: The kind of device unless told otherwise.
SIMULATOR = Profile("simulator", 32768, 512, major=9, basis="ours")
PROFILES: tuple[Profile, ...] = (
    SIMULATOR,
    Profile("910A-32GB", 32768, 2800, padding=32, basis="nominal"),
    Profile("910B-32GB", 32768, 2900, padding=32, basis="nominal"),
    Profile("910B-64GB", 65536, 2900, padding=32, basis="nominal"),
    Profile("910C-64GB", 65536, 2900, padding=32, basis="nominal"),
    Profile("310P-24GB", 24576, 1800, padding=32, basis="nominal"),
    Profile("T4-16GB", 14914, 260, major=7, minor=5),
    Profile("V100-16GB", 16144, 310, major=7),
    Profile("V100-32GB", 32493, 310, major=7),
    Profile("A10-24GB", 22592, 310, major=8, minor=6),
    Profile("A100-40GB", 40326, 420, major=8),
    Profile("A100-80GB", 81051, 430, major=8),
    Profile("L4-24GB", 22563, 300, major=8, minor=9),
    Profile("L40S-48GB", 45457, 400, major=8, minor=9),
    Profile("RTX3090-24GB", 24111, 300, major=8, minor=6),
    Profile("RTX4090-24GB", 24080, 350, major=8, minor=9),
    Profile("H100-80GB", 81089, 530, major=9),
    Profile("H200-141GB", 143156, 530, major=9),
    Profile("B200-180GB", 182642, 600, major=10),
)
_BY_NAME = {row.name.lower(): row for row in PROFILES}


def profile(name: str) -> Profile:
    """The row of that name, whatever its case. Raises ValueError where there is none."""
    found = _BY_NAME.get(name.strip().lower())
    if found is None:
        names = ", ".join(row.name for row in PROFILES)
        raise ValueError(f"no device called {name!r}; there are {names}")
    return found
