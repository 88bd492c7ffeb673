"""What a file may ask for: no more time and memory than its own size explains."""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from typing import Any

from .allowed import hashing_ids

#: Whatever the size of a file, this many elements do no harm.
_FEW = 100_000


def check_keys(keys: Iterable[Any], size: int) -> None:
    """Refuse keys that take longer to hash than a file of *size* bytes is long.

    A tuple that holds another one twice, which again holds one twice …, is small in the file, but
    a hash walks through all of it. Raises UnpicklingError.
    """
    waiting = [key for key in keys if type(key) is tuple]
    budget = max(_FEW, 4 * size)
    while waiting:
        item = waiting.pop()
        budget -= len(item) + 1
        if budget < 0:
            raise pickle.UnpicklingError(
                "a key of tuples in tuples is larger than the file that it is in"
            )
        waiting.extend(part for part in item if type(part) is tuple)


def check_call(function: Any, args: Any, size: int) -> None:
    """Refuse to call what hashes, or takes memory by a number, beyond a file of *size* bytes.

    Raises UnpicklingError.
    """
    if type(args) is not tuple:
        raise pickle.UnpicklingError(
            f"the arguments of a call must be a tuple, not {type(args).__name__}"
        )
    if id(function) in hashing_ids():
        for arg in args:
            if isinstance(arg, (list, tuple, set)):
                check_keys(arg, size)
                for item in arg:  # pairs of a key and a value
                    if isinstance(item, (list, tuple)):
                        check_keys(item, size)
        return
    numel = 1
    for n in args[0] if args and isinstance(args[0], (tuple, list)) else args:
        numel *= n if isinstance(n, int) else 1
    if abs(numel) > max(_FEW, size):
        raise pickle.UnpicklingError(f"a file of {size} bytes asks for memory of {numel} elements")
