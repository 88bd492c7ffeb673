"""One pass over a loader's batches, and the kind that makes them in this process."""

from __future__ import annotations

import contextlib
import sys
from typing import Any, NoReturn

from ... import accelerator
from ...aten import torch
from ...core import ranges
from ...core.tracebacks import shorten
from ...core.warning import warn
from . import _utils
from ._utils.fetch import _DatasetKind
from .datapipes.datapipe import IterDataPipe, MapDataPipe
from .graph_settings import apply_random_seed, apply_sharding

__all__: list[str] = []


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


def _share_dist_seed(generator: Any, pg: Any) -> int:
    """A number drawn from *generator*, that of the first process for all of the group *pg*."""
    drawn = torch.empty((), dtype=torch.int64).random_(generator=generator)
    dist = sys.modules.get("mindtorch.distributed")
    if dist is not None and isinstance(pg, dist.ProcessGroup):
        dist.broadcast(drawn, src=0, group=pg)
    return int(drawn.item())


# What an iterator has from its loader under the loader's name.
_TAKEN_OVER = "_dataset_kind _auto_collation _index_sampler _IterableDataset_len_called".split()


class _BaseDataLoaderIter:
    """One pass over a loader's batches."""

    _dataset_kind: Any
    _auto_collation: bool
    _index_sampler: Any
    _IterableDataset_len_called: int | None

    def __init__(self, loader: Any) -> None:
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
    def _can_pin(loader: Any) -> bool:
        """Whether there is a device to pin memory for; says so if not."""
        if loader.pin_memory_device:
            warn(
                "pin_memory_device is deprecated, the current accelerator will be used as the "
                f"device,ignore pin_memory_device='{loader.pin_memory_device}'.",
            )
        if accelerator.is_available():
            return True
        warn(
            "'pin_memory' argument is set as true but no accelerator is found, then device "
            "pinned memory won't be used.",
        )
        return False

    def _seed_pipes(self, loader: Any) -> None:
        """Draw the number that the random pipes of all workers start from, and seed them."""
        self._shared_seed = _share_dist_seed(loader.generator, self._pg)
        generator = torch.Generator()
        generator.manual_seed(self._shared_seed)
        self._dataset = apply_random_seed(self._dataset, generator)

    def __iter__(self) -> _BaseDataLoaderIter:
        return self

    def _reset(self, loader: Any, first_iter: bool = False) -> None:
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
        try:
            source = ranges.active
            if source is not None:  # a profiler shows each batch
                with source(self._profile_name, (), None) or contextlib.nullcontext():
                    return self._next_counted()
            return self._next_counted()
        except Exception as error:
            shorten(error)
            raise

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
        warn(text)

    def __len__(self) -> int:
        return len(self._index_sampler)

    def __getstate__(self) -> NoReturn:
        # A copy could not know which batches the other has given.
        raise NotImplementedError("{} cannot be pickled", self.__class__.__name__)


class _SingleProcessDataLoaderIter(_BaseDataLoaderIter):
    """Batches made in this process, when they are asked for."""

    def __init__(self, loader: Any) -> None:
        super().__init__(loader)
        if self._timeout != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires timeout == 0")
        if self._num_workers != 0:
            raise AssertionError("_SingleProcessDataLoaderIter requires num_workers == 0")
        if isinstance(self._dataset, (IterDataPipe, MapDataPipe)):
            apply_sharding(self._dataset, self._world_size, self._rank)
        making = (self._auto_collation, self._collate_fn, self._drop_last)
        kind, create = self._dataset_kind, _DatasetKind.create_fetcher
        self._dataset_fetcher = create(kind, self._dataset, *making)

    def _next_data(self) -> Any:
        data = self._dataset_fetcher.fetch(self._next_index())
        if self._pin_memory:
            data = _utils.pin_memory.pin_memory(data, self._pin_memory_device)
        return data
