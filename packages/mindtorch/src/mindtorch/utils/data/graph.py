"""``torch.utils.data.graph``: which pipes a pipe reads from."""

from __future__ import annotations

import io
import pickle
from collections.abc import Collection
from typing import Any

from ...core.warning import warn
from .datapipes.datapipe import IterDataPipe, MapDataPipe, dill

__all__ = ["traverse", "traverse_dps"]

DataPipe = IterDataPipe[Any] | MapDataPipe[Any]
DataPipeGraph = dict[int, tuple[DataPipe, "DataPipeGraph"]]


def _stub_unpickler() -> str:
    return "STUB"


def _list_connected_datapipes(scan_obj: Any, only_datapipe: bool, cache: set[int]) -> list[Any]:
    """The pipes that *scan_obj* holds, found by pickling it; of each only that it is there."""
    pickler = pickle.Pickler(io.BytesIO()) if dill is None else dill.Pickler(io.BytesIO())
    captured: list[Any] = []

    def getstate_hook(state: Any) -> Any:
        # Of what a pipe keeps only other pipes, and what may hold some.
        kept = (IterDataPipe, MapDataPipe, Collection)
        if isinstance(state, dict):
            return {key: value for key, value in state.items() if isinstance(value, kept)}
        return [value for value in state if isinstance(value, kept)]

    def reduce_hook(obj: Any) -> Any:
        if obj is scan_obj or id(obj) in cache:
            raise NotImplementedError
        captured.append(obj)
        # What it holds itself is looked at when its turn comes.
        return _stub_unpickler, ()

    kinds: tuple[Any, ...] = (IterDataPipe, MapDataPipe)
    before = [(kind.reduce_ex_hook, kind.getstate_hook) for kind in kinds]
    try:
        for kind in kinds:
            kind.set_reduce_ex_hook(None)
            kind.set_reduce_ex_hook(reduce_hook)
            if only_datapipe:
                kind.set_getstate_hook(None)
                kind.set_getstate_hook(getstate_hook)
        try:
            pickler.dump(scan_obj)
        except (TypeError, AttributeError, pickle.PicklingError):
            if not only_datapipe:
                raise
    finally:
        for kind, (reducing, state) in zip(kinds, before, strict=True):
            kind.reduce_ex_hook, kind.getstate_hook = reducing, state
    return captured


def traverse_dps(datapipe: Any) -> Any:
    """The graph of *datapipe*: by its ``id``, the pipe and the graph of those it reads from.

    Only attributes that are pipes, or collections of them, count.
    """
    return _traverse_helper(datapipe, True, set())


def traverse(datapipe: Any, only_datapipe: bool | None = None) -> Any:
    """:func:`traverse_dps`, which replaces it; other attributes count, unless *only_datapipe*."""
    text = (
        "`traverse` function is deprecated and will be removed after 1.13. "
        "Please use `traverse_dps` instead."
    )
    if not only_datapipe:
        text += " And, the behavior will be changed to the equivalent of `only_datapipe=True`."
    warn(text, FutureWarning)
    return _traverse_helper(datapipe, bool(only_datapipe), set())


def _traverse_helper(datapipe: Any, only_datapipe: bool, cache: set[int]) -> Any:
    if not isinstance(datapipe, (IterDataPipe, MapDataPipe)):
        raise RuntimeError(
            f"Expected `IterDataPipe` or `MapDataPipe`, but {type(datapipe)} is found"
        )
    number = id(datapipe)
    if number in cache:
        return {}
    cache.add(number)
    # A pipe that is read from twice is part of the graph twice; one of its ancestors is not.
    items = _list_connected_datapipes(datapipe, only_datapipe, cache.copy())
    inner: Any = {}
    for item in items:
        inner.update(_traverse_helper(item, only_datapipe, cache.copy()))
    return {number: (datapipe, inner)}
