"""How a process is, by what Linux says of it."""

from __future__ import annotations

from pathlib import Path

__all__ = ["is_uninterruptible_state", "read_proc_state"]


def read_proc_state(pid: int) -> str | None:
    """The letter of the state of the process *pid*; None where nothing says it."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return None
    return text.rpartition(")")[2].split()[0]


def is_uninterruptible_state(state: str | None) -> bool:
    """Whether a process in *state* waits where no signal reaches it."""
    return state == "D"
