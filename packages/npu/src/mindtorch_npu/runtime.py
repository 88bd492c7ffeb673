"""The state of the process: its driver, the initialisation, and what a fork leaves of it."""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Callable

from mindtorch_npu import call_site, errors, visible_devices
from mindtorch_npu.call_site import Site
from mindtorch_npu.protocols import Driver

__all__ = [
    "device_count",
    "driver",
    "init",
    "is_available",
    "is_initialized",
    "lazy_call",
    "lazy_init",
]


#: Whether the devices are real. Fixed when the package is imported.
HARDWARE = os.environ.get("MINDTORCH_NPU_DRIVER", "simulator") != "simulator"


def _is_dry() -> bool:
    mode = os.environ.get("MINDTORCH_NPU_MODE", "run")
    if mode not in ("run", "dry"):
        raise ValueError(f"MINDTORCH_NPU_MODE must be run or dry, got {mode!r}")
    if mode == "dry" and HARDWARE:
        raise ValueError(
            "MINDTORCH_NPU_MODE=dry is the simulator's, and MINDTORCH_NPU_DRIVER names another "
            "driver: unset one of them"
        )
    return mode == "dry"


#: Whether this process only books memory; see ``dry_run.py``. Fixed when the package is imported.
DRY = _is_dry()


class _Thread(threading.local):
    """Whether this thread initialises the runtime."""

    initializing = False


_thread = _Thread()
_initialized = False
_in_bad_fork = False
_lock = threading.RLock()  # a queued call may itself call lazy_call
_driver: Driver | None = None
_on_init: list[Callable[[], object]] = []
_queued: list[tuple[Callable[[], object], list[Site]]] = []
_seeds: dict[str, tuple[Callable[[], object], list[Site]]] = {}


#: What a driver is made from, and what that was when it was made.
_MAKING = (
    *("MINDTORCH_NPU_DEVICES", "MINDTORCH_NPU_MEMORY", "MINDTORCH_NPU_DEVICE"),
    *("MINDTORCH_NPU_LAUNCH_BLOCKING", visible_devices.VARIABLE),
)
_made_from: tuple[str | None, ...] = ()


def driver() -> Driver:
    """The driver that ``MINDTORCH_NPU_DRIVER`` names (the simulator unless told otherwise)."""
    global _driver, _made_from
    found = _driver
    if found is None:
        with _lock:
            if _driver is None:
                _made_from = tuple([os.environ.get(name) for name in _MAKING])
                _driver = make_driver()
            found = _driver
    return found


def _look_again() -> None:
    """Until the initialisation the environment may change, and what it says is not kept."""
    global _driver
    if _driver is not None and _made_from != tuple([os.environ.get(name) for name in _MAKING]):
        with _lock:
            if not _initialized and not _thread.initializing:
                _driver = None


def _no_driver() -> Driver:
    raise RuntimeError("import mindtorch_npu, and not this module alone: drivers.py makes drivers")


#: Makes the driver that the environment names; set by ``drivers.py``.
make_driver: Callable[[], Driver] = _no_driver


def device_count() -> int:
    """How many devices there are; before the initialisation as the environment says now."""
    if not _initialized:
        _look_again()
    return driver().device_count()


def is_available() -> bool:
    """Whether there is a device; never raises."""
    try:
        return device_count() > 0
    except Exception:
        return False


def is_initialized() -> bool:
    """Whether the runtime runs, in this process."""
    return _initialized and not _in_bad_fork


def is_in_bad_fork() -> bool:
    """Whether this process was forked from one which had initialised the runtime."""
    return _in_bad_fork


def init() -> None:
    """Start the runtime; everything that needs it does so by itself."""
    lazy_init()


def lazy_init() -> None:
    """Start the runtime once, and run the calls that waited for it."""
    global _initialized
    if _initialized and not _in_bad_fork or _thread.initializing:  # often asked
        return
    with _lock:
        if is_initialized():
            return
        if _in_bad_fork:
            raise errors.bad_fork()
        if device_count() == 0:
            raise errors.not_compiled()
        _thread.initializing = True
        try:
            for hook in _on_init:
                hook()
            for call, stack in _queued + list(_seeds.values()):
                try:
                    call()
                except Exception as error:
                    told = call_site.as_python_prints(stack)
                    raise errors.deferred_call_failed(error, told) from error
        finally:
            _thread.initializing = False
        _queued.clear()
        _seeds.clear()
        _initialized = True


def lazy_call(call: Callable[[], object], *, seed: bool = False, seed_all: bool = False) -> None:
    """Run *call* now, or during the initialisation if that is still to come.

    Of the calls with *seed* and of those with *seed_all* only the last counts; they run after the
    others, the most recent last.
    """
    with _lock:
        if is_initialized():
            call()
            return
        stack = call_site.whole_stack(2)
        if seed or seed_all:
            kind = "seed_all" if seed_all else "seed"
            _seeds.pop(kind, None)
            _seeds[kind] = (call, stack)
        else:
            _queued.append((call, stack))


def on_init(hook: Callable[[], object]) -> None:
    """Run *hook* first thing in the initialisation (and now, if that is over)."""
    _on_init.append(hook)
    if _initialized:
        hook()


def check_ordinal(device_index: int) -> None:
    """Initialise, then refuse an index that has no device."""
    lazy_init()
    if not 0 <= device_index < device_count():
        raise errors.invalid_ordinal()


def _after_fork_in_child() -> None:
    """The child has neither the worker threads nor the device: poison it, as CUDA does."""
    global _in_bad_fork, _lock
    _lock = threading.RLock()
    if not _initialized:
        return
    _in_bad_fork = True
    the_driver = driver()
    for index in range(the_driver.device_count()):
        for queue in the_driver.queues(index):
            queue.drop()


def _at_exit() -> None:
    if _initialized and not _in_bad_fork:
        driver().shut_down()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork_in_child)

atexit.register(_at_exit)
