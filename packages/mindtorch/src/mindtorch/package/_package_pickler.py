"""Pickles whose names of classes and functions come from an importer."""

from __future__ import annotations

import pickle
from _compat_pickle import REVERSE_IMPORT_MAPPING, REVERSE_NAME_MAPPING
from typing import Any

from .importer import Importer, ObjMismatchError, ObjNotFoundError, sys_importer

__all__ = ["PackagePickler", "create_pickler"]


class _NamingPickler(pickle._Pickler):  # type: ignore[name-defined]  # pickle's own, in Python
    """A pickler that asks an importer for names."""

    importer: Importer

    def save_global(self, obj: Any, name: str | None = None) -> None:
        """Write the name of a class or function."""
        try:
            home, name = self.importer.get_name(obj, name)
        except ObjMismatchError as error:
            raise pickle.PicklingError(f"Can't pickle {obj}: {error}") from None
        except ObjNotFoundError:
            said = f"{getattr(obj, '__module__', '__main__')}.{getattr(obj, '__qualname__', name)}"
            raise pickle.PicklingError(f"Can't pickle {obj}: it's not found as {said}") from None
        if self.fix_imports:
            # Pickles of protocols that Python 2 knew have its names.
            home, name = REVERSE_NAME_MAPPING.get((home, name), (home, name))
            home = REVERSE_IMPORT_MAPPING.get(home, home)
        if self.proto >= 4:
            self.save(home)
            self.save(name)
            self.write(pickle.STACK_GLOBAL)
        else:
            self.write(f"c{home}\n{name}\n".encode())
        self.memoize(obj)


class PackagePickler(_NamingPickler):
    """A pickler over an importer that is handed in.

    :param importer: who says what the classes and functions are called.
    """

    def __init__(self, importer: Importer, *args: Any, **kwargs: Any) -> None:
        self.importer = importer
        super().__init__(*args, **kwargs)


def create_pickler(data_buf: Any, importer: Importer, protocol: int = 4) -> Any:
    """A pickler into *data_buf*; where the process is the importer, pickle's own."""
    if importer is sys_importer:
        return pickle._Pickler(data_buf, protocol=protocol)  # type: ignore[attr-defined]
    return PackagePickler(importer, data_buf, protocol=protocol)
