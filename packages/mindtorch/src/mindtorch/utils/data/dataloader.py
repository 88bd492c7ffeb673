"""``torch.utils.data.dataloader``: batches of a dataset, in this process or from workers."""

from __future__ import annotations

import contextlib
import functools
import itertools
import logging
import multiprocessing as python_multiprocessing
import multiprocessing.context
import os
import pickle
import queue
import sys
import threading
import warnings
import weakref
from collections.abc import Callable, Iterable
from typing import Any, Generic, NoReturn, TypeVar

import mindtorch as torch
from mindtorch import ranges
from mindtorch._utils import ExceptionWrapper

from . import _utils
from .datapipes.datapipe import (
    IterDataPipe,
    MapDataPipe,
    _IterDataPipeSerializationWrapper,
    _MapDataPipeSerializationWrapper,
)
from .dataset import Dataset, IterableDataset
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = ["DataLoader", "get_worker_info", "default_collate", "default_convert"]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_worker_init_fn_t = Callable[[int], None]
_collate_fn_t = Callable[[list[_T]], Any]

default_collate: _collate_fn_t[Any] = _utils.collate.default_collate
default_convert = _utils.collate.default_convert
get_worker_info = _utils.worker.get_worker_info

logger = logging.getLogger(__name__)


class _DatasetKind:
    """Whether samples are read by index or one after the other."""

    Map = 0
    Iterable = 1

    @staticmethod
    def create_fetcher(
        kind: int, dataset: Any, auto_collation: bool, collate_fn: Any, drop_last: bool
    ) -> Any:
        """What reads batches of *dataset*."""
        make = (
            _utils.fetch._MapDatasetFetcher
            if kind == _DatasetKind.Map
            else _utils.fetch._IterableDatasetFetcher
        )
        return make(dataset, auto_collation, collate_fn, drop_last)


class _InfiniteConstantSampler(Sampler[None]):
    """None without end: in the place of indices where samples come one after the other."""

    def __iter__(self) -> Any:
        return itertools.repeat(None)


def _distributed() -> Any:
    """``torch.distributed`` where a process group is initialised, else None."""
    dist = sys.modules.get("mindtorch.distributed")  # not imported: nobody has initialised it
    if dist is not None and dist.is_available() and dist.is_initialized():
        return dist
    return None


def _get_distributed_settings() -> tuple[int, int]:
    """How many processes the default group has, and which of them this is."""
    dist = _distributed()
    return (1, 0) if dist is None else (dist.get_world_size(), dist.get_rank())


def _sharding_worker_init_fn(
    worker_init_fn: Any, world_size: int, rank_id: int, worker_id: int
) -> None:
    """In a worker: give a graph of pipes its shard, first of the processes, then of the workers."""
    from .graph_settings import apply_sharding

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


def _share_dist_seed(generator: Any, pg: Any) -> int:
    """A number drawn from *generator*, that of the first process for all of the group *pg*."""
    drawn = torch.empty((), dtype=torch.int64).random_(generator=generator)
    dist = sys.modules.get("mindtorch.distributed")
    if dist is not None and isinstance(pg, dist.ProcessGroup):
        dist.broadcast(drawn, src=0, group=pg)
    return int(drawn.item())


# Pipes that are sent to workers in a wrapper, which pickles them its own way.
_PIPES_WRAPPED: tuple[tuple[Any, Any], ...] = (
    (IterDataPipe, _IterDataPipeSerializationWrapper),
    (MapDataPipe, _MapDataPipeSerializationWrapper),
)


class DataLoader(Generic[_T_co]):
    """Batches of *dataset*, made in this process or by *num_workers* others.

    Which samples a batch has say *sampler* and *batch_size*, or *batch_sampler*; *collate_fn*
    makes one object of them. With *batch_size* None samples come one by one.

    Workers keep *prefetch_factor* batches each ahead; they live for one pass unless
    *persistent_workers*. Batches come in the order of their indices, or with *in_order* False as
    they get ready. *timeout* says how many seconds a batch may take. The numbers that workers
    draw start from one number that is drawn from *generator*: equal seeds give equal batches.

    Raises ValueError for arguments that exclude each other.
    """

    dataset: Dataset[_T_co]
    batch_size: int | None
    num_workers: int
    pin_memory: bool
    drop_last: bool
    timeout: float
    sampler: Sampler[Any] | Iterable[Any]
    pin_memory_device: str
    prefetch_factor: int | None
    _iterator: _BaseDataLoaderIter | None
    __initialized = False

    def __init__(
        self,
        dataset: Dataset[_T_co],
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Sampler[Any] | Iterable[Any] | None = None,
        batch_sampler: Sampler[list[Any]] | Iterable[list[Any]] | None = None,
        num_workers: int = 0,
        collate_fn: _collate_fn_t[Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: _worker_init_fn_t | None = None,
        multiprocessing_context: Any = None,
        generator: Any = None,
        *,
        prefetch_factor: int | None = None,
        persistent_workers: bool = False,
        pin_memory_device: str = "",
        in_order: bool = True,
    ) -> None:
        if num_workers < 0:
            raise ValueError(
                "num_workers option should be non-negative; "
                "use num_workers=0 to disable multiprocessing."
            )
        if timeout < 0:
            raise ValueError("timeout option should be non-negative")
        if num_workers == 0 and prefetch_factor is not None:
            raise ValueError(
                "prefetch_factor option could only be specified in multiprocessing."
                "let num_workers > 0 to enable multiprocessing, otherwise set "
                "prefetch_factor to None."
            )
        if num_workers > 0 and prefetch_factor is None:
            prefetch_factor = 2
        elif prefetch_factor is not None and prefetch_factor < 0:
            raise ValueError("prefetch_factor option should be non-negative")
        if persistent_workers and num_workers == 0:
            raise ValueError("persistent_workers option needs num_workers > 0")
        self.dataset = dataset
        self.num_workers = num_workers
        self.prefetch_factor = prefetch_factor
        self.pin_memory = pin_memory
        self.pin_memory_device = pin_memory_device
        self.timeout = timeout
        self.worker_init_fn = worker_init_fn
        self.multiprocessing_context = multiprocessing_context
        self.in_order = in_order

        for kind, wrapper in _PIPES_WRAPPED:
            if isinstance(dataset, kind):
                self.dataset = wrapper(dataset)
                break
        if isinstance(dataset, IterableDataset):
            self._dataset_kind = _DatasetKind.Iterable
            shuffle = self._check_iterable(dataset, shuffle, sampler, batch_sampler)
        else:
            self._dataset_kind, shuffle = _DatasetKind.Map, bool(shuffle)

        if sampler is not None and shuffle:
            raise ValueError("sampler option is mutually exclusive with shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "batch_sampler option is mutually exclusive with batch_size, shuffle, "
                    "sampler, and drop_last"
                )
            batch_size = None
            drop_last = False
        elif batch_size is None and drop_last:
            raise ValueError(
                "batch_size=None option disables auto-batching "
                "and is mutually exclusive with drop_last"
            )
        if sampler is None:
            if self._dataset_kind == _DatasetKind.Iterable:
                sampler = _InfiniteConstantSampler()
            elif shuffle:
                sampler = RandomSampler(dataset, generator=generator)  # type: ignore[arg-type]
            else:
                sampler = SequentialSampler(dataset)  # type: ignore[arg-type]
        if batch_size is not None and batch_sampler is None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.batch_size = batch_size
        self.drop_last = drop_last
        self.sampler = sampler
        self.batch_sampler = batch_sampler
        self.generator = generator
        if collate_fn is None:
            batched = self._auto_collation
            collate_fn = _utils.collate.default_collate if batched else default_convert
        self.collate_fn = collate_fn
        self.persistent_workers = persistent_workers

        self.__initialized = True
        #: What ``len`` said of an iterable dataset: more samples than that are warned about.
        self._IterableDataset_len_called: int | None = None
        self._iterator = None
        self.check_worker_number_rationality()

    def _check_iterable(
        self, dataset: Any, shuffle: bool | None, sampler: Any, batch_sampler: Any
    ) -> bool:
        """The arguments that only a dataset with indices has are absent; *shuffle* from here on."""
        if isinstance(dataset, IterDataPipe):
            if shuffle is not None:
                from .graph_settings import apply_shuffle_settings

                self.dataset = apply_shuffle_settings(self.dataset, shuffle=shuffle)
        elif shuffle not in {False, None}:
            raise ValueError(
                "DataLoader with IterableDataset: expected unspecified shuffle option, "
                f"but got shuffle={shuffle}"
            )
        if sampler is not None:
            raise ValueError(
                "DataLoader with IterableDataset: expected unspecified sampler option, "
                f"but got sampler={sampler}"
            )
        if batch_sampler is not None:
            raise ValueError(
                "DataLoader with IterableDataset: expected unspecified batch_sampler option, "
                f"but got batch_sampler={batch_sampler}"
            )
        return bool(shuffle)

    def _get_iterator(self) -> _BaseDataLoaderIter:
        if self.num_workers == 0:
            return _SingleProcessDataLoaderIter(self)
        self.check_worker_number_rationality()
        return _MultiProcessingDataLoaderIter(self)

    @property
    def multiprocessing_context(self) -> Any:
        """What workers are started by; None is the system's default start method."""
        return self.__multiprocessing_context

    @multiprocessing_context.setter
    def multiprocessing_context(self, multiprocessing_context: Any) -> None:
        if multiprocessing_context is not None:
            multiprocessing_context = self._checked_context(multiprocessing_context)
        self.__multiprocessing_context = multiprocessing_context

    def _checked_context(self, given: Any) -> Any:
        if self.num_workers <= 0:
            raise ValueError(
                "multiprocessing_context can only be used with multi-process loading "
                f"(num_workers > 0), but got num_workers={self.num_workers}"
            )
        if isinstance(given, str):
            valid_start_methods = torch.multiprocessing.get_all_start_methods()
            if given not in valid_start_methods:
                raise ValueError(
                    "multiprocessing_context option should specify a valid start method in "
                    f"{valid_start_methods!r}, but got multiprocessing_context={given!r}"
                )
            given = torch.multiprocessing.get_context(given)
        if not isinstance(given, python_multiprocessing.context.BaseContext):
            raise TypeError(
                "multiprocessing_context option should be a valid context object or a string "
                f"specifying the start method, but got multiprocessing_context={given}"
            )
        return given

    def __setattr__(self, attr: str, val: Any) -> None:
        if self.__initialized and attr in (
            "batch_size",
            "batch_sampler",
            "sampler",
            "drop_last",
            "dataset",
            "persistent_workers",
        ):
            raise ValueError(
                f"{attr} attribute should not be set after {self.__class__.__name__} is initialized"
            )
        super().__setattr__(attr, val)

    def __iter__(self) -> _BaseDataLoaderIter:
        if not (self.persistent_workers and self.num_workers > 0):
            return self._get_iterator()
        if self._iterator is None:
            self._iterator = self._get_iterator()
        else:
            self._iterator._reset(self)
        return self._iterator

    @property
    def _auto_collation(self) -> bool:
        return self.batch_sampler is not None

    @property
    def _index_sampler(self) -> Any:
        """What gives the indices: lists of them where this loader makes batches."""
        return self.batch_sampler if self._auto_collation else self.sampler

    def __len__(self) -> int:
        if self._dataset_kind != _DatasetKind.Iterable:
            return len(self._index_sampler)
        # Taken at its word; an iteration that gives more says so then.
        length = self._IterableDataset_len_called = len(self.dataset)  # type: ignore[arg-type]
        if self.batch_size is None:
            return length
        whole, rest = divmod(length, self.batch_size)
        return whole if self.drop_last or not rest else whole + 1

    def check_worker_number_rationality(self) -> None:
        """Warn if there are to be more workers than processors that this process may use."""
        if not self.num_workers:
            return
        usable, counted = None, False
        if hasattr(os, "sched_getaffinity"):
            try:
                usable, counted = len(os.sched_getaffinity(0)), True
            except Exception:
                pass
        if usable is None:
            usable = os.cpu_count()
        if usable is not None and self.num_workers <= usable:
            return
        if usable is None:
            advice = (
                "DataLoader is not able to compute a suggested max number of worker in current "
                "system."
            )
        else:
            note = "" if counted else " (`cpuset` is not taken into account)"
            advice = (
                f"Our suggested max number of worker in current system is {usable}{note}, which "
                "is smaller than what this DataLoader is going to create."
            )
        warnings.warn(
            f"This DataLoader will create {self.num_workers} worker processes in total. {advice} "
            "Please be aware that excessive worker creation might get DataLoader running slow or "
            "even freeze, lower the worker number to avoid potential slowness/freeze if necessary.",
            stacklevel=2,
        )


# What an iterator has from its loader under the loader's name.
_TAKEN_OVER = "_dataset_kind _auto_collation _index_sampler _IterableDataset_len_called".split()


class _BaseDataLoaderIter:
    """One pass over a loader's batches."""

    _dataset_kind: Any
    _auto_collation: bool
    _index_sampler: Any
    _IterableDataset_len_called: int | None

    def __init__(self, loader: DataLoader[Any]) -> None:
        self._dataset: Any = loader.dataset
        self._shared_seed: int | None = None
        self._pg: Any = None
        if isinstance(self._dataset, IterDataPipe):
            dist = _distributed()
            if dist is not None:
                self._pg = dist.new_group(backend="gloo")
            self._seed_pipes(loader)
        for name in _TAKEN_OVER:
            setattr(self, name, getattr(loader, name))
        self._num_workers, self._timeout = loader.num_workers, loader.timeout
        self._drop_last, self._collate_fn = loader.drop_last, loader.collate_fn
        self._world_size, self._rank = _get_distributed_settings()
        self._pin_memory = bool(loader.pin_memory) and self._can_pin(loader)
        self._pin_memory_device = None
        self._sampler_iter: Any = iter(self._index_sampler)
        drawn = torch.empty((), dtype=torch.int64).random_(generator=loader.generator)
        self._base_seed = int(drawn.item())
        self._persistent_workers = loader.persistent_workers
        self._num_yielded = 0
        self._profile_name = f"enumerate(DataLoader)#{self.__class__.__name__}.__next__"

    @staticmethod
    def _can_pin(loader: DataLoader[Any]) -> bool:
        """Whether there is a device to pin memory for; says so if not."""
        if loader.pin_memory_device:
            warnings.warn(
                "pin_memory_device is deprecated, the current accelerator will be used as the "
                f"device,ignore pin_memory_device='{loader.pin_memory_device}'.",
                stacklevel=5,
            )
        if torch.accelerator.is_available():
            return True
        warnings.warn(
            "'pin_memory' argument is set as true but no accelerator is found, then device "
            "pinned memory won't be used.",
            stacklevel=5,
        )
        return False

    def _seed_pipes(self, loader: DataLoader[Any]) -> None:
        """Draw the number that the random pipes of all workers start from, and seed them."""
        from .graph_settings import apply_random_seed

        self._shared_seed = _share_dist_seed(loader.generator, self._pg)
        generator = torch.Generator()
        generator.manual_seed(self._shared_seed)
        self._dataset = apply_random_seed(self._dataset, generator)

    def __iter__(self) -> _BaseDataLoaderIter:
        return self

    def _reset(self, loader: DataLoader[Any], first_iter: bool = False) -> None:
        """Begin another pass."""
        self._num_yielded, self._sampler_iter = 0, iter(self._index_sampler)
        self._IterableDataset_len_called = loader._IterableDataset_len_called
        if isinstance(self._dataset, IterDataPipe):
            self._seed_pipes(loader)

    def _next_index(self) -> Any:
        return next(self._sampler_iter)

    def _next_data(self) -> Any:
        raise NotImplementedError

    def __next__(self) -> Any:
        source = ranges.active
        if source is not None:  # a profiler shows each batch
            with source(self._profile_name, (), None) or contextlib.nullcontext():
                return self._next_counted()
        return self._next_counted()

    def _next_counted(self) -> Any:
        data = self._next_data()
        self._num_yielded += 1
        said = self._IterableDataset_len_called
        if said is not None and self._dataset_kind == _DatasetKind.Iterable:
            if self._num_yielded > said:
                self._warn_of_more(said)
        return data

    def _warn_of_more(self, said: int) -> None:
        text = (
            f"Length of IterableDataset {self._dataset} was reported to be {said}"
            f"(when accessing len(dataloader)), but {self._num_yielded} samples have been fetched. "
        )
        if self._num_workers > 0:
            text += (
                "For multiprocessing data-loading, this could be caused by not properly "
                "configuring the IterableDataset replica at each worker. Please see "
                "https://pytorch.org/docs/stable/data.html#torch.utils.data.IterableDataset "
                "for examples."
            )
        warnings.warn(text, stacklevel=3)

    def __len__(self) -> int:
        return len(self._index_sampler)

    def __getstate__(self) -> NoReturn:
        # A copy could not know which batches the other has given.
        raise NotImplementedError("{} cannot be pickled", self.__class__.__name__)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Batches made in this process, when they are asked for."""

    def __init__(self, loader: DataLoader[Any]) -> None:
        super().__init__(loader)
        if self._timeout != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        if self._num_workers != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires num_workers == 0")
        if isinstance(self._dataset, (IterDataPipe, MapDataPipe)):
            from .graph_settings import apply_sharding

            apply_sharding(self._dataset, self._world_size, self._rank)
        making = (self._auto_collation, self._collate_fn, self._drop_last)
        kind, create = self._dataset_kind, _DatasetKind.create_fetcher
        self._dataset_fetcher = create(kind, self._dataset, *making)

    def _next_data(self) -> Any:
        data = self._dataset_fetcher.fetch(self._next_index())
        if self._pin_memory:
            data = _utils.pin_memory.pin_memory(data, self._pin_memory_device)
        return data


class _MultiProcessingDataLoaderIter(_BaseDataLoaderIter):
    """Batches made by worker processes, ahead of being asked for.

    Every worker has a queue of indices; all put their batches into one. A task is the number of a
    batch: ``_send_idx`` is the next to be given out, ``_rcvd_idx`` the next to be returned, and
    ``_task_info`` says of those between whose they are, and has the batches that came too early.

    A worker whose part of an iterable dataset is at its end gets no more tasks; what it was given
    ahead is skipped. The end comes when no task is left. Workers end when None comes instead of a
    task while the event is set, or when they notice that their parent is gone.
    """

    def __init__(self, loader: DataLoader[Any]) -> None:
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
        context = loader.multiprocessing_context or torch.multiprocessing
        self._worker_init_fn = loader.worker_init_fn
        if isinstance(self._dataset, (IterDataPipe, MapDataPipe)):
            self._worker_init_fn = functools.partial(
                _sharding_worker_init_fn, self._worker_init_fn, self._world_size, self._rank
            )
        self._worker_result_queue: Any = context.Queue()
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
                torch.accelerator.current_device_index(),
                self._pin_memory_thread_done_event,
                self._pin_memory_device,
            ),
            daemon=True,
        )
        self._pin_memory_thread.start()

    def _reset(self, loader: DataLoader[Any], first_iter: bool = False) -> None:
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
            if isinstance(error, OSError) and _no_more_descriptors(error):
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
        warnings.warn(
            "Got pickle error when attempting to start a worker Process. This might be because "
            "the worker Process arguments are not picklable. Python 3.14+ changed the "
            "multiprocessing start method in non-Mac POSIX platforms to 'forkserver', which "
            "requires the worker Process arguments to be picklable. You can also try "
            "multiprocessing.set_start_method('fork').",
            stacklevel=2,
        )
        raise


def _no_more_descriptors(error: OSError) -> bool:
    """Whether *error* says so, or there really are none: a message lost its own then."""
    import errno
    import tempfile

    if error.errno == errno.EMFILE:
        return True
    try:
        files = [tempfile.NamedTemporaryFile() for _ in range(10)]  # noqa: SIM115  # closed below
    except OSError as found:
        return found.errno == errno.EMFILE
    for file in files:
        file.close()
    return False


#: Queues and processes of iterators, by ``id``. If the collector finds an iterator and its queues
#: together these must not end first: the workers would never hear that they are to end.
_in_use: dict[int, Any] = {}

_persistent_workers_atexit_lock = threading.Lock()
_persistent_workers_atexit_registered = False
_persistent_workers_atexit: weakref.WeakSet[_MultiProcessingDataLoaderIter] = weakref.WeakSet()
