"""``torch.testing._utils``: helpers of tests that need nothing but the framework."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from .. import accelerator, random
from .._C import _DisableFuncTorch
from ..backends.device_modules import get_device_module
from ..utils._mode_utils import no_dispatch

__all__ = ["freeze_rng_state", "wrapper_set_seed"]


@contextmanager
def freeze_rng_state() -> Iterator[None]:
    """After the block the host and the current accelerator draw what they would have without it."""
    device = accelerator.current_accelerator(check_available=True)
    with no_dispatch(), _DisableFuncTorch():
        states = random.get_rng_state(), device and get_device_module(device).get_rng_state()
    try:
        yield
    finally:
        with no_dispatch(), _DisableFuncTorch():
            if device is not None:
                get_device_module(device).set_rng_state(states[1])
            random.set_rng_state(states[0])


def wrapper_set_seed(op: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """``op(*args, **kwargs)`` with seed 42; nothing else that is drawn changes by it."""
    with freeze_rng_state():
        random.manual_seed(42)
        return op(*args, **kwargs)
