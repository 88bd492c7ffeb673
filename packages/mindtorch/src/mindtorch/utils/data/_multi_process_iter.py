"""A pass over batches that worker processes make."""

from __future__ import annotations

import errno
import functools
import itertools
import os
import pickle
import queue
import tempfile
import threading
import weakref
from contextlib import ExitStack
from multiprocessing import resource_tracker
from typing import Any

from ... import accelerator, multiprocessing
from ..._utils import ExceptionWrapper
from ...core.warning import warn
from . import _utils
from ._batch_queue import batch_queue
from ._single_process_iter import _BaseDataLoaderIter
from ._utils.fetch import _DatasetKind
from .datapipes.datapipe import IterDataPipe, MapDataPipe
from .graph_settings import apply_sharding

__all__: list[str] = []

#: With fewer than these to spare a process is at its limit of open files.
_FEW_DESCRIPTORS = 10


def _sharding_worker_init_fn(
    worker_init_fn: Any, world_size: int, rank_id: int, worker_id: int
) -> None:
    """In a worker: give a graph of pipes its shard, first of the processes, then of the workers."""
    info = _utils.worker.get_worker_info()
    if info is None:
        raise AssertionError("Worker info is None in sharding worker init function")
    pipe = info.dataset
    if not isinstance(pipe, (IterDataPipe, MapDataPipe)):
        raise AssertionError("datapipe must be an instance of IterDataPipe or MapDataPipe")
    workers = info.num_workers
    apply_sharding(pipe, world_size * workers, rank_id * workers + worker_id)
    if worker_init_fn is not None:
        worker_init_fn(worker_id)


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Batches made by worker processes, ahead of being asked for.

    Every worker has a queue of indices; all put their batches into one. A task is the number of a
    batch: ``_send_idx`` is the next to be given out, ``_rcvd_idx`` the next to be returned, and
    ``_task_info`` says of those between whose they are, and has the batches that came too early.

    A worker whose part of an iterable dataset is at its end gets no more tasks; what it was given
    ahead is skipped. The end comes when no task is left. Workers end when None comes instead of a
    task while the event is set, or when they notice that their parent is gone.
    """

    def __init__(self, loader: Any) -> None:
        super().__init__(loader)
        self._made_in = os.getpid()
        self._prefetch_factor = loader.prefetch_factor
        self._in_order = loader.in_order
        if self._num_workers <= 0:
            raise AssertionError(
                "num_workers must be greater than 0 for MultiProcessingDataLoaderIter"
            )
        if self._prefetch_factor is None or self._prefetch_factor <= 0:
            raise AssertionError(
                "prefetch_factor must be greater than 0 for MultiProcessingDataLoaderIter"
            )
        context = loader.multiprocessing_context or multiprocessing
        if multiprocessing.get_sharing_strategy() == "file_system":
            # Else each worker would start one, which would free what is still on its way.
            resource_tracker.ensure_running()
        self._worker_init_fn = loader.worker_init_fn
        if isinstance(self._dataset, (IterDataPipe, MapDataPipe)):
            self._worker_init_fn = functools.partial(
                _sharding_worker_init_fn, self._worker_init_fn, self._world_size, self._rank
            )
        self._worker_result_queue: Any = batch_queue(context)
        self._worker_pids_set = False
        self._shutdown = False
        self._workers_done_event = context.Event()
        self._index_queues: list[Any] = []
        self._workers: list[Any] = []
        _in_use[id(self)] = (self._index_queues, self._workers, self._worker_result_queue)
        for worker_id in range(self._num_workers):
            index_queue: Any = context.Queue()
            # Tasks that nobody has taken must not keep this process from ending.
            index_queue.cancel_join_thread()
            process = self._process(context, index_queue, worker_id)
            process.daemon = True
            _start(process)
            self._index_queues.append(index_queue)
            self._workers.append(process)
        if self._pin_memory:
            self._start_pinning()
        else:
            self._data_queue: Any = self._worker_result_queue
        if self._persistent_workers and self._pin_memory:
            self._register_persistent_workers_atexit()
        pids = tuple([process.pid for process in self._workers])
        _utils.signal_handling._set_worker_pids(id(self), pids)
        _utils.signal_handling._set_SIGCHLD_handler()
        self._worker_pids_set = True
        self._reset(loader, first_iter=True)

    def _process(self, context: Any, index_queue: Any, worker_id: int) -> Any:
        # In the order in which ``_worker_loop`` takes them.
        source = (self._dataset_kind, self._dataset)
        queues = (index_queue, self._worker_result_queue, self._workers_done_event)
        making = (self._auto_collation, self._collate_fn, self._drop_last)
        start = (self._base_seed, self._worker_init_fn, worker_id, self._num_workers)
        args = source + queues + making + start + (self._persistent_workers, self._shared_seed)
        return context.Process(target=_utils.worker._worker_loop, args=args)

    def _start_pinning(self) -> None:
        """Batches go on through a thread that pins them."""
        self._pin_memory_thread_done_event = threading.Event()
        self._data_queue = queue.Queue()
        self._pin_memory_thread = threading.Thread(
            target=_utils.pin_memory._pin_memory_loop,
            args=(
                self._worker_result_queue,
                self._data_queue,
                accelerator.current_device_index(),
                self._pin_memory_thread_done_event,
                self._pin_memory_device,
            ),
            daemon=True,
        )
        self._pin_memory_thread.start()

    def _reset(self, loader: Any, first_iter: bool = False) -> None:
        super()._reset(loader, first_iter)
        self._send_idx = 0
        self._rcvd_idx = 0
        self._task_info: dict[int, tuple[Any, ...]] = {}
        self._tasks_outstanding = 0
        self._workers_status = [True] * self._num_workers
        self._workers_num_tasks = [0] * self._num_workers
        self._worker_queue_idx_cycle = itertools.cycle(range(self._num_workers))
        if not first_iter:
            self._resume()
        for _ in range(self._at_most):
            self._try_put_index()

    @property
    def _at_most(self) -> int:
        """How many tasks are given out at once."""
        return (self._prefetch_factor or 0) * self._num_workers

    def _resume(self) -> None:
        """Tell the workers of a new pass; what they still had of the last one is dropped."""
        for index_queue in self._index_queues:
            index_queue.put(_utils.worker._ResumeIteration(self._shared_seed))
        waiting = self._num_workers
        while waiting > 0:
            answer, data = self._get_data()
            if isinstance(answer, _utils.worker._ResumeIteration):
                if data is not None:
                    raise AssertionError("Expected return_data to be None when resuming iteration")
                waiting -= 1

    def _try_get_data(self, timeout: float = _utils.MP_STATUS_CHECK_INTERVAL) -> tuple[bool, Any]:
        """(True, what came) or (False, None) if nothing came in *timeout* seconds.

        Raises RuntimeError if a worker has ended, which nobody has told it to.
        """
        try:
            return True, self._data_queue.get(timeout=timeout)
        except Exception as error:
            failed = [
                (i, process)
                for i, process in enumerate(self._workers)
                if self._workers_status[i] and not process.is_alive()
            ]
            if failed:
                for i, _ in failed:
                    self._mark_worker_as_unavailable(i)
                pids_str = ", ".join(str(process.pid) for _, process in failed)
                raise RuntimeError(
                    f"DataLoader worker (pid(s) {pids_str}) exited unexpectedly"
                ) from error
            if isinstance(error, queue.Empty):
                return False, None
            if _no_more_descriptors(error):
                raise RuntimeError(
                    "Too many open files. Communication with the workers is no longer possible. "
                    "Please increase the limit using `ulimit -n` in the shell or change the "
                    "sharing strategy by calling "
                    "`torch.multiprocessing.set_sharing_strategy('file_system')` at the "
                    "beginning of your code"
                ) from None
            raise

    def _get_data(self) -> Any:
        """What comes next, as long as it takes, or the loader's timeout."""
        if self._timeout > 0:
            success, data = self._try_get_data(self._timeout)
            if success:
                return data
            raise RuntimeError(f"DataLoader timed out after {self._timeout} seconds")
        while not self._pin_memory or self._pin_memory_thread.is_alive():
            success, data = self._try_get_data()
            if success:
                return data
        raise RuntimeError("Pin memory thread exited unexpectedly")

    def _next_data(self) -> Any:
        while True:
            self._skip_dropped_tasks()
            if self._rcvd_idx == self._send_idx:
                if not self._persistent_workers:
                    self._shutdown_workers()
                raise StopIteration
            info = self._task_info[self._rcvd_idx]
            if len(info) == 2:  # it came too early
                return self._finish(self._rcvd_idx, info[1])
            if self._shutdown or self._tasks_outstanding <= 0:
                raise AssertionError(
                    "Invalid iterator state: shutdown or no outstanding tasks when fetching next "
                    "data"
                )
            number, data = self._get_data()
            self._tasks_outstanding -= 1
            if self._dataset_kind == _DatasetKind.Iterable and isinstance(
                data, _utils.worker._IterableDatasetStopIteration
            ):
                if self._persistent_workers:
                    self._workers_status[data.worker_id] = False
                else:
                    self._mark_worker_as_unavailable(data.worker_id)
                self._try_put_index()
            elif number == self._rcvd_idx or not self._in_order:
                return self._finish(number, data)
            else:
                self._task_info[number] += (data,)

    def _skip_dropped_tasks(self) -> None:
        """Go past tasks that are done, and those whose worker has come to its end before."""
        while self._rcvd_idx < self._send_idx:
            info = self._task_info.get(self._rcvd_idx)
            if info is not None:
                if len(info) == 2 or self._workers_status[info[0]]:
                    return
                del self._task_info[self._rcvd_idx]
            self._rcvd_idx += 1

    def _finish(self, number: int, data: Any) -> Any:
        """Give out another task; return this one's batch."""
        worker_id = self._task_info.pop(number)[0]
        if number == self._rcvd_idx:
            self._rcvd_idx += 1
        return self._process_data(data, worker_id)

    def _try_put_index(self) -> None:
        """Give the next indices to a worker, if there are any, and workers that still work."""
        if self._tasks_outstanding >= self._at_most:
            raise AssertionError("Number of outstanding tasks exceeded maximum allowed tasks")
        try:
            index = self._next_index()
        except StopIteration:
            return
        working = sum(self._workers_status)
        for _ in range(self._num_workers):  # find the next that takes it
            worker_id = next(self._worker_queue_idx_cycle)
            if self._workers_status[worker_id] and (
                self._in_order or self._workers_num_tasks[worker_id] < self._at_most // working
            ):
                break
        else:
            return
        self._index_queues[worker_id].put((self._send_idx, index))
        self._task_info[self._send_idx] = (worker_id,)
        self._workers_num_tasks[worker_id] += 1
        self._tasks_outstanding += 1
        self._send_idx += 1

    def _process_data(self, data: Any, worker_idx: int) -> Any:
        self._workers_num_tasks[worker_idx] -= 1
        self._try_put_index()
        return data.reraise() if isinstance(data, ExceptionWrapper) else data

    def _mark_worker_as_unavailable(self, worker_id: int, shutdown: bool = False) -> None:
        """Tell a worker to end after what it does now: at the end of its part, or of all."""
        if not (self._workers_status[worker_id] or (self._persistent_workers and shutdown)):
            raise AssertionError("Worker status inconsistent when marking worker as unavailable")
        self._index_queues[worker_id].put(None)
        self._workers_status[worker_id] = False
        if self._workers_done_event.is_set() != shutdown:
            raise AssertionError("_workers_done_event state does not match shutdown flag")

    def _shutdown_workers(self) -> None:
        """End everything that this iterator has started. Once is enough, and more does no harm."""
        exiting = getattr(_utils, "python_exit_status", None)
        if exiting is True or exiting is None:
            return  # multiprocessing ends its daemons itself, and modules may be gone
        if self._made_in != os.getpid():
            return  # forked with its parent's iterators: their workers are none of its children
        if self._shutdown:
            return
        self._shutdown = True
        _in_use.pop(id(self), None)
        try:
            if hasattr(self, "_pin_memory_thread"):
                self._pin_memory_thread_done_event.set()
                self._worker_result_queue.put((None, None))  # wakes it
                self._pin_memory_thread.join()
                self._worker_result_queue.cancel_join_thread()
                self._worker_result_queue.close()
            self._workers_done_event.set()
            # Without status where an exception came before the first batch was asked for.
            status = getattr(self, "_workers_status", None) or [True] * len(self._workers)
            for worker_id in range(len(self._workers)):
                if self._persistent_workers or status[worker_id]:
                    self._index_queues[worker_id].put(None)
                    status[worker_id] = False
            for process in self._workers:
                process.join(timeout=_utils.MP_STATUS_CHECK_INTERVAL)
            for index_queue in self._index_queues:
                index_queue.cancel_join_thread()
                index_queue.close()
        finally:
            if self._worker_pids_set:
                _utils.signal_handling._remove_worker_pids(id(self))
                self._worker_pids_set = False
            for process in self._workers:
                if process.is_alive():
                    process.terminate()

    @staticmethod
    def _clean_up_persistent_workers_atexit() -> None:
        """Before the interpreter goes down: end the iterators whose threads still pin."""
        for iterator in list(_persistent_workers_atexit):
            iterator._shutdown_workers()

    def _register_persistent_workers_atexit(self) -> None:
        global _persistent_workers_atexit_registered
        with _persistent_workers_atexit_lock:
            _persistent_workers_atexit.add(self)
            if not _persistent_workers_atexit_registered:
                import atexit

                atexit.register(self._clean_up_persistent_workers_atexit)
                _persistent_workers_atexit_registered = True

    def __del__(self) -> None:
        if "_workers" in self.__dict__:  # else its beginning has failed
            self._shutdown_workers()


def _start(process: Any) -> None:
    try:
        process.start()
    except (TypeError, AttributeError, pickle.PicklingError):
        warn(
            "Got pickle error when attempting to start a worker Process. This might be because "
            "the worker Process arguments are not picklable. Python 3.14+ changed the "
            "multiprocessing start method in non-Mac POSIX platforms to 'forkserver', which "
            "requires the worker Process arguments to be picklable. You can also try "
            "multiprocessing.set_start_method('fork').",
        )
        raise


def _no_more_descriptors(error: Exception) -> bool:
    """Whether *error* says so, or there are hardly any: what came lost its own then.

    The receipt of a message fails in many ways where none is left, and one may be left after that.
    """
    if isinstance(error, OSError) and error.errno == errno.EMFILE:
        return True
    try:
        with ExitStack() as files:
            for _ in range(_FEW_DESCRIPTORS):
                files.enter_context(tempfile.NamedTemporaryFile())
    except OSError as found:
        return found.errno == errno.EMFILE
    return False


#: Queues and processes of iterators, by ``id``. If the collector finds an iterator and its queues
#: together these must not end first: the workers would never hear that they are to end.
_in_use: dict[int, Any] = {}

_persistent_workers_atexit_lock = threading.Lock()
_persistent_workers_atexit_registered = False
_persistent_workers_atexit: weakref.WeakSet[_MultiProcessingDataLoaderIter] = weakref.WeakSet()
