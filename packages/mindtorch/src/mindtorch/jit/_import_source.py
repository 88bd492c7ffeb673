"""Classes and functions of an archive, made of the source that it holds.

The source is Python's syntax, and it is compiled as Python: what it may say is the matter of
``_source_syntax``, what its names stand for that of ``_source_names``.

Source: torch/csrc/jit/serialization/import_source.cpp.
"""

from __future__ import annotations

import ast
import enum
import re
from collections import namedtuple
from collections.abc import Callable, Iterator
from typing import Any

from .. import nn
from ..core.source_code import run_source
from ..tensor import Tensor
from ._errors import SOURCES
from ._script_method import Signature, overloaded, script_method
from ._source_names import GLOBALS
from ._source_syntax import check, check_name, meaning

__all__ = ["LoadedModule", "SourceImporter"]


class _Package:
    """``__torch__`` and the names below it: classes, functions and further packages."""

    def __init__(self, importer: SourceImporter, name: str) -> None:
        self._importer = importer
        self._name = name

    def __getattr__(self, name: str) -> Any:
        qualified = f"{self._name}.{name}"
        found = self._importer.find(qualified)
        return _Package(self._importer, qualified) if found is None else found


class _Constants:
    """``CONSTANTS`` in source: ``c0``, ``c1``, … are the tensors of ``constants.pkl``."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        return self._values[int(name[1:])]


class LoadedModule(nn.Module):
    """An instance of a class of modules of an archive."""

    #: Its name in the archive, and the names of its attributes.
    script_name = ""
    script_attributes: tuple[str, ...] = ()
    #: What the class lists: ``__parameters__``, ``__buffers__``, and the names of its hooks.
    script_lists: dict[str, tuple[str, ...]] = {}

    def __new__(cls) -> LoadedModule:
        made = super().__new__(cls)
        nn.Module.__init__(made)
        for name in cls.script_lists.get("__forward_pre_hooks__", ()):
            made.register_forward_pre_hook(getattr(cls, name))
        for name in cls.script_lists.get("__forward_hooks__", ()):
            made.register_forward_hook(getattr(cls, name))
        return made

    def __setstate__(self, state: Any) -> None:
        """Take the attributes that an archive holds, or let the script's method do it."""
        restore = getattr(type(self), "script_setstate", None)
        if restore is not None:
            restore(self, state)
            return
        lists = self.script_lists
        for name, value in state.items():
            if name in lists["__parameters__"]:
                self._parameters[name] = value
            elif name in lists["__buffers__"]:
                self._buffers[name] = value
            elif isinstance(value, nn.Module):
                self._modules[name] = value
            else:
                self.__dict__[name] = value


class LoadedObject:
    """An instance of any other class of an archive."""

    script_name = ""
    script_attributes: tuple[str, ...] = ()

    def __setstate__(self, state: Any) -> None:
        """Take the attributes that an archive holds, or let the script's method do it."""
        restore = getattr(type(self), "script_setstate", None)
        if restore is not None:
            restore(self, state)
        else:
            self.__dict__.update(state)


class SourceImporter:
    """Makes what an archive's source defines when it is first asked for.

    :param sources: the texts of its source files, by their names: ``code/__torch__.py``.
    :param constants: what ``CONSTANTS`` in the source stands for.
    """

    def __init__(self, sources: dict[str, str], constants: Any) -> None:
        self.sources, self.constants = sources, constants
        self._modules: dict[str, dict[str, ast.stmt]] = {}
        self._made: dict[str, Any] = {}
        self._names: dict[str, Any] = {
            **GLOBALS, SOURCES: sources, "CONSTANTS": _Constants(constants),
            "__torch__": _Package(self, "__torch__"),
            "getattr": _attribute, "setattr": _set_attribute,
        }  # fmt: skip

    def find(self, qualified: str) -> Any:
        """The class or function of that name; None if the archive has none."""
        made = self._made.get(qualified)
        if made is None:
            module, _, name = qualified.rpartition(".")
            node = self._definitions(module).get(name)
            if node is None:
                return None
            made = self._made[qualified] = self._define(module, node)
        return made

    def _definitions(self, module: str) -> dict[str, ast.stmt]:
        found = self._modules.get(module)
        if found is None:
            tree = ast.parse(self.sources.get(_file(module), ""))
            found = self._modules[module] = {
                node.name: node
                for node in tree.body
                if isinstance(node, (ast.ClassDef, ast.FunctionDef))
            }
        return found

    # definitions ----------------------------------------------------------------------------

    def _define(self, module: str, node: Any) -> Any:
        if isinstance(node, ast.FunctionDef):
            return self._function(module, node)
        base = node.bases[0].id if node.bases else ""
        if base == "NamedTuple":
            fields = [s for s in node.body if isinstance(s, ast.AnnAssign)]
            given = [self._value(s.value) for s in fields if s.value is not None]
            return namedtuple(  # type: ignore[misc]  # its fields are data
                node.name, [s.target.id for s in fields], defaults=given
            )
        if base == "Enum":
            members = {s.targets[0].id: self._value(s.value) for s in node.body}
            made = enum.Enum(node.name, members)  # type: ignore[misc]  # likewise
            made.script_name = f"{module}.{node.name}"  # type: ignore[attr-defined]  # a mark
            return made
        return self._class(module, node, LoadedModule if base == "Module" else LoadedObject)

    def _class(self, module: str, node: ast.ClassDef, base: type) -> type:
        lists: dict[str, tuple[str, ...]] = {"__parameters__": (), "__buffers__": ()}
        name = f"{module}.{node.name}"
        attributes = tuple(_attributes(node.body))
        facts = {"script_name": name, "script_lists": lists, "script_attributes": attributes}
        made = type(node.name, (base,), facts)
        # Its methods may name the class.
        self._made[name] = made
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                name = statement.name
                kept = {"__setstate__": "script_setstate", "__getstate__": "script_getstate"}
                setattr(made, kept.get(name, name), self._function(module, statement))
                continue
            for name, value in _facts(statement):
                if name.startswith("__"):
                    lists[name] = tuple(ast.literal_eval(value))
                elif value is not None:
                    setattr(made, name, self._value(value))
        overloads: dict[str, list[Any]] = {}
        for name, method in vars(made).items():
            if match := re.fullmatch(r"(\w+)__\d+", name):
                overloads.setdefault(match[1], []).append(method)
        for name, methods in overloads.items():
            setattr(made, name, overloaded(methods))
        return made

    def _value(self, node: ast.expr) -> Any:
        """What an expression of the source is."""
        check(node)
        name = ast.copy_location(ast.Name("value", ast.Store()), node)
        return self._defined(ast.copy_location(ast.Assign([name], node), node), "value", "code")

    def _function(self, module: str, node: ast.FunctionDef) -> Callable[..., Any]:
        file = _file(module)
        code = _code(node, ast.get_source_segment(self.sources[file], node) or "")
        signature = Signature.of(node, self._is_enum, self._value)
        check(node)
        return script_method(self._defined(node, node.name, file), signature, code)

    def _defined(self, statement: ast.stmt, name: str, file: str) -> Any:
        """What *statement* defines under *name*, which itself does not see the name."""
        scope = dict(self._names)
        run_source(meaning(statement), scope, file)
        found = scope.pop(name)
        if name in self._names:
            scope[name] = self._names[name]
        return found

    def _is_enum(self, name: str) -> bool:
        found = self.find(name) if name.startswith("__torch__") else None
        return isinstance(found, enum.EnumMeta)


def _file(module: str) -> str:
    """The name of a module's source in the archive."""
    return "code/" + module.replace(".", "/") + ".py"


def _code(node: ast.FunctionDef, source: str) -> str:
    """The text of a function by itself; a method's first argument has no type then."""
    lines = source.splitlines()
    body = node.body[0].lineno - node.lineno
    if node.col_offset:
        lines[0] = re.sub(r"\((\w+): [^,)]*", r"(\1", lines[0])
        lines[body:] = [line[node.col_offset :] for line in lines[body:]]
    return "\n".join(lines) + "\n"


def _attributes(body: list[ast.stmt]) -> Iterator[str]:
    """The names of the attributes that a class declares, without its constants."""
    for statement in body:
        if isinstance(statement, ast.AnnAssign) and statement.value is None:
            yield ast.unparse(statement.target)
        elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Subscript):
            yield ast.literal_eval(statement.targets[0].slice)


def _facts(statement: Any) -> Iterator[tuple[str, Any]]:
    """Names and values of a statement in the body of a class."""
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id, statement.value
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        yield statement.targets[0].id, statement.value


def _declared(value: Any) -> set[str]:
    """The attributes that the source declares for *value*: nothing of Python's own is reached."""
    if isinstance(value, enum.EnumMeta):
        return set(value.__members__)
    if isinstance(value, enum.Enum):
        return {"name", "value"}
    if isinstance(value, tuple):
        return set(getattr(value, "_fields", ()))
    if isinstance(value, Tensor):
        return {"tolist"}
    kind = value if isinstance(value, type) else type(value)
    if isinstance(value, nn.Module):
        kind = value.__dict__.get("_original_class", kind)
    if not issubclass(kind, (LoadedModule, LoadedObject)):
        return set()
    return {"__new__", *kind.script_attributes, *vars(kind)}


def _attribute(value: Any, name: str) -> Any:
    check_name(name)
    if isinstance(value, _Package):
        return _Package.__getattr__(value, name)
    if name not in _declared(value):
        raise RuntimeError(f"a script's {type(value).__name__} has no attribute {name}")
    return getattr(value, name)


def _set_attribute(value: Any, name: str, to: Any) -> None:
    check_name(name)
    if not isinstance(value, (nn.Module, LoadedObject)) or name not in _declared(value):
        raise RuntimeError(f"a script's {type(value).__name__} has no attribute {name}")
    setattr(value, name, to)
