"""Arguments and results of any structure, taken apart for devices and put together again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mindtorch as torch

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

    def join(outputs: Any) -> Any:
        out = outputs[0]
        if isinstance(out, torch.Tensor):
            return Gather.apply(target_device, dim, *outputs)
        if out is None:
            return None
        if isinstance(out, dict):
            if not all(len(out) == len(d) for d in outputs):
                raise ValueError("All dicts must have the same number of keys")
            return type(out)((k, join([d[k] for d in outputs])) for k in out)
        if _is_namedtuple(out):
            return type(out)._make(map(join, zip(*outputs, strict=True)))
        return type(out)(map(join, zip(*outputs, strict=True)))

    return join(outputs)
