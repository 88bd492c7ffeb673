"""The stacks of a snapshot as ``python script`` would have them: without this command's frames."""

from __future__ import annotations

from typing import Any

from mindtorch_npu.call_site import end_stacks_at

from ..script import RUNPY, execute

__all__ = ["of_the_script"]

# To walk further up, and keep what is there, would cost more than the rest of an entry.
end_stacks_at(execute.__code__)
_HERE = execute.__code__.co_filename


def of_the_script(snapshot: dict[str, Any]) -> dict[str, Any]:
    """*snapshot*, its stacks cut in place where the script was started."""
    holders = [entry for trace in snapshot["device_traces"] for entry in trace]
    holders += snapshot["segments"]
    holders += [block for segment in snapshot["segments"] for block in segment["blocks"]]
    for holder in holders:
        frames = holder.get("frames", ())
        for i, frame in enumerate(frames):
            if frame["filename"] == _HERE:
                while i and frames[i - 1]["filename"] in RUNPY:
                    i -= 1
                del frames[i:]
                break
    return snapshot
