"""``torch.utils.data.dataloader``: batches of a dataset, in this process or from workers."""

from __future__ import annotations

import itertools
import logging
import os
from collections.abc import Callable, Iterable
from multiprocessing.context import BaseContext
from typing import Any, Generic, TypeVar

from ... import multiprocessing
from ..._utils import ExceptionWrapper as ExceptionWrapper
from ...core.module_names import adopt, living_in
from ...core.warning import warn
from . import _multi_process_iter, _single_process_iter, _utils
from ._multi_process_iter import _MultiProcessingDataLoaderIter
from ._multi_process_iter import _sharding_worker_init_fn as _sharding_worker_init_fn
from ._single_process_iter import _BaseDataLoaderIter, _SingleProcessDataLoaderIter
from ._single_process_iter import _get_distributed_settings as _get_distributed_settings
from ._single_process_iter import _share_dist_seed as _share_dist_seed
from ._utils.fetch import _DatasetKind
from .datapipes.datapipe import (
    IterDataPipe,
    MapDataPipe,
    _IterDataPipeSerializationWrapper,
    _MapDataPipeSerializationWrapper,
)
from .dataset import Dataset, IterableDataset
from .graph_settings import apply_shuffle_settings
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


class _InfiniteConstantSampler(Sampler[None]):
    """None without end: in the place of indices where samples come one after the other."""

    def __iter__(self) -> Any:
        return itertools.repeat(None)


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
            shuffle = self._check_iterable_(dataset, shuffle, sampler, batch_sampler)
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

    def _check_iterable_(
        self, dataset: Any, shuffle: bool | None, sampler: Any, batch_sampler: Any
    ) -> bool:
        """The arguments that only a dataset with indices has are absent; *shuffle* from here on."""
        if isinstance(dataset, IterDataPipe):
            if shuffle is not None:
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
            multiprocessing_context = self._checked_context_(multiprocessing_context)
        self.__multiprocessing_context = multiprocessing_context

    def _checked_context_(self, given: Any) -> Any:
        if self.num_workers <= 0:
            raise ValueError(
                "multiprocessing_context can only be used with multi-process loading "
                f"(num_workers > 0), but got num_workers={self.num_workers}"
            )
        if isinstance(given, str):
            valid_start_methods = multiprocessing.get_all_start_methods()
            if given not in valid_start_methods:
                raise ValueError(
                    "multiprocessing_context option should specify a valid start method in "
                    f"{valid_start_methods!r}, but got multiprocessing_context={given!r}"
                )
            given = multiprocessing.get_context(given)
        if not isinstance(given, BaseContext):
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
        warn(
            f"This DataLoader will create {self.num_workers} worker processes in total. {advice} "
            "Please be aware that excessive worker creation might get DataLoader running slow or "
            "even freeze, lower the worker number to avoid potential slowness/freeze if necessary.",
        )


living_in(__name__, _DatasetKind)
adopt(__name__, _single_process_iter, _multi_process_iter)
