"""How many threads a kernel on the cpu uses: products and Fourier transforms have threads.

The number of a product's belongs to the libraries that are loaded: ``threadpoolctl`` finds them and
sets it. A library that is loaded later (scipy brings a BLAS of its own) gets it on the next
setting. Transforms are told with each call.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from threadpoolctl import ThreadpoolController

__all__ = ["get_num_threads", "set_num_threads", "transform_threads"]

#: Transforms of fewer numbers take less time than to start a thread.
_WORTH_THREADS = 1 << 15
#: What a program set; None: one for each core.
_set: int | None = None


def _libraries() -> ThreadpoolController:
    from threadpoolctl import ThreadpoolController  # costs 6 ms, and few programs ask

    return ThreadpoolController().select(user_api="blas")


def get_num_threads() -> int:
    """How many threads a matrix product uses: one per core until another number is set."""
    return max((each.num_threads for each in _libraries().lib_controllers), default=1)


def transform_threads(size: int) -> int:
    """How many threads a Fourier transform of *size* numbers uses."""
    if size < _WORTH_THREADS:
        return 1
    return _set or len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1


def set_num_threads(*args: Any) -> None:
    """Let matrix products and Fourier transforms use *num* threads at most.

    Raises RuntimeError if *num* is not a positive integer.
    Source of the texts: torch torch/csrc/Module.cpp, THPModule_setNumThreads.
    """
    if len(args) != 1:
        raise TypeError(f"torch.set_num_threads() takes exactly one argument ({len(args)} given)")
    (num,) = args
    if isinstance(num, bool) or not isinstance(num, (int, np.integer)):
        raise RuntimeError(f"set_num_threads expects an int, but got {type(num).__name__}")
    if num <= 0:
        raise RuntimeError("set_num_threads expects a positive integer")
    global _set
    _set = int(num)
    for library in _libraries().lib_controllers:
        library.set_num_threads(_set)
