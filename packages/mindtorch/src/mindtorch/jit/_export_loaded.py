"""Archives of modules that were loaded: their source as it was, their attributes as they are."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any, NamedTuple

from .. import nn
from ._import_source import LoadedObject, SourceImporter
from ._script_archive import Member, script_class, write_archive

__all__ = ["Loaded"]


class Loaded(NamedTuple):
    """Where a module came from, and so how it is written."""

    importer: SourceImporter

    def __deepcopy__(self, memo: Any) -> Loaded:
        return self

    def write(self, called: Any, root: nn.Module, file: Any, _extra_files: Any = None) -> None:
        """Write *root* with the archive's source."""
        importer = self.importer
        data = _Attributes().of(root)
        write_archive(file, data, tuple(importer.constants), importer.sources, _extra_files)


class _Attributes:
    """What stands in an archive for values; each object once."""

    def __init__(self) -> None:
        self._made: dict[int, Any] = {}

    def of(self, value: Any) -> Any:
        """*value* as it is pickled."""
        if isinstance(value, (nn.Module, LoadedObject)):
            return self._object(value)
        if isinstance(value, Enum):
            return Member(vars(type(value))["script_name"], value.value)
        if isinstance(value, tuple):
            return tuple(map(self.of, value))
        if isinstance(value, list):
            return [self.of(item) for item in value]
        if isinstance(value, dict):
            return {self.of(key): self.of(item) for key, item in value.items()}
        return value

    def _object(self, value: Any) -> Any:
        made = self._made.get(id(value))
        if made is None:
            kind = value.__dict__.get("_original_class", type(value))
            made = self._made[id(value)] = script_class(kind.script_name)()
            own_way: Callable[[Any], Any] | None = getattr(kind, "script_getstate", None)
            if own_way is not None:
                made.script_state = self.of(own_way(value))
            else:
                names = kind.script_attributes
                made.script_state = {name: self.of(getattr(value, name)) for name in names}
        return made
