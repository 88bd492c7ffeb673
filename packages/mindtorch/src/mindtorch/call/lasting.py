"""In which states of a thread calls may become known."""

from __future__ import annotations

from mindtorch_dispatch import DispatchKey as K
from mindtorch_dispatch import tls
from mindtorch_dispatch.keys import AUTOCAST_MASK

from ..core import signature as S

__all__ = ["ALWAYS", "MOSTLY", "NEVER", "lasting"]

#: How surely the looks of results follow from those of the operands.
NEVER, MOSTLY, ALWAYS = 0, 1, 2
#: Of a transform only which level is open may change, which is asked in each call.
_LASTING = tls.STREAMED | tls.TRANSFORMED


class _Lasting(dict[int, int]):
    """A thread's state -> whether what results look like follows from the operands' looks.

    Modes and transforms answer for themselves, and autocast may cast to another dtype the next
    time. In a pipeline what is done at once, and not pending, may depend on what was recorded
    before.
    """

    def __missing__(self, state: int) -> int:
        included, excluded = tls.masks(state >> S.TLS_SHIFT << S.TLS_SHIFT)
        own = not included & (K.Python | K.Functionalize) and not AUTOCAST_MASK & ~excluded
        found = ALWAYS if own and not tls.extra(state) & ~_LASTING else NEVER
        found = self[state] = min(found, MOSTLY) if included & K.Pipeline else found
        return found


lasting = _Lasting()
