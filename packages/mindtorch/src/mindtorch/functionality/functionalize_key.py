"""The Functionalize key's fallback; what it does is loaded when something is functional."""

from __future__ import annotations

from ..call.dispatch_entry import Call
from ..call.overload import Overload
from ..call.specialize import boxed

__all__ = ["functionalize_key"]


def build_functionalize_key(overload: Overload, sig: int, mask: int) -> Call:
    """See ``functionalization``."""
    from . import functionalization_ops  # noqa: F401  (which serves single overloads)
    from .functionalization import build_functionalization  # as above

    return build_functionalization(overload, sig, mask)


functionalize_key = boxed(build_functionalize_key)
