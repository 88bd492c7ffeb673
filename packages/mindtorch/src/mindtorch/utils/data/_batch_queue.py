"""The queue that all workers of a loader put their batches into."""

from __future__ import annotations

from typing import Any

from ..._utils import ExceptionWrapper
from ...multiprocessing.descriptor_queue import CAN_CARRY, DescriptorQueue
from ._utils import worker

__all__ = ["BatchQueue", "batch_queue"]


class BatchQueue(DescriptorQueue):
    """Takes (number, batch); what cannot be sent is told to who waits for it."""

    def not_sent(self, error: Exception, message: Any) -> None:
        """Put the reason in the place of a batch that cannot be pickled."""
        info = worker.get_worker_info()
        if info is None or isinstance(error, ConnectionError):  # nobody is there to be told
            super().not_sent(error, message)
            return
        number, data = message
        if isinstance(data, ExceptionWrapper):  # its type is known in the worker alone
            data.exc_type = RuntimeError
        else:
            where = f"in DataLoader worker process {info.id}"
            data = ExceptionWrapper((type(error), error, error.__traceback__), where)
        self.put((number, data))


def batch_queue(context: Any) -> Any:
    """The queue for workers that *context* starts."""
    return BatchQueue(ctx=context.get_context()) if CAN_CARRY else context.Queue()
