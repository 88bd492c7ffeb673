"""What every part of mindtorch may have to ask of what this thread has deferred."""

from __future__ import annotations

from mindtorch_dispatch import current_pipeline

from ..core.compiling import end_graph, recorder


def flush_current() -> None:
    """Flush this thread's pipeline, where it has one, and end the graph of a compiled function.

    Called by reads, and by whatever hands out memory or changes state that queued kernels read
    (a storage, a random generator, the default dtype).
    """
    if recorder.get() is not None:
        end_graph("numbers, memory or a state that deferred calls read")
    pipe = current_pipeline()
    if pipe is not None:
        pipe.flush()
