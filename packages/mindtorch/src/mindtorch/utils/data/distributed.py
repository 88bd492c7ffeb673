"""``torch.utils.data.distributed``: each process of a group its own part of a dataset."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from importlib import import_module
from typing import Any, TypeVar

from ...aten import torch
from .dataset import Dataset
from .sampler import Sampler

__all__ = ["DistributedSampler"]

_T_co = TypeVar("_T_co", covariant=True)


def _group() -> Any:
    """``torch.distributed``. Raises RuntimeError where it is not available."""
    try:
        dist = import_module("mindtorch.distributed")
        available = dist.is_available()
    except ModuleNotFoundError:
        available = False
    if not available:
        raise RuntimeError("Requires distributed package to be available")
    return dist


class DistributedSampler(Sampler[_T_co]):
    """Every *num_replicas*-th index, from that of *rank* on, of an order that all ranks share.

    The order depends on *seed* and on the epoch: call :meth:`set_epoch` before each.
    Without *num_replicas* or *rank* they are those of the default process group.
    """

    def __init__(
        self,
        dataset: Dataset[Any],
        num_replicas: int | None = None,
        rank: int | None = None,
        shuffle: bool = True,
        seed: int = 0,
        drop_last: bool = False,
    ) -> None:
        if num_replicas is None:
            num_replicas = int(_group().get_world_size())
        if rank is None:
            rank = int(_group().get_rank())
        if rank >= num_replicas or rank < 0:
            raise ValueError(
                f"Invalid rank {rank}, rank should be in the interval [0, {num_replicas - 1}]"
            )
        self.rank, self.num_replicas = rank, num_replicas
        self.shuffle, self.seed, self.epoch = shuffle, seed, 0
        self.dataset, self.drop_last = dataset, drop_last
        count = len(self.dataset)  # type: ignore[arg-type]
        if self.drop_last and count % self.num_replicas != 0:
            # As many as everyone has of a dataset without its last samples.
            self.num_samples = math.ceil((count - self.num_replicas) / self.num_replicas)
        else:
            self.num_samples = math.ceil(count / self.num_replicas)
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self) -> Iterator[_T_co]:
        count = len(self.dataset)  # type: ignore[arg-type]
        if self.shuffle:
            generator = torch.Generator()
            generator.manual_seed(self.seed + self.epoch)
            indices = torch.randperm(count, generator=generator).tolist()
        else:
            indices = list(range(count))
        if indices and not self.drop_last:  # from the beginning again, until all have as many
            indices = list(itertools.islice(itertools.cycle(indices), self.total_size))
        indices = indices[: self.total_size]
        if len(indices) != self.total_size:
            raise AssertionError(
                f"Number of indices ({len(indices)}) does not match total_size ({self.total_size})"
            )
        indices = indices[self.rank : self.total_size : self.num_replicas]
        if len(indices) != self.num_samples:
            raise AssertionError(
                f"Number of subsampled indices ({len(indices)}) does not match "
                f"num_samples ({self.num_samples})"
            )
        return iter(indices)

    def __len__(self) -> int:
        return self.num_samples

    def set_epoch(self, epoch: int) -> None:
        """Say which pass comes next: another order for each."""
        self.epoch = epoch
