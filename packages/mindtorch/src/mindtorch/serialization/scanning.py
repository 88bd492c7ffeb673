"""Which names a pickle asks for, found without doing anything that it says."""

from __future__ import annotations

import pickle
from struct import Struct
from typing import Any

from .allowed import OF_PARAMETERS, defaults, is_absent, of_users
from .loader import opened
from .reader import ArchiveReader
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


def get_unsafe_globals_in_checkpoint(f: Any) -> list[str]:
    """The names in a checkpoint that a weights-only load would refuse. Runs nothing.

    Raises ValueError if *f* is not an archive of ``torch.save``.
    """
    with opened(f) as source:
        if source.read(0, 4) != b"PK\3\4":
            raise ValueError("Expected input to be a checkpoint returned by torch.save")
        archive = ArchiveReader(source)
        if "constants.pkl" in archive.records():
            raise ValueError(
                "Expected input to be a checkpoint returned by torch.save but got a torchscript "
                "checkpoint"
            )
        found = names_in(archive.read("data.pkl")).difference(OF_PARAMETERS)
        known = defaults().keys() | of_users().keys()
        return [path for path in found if path not in known and not is_absent(path)]


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
