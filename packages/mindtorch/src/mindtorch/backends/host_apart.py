"""The host's kernel of rows whose results lie in the memory of their first argument.

They are no views, so autograd and functionalization take them for others.
"""

from __future__ import annotations

from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.specialize import boxed
from ..core import signature as S
from .cpu import build_cpu
from .views import build_apart

__all__ = ["host_apart"]


def build_host_apart(overload: Overload, sig: int, mask: int) -> Call:
    """Look at the memory; where that is not there yet, the row's kernel runs when it is."""
    if sig & (S.DEFER | S.SPARSE_LAYOUTS):
        return build_cpu(overload, sig, mask)
    return build_apart(overload)


host_apart = boxed(build_host_apart)
