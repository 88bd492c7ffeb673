"""Runs a script in dry mode and writes what its memory did: the child process of ``npu plan``.

``python -m mindtorch_cli.npu.dry_run SCRIPT REPORT SNAPSHOT DEVICE MODULE [ARGUMENTS…]``, with
``MINDTORCH_NPU_MODE=dry`` set. DEVICE is the default device of factories, or empty; MODULE is empty
unless SCRIPT is the name of a module.
"""

from __future__ import annotations

import contextlib
import gc
import io
import json
import pickle
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import mindtorch as torch
from mindtorch_npu.peak_usage import usage

from ..broken_pipe import GONE, go_on_unread
from ..script import INTERRUPTED, before_os_exit, execute, show
from .stacks import of_the_script
from .unfilled import leave_large_host_tensors_unfilled


def main(script: str, report: str, snapshot: str, device: str, module: str, *arguments: str) -> int:
    """Run *script*; the report is JSON, the snapshot a pickle unless its name is empty."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # whoever reads a pipe waits for lines, too
    unfilled = leave_large_host_tensors_unfilled()
    if device:
        torch.set_default_device(device)
    torch.npu.memory._record_memory_history(context="alloc", clear_history=True)
    error: BaseException | None = None
    code = 0
    start = time.perf_counter()

    def tell(code: int) -> int:
        with contextlib.suppress(ValueError):  # in another thread than the main one
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # who said it once need not again
        seconds = time.perf_counter() - start
        if error is not None:
            # What its frames hold is freed now, however many of them its traceback shows.
            traceback.clear_frames(error.__traceback__)
        gc.collect()
        seen = of_the_script(torch.npu.memory._snapshot())
        if snapshot:
            Path(snapshot).write_bytes(pickle.dumps(seen))
        found = summary(seen, seconds, error)
        Path(report).write_text(json.dumps(found), "utf-8")
        return code

    try:
        with before_os_exit(tell):
            code = execute(Path(script), list(arguments), module=bool(module))
    except torch.OutOfMemoryError as raised:
        error = raised
    except (Exception, KeyboardInterrupt) as raised:
        if isinstance(raised, BrokenPipeError) and go_on_unread():
            code = GONE
        else:
            show(raised)
            error, code = raised, INTERRUPTED if isinstance(raised, KeyboardInterrupt) else 1
    del unfilled
    return tell(code)


def summary(
    snapshot: dict[str, Any], seconds: float, error: BaseException | None
) -> dict[str, Any]:
    """Per device that was used what was needed, whether it fits, and who held the memory."""
    devices = []
    for used in usage(snapshot):
        index = used["device"]
        stats = torch.npu.memory_stats(index)
        if not stats["reserved_bytes.all.peak"] and used["out_of_memory"] is None:
            continue
        total = torch.npu.get_device_properties(index).total_memory
        free, _ = torch.npu.mem_get_info(index)
        context = total - free - stats["reserved_bytes.all.current"]
        devices.append(
            {
                "name": torch.npu.get_device_name(index),
                "total_bytes": total,
                "context_bytes": context,
                "peak_allocated": stats["allocated_bytes.all.peak"],
                "peak_reserved": stats["reserved_bytes.all.peak"],
                "memory_fraction": torch.npu.get_per_process_memory_fraction(index),
                "fits": stats["num_ooms"] == 0,
                "refused": stats["num_ooms"],
                **used,
            }
        )
    used_ones = {each["device"] for each in devices}
    return {
        "seconds": seconds,
        "error": None if error is None else f"{type(error).__name__}: {error}".rstrip(": "),
        "devices": devices,
        "recorded": torch._C._npu_isHistoryEnabled(),
        "unused": [i for i in range(torch.npu.device_count()) if i not in used_ones],
    }


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
