"""What every part of mindtorch may have to ask of this thread's pipeline."""

from __future__ import annotations

from mindtorch_dispatch import current_pipeline


def flush_current() -> None:
    """Flush this thread's pipeline, where it has one.

    Called by reads, and by whatever hands out memory or changes state that queued kernels read
    (a storage, a random generator, the default dtype).
    """
    pipe = current_pipeline()
    if pipe is not None:
        pipe.flush()
