"""``torch.utils._inspect``: arguments by the names of a signature."""

from __future__ import annotations

from inspect import BoundArguments, Parameter, Signature
from typing import Any

_BY_PLACE = (Parameter.POSITIONAL_ONLY, Parameter.POSITIONAL_OR_KEYWORD)
_ANY_NUMBER = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def _signature_metadata(sig: Signature) -> tuple[tuple[Parameter, ...], bool, int]:
    """The parameters, whether there is ``*`` or ``**``, and how many may be given by place."""
    parameters = tuple(sig.parameters.values())
    kinds = [p.kind for p in parameters]
    return parameters, any(k in _ANY_NUMBER for k in kinds), sum(k in _BY_PLACE for k in kinds)


def _fast_bind(sig: Signature, *args: Any, **kwargs: Any) -> BoundArguments:
    """``sig.bind``, in other words where the arguments do not fit. Raises TypeError."""
    parameters, any_number, most = _signature_metadata(sig)
    if any_number:
        return sig.bind(*args, **kwargs)
    if len(args) > most:
        raise TypeError(f"Too many positional arguments: expected max {most}, got {len(args)}")
    given = dict(zip((p.name for p in parameters if p.kind in _BY_PLACE), args))
    found: dict[str, Any] = {}
    for p in parameters:
        if p.kind is Parameter.POSITIONAL_ONLY and p.name in kwargs:
            raise TypeError(
                f"Got some positional-only arguments passed as keyword arguments: '{p.name}'"
            )
        if p.name in given and p.name in kwargs:
            raise TypeError(f"Multiple values for argument '{p.name}'")
        if p.name in given or p.name in kwargs:
            found[p.name] = given[p.name] if p.name in given else kwargs[p.name]
        elif p.default is Parameter.empty:
            raise TypeError(f"Missing required argument '{p.name}'")
    for name in kwargs:
        if name not in sig.parameters:
            raise TypeError(f"Got an unexpected keyword argument '{name}'")
    return BoundArguments(sig, found)
