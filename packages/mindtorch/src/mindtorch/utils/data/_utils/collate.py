"""From samples to a batch: tensors are stacked, containers are gone into."""

from __future__ import annotations

import copy
import os
import re
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from ....aten import torch
from ....multiprocessing import get_sharing_strategy
from ....multiprocessing.reductions import rebuild_tensor
from . import worker

_BY_DESCRIPTOR = hasattr(os, "pwritev")
#: How many pieces the system writes in one call.
_AT_ONCE = 1024

#: Kinds of ndarrays that no tensor holds: bytes, strings and objects.
np_str_obj_array_pattern = re.compile(r"[SaUO]")


def _is_namedtuple(data: Any) -> bool:
    return isinstance(data, tuple) and hasattr(data, "_fields")


def default_convert(data: Any) -> Any:
    """*data* with a tensor for each ndarray and numpy number in it; else as it is.

    Containers are gone into. What has no tensor stays.
    """
    kind = type(data)
    if isinstance(data, torch.Tensor):
        return data
    if isinstance(data, (np.ndarray, np.generic)) and kind.__module__ == "numpy":
        if isinstance(data, (np.str_, np.bytes_)) or (
            kind is np.ndarray and np_str_obj_array_pattern.search(data.dtype.str)
        ):
            return data
        return torch.as_tensor(data)
    if isinstance(data, Mapping):
        return _mapping_like(data, {key: default_convert(data[key]) for key in data})
    if _is_namedtuple(data):
        return kind(*[default_convert(d) for d in data])
    if isinstance(data, tuple):
        return [default_convert(d) for d in data]  # as torch always has
    if isinstance(data, Sequence) and not isinstance(data, (str, bytes)):
        return _sequence_like(data, [default_convert(d) for d in data])
    return data


def _mapping_like(like: Any, made: dict[Any, Any]) -> Any:
    """*made* as a mapping of the type of *like*, which may have attributes; else the dict."""
    try:
        if isinstance(like, MutableMapping):
            clone = copy.copy(like)
            clone.update(made)
            return clone
        return type(like)(made)
    except TypeError:  # it cannot be copied, or made of a dict
        return made


def _sequence_like(like: Any, made: list[Any]) -> Any:
    """*made* as a sequence of the type of *like*; else the list."""
    try:
        if isinstance(like, MutableSequence):
            clone: Any = copy.copy(like)
            for i, value in enumerate(made):
                clone[i] = value
            return clone
        return type(like)(made)
    except TypeError:  # it cannot be copied, or made of a list (``range``)
        return made


default_collate_err_msg_format = (
    "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"
)

#: From a type, or several, to the function that collates samples of it.
_Map = dict[type | tuple[type, ...], Callable[..., Any]]


def collate(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Collate the samples of *batch*, each by the function of its type; go into containers.

    Raises TypeError for a type that has none, and RuntimeError for lists of several lengths.
    """
    elem = batch[0]
    kind = type(elem)
    if collate_fn_map is not None:
        if kind in collate_fn_map:
            return collate_fn_map[kind](batch, collate_fn_map=collate_fn_map)
        for known, function in collate_fn_map.items():
            if isinstance(elem, known):
                return function(batch, collate_fn_map=collate_fn_map)
    if isinstance(elem, Mapping):
        columns = {
            key: collate([d[key] for d in batch], collate_fn_map=collate_fn_map) for key in elem
        }
        return _mapping_like(elem, columns)
    if _is_namedtuple(elem):
        fields = zip(*batch, strict=False)
        return kind(*[collate(samples, collate_fn_map=collate_fn_map) for samples in fields])
    if isinstance(elem, Sequence):
        size = len(elem)
        if not all(len(each) == size for each in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        made = [
            collate(samples, collate_fn_map=collate_fn_map) for samples in zip(*batch, strict=False)
        ]
        return made if isinstance(elem, tuple) else _sequence_like(elem, made)
    raise TypeError(default_collate_err_msg_format.format(kind))


def collate_tensor_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Stack tensors; in a worker into shared memory, which spares a copy on the way."""
    elem = batch[0]
    if elem.is_nested:
        raise RuntimeError(
            "Batches of nested tensors are not currently supported by the default collate_fn; "
            "please provide a custom collate_fn to handle them appropriately."
        )
    if elem.layout is not torch.strided:
        raise RuntimeError(
            "Batches of sparse tensors are not currently supported by the default collate_fn; "
            "please provide a custom collate_fn to handle them appropriately."
        )
    if worker._worker_info is not None and elem.device.type == "cpu":
        return _stack_shared(batch)
    return torch.stack(batch, 0)


def _stack_shared(batch: Any) -> Any:
    """Stack into memory that the parent maps."""
    elem = batch[0]
    shape = (len(batch), *elem.size())
    strides = [1]
    for n in shape[:0:-1]:
        strides.append(strides[-1] * max(n, 1))
    numel = len(batch) * elem.numel()
    storage = torch.UntypedStorage._new_shared(numel * elem.element_size(), device="cpu")
    window = (0, shape, tuple(strides[::-1]), False, elem.dtype)
    out = rebuild_tensor(torch.Tensor, storage, window)
    if numel and not _written(batch, storage):
        torch.stack(batch, 0, out=out)
    return out


def _written(batch: Any, storage: Any) -> bool:
    """Write the tensors of *batch* into *storage* by its descriptor; False where that cannot be.

    The system copies into fresh memory at once. Through a mapping it would clear each page first,
    at its first touch, which takes as long again.
    """
    size, dtype = batch[0].size(), batch[0].dtype
    if not _BY_DESCRIPTOR or get_sharing_strategy() != "file_descriptor":
        return False
    for t in batch:
        if type(t) is not torch.Tensor or t.dtype is not dtype or t.size() != size:
            return False
    try:
        arrays = [t.numpy() for t in batch]
    except (RuntimeError, TypeError):  # a dtype that numpy lacks, a lazy bit, a gradient
        return False
    if not all(a.flags.c_contiguous for a in arrays):
        return False
    fd, done = storage._share_fd_cpu_()[0], 0
    for i in range(0, len(arrays), _AT_ONCE):
        done += os.pwritev(fd, arrays[i : i + _AT_ONCE], done)
    return bool(done == storage.nbytes())


def collate_numpy_array_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Stack ndarrays as tensors. Raises TypeError for those of strings or objects."""
    elem = batch[0]
    if np_str_obj_array_pattern.search(elem.dtype.str) is not None:
        raise TypeError(default_collate_err_msg_format.format(elem.dtype))
    return collate([torch.as_tensor(b) for b in batch], collate_fn_map=collate_fn_map)


def collate_numpy_scalar_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """A tensor of numpy's numbers."""
    return torch.as_tensor(batch)


def collate_float_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """A float64 tensor."""
    return torch.tensor(batch, dtype=torch.float64)


def collate_int_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """A tensor of integers."""
    return torch.tensor(batch)


def collate_str_fn(batch: Any, *, collate_fn_map: _Map | None = None) -> Any:
    """Texts as they are."""
    return batch


default_collate_fn_map: _Map = {
    torch.Tensor: collate_tensor_fn,
    np.ndarray: collate_numpy_array_fn,
    (np.bool_, np.number, np.object_): collate_numpy_scalar_fn,
    float: collate_float_fn,
    int: collate_int_fn,
    str: collate_str_fn,
    bytes: collate_str_fn,
}


def default_collate(batch: Any) -> Any:
    """Put samples into one batch: tensors with one dim more, in front, in containers as theirs.

    Numbers become tensors, strings stay. Types in :data:`default_collate_fn_map` go by that.
    """
    return collate(batch, collate_fn_map=default_collate_fn_map)
