"""What is alive in this process: the books that must balance at the end."""

from __future__ import annotations

import gc
import os
import sys
import threading
from pathlib import Path

import mindtorch
from mindtorch_autograd.node import Node
from mindtorch_npu import backend

from .sharing import Partner

_KINDS = {
    "tensors": mindtorch.Tensor,
    "nodes": Node,
    "storages": mindtorch.UntypedStorage,
    "generators": mindtorch.Generator,
}


def alive() -> dict[str, int]:
    """How many objects of each kind there are, without the help of the collector."""
    found = dict.fromkeys(_KINDS, 0)
    for each in gc.get_objects():
        for name, kind in _KINDS.items():
            if isinstance(each, kind):
                found[name] += 1
    return found


def held() -> dict[str, int]:
    """What the operating system and the device hold for this process and its children."""
    return {
        "descriptors": len(os.listdir("/proc/self/fd")) if Path("/proc/self/fd").exists() else 0,
        # Workers of streams come when something waits for long and go when they have nothing to do.
        "threads": sum([not t.name.startswith("mindtorch npu:") for t in threading.enumerate()]),
        "names of shared memory": len(shared_names()),
        "bytes on the device": mindtorch.npu.memory_allocated(),
    }


def shared_names() -> list[str]:
    """Named memory that this process and its workers have left."""
    makers = {os.getpid(), *Partner.pids}
    names = [p.name for p in Path("/dev/shm").glob("torch_*")]
    return [name for name in names if int(name.split("_")[1]) in makers]


def forget() -> None:
    """Let the device's allocator forget the states it has met; what it knows of them is no leak."""
    backend.allocator(0).refresh()


def resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not say."""
    try:
        text = Path("/proc/self/statm").read_text()
    except OSError:
        return 0
    return int(text.split()[1]) * os.sysconf("SC_PAGESIZE")


def blocks() -> int:
    """Objects that Python's allocator has given out."""
    return sys.getallocatedblocks()
