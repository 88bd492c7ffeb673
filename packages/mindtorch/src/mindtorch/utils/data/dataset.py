"""``torch.utils.data.dataset``: what a loader reads samples from."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterator, Sequence
from typing import Any, Generic, Iterable, TypeVar, cast  # noqa: UP035  # a base: its place among them counts

from ...aten.torch import Generator, Tensor, default_generator, randperm
from ...core.warning import warn

__all__ = [
    "Dataset",
    "IterableDataset",
    "TensorDataset",
    "StackDataset",
    "ConcatDataset",
    "ChainDataset",
    "Subset",
    "random_split",
]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)
_T_dict = dict[str, _T_co]
_T_tuple = tuple[_T_co, ...]
_T_stack = TypeVar("_T_stack", _T_tuple[Any], _T_dict[Any])


class Dataset(Generic[_T_co]):
    """Samples by index. Subclasses define ``__getitem__``, and mostly ``__len__``.

    One that has ``__getitems__(indices)`` gives a whole batch in one call. There is no default
    ``__len__``: samplers tell by a TypeError that there is none.
    """

    def __getitem__(self, index: Any) -> _T_co:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")

    def __add__(self, other: Dataset[_T_co]) -> ConcatDataset[_T_co]:
        return ConcatDataset([self, other])


class IterableDataset(Dataset[_T_co], Iterable[_T_co]):
    """Samples one after the other, by ``__iter__``.

    Every worker has a copy: :func:`get_worker_info` tells it which part is its own.
    """

    def __add__(self, other: Dataset[_T_co]) -> ChainDataset:  # type: ignore[override]  # as torch
        return ChainDataset([self, other])


class TensorDataset(Dataset[tuple[Tensor, ...]]):
    """Rows of tensors: a sample is a tuple of each tensor's row at the index."""

    tensors: tuple[Tensor, ...]

    def __init__(self, *tensors: Tensor) -> None:
        if any(tensors[0].size(0) != tensor.size(0) for tensor in tensors):
            raise AssertionError("Size mismatch between tensors")
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Tensor, ...]:
        return tuple([tensor[index] for tensor in self.tensors])

    def __len__(self) -> int:
        return int(self.tensors[0].size(0))


def _length(dataset: Any) -> int:
    return len(dataset)


def _batch_of(dataset: Any, indices: list[Any]) -> Any:
    """The samples at *indices*, in one call where *dataset* has one.

    Raises ValueError if it answers with another number of samples.
    """
    if not callable(getattr(dataset, "__getitems__", None)):
        return [dataset[i] for i in indices]
    items = dataset.__getitems__(indices)
    if len(items) != len(indices):
        raise ValueError(
            f"Nested dataset's output size mismatch. Expected {len(indices)}, got {len(items)}"
        )
    return items


class StackDataset(Dataset[_T_stack]):
    """Several datasets side by side: a sample is a tuple, or a dict, of one sample of each."""

    datasets: Any

    def __init__(self, *args: Dataset[Any], **kwargs: Dataset[Any]) -> None:
        if args:
            if kwargs:
                raise ValueError(
                    "Supported either ``tuple``- (via ``args``) or"
                    "``dict``- (via ``kwargs``) like input/output, but both types are given."
                )
            members: Any = args
            self._length = _length(args[0])
        elif kwargs:
            members = kwargs
            self._length = _length(next(iter(kwargs.values())))
        else:
            raise ValueError("At least one dataset should be passed")
        each = members.values() if isinstance(members, dict) else members
        if any(self._length != _length(dataset) for dataset in each):
            raise ValueError("Size mismatch between datasets")
        self.datasets = members

    def __getitem__(self, index: Any) -> Any:
        if isinstance(self.datasets, dict):
            return {key: dataset[index] for key, dataset in self.datasets.items()}
        return tuple([dataset[index] for dataset in self.datasets])

    def __getitems__(self, indices: list[Any]) -> list[Any]:
        if isinstance(self.datasets, dict):
            columns = [_batch_of(dataset, indices) for dataset in self.datasets.values()]
            rows = zip(*columns, strict=True)
            return [dict(zip(self.datasets, row, strict=True)) for row in rows]
        columns = [_batch_of(dataset, indices) for dataset in self.datasets]
        return list(zip(*columns, strict=True))

    def __len__(self) -> int:
        return self._length


class ConcatDataset(Dataset[_T_co]):
    """Datasets one after the other, by index."""

    datasets: list[Dataset[_T_co]]
    cumulative_sizes: list[int]

    @staticmethod
    def cumsum(sequence: Any) -> list[int]:
        """The end of each member's part of the indices."""
        return list(itertools.accumulate(len(e) for e in sequence))

    def __init__(self, datasets: Iterable[Dataset[_T_co]]) -> None:
        super().__init__()
        self.datasets = list(datasets)
        if len(self.datasets) == 0:
            raise AssertionError("datasets should not be an empty iterable")
        for dataset in self.datasets:
            if isinstance(dataset, IterableDataset):
                raise AssertionError("ConcatDataset does not support IterableDataset")
        self.cumulative_sizes = self.cumsum(self.datasets)

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, idx: Any) -> _T_co:
        if idx < 0:
            if -idx > len(self):
                raise ValueError("absolute value of index should not exceed dataset length")
            idx = len(self) + idx
        which = bisect.bisect_right(self.cumulative_sizes, idx)
        start = self.cumulative_sizes[which - 1] if which else 0
        return self.datasets[which][idx - start]

    @property
    def cummulative_sizes(self) -> list[int]:
        """:attr:`cumulative_sizes` as it was once spelt; deprecated."""
        warn(
            "`cummulative_sizes` attribute is renamed to `cumulative_sizes`",
            category=FutureWarning,
        )
        return self.cumulative_sizes


class ChainDataset(IterableDataset[Any]):
    """Iterable datasets one after the other."""

    def __init__(self, datasets: Iterable[Dataset[Any]]) -> None:
        super().__init__()
        self.datasets = datasets

    def __iter__(self) -> Iterator[Any]:
        for dataset in self._members_():
            yield from dataset

    def __len__(self) -> int:
        return sum(len(dataset) for dataset in self._members_())

    def _members_(self) -> Iterator[Any]:
        for dataset in self.datasets:
            if not isinstance(dataset, IterableDataset):
                raise AssertionError("ChainDataset only supports IterableDataset")
            yield dataset


class Subset(Dataset[_T_co]):
    """The samples of *dataset* at *indices*."""

    dataset: Dataset[_T_co]
    indices: Sequence[int]

    def __init__(self, dataset: Dataset[_T_co], indices: Sequence[int]) -> None:
        kind = type(self)
        if kind.__getitem__ is not Subset.__getitem__ and kind.__getitems__ is Subset.__getitems__:
            # A loader asks for whole batches: it would never call the overriding method.
            raise NotImplementedError(
                f"{kind.__name__} overrides __getitem__ but not __getitems__. "
                "When subclassing Subset and overriding __getitem__, you must also override "
                "__getitems__ to ensure DataLoader works correctly with your custom logic. "
                "A simple implementation:\n\n"
                "def __getitems__(self, indices):\n"
                "    return [self.__getitem__(idx) for idx in indices]"
            )
        self.dataset = dataset
        self.indices = indices

    def __getitem__(self, idx: Any) -> Any:
        if isinstance(idx, list):
            return self.dataset[[self.indices[i] for i in idx]]
        return self.dataset[self.indices[idx]]

    def __getitems__(self, indices: list[int]) -> list[_T_co]:
        chosen = [self.indices[i] for i in indices]
        at_once = getattr(self.dataset, "__getitems__", None)
        if callable(at_once):
            return cast("list[_T_co]", at_once(chosen))
        return [self.dataset[i] for i in chosen]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Dataset[_T],
    lengths: Sequence[int | float],
    generator: Generator | None = default_generator,
) -> list[Subset[_T]]:
    """Split *dataset* at random into parts of *lengths*, or of those fractions of it.

    What fractions leave over goes one by one to the parts, from the first on.
    """
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        lengths = _counts(dataset, lengths)
    if sum(lengths) != _length(dataset):
        raise ValueError("Sum of input lengths does not equal the length of the input dataset!")
    indices = randperm(int(sum(lengths)), generator=generator).tolist()
    ends = itertools.accumulate(cast("Sequence[int]", lengths))
    return [
        Subset(dataset, indices[end - length : end])
        for end, length in zip(ends, cast("Sequence[int]", lengths), strict=True)
    ]


def _counts(dataset: Any, fractions: Sequence[float]) -> list[int]:
    counts = []
    for i, fraction in enumerate(fractions):
        if fraction < 0 or fraction > 1:
            raise ValueError(f"Fraction at index {i} is not between 0 and 1")
        counts.append(math.floor(len(dataset) * fraction))
    for i in range(len(dataset) - sum(counts)):
        counts[i % len(counts)] += 1
    for i, count in enumerate(counts):
        if count == 0:
            warn(
                f"Length of split at index {i} is 0. This might result in an empty dataset.",
            )
    return counts
