"""What a process shows of itself to ``mindtorch npu top``.

With ``MINDTORCH_NPU_MONITOR=1`` a thread writes a small file a few times a second, in a folder of
this user's; it is removed when the process ends, and ignored when the process is gone.
"""

from __future__ import annotations

import atexit
import json
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from mindtorch_npu import runtime
from mindtorch_npu.allocator import CachingAllocator

__all__ = ["ENVIRONMENT", "processes", "start"]

ENVIRONMENT = "MINDTORCH_NPU_MONITOR"
_INTERVAL = 0.25


def _folder() -> Path:
    import tempfile  # not at import: few processes show themselves

    owner = os.getuid() if hasattr(os, "getuid") else 0
    return Path(tempfile.gettempdir()) / f"mindtorch-npu-{owner}"


def state(allocators: Iterable[CachingAllocator]) -> dict[str, Any]:
    """What is shown now."""
    driver = runtime.driver()
    devices = []
    for allocator in allocators:
        index = allocator.device_index
        stats = allocator.stats()
        used = stats["allocated_bytes"]["all"]
        devices.append(
            {
                "index": index,
                "allocated": used["current"],
                "peak": used["peak"],
                "reserved": stats["reserved_bytes"]["all"]["current"],
                "total": driver.memory_info(index)[1],
                "queued": sum(queue.last() is not None for queue in driver.queues(index)),
            }
        )
    program = " ".join(Path(word).name for word in sys.argv[:1]) or "python"
    return {"pid": os.getpid(), "program": program, "time": time.time(), "devices": devices}


def start(allocators: Callable[[], Iterable[CachingAllocator]]) -> None:
    """Show this process, whose *allocators* those are, until it ends."""
    folder = _folder()
    folder.mkdir(mode=0o700, exist_ok=True)
    if folder.is_symlink() or (hasattr(os, "getuid") and folder.stat().st_uid != os.getuid()):
        return  # somebody else's: write nothing there
    path = folder / f"{os.getpid()}.json"
    ended = threading.Event()

    def show() -> None:
        while not ended.is_set():
            fresh = path.with_suffix(".new")
            fresh.write_text(json.dumps(state(allocators())), "utf-8")
            fresh.replace(path)  # nobody reads half of it
            ended.wait(_INTERVAL)

    thread = threading.Thread(target=show, name="mindtorch npu monitor", daemon=True)

    def stop() -> None:
        ended.set()
        thread.join(1.0)
        path.unlink(missing_ok=True)

    atexit.register(stop)
    thread.start()


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def processes() -> list[dict[str, Any]]:
    """What this user's processes show, by process id. Files of dead ones are removed."""
    found = []
    folder = _folder()
    for path in sorted(folder.glob("*.*")) if folder.is_dir() else ():
        if path.stem.isdigit() and not _runs(int(path.stem)):
            path.unlink(missing_ok=True)
        elif path.suffix == ".json":
            try:
                shown = json.loads(path.read_text("utf-8"))
            except (OSError, ValueError):
                continue
            if isinstance(shown, dict) and "pid" in shown:
                found.append(shown)
    return sorted(found, key=lambda each: int(each["pid"]))
