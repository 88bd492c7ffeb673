"""Modules called at the same time, each in a thread and on a device of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import chain
from typing import Any

from ..._utils import ExceptionWrapper
from ...amp import autocast
from ...amp.switches import is_autocast_enabled
from ...aten import torch

__all__ = ["get_a_var", "parallel_apply"]


def get_a_var(obj: Any) -> Any:
    """A tensor in *obj*, or None."""
    if isinstance(obj, torch.Tensor):
        return obj
    if isinstance(obj, (list, tuple)):
        parts: Any = obj
    elif isinstance(obj, dict):
        parts = chain.from_iterable(obj.items())
    else:
        return None
    for part in parts:
        found = get_a_var(part)
        if found is not None:
            return found
    return None


def parallel_apply(
    modules: Sequence[Any],
    inputs: Sequence[Any],
    kwargs_tup: Sequence[dict[str, Any]] | None = None,
    devices: Sequence[Any] | None = None,
) -> list[Any]:
    """The results of each of *modules* for its part of *inputs* and *kwargs_tup*."""
    if len(modules) != len(inputs):
        raise AssertionError(
            f"The number of modules {len(modules)} is not equal to the number of inputs "
            f"{len(inputs)}"
        )
    if kwargs_tup is not None:
        if len(modules) != len(kwargs_tup):
            raise AssertionError(
                f"The number of modules {len(modules)} is not equal to the number of kwargs "
                f"{len(kwargs_tup)}"
            )
    else:
        kwargs_tup = [{} for _ in modules]
    if devices is not None and len(modules) != len(devices):
        raise AssertionError(
            f"The number of modules {len(modules)} is not equal to the number of devices "
            f"{len(devices)}"
        )
    results: dict[int, Any] = {}
    recording = torch.is_grad_enabled()
    with_autocast = is_autocast_enabled("cpu")

    def work(i: int, module: Any, given: Any, named: dict[str, Any]) -> None:
        torch.set_grad_enabled(recording)
        try:
            if not isinstance(given, (list, tuple)):
                given = (given,)
            with autocast("cpu", enabled=with_autocast):
                results[i] = module(*given, **named)
        except Exception:
            where = "" if devices is None else f" on device {devices[i]}"
            results[i] = ExceptionWrapper(where=f"in replica {i}{where}")

    parts = list(zip(modules, inputs, kwargs_tup, strict=True))
    if len(parts) > 1:
        threads = [threading.Thread(target=work, args=(i, *part)) for i, part in enumerate(parts)]
        for act in (threading.Thread.start, threading.Thread.join):
            for thread in threads:
                act(thread)
    else:
        work(0, *parts[0])
    for i in range(len(parts)):
        if isinstance(results[i], ExceptionWrapper):
            results[i].reraise()
    return [results[i] for i in range(len(parts))]
