"""Calls that a class takes whole: before they are recorded, and before composite ops fall apart.

``__torch_dispatch__`` stands below autograd, and what it is asked are the ops that others are made
of. That does for tensors that look like any other. The sizes of some are no numbers, though (see
``nested``): no composite op can count with them, and no formula. A class of such tensors says
``_takes_calls_whole = True``; its handler then gets every op as the program called it, with
autograd on, and computes with ops on the tensors that it holds. Autograd records those.

Only tensors that answer for their sizes are looked at, so that other calls pay nothing.
"""

from __future__ import annotations

from typing import Any

from ..call.arguments import split_keywords, tensors_of
from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.specialize import specialize
from ..core.operators import operator_named
from .python import overloaded_tensors

__all__ = ["whole_call"]


def whole_call(overload: Overload, sig: int) -> Call:
    """Hand the call to the first class that takes calls whole; the usual way if there is none."""
    overload.analyse()
    inner = specialize(overload, sig, after="classes")
    func = operator_named(overload.name)

    def call(*args: Any) -> Any:
        for t in tensors_of(overload, args):
            kind: Any = type(t)
            if getattr(kind, "_takes_calls_whole", False):
                positional, keywords = split_keywords(overload, args)
                types = tuple([type(t) for t in overloaded_tensors(positional, keywords)])
                return kind.__torch_dispatch__(func, types, positional, keywords)
        return inner(*args)

    return call
