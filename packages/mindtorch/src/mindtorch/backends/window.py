"""Another look at a tensor's memory."""

from __future__ import annotations

from ..call.row import ViewOf
from ..core import signature as S
from ..tensor import Tensor
from ..tensor.array_memory import storage_of, strided_view
from ..tensor.construction import share


def window(base: Tensor, spec: ViewOf) -> Tensor:
    """A tensor that looks at *base*'s storage as *spec* says."""
    if base._sig_ & S.NO_MEMORY:  # what a wrapper says of its storage does not follow from a part
        storage_of(base)
    dtype = None if spec.dtype is None else spec.dtype.np
    a = base._a_
    array = strided_view(a, tuple(spec.shape), tuple(spec.strides), spec.offset, dtype, a.itemsize)
    t = share(array, base)
    t._sig_ ^= spec.flips
    return t
