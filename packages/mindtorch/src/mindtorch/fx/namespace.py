"""Names of a graph: every value has one that no other has and that Python lets it have."""

from __future__ import annotations

import builtins
import keyword
import math
import re
from typing import Any, NamedTuple

__all__ = ["_Namespace", "_custom_builtins", "_register_custom_builtin", "_snake_case"]

_ILLEGAL = re.compile("[^0-9a-zA-Z_]+")
_NUMBERED = re.compile(r"(.*)_(\d+)$")
_HUMP = re.compile("(?<=[a-z])([A-Z])")


class _CustomBuiltin(NamedTuple):
    """An object that all generated code has, and how it is imported."""

    import_str: str
    obj: Any


#: Names that generated code has without more ado.
_custom_builtins: dict[str, _CustomBuiltin] = {}


def _register_custom_builtin(name: str, import_str: str, obj: Any) -> None:
    _custom_builtins[name] = _CustomBuiltin(import_str, obj)


_register_custom_builtin("inf", "from math import inf", math.inf)
_register_custom_builtin("nan", "from math import nan", math.nan)
_register_custom_builtin("NoneType", "NoneType = type(None)", type(None))


def _snake_case(s: str) -> str:
    """``AddBackward`` -> ``add_backward``."""
    return _HUMP.sub(r"_\1", s).lower()


class _Namespace:
    """Makes names; the same candidate gets ``_1``, ``_2``, …"""

    def __init__(self) -> None:
        self._obj_to_name: dict[Any, str] = {}
        self._used_names: set[str] = set()
        self._base_count: dict[str, int] = {}

    def create_name(self, candidate: str, obj: Any | None) -> str:
        """A name like *candidate* for *obj*."""
        if obj is not None and obj in self._obj_to_name:
            return self._obj_to_name[obj]
        candidate = _ILLEGAL.sub("_", candidate) or "_unnamed"
        if candidate[0].isdigit():
            candidate = f"_{candidate}"
        numbered = _NUMBERED.match(candidate)
        base, number = (candidate, None) if numbered is None else (numbered[1], int(numbered[2]))
        name = candidate
        if number is None:
            number = self._base_count.get(base, 0)
        while name in self._used_names or self._is_illegal_name(name, obj):
            number += 1
            name = f"{base}_{number}"
        self._used_names.add(name)
        self._base_count[base] = max(number, self._base_count.get(base, 0))
        if obj is not None:
            self._obj_to_name[obj] = name
        return name

    def associate_name_with_obj(self, name: str, obj: Any) -> None:
        """Say that *name* is that of *obj*."""
        known = self._obj_to_name.setdefault(obj, name)
        assert known == name, f"obj {obj} is already associated with name {known}"

    def _is_illegal_name(self, name: str, obj: Any) -> bool:
        if name in keyword.kwlist:
            return True
        if name in builtins.__dict__:
            return obj is not builtins.__dict__[name]
        if name in _custom_builtins:
            return obj is not _custom_builtins[name].obj
        return False

    def _rename_object(self, obj: Any, name: str) -> None:
        assert obj in self._obj_to_name, f"obj {obj} not in _obj_to_name"
        self._obj_to_name[obj] = name
        self._used_names.add(name)
