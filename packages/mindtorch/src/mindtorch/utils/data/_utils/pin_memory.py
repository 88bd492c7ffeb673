"""Batches into memory that an accelerator copies from at once, in a thread of its own."""

from __future__ import annotations

import collections.abc
import copy
import queue
from typing import Any

from .... import accelerator
from ...._utils import ExceptionWrapper
from ....aten import torch
from ....multiprocessing import _set_thread_name
from ._process import MP_STATUS_CHECK_INTERVAL


def _pin_memory_loop(
    in_queue: Any, out_queue: Any, device_id: Any, done_event: Any, device: Any
) -> None:
    """What the thread runs: until *done_event*, batches go pinned from one queue to the other."""
    _set_thread_name("pt_data_pin")
    accelerator.set_device_index(device_id)

    def pin_one() -> None:
        try:
            task = in_queue.get(timeout=MP_STATUS_CHECK_INTERVAL)
        except queue.Empty:
            return
        index, data = task
        if not done_event.is_set() and not isinstance(data, ExceptionWrapper):
            try:
                data = pin_memory(data, device)
            except Exception:
                data = ExceptionWrapper(where=f"in pin memory thread for device {device_id}")
        while not done_event.is_set():
            try:
                out_queue.put((index, data), timeout=MP_STATUS_CHECK_INTERVAL)
                return
            except queue.Full:
                continue

    # A function for each batch: between two of them the thread holds none.
    while not done_event.is_set():
        pin_one()


def pin_memory(data: Any, device: Any = None) -> Any:
    """*data* with every tensor in pinned memory; containers are gone into.

    What has a method ``pin_memory`` is asked for it.
    """
    if isinstance(data, torch.Tensor) or hasattr(data, "pin_memory"):
        return data.pin_memory()
    if isinstance(data, (str, bytes)):
        return data
    if isinstance(data, collections.abc.Mapping):
        made = {key: pin_memory(value, device) for key, value in data.items()}
        try:
            if isinstance(data, collections.abc.MutableMapping):
                clone = copy.copy(data)
                clone.update(made)
                return clone
            return type(data)(made)  # type: ignore[call-arg]
        except TypeError:  # it cannot be copied, or made of a dict
            return made
    if isinstance(data, tuple):
        pinned = [pin_memory(value, device) for value in data]
        return type(data)(*pinned) if hasattr(data, "_fields") else pinned
    if isinstance(data, collections.abc.Sequence):
        pinned = [pin_memory(value, device) for value in data]
        try:
            if isinstance(data, collections.abc.MutableSequence):
                copied: Any = copy.copy(data)
                for i, value in enumerate(pinned):
                    copied[i] = value
                return copied
            return type(data)(pinned)  # type: ignore[call-arg]
        except TypeError:  # it cannot be copied, or made of a list (``range``)
            return pinned
    return data
