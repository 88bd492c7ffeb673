"""Files of events."""

from __future__ import annotations

import time
from typing import Any

from tensorboard.compat.proto import event_pb2
from tensorboard.summary.writer.event_file_writer import EventFileWriter

from ...core.module_names import living_in

__all__ = ["FileWriter"]


class FileWriter:
    """Writes events into a file in a folder, in a thread of its own.

    :param max_queue: how many events may wait.
    :param flush_secs: how often they are written.
    """

    def __init__(
        self, log_dir: Any, max_queue: int = 10, flush_secs: int = 120, filename_suffix: str = ""
    ) -> None:
        log_dir = str(log_dir)
        self.event_writer = EventFileWriter(log_dir, max_queue, flush_secs, filename_suffix)

    def get_logdir(self) -> str:
        """The folder."""
        found: str = self.event_writer.get_logdir()
        return found

    def add_event(self, event: Any, step: Any = None, walltime: float | None = None) -> None:
        """Write an event: a message of ``tensorboard``."""
        if step is not None:
            event.step = int(step)
        event.wall_time = walltime if walltime is not None else time.time()
        self.event_writer.add_event(event)

    def add_summary(
        self, summary: Any, global_step: Any = None, walltime: float | None = None
    ) -> None:
        """Write a summary."""
        self.add_event(event_pb2.Event(summary=summary), global_step, walltime)

    def add_graph(self, graph_profile: Any, walltime: float | None = None) -> None:
        """Write a graph, and what its steps cost."""
        graph_def, stepstats = graph_profile
        event = event_pb2.Event(graph_def=graph_def.SerializeToString())
        self.add_event(event, None, walltime)
        metadata = event_pb2.TaggedRunMetadata(
            tag="step1", run_metadata=stepstats.SerializeToString()
        )
        self.add_event(event_pb2.Event(tagged_run_metadata=metadata), None, walltime)

    def add_onnx_graph(self, graph: Any, walltime: float | None = None) -> None:
        """Write a graph of ONNX."""
        event = event_pb2.Event(graph_def=graph.SerializeToString())
        self.add_event(event, None, walltime)

    def flush(self) -> None:
        """Write what waits."""
        self.event_writer.flush()

    def close(self) -> None:
        """Write what waits and close the file."""
        self.event_writer.close()

    def reopen(self) -> None:
        """Open a new file after :meth:`close`."""
        self.event_writer.reopen()


living_in(f"{__package__}.writer", FileWriter)
