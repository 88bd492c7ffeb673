"""Reads archives that were unpacked into a folder."""

from __future__ import annotations

import os
from typing import Any

from ..aten.from_data import tensor

__all__ = ["DirectoryReader"]


class DirectoryReader:
    """An archive that was unpacked."""

    def __init__(self, directory: str) -> None:
        self.directory = directory

    def get_record(self, name: str) -> bytes:
        """The data of a record."""
        with open(os.path.join(self.directory, name), "rb") as file:
            return file.read()

    def has_record(self, name: str) -> bool:
        """Whether there is a record of this name."""
        return os.path.isfile(os.path.join(self.directory, name))

    def get_all_records(self) -> list[str]:
        """The names of all records."""
        found = []
        for folder, _, names in os.walk(self.directory):
            for name in names:
                path = os.path.relpath(os.path.join(folder, name), self.directory)
                found.append(path.replace(os.sep, "/"))
        return sorted(found)

    def get_storage_from_record(self, name: str, numel: int, dtype: Any) -> Any:
        """A tensor of *numel* elements over a copy of a record's data."""
        return tensor(list(self.get_record(name)), dtype=dtype)

    def serialization_id(self) -> str:
        """Nothing: a folder is no archive that was written at once."""
        return ""
