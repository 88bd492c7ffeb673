"""A sampler that begins where an earlier job ended."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from mindtorch.utils.data import Dataset
from mindtorch.utils.data.distributed import DistributedSampler

from .....aten import torch

__all__ = ["ElasticDistributedSampler"]


class ElasticDistributedSampler(DistributedSampler[Any]):
    """Gives each process its part of a data set from *start_index* on.

    Raises ValueError for a start that is beyond the data set.
    """

    def __init__(
        self,
        dataset: Dataset[Any],
        num_replicas: int | None = None,
        rank: int | None = None,
        start_index: int = 0,
    ) -> None:
        super().__init__(dataset=dataset, num_replicas=num_replicas, rank=rank)
        length = len(dataset)  # type: ignore[arg-type]  # a sampler needs a length
        if start_index >= length:
            raise ValueError(f"Start index {start_index} should be less than dataset size {length}")
        self.start_index = start_index
        self.num_samples = math.ceil((length - start_index) / self.num_replicas)
        self.total_size = self.num_samples * self.num_replicas

    def __iter__(self) -> Iterator[Any]:
        generator = torch.Generator()
        generator.manual_seed(self.epoch)
        rest = len(self.dataset) - self.start_index  # type: ignore[arg-type]  # as above
        order = (torch.randperm(rest, generator=generator) + self.start_index).tolist()
        order += order[: self.total_size - len(order)]
        return iter(order[self.rank : self.total_size : self.num_replicas])

    def __len__(self) -> int:
        return self.num_samples
