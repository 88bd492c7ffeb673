"""Which names a pickle asks for, found without doing anything that it says."""

from __future__ import annotations

import pickle
from struct import Struct

from .unpickler import BY_CODE, WeightsUnpickler, modern

_UINT = Struct("<I")

_FOLLOWED_BY = {
    pickle.BININT: 4,
    pickle.BININT1: 1,
    pickle.BININT2: 2,
    pickle.BINFLOAT: 8,
    pickle.BINGET: 1,
    pickle.LONG_BINGET: 4,
    pickle.BINPUT: 1,
    pickle.LONG_BINPUT: 4,
    pickle.PROTO: 1,
}


def names_in(data: bytes) -> set[str]:
    """The full names of all globals that the pickle *data* asks for. Nothing is looked up."""
    reader = WeightsUnpickler(data)
    found: set[str] = set()
    while True:
        code = reader._take(1)
        if code == pickle.STOP:
            return found
        if code == pickle.GLOBAL:
            found.add(".".join(modern(reader._line(), reader._line())))
        elif code == pickle.BINUNICODE:
            reader._take(_UINT.unpack(reader._take(4))[0])
        elif code in (pickle.SHORT_BINSTRING, pickle.LONG1):
            reader._take(reader._take(1)[0])
        elif code in _FOLLOWED_BY:
            reader._take(_FOLLOWED_BY[code])
        elif code not in BY_CODE:
            raise pickle.UnpicklingError(f"Unsupported operand {code[0]}")
