"""``mindtorch npu``: what the memory of an NPU looks like."""

from __future__ import annotations

from ..lazy import Member, group

app = group(
    "The simulated NPU: its memory.",
    {
        "memory-summary": Member(
            f"{__name__}.memory_summary",
            "Print torch.npu.memory_summary() as it stands when a script has ended.",
        ),
    },
)


@app.callback()
def options() -> None:
    pass
