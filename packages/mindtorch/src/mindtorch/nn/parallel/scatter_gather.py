"""Arguments and results of any structure, taken apart for devices and put together again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...aten import torch
from ._functions import Gather, Scatter

__all__ = ["gather", "scatter", "scatter_kwargs"]


def is_namedtuple(obj: Any) -> bool:
    """Whether *obj* is of a class that ``namedtuple`` made."""
    return _is_namedtuple(obj)


def _is_namedtuple(obj: Any) -> bool:
    return isinstance(obj, tuple) and hasattr(obj, "_asdict") and hasattr(obj, "_fields")


def scatter(inputs: Any, target_gpus: Sequence[Any], dim: int = 0) -> Any:
    """One copy of *inputs* for each device, with pieces of its tensors along *dim*.

    What is no tensor and holds none is the same object for all.
    """

    def parts(obj: Any) -> list[Any]:
        if isinstance(obj, torch.Tensor):
            return list(Scatter.apply(target_gpus, None, dim, obj))
        if _is_namedtuple(obj):
            return [type(obj)(*args) for args in zip(*map(parts, obj), strict=False)]
        if isinstance(obj, tuple) and obj:
            return list(zip(*map(parts, obj), strict=False))
        if isinstance(obj, list) and obj:
            return [list(i) for i in zip(*map(parts, obj), strict=False)]
        if isinstance(obj, dict) and obj:
            return [type(obj)(i) for i in zip(*map(parts, obj.items()), strict=False)]
        return [obj for _ in target_gpus]

    return parts(inputs)


def scatter_kwargs(
    inputs: tuple[Any, ...],
    kwargs: dict[str, Any] | None,
    target_gpus: Sequence[Any],
    dim: int = 0,
) -> tuple[tuple[Any, ...], tuple[dict[str, Any], ...]]:
    """Positional and keyword arguments for each device."""
    scattered = scatter(inputs, target_gpus, dim) if inputs else []
    named = scatter(kwargs, target_gpus, dim) if kwargs else []
    scattered.extend(() for _ in range(len(named) - len(scattered)))
    named.extend({} for _ in range(len(scattered) - len(named)))
    return tuple(scattered), tuple(named)


def gather(outputs: Any, target_device: Any, dim: int = 0) -> Any:
    """The results of all devices put together on *target_device*, tensors joined along *dim*."""

    def join(parts: Any) -> Any:
        first = parts[0]
        kind: Any = type(first)
        if first is None:
            return None
        if isinstance(first, torch.Tensor):
            return Gather.apply(target_device, dim, *parts)
        if isinstance(first, dict):
            if len({len(part) for part in parts}) > 1:
                raise ValueError("All dicts must have the same number of keys")
            return kind((key, join([part[key] for part in parts])) for key in first)
        joined = map(join, zip(*parts, strict=True))
        return kind._make(joined) if _is_namedtuple(first) else kind(joined)

    return join(outputs)
