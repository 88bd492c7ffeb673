"""``mindtorch npu``: what the memory of an NPU looks like."""

from __future__ import annotations

from ..lazy_group import Member, group

app = group(
    "The simulated NPU: memory, streams, plans.",
    {
        "memory-summary": Member(
            f"{__name__}.memory_summary",
            "Print torch.npu.memory_summary() as it stands when a script has ended.",
        ),
        "plan": Member(
            f"{__name__}.plan",
            "Run a script without computing: does its memory fit the device, and who holds it?",
        ),
        "replay": Member(
            f"{__name__}.replay",
            "Run a recorded memory history under another capacity or other settings.",
        ),
        "sanitize": Member(
            f"{__name__}.sanitize",
            "Run a script and report races between streams, with the lines of both sides.",
        ),
        "snapshot": Member(
            f"{__name__}.snapshot",
            "Run a script and write its memory history and what its streams ran.",
        ),
        "timeline": Member(
            f"{__name__}.timeline",
            "Draw a memory snapshot as one page: allocations by line, segments, streams.",
        ),
        "top": Member(
            f"{__name__}.top",
            "Watch the memory of running processes, or of a script that is started.",
        ),
        "tune": Member(
            f"{__name__}.tune",
            "Search the allocator settings under which a recorded history needs least memory.",
        ),
    },
)


@app.callback()
def options() -> None:
    pass
