"""What a program can ask of every public definition of a framework, without calling it.

``python definitions.py FACTS [PLACES]`` writes what ``torch`` says of its modules, classes,
functions and methods as JSON: ``{"module:name.member": {"aspect": answer}}``. Given the facts of
the other framework as PLACES it asks about these places and no others. Under mindtorch it is run by
``python -m mindtorch``, so that both sides are asked by the same lines.
"""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import enum
import inspect
import json
import pickle
import re
import sys
import types
import typing
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.contract.public_names import PRIVATE, imported, modules, names

Facts = dict[str, dict[str, Any]]

#: What Python, not the framework, puts into every class.
_PYTHONS = frozenset(vars(type("", (), {}))) | {
    "__abstractmethods__", "__slots__", "__annotations__", "__classcell__", "__class_getitem__",
    "__doc__", "__firstlineno__", "__orig_bases__", "__parameters__", "__static_attributes__",
}  # fmt: skip
#: Parameters whose name no call can use.
_NAMELESS = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.VAR_POSITIONAL,
    inspect.Parameter.VAR_KEYWORD,
)
_CONSTANTS = (bool, int, float, complex, str, bytes, type(None))
_BUILTINS = (types.BuiltinFunctionType, types.MethodDescriptorType, types.WrapperDescriptorType)
_ABSENT = "absent"


def plain(text: str) -> str:
    """*text* without what changes from run to run."""
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def simple(value: Any) -> bool:
    """Whether *value* consists of constants, so that its ``repr`` says all of it."""
    if type(value) in (tuple, list, set, frozenset):
        return all(map(simple, value))
    if type(value) is dict:
        return all(simple(each) for pair in value.items() for each in pair)
    return isinstance(value, _CONSTANTS) and type(value) in _CONSTANTS


def shown(value: Any) -> str:
    """*value* as far as a program would compare it: by name, number or text."""
    if isinstance(value, (type, types.FunctionType, types.BuiltinFunctionType)):
        return f"{value.__module__}.{value.__qualname__}"
    if isinstance(value, (set, frozenset)) and simple(value):
        return f"{type(value).__name__} of {sorted(map(repr, value))}"
    return plain(repr(value)) if len(repr(value)) < 300 else type(value).__name__


def kind(value: Any) -> str:
    """What ``inspect`` takes *value* for. Python's and C's functions are one kind."""
    if isinstance(value, type):
        return "class"
    if isinstance(value, (staticmethod, classmethod)):
        return type(value).__name__
    if isinstance(value, property) or inspect.isdatadescriptor(value):
        return "property"
    if inspect.isroutine(value):
        return "routine"
    return "callable" if callable(value) else "value"


def is_builtin(value: Any) -> bool:
    """Whether *value* is a function of C, or a method of C++."""
    return isinstance(getattr(value, "__func__", value), _BUILTINS)


def signature(function: Any) -> list[list[str]] | None:
    """Names that calls can use, kinds and defaults of the parameters; None where unknown."""
    try:
        found = inspect.signature(function)
    except Exception:  # where a class answers for its methods, anything may come
        return None
    return [
        [
            "" if p.kind in _NAMELESS else p.name,
            p.kind.name,
            *([] if p.default is p.empty else [shown(p.default)]),
        ]
        for p in found.parameters.values()
    ]


def hints(function: Any) -> list[str] | None:
    """The names that have a type hint; None where hints do not mean anything."""
    try:
        return sorted(typing.get_type_hints(function))
    except Exception:
        return None


def pickled(value: Any) -> str | None:
    """*value* pickled, as text; None where that does not bring it back."""
    try:
        data = pickle.dumps(value, 2)
        return data.hex() if pickle.loads(data) == value else None
    except Exception:
        return None


def unpickled(data: str) -> Any:
    """What :func:`pickled` made text of, or the error."""
    try:
        return pickle.loads(bytes.fromhex(data))
    except Exception as error:
        return error


def about(value: Any) -> dict[str, Any]:
    """What a class or function says of itself."""
    names = {each: getattr(value, f"__{each}__", None) for each in ("name", "qualname", "module")}
    documented = bool(getattr(value, "__doc__", None))
    return {"kind": kind(value), "builtin": is_builtin(value), **names} | {"documented": documented}


def about_definition(value: Any) -> dict[str, Any]:
    """All that is asked of a name in a module."""
    if isinstance(value, type) or inspect.isroutine(value):
        found = about(value)
        found["signature"] = signature(value)
        found["hints"] = hints(value)
        found["pickle"] = pickled(value)
        with contextlib.suppress(Exception):
            found["copied"] = copy.deepcopy(value) == value
        if isinstance(value, type):
            found |= about_class(value)
        found["refuses"] = "_refuses" in getattr(value, "__dict__", ())
        return found
    if isinstance(value, types.ModuleType):
        return {"kind": "module", "name": value.__name__}
    said = {"kind": kind(value), "type": type(value).__name__}
    if simple(value):
        said["value"] = shown(value)
    elif callable(value):
        said["signature"] = signature(value)
    return said


def about_class(cls: type) -> dict[str, Any]:
    """What only classes have."""
    found: dict[str, Any] = {
        "bases": [
            f"{base.__module__}.{base.__qualname__}"
            for base in cls.__mro__
            if not any(part[0] == "_" for part in base.__qualname__.split("."))
        ],
        "metaclass": type(cls).__name__,
    }
    if dataclasses.is_dataclass(cls):
        found["fields"] = [
            [f.name, f.init, f.repr, f.compare, f.kw_only, plain(repr(f.default))]
            for f in dataclasses.fields(cls)
        ]
    if issubclass(cls, enum.Enum):
        found["members"] = [[name, shown(each.value)] for name, each in cls.__members__.items()]
    elif isinstance(getattr(cls, "__members__", None), dict):
        found["members"] = [
            [name, shown(getattr(each, "value", each))] for name, each in cls.__members__.items()
        ]
    if issubclass(cls, tuple) and hasattr(cls, "_fields"):
        found["fields"] = [list(cls._fields), shown(cls._field_defaults)]
    return found


def about_member(cls: type, name: str) -> dict[str, Any]:
    """What is asked of a method, property or attribute of a class."""
    try:
        value = inspect.getattr_static(cls, name)
    except AttributeError:
        return {"kind": _ABSENT}
    if value is getattr(object, name, None):
        return {"kind": _ABSENT}  # every class has it
    what = kind(value)
    if what in ("routine", "classmethod", "staticmethod", "class"):
        function = getattr(cls, name, value)  # a descriptor may serve instances alone
        found = about(function) | {"kind": what, "signature": signature(function)}
        return found
    if what == "value":
        return {"kind": what, "type": type(value).__name__} | (
            {"value": shown(value)} if simple(value) else {}
        )
    return {"kind": what}


def members(cls: type) -> list[str]:
    """The names that *cls* itself defines for others; of the special ones those in Python.

    The old types of tensors hold all of ``Tensor`` once more.
    """
    if type(cls).__name__ == "tensortype":
        return []
    enumeration = issubclass(cls, enum.Enum)
    return [
        name
        for name, value in vars(cls).items()
        if name not in _PYTHONS
        and (name[0] != "_" or isinstance(value, types.FunctionType))
        and (name[0] != "_" or (name.startswith("__") and name.endswith("__")))
        and not (enumeration and (name in cls.__members__ or name[0] == "_"))
    ]


def all_places(root: types.ModuleType) -> Iterator[str]:
    """Every module, and every public name in it."""
    for name in (*modules(root), *PRIVATE):
        module = imported(name)
        if module is not None:
            yield name
            yield from (f"{name}:{each}" for each in names(module) if hasattr(module, each))


def said_by(root: types.ModuleType) -> Facts:
    """The facts of every public definition of *root*."""
    facts: Facts = {}
    first: dict[int, str] = {}
    for place in all_places(root):
        facts[place] = said_at(place)
        if ":" not in place:
            continue
        value = found_at(place)
        if isinstance(value, type) or inspect.isroutine(value):
            same = first.setdefault(id(value), place)
            if same != place:
                facts[place] = {"same": same}
                continue
        if isinstance(value, type) and str(value.__module__).partition(".")[0] == "torch":
            for name in members(value):
                facts[f"{place}.{name}"] = said_at(f"{place}.{name}")
    return facts


def found_at(place: str) -> Any:
    """What is at ``module`` or ``module:name``."""
    module, _, name = place.partition(":")
    found = imported(module)
    return getattr(found, name) if name and found is not None else found


def said_at(place: str, theirs: dict[str, Any] | None = None) -> dict[str, Any]:
    """The facts of one place, of which the other framework says *theirs*."""
    module, _, name = place.partition(":")
    name, _, member = name.partition(".")
    try:
        value = found_at(f"{module}:{name}" if name else module)
    except AttributeError:
        return {"kind": _ABSENT}
    if value is None and imported(module) is None:
        return {"kind": _ABSENT}
    if member:
        if not isinstance(value, type):
            return {"kind": _ABSENT}
        return about_member(value, member) | {"refuses": "_refuses" in vars(value)}
    if not name:
        return about_module(value)
    same = theirs and theirs.get("same")
    if same:
        with contextlib.suppress(AttributeError):
            return {"same": same if found_at(same) is value else "another"}
    said = about_definition(value)
    if theirs and theirs.get("pickle"):
        said["reads"] = unpickled(theirs["pickle"]) == value
    return said


def about_module(module: types.ModuleType) -> dict[str, Any]:
    """What a module says of itself."""
    listed = getattr(module, "__all__", None)
    return {
        "kind": "module",
        "name": module.__name__,
        "package": hasattr(module, "__path__"),
        "all": None if listed is None else sorted(map(str, listed)),
        "repr": re.sub(r" from .*", "", repr(module)),
    }


def main(target: str, places: str | None = None) -> None:
    """Write the facts of ``torch`` to *target*."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if places is None:
            facts = said_by(torch)
        else:
            facts = {
                place: said_at(place, theirs)
                for place, theirs in json.loads(Path(places).read_text("utf-8")).items()
            }
    Path(target).write_text(json.dumps(facts, indent=0), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
