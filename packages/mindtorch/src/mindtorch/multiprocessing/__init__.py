"""``torch.multiprocessing``: Python's own, through which tensors go by their shared memory.

Importing it teaches ``multiprocessing`` to send storages and tensors as handles, so every queue,
pipe and pool does. Which handles, the strategy says: ``file_descriptor`` or ``file_system``.
"""

from __future__ import annotations

import multiprocessing
import sys
from importlib import import_module as _import_module
from multiprocessing import *
from typing import Any

from mindtorch_storage import sharing as _sharing
from mindtorch_storage.memory import STRATEGIES, Strategy

from ..core.submodules import reached as _reached
from . import spawn as _spawn
from .reductions import init_reductions
from .spawn import (
    ENV_VAR_PARALLEL_START,
    ProcessContext,
    ProcessExitedException,
    ProcessRaisedException,
    SpawnContext,
    start_processes,
)
from .thread_name import _get_thread_name, _prctl_pr_set_pdeathsig, _set_thread_name

__all__ = [
    "set_sharing_strategy",
    "get_sharing_strategy",
    "get_all_sharing_strategies",
    *[name for name in multiprocessing.__all__ if not name.startswith("_")],
]

_all_sharing_strategies = set(STRATEGIES) if sys.platform == "linux" else {"file_system"}


def set_sharing_strategy(new_strategy: str) -> None:
    """Choose how memory goes to other processes from now on.

    Raises AssertionError for a strategy that this system does not have.
    """
    if new_strategy not in _all_sharing_strategies:
        raise AssertionError(
            f"invalid sharing strategy {new_strategy!r}, expected one of {_all_sharing_strategies}"
        )
    Strategy.current = new_strategy


def get_sharing_strategy() -> str:
    """The current strategy."""
    return Strategy.current


def get_all_sharing_strategies() -> set[str]:
    """The strategies that this system has."""
    return _all_sharing_strategies


def shared_files_count() -> int:
    """How many mappings this process holds of memory that goes by ``file_system``."""
    return len(_sharing.named())


def cleanup_shared_files() -> None:
    """Remove the names of all that :func:`shared_files_count` counts, though it is in use.

    Who has the memory keeps it; who was sent it and has not opened it yet can no more.
    """
    for memory in _sharing.named():
        memory.remove_name()


if Strategy.current not in _all_sharing_strategies:
    Strategy.current = "file_system"

#: The function, as in torch; its module is ``sys.modules["….multiprocessing.spawn"]``.
spawn = _spawn.spawn

init_reductions()


#: Not at import: few programs use torch's own.
__getattr__ = _reached(__name__, ("_atfork", "pool", "queue"))


_EXPORTED = (
    ENV_VAR_PARALLEL_START,
    ProcessContext,
    ProcessExitedException,
    ProcessRaisedException,
    SpawnContext,
    _get_thread_name,
    _prctl_pr_set_pdeathsig,
    _set_thread_name,
    start_processes,
)


def __dir__() -> list[str]:
    return sorted(__all__)
