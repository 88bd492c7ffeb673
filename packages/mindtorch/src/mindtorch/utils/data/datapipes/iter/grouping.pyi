# Written by `python -m tests.stubs --write`; see tests/stubs.
from collections import defaultdict
from collections.abc import Callable
from collections.abc import Iterator
from mindtorch.utils.data.datapipes._decorator import functional_datapipe
from mindtorch.utils.data.datapipes.datapipe import DataChunk
from mindtorch.utils.data.datapipes.datapipe import IterDataPipe
from typing import Any
from typing import TypeVar

@functional_datapipe('batch')
class BatcherIterDataPipe(IterDataPipe[DataChunk[Any]]):
    wrapper_class: Any
    datapipe: IterDataPipe[Any]
    batch_size: int
    drop_last: bool

    def __init__(self, datapipe: IterDataPipe[Any], batch_size: int, drop_last: bool=False, wrapper_class: type[DataChunk[Any]]=DataChunk) -> None:
        ...

    def __iter__(self) -> Iterator[DataChunk[Any]]:
        ...

    def __len__(self) -> int:
        ...
@functional_datapipe('groupby')
class GrouperIterDataPipe(IterDataPipe[DataChunk[Any]]):
    datapipe: Any
    group_key_fn: Any
    max_buffer_size: Any
    group_size: Any
    guaranteed_group_size: Any
    keep_key: Any
    drop_remaining: Any
    wrapper_class: Any
    buffer_elements: defaultdict[Any, list[Any]]
    curr_buffer_size: Any

    def __init__(self, datapipe: IterDataPipe[_T_co], group_key_fn: Callable[[_T_co], Any], *, keep_key: bool=False, buffer_size: int=10000, group_size: int | None=None, guaranteed_group_size: int | None=None, drop_remaining: bool=False) -> None:
        ...

    def _forget(self) -> None:
        ...

    def _take(self, key: Any) -> list[Any]:
        ...

    def _remove_biggest_key(self) -> Any:
        ...

    def _wrapped(self, key: Any, elements: list[Any]) -> Any:
        ...

    def __iter__(self) -> Iterator[Any]:
        ...

    def reset(self) -> None:
        ...
    _KEPT = (*('datapipe', 'group_key_fn', 'keep_key', 'max_buffer_size', 'group_size'), *('guaranteed_group_size', 'drop_remaining', 'wrapper_class'))

    def __getstate__(self) -> Any:
        ...

    def __setstate__(self, state: Any) -> None:
        ...

    def __del__(self) -> None:
        ...
@functional_datapipe('unbatch')
class UnBatcherIterDataPipe(IterDataPipe[Any]):
    datapipe: Any
    unbatch_level: Any

    def __init__(self, datapipe: IterDataPipe[Any], unbatch_level: int=1) -> None:
        ...

    def __iter__(self) -> Iterator[Any]:
        ...

    def _dive(self, element: Any, unbatch_level: int) -> Iterator[Any]:
        ...
_T_co = TypeVar('_T_co', covariant=True)
