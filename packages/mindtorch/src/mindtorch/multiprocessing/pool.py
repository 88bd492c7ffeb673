"""``torch.multiprocessing.Pool``: its queues are :class:`SimpleQueue`; workers collect garbage."""

from __future__ import annotations

import gc
import multiprocessing.pool
import multiprocessing.util
from typing import Any

from .queue import SimpleQueue

__all__ = ["Pool", "SimpleQueue", "clean_worker"]


def clean_worker(*args: Any, **kwargs: Any) -> None:
    """A worker, and after it what keeps shared memory alive."""
    multiprocessing.pool.worker(*args, **kwargs)  # type: ignore[attr-defined]  # not in the stubs
    gc.collect()


class Pool(multiprocessing.pool.Pool):
    """A pool whose tasks and results go through :class:`SimpleQueue`."""

    _ctx: Any

    def _setup_queues(self) -> None:
        self._inqueue = SimpleQueue(ctx=self._ctx)
        self._outqueue = SimpleQueue(ctx=self._ctx)
        self._quick_put = self._inqueue._writer.send  # type: ignore[attr-defined]  # not in the stubs
        self._quick_get = self._outqueue._reader.recv  # type: ignore[attr-defined]  # not in the stubs

    def _repopulate_pool(self) -> None:
        """Start the workers that are missing."""
        pool: Any = self  # the stubs know none of its fields
        for _ in range(pool._processes - len(pool._pool)):
            worker = self._ctx.Process(
                target=clean_worker,
                args=(
                    self._inqueue,
                    self._outqueue,
                    pool._initializer,
                    pool._initargs,
                    pool._maxtasksperchild,
                    pool._wrap_exception,
                ),
            )
            pool._pool.append(worker)
            worker.name = worker.name.replace("Process", "PoolWorker")
            worker.daemon = True
            worker.start()
            multiprocessing.util.debug("added worker")
