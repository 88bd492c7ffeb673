"""Calling ops by name."""

from __future__ import annotations

from typing import Any

from mindtorch_dispatch import (
    Operator,
    call_kernel,
    current_dispatch_keyset,
    dispatch_with_keyset,
    redispatch,
    registry,
)
from mindtorch_dispatch import dispatch as dispatch_overload

from ..aten import torch
from ..call.arguments import split_keywords
from ..call.dispatch_entry import OVERLOADS
from ..call.entrance import Entrance
from ..tensor import Tensor

__all__ = [
    "call_kernel",
    "current_dispatch_keyset",
    "dispatch",
    "dispatch_with_keyset",
    "redispatch",
]


def dispatch(name: str | Operator, device: Any, /, *args: Any, **kwargs: Any) -> Any:
    """Call op *name* for the devices of its arguments.

    A name without an overload (``"sum"``) means the one that ``torch.sum`` would call, or
    ``Tensor.sum`` where torch has no function of this name; the arguments are those of it.

    :param device: a string or something with ``type``, joined with the arguments' devices (Meta
        over NPU over CPU); None to go by the arguments, or where there are none by the default
        device.
    :raises TypeError: no overload takes the arguments, with torch's text.
    :raises NotImplementedError: no kernel for the key that comes out, with torch's text.
    """
    operator = name if isinstance(name, Operator) else registry.get(name)
    if operator is not name and "." not in str(name) and operator.name in OVERLOADS:
        entrance = _entrance(operator.base.partition("::")[2])
        if entrance is not None:
            if "self" in kwargs:  # the schema's word for what functions of torch call input
                kwargs["input"] = kwargs.pop("self")
            if entrance._method and not args and "input" in kwargs:
                args = (kwargs.pop("input"),)
            if entrance._method and not args:
                called = f"TensorBase.{entrance.function.__name__}()"
                raise TypeError(f"unbound method {called} needs an argument")
            which, bound = entrance.parse(args, kwargs)
            if which < 0:
                return bound  # an object among the arguments answered the call
            overload = entrance.group[which]
            overload.analyse()
            operator = overload.operator
            args, kwargs = split_keywords(overload, bound[: overload.arity])
    return dispatch_overload(operator, device, *args, **kwargs)


def _entrance(base: str) -> Entrance | None:
    """What parses the arguments of ``torch.base``, or of the method of that name."""
    function, method = getattr(torch, base, None), getattr(Tensor, base, None)
    found = [e for overload in OVERLOADS.named(base) for e in overload.entrances]
    for entrance in found:
        if function is not None and entrance.public is function:
            return entrance
    return next((e for e in found if e._method and e.function is method), None)
