"""Ops that torch has no batching rule for: it runs them sample by sample, and warns of that.

Ours have rules; the warning tells which programs are slow there.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any

from ..call.dispatch_entry import Call
from ..call.overload import FUNCTIONAL, IMPLICIT, Overload
from ..core.warning import warn
from . import fallback_switches as switches
from .batching import births, levels

__all__ = ["falling_back"]

#: Whether such an op runs, of composite ones the ops inside.
_inside: ContextVar[bool] = ContextVar("mindtorch_vmap_fallback", default=False)


def _looped_as(overload: Overload) -> str:
    """The name of the op that torch runs sample by sample when *overload* is called, or "".

    Its row says so: ``"loops: inplace"`` of a kind of overload, ``"loops as: stft"`` where torch
    writes the op as another.
    """
    for tag in overload.row.tags:
        word, _, what = tag.partition(": ")
        if word == "loops" and what == overload.kind:
            return overload.name.removeprefix("aten::")
        if word == "loops as" and overload.kind == FUNCTIONAL:
            return what
    return ""


def _in_a_derivative() -> bool:
    """Whether the innermost transform is no ``vmap``: autograd then sees the ops of a composite.

    So they come one by one to the ``vmap`` around it.
    """
    opened = births.get()
    return bool(opened) and opened[-1].depth == len(levels.get())


def falling_back(overload: Overload, call: Call) -> Call:
    """*call*, with what torch says of its fallback before it.

    Source: torch aten/src/ATen/functorch/BatchedFallback.cpp, warnFallback.
    """
    name = _looped_as(overload)
    if not name:
        return call
    decomposes = overload.composed in IMPLICIT

    def warned(*args: Any) -> Any:
        if _inside.get() or (decomposes and _in_a_derivative()):
            return call(*args)  # of samples, in torch
        if not switches.enabled:
            raise RuntimeError(f"aten::{name} hit the vmap fallback which is currently disabled")
        if switches.warns:
            warn(
                "There is a performance drop because we have not yet implemented the batching rule "
                f"for aten::{name}. Please file us an issue on GitHub so that we can prioritize "
                "its implementation."
            )
        token = _inside.set(True)
        try:
            return call(*args)
        finally:
            _inside.reset(token)

    return warned
