"""``IterDataPipe`` and ``MapDataPipe``: datasets whose classes give each other methods."""

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any, TypeVar

from ..dataset import Dataset, IterableDataset
from ._hook_iterator import _SnapshotState
from ._typing import _DataPipeMeta, _IterDataPipeMeta
from .utils.common import (
    _deprecation_warning,
    _iter_deprecated_functional_names,
    _map_deprecated_functional_names,
)

__all__ = ["DataChunk", "DFIterDataPipe", "IterDataPipe", "MapDataPipe"]

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)


def _import_dill() -> Any:
    """``dill`` if it is installed: it pickles functions that ``pickle`` cannot."""
    try:
        dill = import_module("dill")
    except ImportError:
        return None
    dill.extend(use_dill=False)  # what was taught to pickle on import is taken back
    return dill


dill = _import_dill()
HAS_DILL = dill is not None

#: Short forms whose result is no frame to trace on.
UNTRACABLE_DATAFRAME_PIPES = ["batch", "groupby", "_dataframes_as_tuples", "trace_as_dataframe"]


class DataChunk(list[_T]):
    """A batch of a pipe: a list."""

    def __init__(self, items: Iterable[_T]) -> None:
        items = list(items)
        super().__init__(items)
        self.items = items

    def as_str(self, indent: str = "") -> str:
        """The elements in brackets, after *indent*."""
        return indent + "[" + ", ".join(str(i) for i in iter(self)) + "]"

    def __iter__(self) -> Iterator[_T]:
        yield from super().__iter__()

    def raw_iterator(self) -> Any:
        """The elements as they were given."""
        yield from self.items


def _short_form(functions: dict[str, Any], deprecated: dict[str, Any], self: Any, name: str) -> Any:
    """The short form *name* of one of *functions*, bound to the pipe *self*.

    Raises AttributeError if there is none.
    """
    if name not in functions:
        # The text lacks its last quote in torch, too.
        raise AttributeError(f"'{self.__class__.__name__}' object has no attribute '{name}")
    if name in deprecated:
        _deprecation_warning(**deprecated[name])
    known = functions[name]
    bound = functools.partial(known, self)
    functools.update_wrapper(bound, wrapped=known, assigned=("__doc__",))
    return bound


class IterDataPipe(IterableDataset[_T_co], metaclass=_IterDataPipeMeta):
    """A dataset that is iterated, mostly over another one.

    Pipes that ``functional_datapipe`` has named are methods of every pipe. Only the newest
    iterator of a pipe is valid.
    """

    functions: dict[str, Callable[..., Any]] = {}
    reduce_ex_hook: Callable[..., Any] | None = None
    getstate_hook: Callable[..., Any] | None = None
    str_hook: Callable[..., Any] | None = None
    repr_hook: Callable[..., Any] | None = None
    _valid_iterator_id: int | None = None
    _number_of_samples_yielded: int = 0
    _snapshot_state: _SnapshotState = _SnapshotState.NotStarted
    _fast_forward_iterator: Iterator[Any] | None = None

    def __iter__(self) -> Iterator[_T_co]:
        return self

    def __getattr__(self, attribute_name: str) -> Any:
        deprecated = _iter_deprecated_functional_names
        return _short_form(IterDataPipe.functions, deprecated, self, attribute_name)

    @classmethod
    def register_function(cls, function_name: str, function: Any) -> None:
        """Make *function* a method of every pipe."""
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(
        cls, function_name: str, cls_to_register: Any, enable_df_api_tracing: bool = False
    ) -> None:
        """Make the class *cls_to_register* a method of every pipe."""
        if function_name in cls.functions:
            raise Exception(
                f"Unable to add DataPipe function name {function_name} as it is already taken"
            )

        def class_function(
            cls: Any, enable_df_api_tracing: bool, source_dp: Any, *args: Any, **kwargs: Any
        ) -> Any:
            made = cls(source_dp, *args, **kwargs)
            if (
                isinstance(made, IterDataPipe)
                and (enable_df_api_tracing or isinstance(source_dp, DFIterDataPipe))
                and function_name not in UNTRACABLE_DATAFRAME_PIPES
            ):
                made = made.trace_as_dataframe()
            return made

        function = functools.partial(class_function, cls_to_register, enable_df_api_tracing)
        functools.update_wrapper(function, wrapped=cls_to_register, assigned=("__doc__",))
        cls.functions[function_name] = function

    def __getstate__(self) -> Any:
        state = self.__dict__
        hook = IterDataPipe.getstate_hook
        return state if hook is None else hook(state)

    def __reduce_ex__(self, *args: Any, **kwargs: Any) -> Any:
        if IterDataPipe.reduce_ex_hook is not None:
            try:
                return IterDataPipe.reduce_ex_hook(self)
            except NotImplementedError:
                pass
        return super().__reduce_ex__(*args, **kwargs)

    @classmethod
    def set_getstate_hook(cls, hook_fn: Any) -> None:
        """Have *hook_fn* change what pipes give pickle; None takes it away."""
        if IterDataPipe.getstate_hook is not None and hook_fn is not None:
            raise RuntimeError("Attempt to override existing getstate_hook")
        IterDataPipe.getstate_hook = hook_fn

    @classmethod
    def set_reduce_ex_hook(cls, hook_fn: Any) -> None:
        """Have *hook_fn* reduce pipes; None takes it away."""
        if IterDataPipe.reduce_ex_hook is not None and hook_fn is not None:
            raise RuntimeError("Attempt to override existing reduce_ex_hook")
        IterDataPipe.reduce_ex_hook = hook_fn

    def __repr__(self) -> str:
        return str(self.__class__.__qualname__ if self.repr_hook is None else self.repr_hook(self))

    def __str__(self) -> str:
        return str(self.__class__.__qualname__ if self.str_hook is None else self.str_hook(self))

    def __dir__(self) -> list[str]:
        return list(super().__dir__()) + list(self.functions.keys())

    def reset(self) -> None:
        """Go back to the beginning: called with each new iterator."""


class DFIterDataPipe(IterDataPipe[Any]):
    """A pipe whose elements are frames of data."""

    def _is_dfpipe(self) -> bool:
        return True


class MapDataPipe(Dataset[_T_co], metaclass=_DataPipeMeta):
    """A dataset by index, mostly over another one.

    Pipes that ``functional_datapipe`` has named are methods of every pipe.
    """

    functions: dict[str, Callable[..., Any]] = {}
    reduce_ex_hook: Callable[..., Any] | None = None
    getstate_hook: Callable[..., Any] | None = None
    str_hook: Callable[..., Any] | None = None
    repr_hook: Callable[..., Any] | None = None

    def __getattr__(self, attribute_name: str) -> Any:
        deprecated = _map_deprecated_functional_names
        return _short_form(MapDataPipe.functions, deprecated, self, attribute_name)

    @classmethod
    def register_function(cls, function_name: str, function: Any) -> None:
        """Make *function* a method of every pipe."""
        cls.functions[function_name] = function

    @classmethod
    def register_datapipe_as_function(cls, function_name: str, cls_to_register: Any) -> None:
        """Make the class *cls_to_register* a method of every pipe."""
        if function_name in cls.functions:
            raise Exception(
                f"Unable to add DataPipe function name {function_name} as it is already taken"
            )

        def class_function(cls: Any, source_dp: Any, *args: Any, **kwargs: Any) -> Any:
            return cls(source_dp, *args, **kwargs)

        function = functools.partial(class_function, cls_to_register)
        functools.update_wrapper(function, wrapped=cls_to_register, assigned=("__doc__",))
        cls.functions[function_name] = function

    def __getstate__(self) -> Any:
        state = self.__dict__
        hook = MapDataPipe.getstate_hook
        return state if hook is None else hook(state)

    def __reduce_ex__(self, *args: Any, **kwargs: Any) -> Any:
        if MapDataPipe.reduce_ex_hook is not None:
            try:
                return MapDataPipe.reduce_ex_hook(self)
            except NotImplementedError:
                pass
        return super().__reduce_ex__(*args, **kwargs)

    @classmethod
    def set_getstate_hook(cls, hook_fn: Any) -> None:
        """Have *hook_fn* change what pipes give pickle; None takes it away."""
        if MapDataPipe.getstate_hook is not None and hook_fn is not None:
            raise RuntimeError("Attempt to override existing getstate_hook")
        MapDataPipe.getstate_hook = hook_fn

    @classmethod
    def set_reduce_ex_hook(cls, hook_fn: Any) -> None:
        """Have *hook_fn* reduce pipes; None takes it away."""
        if MapDataPipe.reduce_ex_hook is not None and hook_fn is not None:
            raise RuntimeError("Attempt to override existing reduce_ex_hook")
        MapDataPipe.reduce_ex_hook = hook_fn

    def __repr__(self) -> str:
        return str(self.__class__.__qualname__ if self.repr_hook is None else self.repr_hook(self))

    def __str__(self) -> str:
        return str(self.__class__.__qualname__ if self.str_hook is None else self.str_hook(self))

    def __dir__(self) -> list[str]:
        return list(super().__dir__()) + list(self.functions.keys())


class _DataPipeSerializationWrapper:
    """A graph of pipes that goes to a worker: by ``dill`` where ``pickle`` cannot."""

    def __init__(self, datapipe: Any) -> None:
        self._datapipe = datapipe

    def __getstate__(self) -> tuple[bytes, bool]:
        try:
            return pickle.dumps(self._datapipe), False
        except Exception:
            if dill is None:
                raise
            return dill.dumps(self._datapipe), True

    def __setstate__(self, state: tuple[bytes, bool]) -> None:
        value, by_dill = state
        self._datapipe = dill.loads(value) if by_dill else pickle.loads(value)

    def __len__(self) -> int:
        try:
            return len(self._datapipe)
        except Exception as error:
            raise TypeError(f"{type(self).__name__} instance doesn't have valid length") from error


class _IterDataPipeSerializationWrapper(_DataPipeSerializationWrapper, IterDataPipe[Any]):
    def __init__(self, datapipe: IterDataPipe[Any]) -> None:
        super().__init__(datapipe)
        self._datapipe_iter: Iterator[Any] | None = None

    def __iter__(self) -> Any:
        self._datapipe_iter = iter(self._datapipe)
        return self

    def __next__(self) -> Any:
        if self._datapipe_iter is None:
            raise AssertionError(
                "Iterator has not been initialized; call __iter__() before __next__()"
            )
        return next(self._datapipe_iter)


class _MapDataPipeSerializationWrapper(_DataPipeSerializationWrapper, MapDataPipe[Any]):
    def __getitem__(self, idx: Any) -> Any:
        return self._datapipe[idx]
