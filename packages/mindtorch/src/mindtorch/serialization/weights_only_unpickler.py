"""``torch._weights_only_unpickler``: the machine behind ``weights_only=True``, as a pickle module.

What it does and allows is :mod:`mindtorch.serialization.unpickler`'s and ``allowed``'s.
"""

from __future__ import annotations

from functools import cache
from pickle import UnpicklingError
from typing import Any

from . import allowed as _allowed
from . import scanning as _scanning
from .unpickler import WeightsUnpickler as _WeightsUnpickler

__all__ = ["Unpickler", "UnpicklingError", "get_globals_in_pkl", "load"]

_blocklisted_modules = sorted(_allowed.BLOCKED_MODULES)
_marked_safe_globals_set = _allowed._marked
_add_safe_globals = _allowed.add_safe_globals
_get_safe_globals = _allowed.get_safe_globals
_clear_safe_globals = _allowed.clear_safe_globals
_safe_globals = _allowed.safe_globals
_get_user_allowed_globals = _allowed.of_users


def _remove_safe_globals(globals_to_remove: list[Any]) -> None:
    _marked_safe_globals_set.difference_update(globals_to_remove)


@cache
def _get_allowed_globals() -> dict[str, Any]:
    """What is allowed from the start, by full name."""
    of_parameters = {path: _allowed.lookup(path) for path in _allowed.OF_PARAMETERS}
    return {**_allowed.defaults(), **of_parameters}


@cache
def _tensor_rebuild_functions() -> set[Any]:
    """The functions that make tensors anew."""
    return {f for name, f in _get_allowed_globals().items() if "._rebuild_" in name}


class Unpickler:
    """Reads the pickle at which *file* stands, and leaves it past its end.

    ``persistent_load`` turns the ids of storages into storages.
    """

    def __init__(self, file: Any, *, encoding: str = "bytes") -> None:
        self._file = file
        self._encoding = encoding
        self.persistent_load: Any = None

    def load(self) -> Any:
        """The object. Raises UnpicklingError for what is not allowed, EOFError for too few data."""
        file = self._file
        start = file.tell()
        reader = _WeightsUnpickler(file.read(), self.persistent_load, self._encoding)
        found = reader.load()
        file.seek(start + reader.position)
        return found


def load(file: Any, *, encoding: str = "ASCII") -> Any:
    """The object whose pickle *file* holds."""
    return Unpickler(file, encoding=encoding).load()


def get_globals_in_pkl(file: Any) -> set[str]:
    """The full names that the pickle in *file* asks for. Runs nothing."""
    return _scanning.names_in(file.read())
