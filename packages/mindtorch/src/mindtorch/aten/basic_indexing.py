"""``t[index]`` where numbers, slices and ``...`` say all: numpy's own basic indexing.

What numpy and torch agree on needs neither the ops that stand for the index nor a look at what such
an index came to before. They disagree on little, which is left to :mod:`.subscript`: the errors,
negative steps, the stride of a new dimension, views without elements (numpy keeps no offset).
"""

from __future__ import annotations

from typing import Any, Final

from mindtorch_autograd import grad_mode
from mindtorch_storage import int8, int16, int32, int64

from ..call.argument_kinds import TENSORS
from ..core import signature as S
from ..tensor import Tensor
from ..tensor.construction import share
from ..tensor.view_marks import mark_view

__all__ = ["basic_view"]

#: What the signature of a tensor may have here: numbers in the memory of a backend, seen by nobody.
_PLAIN: Final = (
    (S.DIM_MASK | S.ZERO_MASK) & ~S.QUANTIZED | S.STRIDED | S.BACKENDS | S.VIEWS | S.REQUIRES_GRAD
)
_ITEMS: Final = frozenset((int, slice, type(Ellipsis)))
#: The signatures of tensors of the host that are a number, as an int is.
_NUMBERS: Final = frozenset([S.dtype_bits(d)[1] | S.CPU for d in (int64, int32, int16, int8)])
#: torch warns of ends far beyond this.
_FAR: Final = 1 << 61


def basic_view(self: Any, index: Any, state: int) -> Tensor | None:
    """The view of *self* that *index* means; None where the ops have to say what it is.

    :param state: of the thread: its grad mode, and what it includes and excludes.
    """
    sig = self._sig_
    if state & ~grad_mode.GRAD_ENABLED or sig & ~_PLAIN or self.__class__ not in TENSORS:
        return None
    if state and sig & S.REQUIRES_GRAD or sig & S.VIEWS and self._shared_.touched:
        return None  # recorded, or to be if a view learns what its base came to require
    items = index if index.__class__ is tuple else (index,)
    all_dims = True
    for place, item in enumerate(items):
        kind = item.__class__
        if kind is slice:
            start, stop, step = item.start, item.stop, item.step
            if start is not None and (start.__class__ is not int or not -_FAR < start < _FAR):
                return None
            if stop is not None and (stop.__class__ is not int or not -_FAR < stop < _FAR):
                return None
            if step is not None and (step.__class__ is not int or not 0 < step < _FAR):
                return None
        elif kind is Tensor:
            if item._sig_ & ~S.VIEWS not in _NUMBERS:
                return None
            items = (*items[:place], int(item._a_), *items[place + 1 :])
        elif kind not in _ITEMS:
            return None
        elif item is Ellipsis:
            all_dims = False
    try:
        array = self._a_[(*items, ...) if all_dims else items]  # an array, even of one number
    except (IndexError, OverflowError):
        return None
    if not array.size:
        return None
    view = share(array, self)
    mark_view(view, self, S.VIEW if state else S.VIEWS | sig & S.REQUIRES_GRAD)
    return view
