"""What a worker process runs, and what it knows of itself."""

from __future__ import annotations

import os
import queue
import random
from dataclasses import dataclass
from typing import Any

import numpy as np

from .... import multiprocessing
from ...._utils import ExceptionWrapper
from ....aten import torch
from ..datapipes.datapipe import IterDataPipe
from ..dataset import Dataset
from ..graph_settings import apply_random_seed
from . import signal_handling
from ._process import MP_STATUS_CHECK_INTERVAL
from .fetch import _DatasetKind


class ManagerWatchdog:
    """Tells a worker whether the process that started it still lives."""

    def __init__(self) -> None:
        self.manager_pid = os.getppid()
        self.manager_dead = False

    def is_alive(self) -> bool:
        """Whether the parent is the same as at first: an orphan is given another."""
        if not self.manager_dead:
            self.manager_dead = os.getppid() != self.manager_pid
        return not self.manager_dead


@dataclass(frozen=True, slots=True)
class _RNG:
    """Generators of numbers that belong to one worker, where workers share a process."""

    random_generator: random.Random
    torch_generator: torch.Generator
    numpy_generator: object | None = None


@dataclass(frozen=True, slots=True)
class WorkerInfo:
    """What a worker knows of itself.

    ``dataset`` is its own copy. ``seed`` is the one its generators started from.
    """

    id: int
    num_workers: int
    seed: int
    dataset: Dataset[Any]
    rng: _RNG | None = None
    worker_method: str | None = "multiprocessing"


_worker_info: WorkerInfo | None = None


def get_worker_info() -> WorkerInfo | None:
    """What this worker knows of itself; None in a process that is none."""
    return _worker_info


@dataclass(frozen=True)
class _IterableDatasetStopIteration:
    """Says that a worker's part of an iterable dataset is at its end."""

    worker_id: int


@dataclass(frozen=True)
class _ResumeIteration:
    """Says that a new pass begins, and when sent back, that the worker is ready for it."""

    seed: int | None = None


def _generate_state(base_seed: int, worker_id: int) -> list[int]:
    """Four words for numpy's legacy generator, mixed from both numbers.

    The words are those of :class:`numpy.random.SeedSequence`: neighbouring workers' generators
    are independent, which neighbouring seeds would not make them.
    """
    low, high = base_seed & 0xFFFFFFFF, base_seed >> 32
    return np.random.SeedSequence([worker_id, low, high, 0]).generate_state(4).tolist()


def _seed(base_seed: int, worker_id: int) -> int:
    """Seed all generators of this process; the seed of those that take one number."""
    seed = base_seed + worker_id
    random.seed(seed)
    torch.manual_seed(seed)
    np.random.seed(_generate_state(base_seed, worker_id))
    return seed


def _seed_pipes(dataset: Any, shared_seed: int | None, text: str) -> Any:
    """Seed the random pipes of a graph alike in all workers: before shards all shuffle alike."""
    if shared_seed is None:
        raise AssertionError(text)
    generator = torch.Generator()
    generator.manual_seed(shared_seed)
    return apply_random_seed(dataset, generator)


def _worker_loop(
    dataset_kind: int,
    dataset: Any,
    index_queue: Any,
    data_queue: Any,
    done_event: Any,
    auto_collation: bool,
    collate_fn: Any,
    drop_last: bool,
    base_seed: int,
    init_fn: Any,
    worker_id: int,
    num_workers: int,
    persistent_workers: bool,
    shared_seed: int | None,
) -> None:
    """Answer every index with its batch, until None comes or the parent is gone."""
    global _worker_info
    try:
        signal_handling._set_worker_signal_handlers()
        multiprocessing._set_thread_name("pt_data_worker")
        torch.set_num_threads(1)
        seed = _seed(base_seed, worker_id)

        pipes = isinstance(dataset, IterDataPipe)
        if pipes:
            text = "shared_seed must be provided for IterDataPipe workers"
            dataset = _seed_pipes(dataset, shared_seed, text)
        _worker_info = WorkerInfo(worker_id, num_workers, seed, dataset)

        def make_fetcher() -> Any:
            return _DatasetKind.create_fetcher(
                dataset_kind, dataset, auto_collation, collate_fn, drop_last
            )

        # An exception before the first batch is sent in its place.
        where = f"in DataLoader worker process {worker_id}"
        failed: ExceptionWrapper | None = None
        fetcher: Any = None
        try:
            if init_fn is not None:
                init_fn(worker_id)
            fetcher = make_fetcher()
        except Exception:
            failed = ExceptionWrapper(where=where)

        at_end = False
        watchdog = ManagerWatchdog()
        while watchdog.is_alive():
            try:
                task = index_queue.get(timeout=MP_STATUS_CHECK_INTERVAL)
            except queue.Empty:
                continue
            if task is None:
                if not done_event.is_set() and not at_end:
                    raise AssertionError(
                        "Received final signal but neither done_event nor iteration_end is set"
                    )
                break
            if isinstance(task, _ResumeIteration):
                data_queue.put((task, None))
                at_end = False
                if pipes:
                    text = "resume iteration seed is None for IterDataPipe"
                    dataset = _seed_pipes(dataset, task.seed, text)
                fetcher = make_fetcher()
                continue
            if done_event.is_set() or at_end:
                continue  # nobody wants it any more: None is on its way
            number, index = task
            data: Any
            if failed is not None:
                data, failed = failed, None
            else:
                try:
                    data = fetcher.fetch(index)
                except Exception as error:
                    if isinstance(error, StopIteration) and dataset_kind == _DatasetKind.Iterable:
                        data = _IterableDatasetStopIteration(worker_id)
                        at_end = True
                    else:
                        data = ExceptionWrapper(where=where)
            data_queue.put((number, data))
            del data, task, number, index  # not held while waiting for the next
    except KeyboardInterrupt:
        pass  # the parent has it as well, and says so
    if done_event.is_set():
        # Nobody reads what is still to be sent: do not wait for that.
        data_queue.cancel_join_thread()
        data_queue.close()
