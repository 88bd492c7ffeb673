"""Classes and functions of an archive, made of the source that it holds.

The source is Python's syntax with a meaning of its own: ``torch`` holds the operators on all kinds
of values, types are written out, and what a method may name is known. It is compiled as Python;
a file can name nothing but that, so it can run nothing else.

Source: torch/csrc/jit/serialization/import_source.cpp.
"""

from __future__ import annotations

import ast
import enum
import re
from collections import namedtuple
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from .. import nn
from .._ops import ops
from ..core.source_code import run_source
from ..tensor import Tensor
from ._async import _fork
from ._errors import SOURCES, ScriptError
from ._prim_ops import OPS, PRIM
from ._script_method import Signature, overloaded, script_method
from ._text import text

__all__ = ["SourceImporter"]

#: What source may consist of.
_SYNTAX = (
    ast.Module, ast.FunctionDef, ast.arguments, ast.arg, ast.Return, ast.Assign, ast.AnnAssign,
    ast.AugAssign, ast.For, ast.While, ast.If, ast.With, ast.withitem, ast.Expr, ast.Pass,
    ast.Break, ast.Continue, ast.Assert, ast.Call, ast.keyword, ast.Attribute, ast.Subscript,
    ast.Slice, ast.Name, ast.List, ast.Tuple, ast.Dict, ast.Constant, ast.UnaryOp, ast.USub,
    ast.UAdd, ast.Not, ast.Load, ast.Store, ast.Starred, ast.Delete, ast.Del,
)  # fmt: skip
#: Names of Python's form that operators, and methods of classes, may have.
_NAMES = frozenset(OPS) | frozenset(
    "__init__ __new__ __enter__ __exit__ __len__ __getitem__ __setitem__ __contains__ __iter__ "
    "__getstate__ __setstate__ __call__ __bool__ __eq__ __ne__ __lt__ __le__ __gt__ __ge__ "
    "__add__ __sub__ __mul__ __truediv__ __str__ __forked_function".split()
)
_NUMBERS = {"int": int, "float": float, "bool": bool, "complex": complex}


def _number(value: Any, kind: str) -> Any:
    """*value* as a number of *kind*, which a tensor of one element is by itself."""
    if not isinstance(value, Tensor):
        return value
    return value.item() if kind == "number" else _NUMBERS[kind](value.item())


class _Operators:
    """``torch`` in source: the operators by name, on tensors or other values."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        return _operator(name)


@cache
def _operator(name: str) -> Callable[..., Any]:
    plain = OPS.get(name)
    packet = getattr(ops.aten, name, None)
    if packet is None:
        if plain is None:
            raise NotImplementedError(f"aten::{name} of a script has no kernel here")
        return plain
    if plain is None:
        found: Callable[..., Any] = packet
        return found
    if name == "to":
        return _to(packet, plain)

    def call(*args: Any, **kwargs: Any) -> Any:
        first = args[0] if args else None
        of_tensors = not isinstance(first, (list, dict, str, tuple)) and any(
            isinstance(each, Tensor) for each in args
        )
        return packet(*args, **kwargs) if of_tensors else plain(*args, **kwargs)

    return call


def _to(packet: Callable[..., Any], plain: Callable[..., Any]) -> Callable[..., Any]:
    """``aten::to``, whose forms for scripts have fewer arguments than those of the operator."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or len(args) > 5:
            return packet(*args, **kwargs)
        return plain(*args)

    return call


class _Prim:
    """``ops.prim`` in source."""

    def __getattr__(self, name: str) -> Callable[..., Any]:
        found = PRIM.get(name)
        if found is None:
            raise NotImplementedError(f"prim::{name} of a script has no kernel here")
        return found

    @staticmethod
    def RaiseException(message: str, qualified_name: str = "") -> None:
        """Raise the error of a ``raise`` or ``assert`` of the script."""
        raise ScriptError(message, qualified_name)


class _Ops:
    """``ops`` in source: operators by the name of their library."""

    prim = _Prim()

    def __getattr__(self, name: str) -> Any:
        if name == "aten":
            return _OPERATORS
        found = getattr(ops, name)
        if not isinstance(found, type(ops.aten)):
            raise RuntimeError(f"the source of a script may not name ops.{name}")
        return found


class _Package:
    """``__torch__`` and the names below it: classes, functions and further packages."""

    def __init__(self, importer: SourceImporter, name: str) -> None:
        self._importer = importer
        self._name = name

    def __getattr__(self, name: str) -> Any:
        qualified = f"{self._name}.{name}"
        found = self._importer.find(qualified)
        return _Package(self._importer, qualified) if found is None else found


_OPERATORS = _Operators()


class _Constants:
    """``CONSTANTS`` in source: ``c0``, ``c1``, … are the tensors of ``constants.pkl``."""

    def __init__(self, values: Any) -> None:
        self._values = values

    def __getattr__(self, name: str) -> Any:
        return self._values[int(name[1:])]


class LoadedModule(nn.Module):
    """An instance of a class of modules of an archive; ``kinds`` says what its attributes are."""

    #: Names of parameters, of buffers, and the types of all attributes as texts.
    script_parameters: tuple[str, ...] = ()
    script_buffers: tuple[str, ...] = ()
    script_attributes: dict[str, str] = {}

    def __new__(cls) -> LoadedModule:
        made = super().__new__(cls)
        nn.Module.__init__(made)
        return made

    def __setstate__(self, state: Any) -> None:
        """Take the attributes that an archive holds, or let the script's method do it."""
        restore = getattr(type(self), "script_setstate", None)
        if restore is not None:
            restore(self, state)
            return
        own = self.__dict__
        for name, value in state.items():
            if name in self.script_parameters:
                self._parameters[name] = value
            elif name in self.script_buffers:
                self._buffers[name] = value
            elif isinstance(value, nn.Module):
                self._modules[name] = value
            else:
                own[name] = value


class _ClassOfObjects(type):
    """The type of the classes of objects, which source can tell from Python's own."""


class LoadedObject(metaclass=_ClassOfObjects):
    """An instance of any other class of an archive."""

    def __setstate__(self, state: Any) -> None:
        """Take the attributes that an archive holds, or let the script's method do it."""
        restore = getattr(type(self), "script_setstate", None)
        if restore is not None:
            restore(self, state)
        else:
            self.__dict__.update(state)


#: What source may ask for attributes.
_WITH_ATTRIBUTES = (
    nn.Module, LoadedObject, _ClassOfObjects, tuple, enum.Enum, enum.EnumMeta, _Package,
)  # fmt: skip


class SourceImporter:
    """Makes what an archive's source defines when it is first asked for.

    :param sources: the texts of its source files, by their names: ``code/__torch__.py``.
    :param constants: what ``CONSTANTS`` in the source stands for.
    """

    def __init__(self, sources: dict[str, str], constants: Any) -> None:
        self._sources = sources
        self._modules: dict[str, dict[str, ast.stmt]] = {}
        self._made: dict[str, Any] = {}
        self._names: dict[str, Any] = {
            "__builtins__": {}, SOURCES: sources,
            "torch": _OPERATORS, "ops": _Ops(), "CONSTANTS": _Constants(constants),
            "__torch__": _Package(self, "__torch__"),
            "range": range, "getattr": _attribute, "setattr": _set_attribute,
            **{name: OPS[name] for name in "sorted list dict len hash ord chr hex bin oct".split()},
            **{name: PRIM[name] for name in "abs min max".split()},
            "isinstance": _isinstance, "print": PRIM["Print"], "str": text,
            "fork": _fork, "number": _number,
            "inf": float("inf"), "nan": float("nan"), "infj": complex(0, float("inf")),
            "nanj": complex(0, float("nan")), **_NUMBERS,
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
            tree = ast.parse(self._sources.get(_file(module), ""))
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
            return enum.Enum(node.name, members)  # type: ignore[misc]  # likewise
        return self._class(module, node, LoadedModule if base == "Module" else LoadedObject)

    def _class(self, module: str, node: ast.ClassDef, base: type) -> type:
        body: dict[str, Any] = {"script_attributes": {}, "__qualname__": node.name}
        made = type(base)(node.name, (base,), body)
        # Its methods may name the class.
        self._made[f"{module}.{node.name}"] = made
        for statement in node.body:
            if isinstance(statement, ast.FunctionDef):
                name = statement.name
                kept = {"__setstate__": "script_setstate", "__getstate__": "script_getstate"}
                setattr(made, kept.get(name, name), self._function(module, statement))
                continue
            for name, value in _facts(statement):
                if name == "__parameters__":
                    made.script_parameters = tuple(ast.literal_eval(value))  # type: ignore[attr-defined]
                elif name == "__buffers__":
                    made.script_buffers = tuple(ast.literal_eval(value))  # type: ignore[attr-defined]
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
        _check(node)
        name = ast.copy_location(ast.Name("value", ast.Store()), node)
        return self._defined(ast.copy_location(ast.Assign([name], node), node), "value", "code")

    def _function(self, module: str, node: ast.FunctionDef) -> Callable[..., Any]:
        file = _file(module)
        code = _code(node, ast.get_source_segment(self._sources[file], node) or "")
        signature = Signature.of(node, self._is_enum, self._value)
        _check(node)
        return script_method(self._defined(node, node.name, file), signature, code)

    def _defined(self, statement: ast.stmt, name: str, file: str) -> Any:
        """What *statement* defines under *name*, which itself does not see the name."""
        scope = dict(self._names)
        tree = ast.fix_missing_locations(ast.Module([_Meaning().visit(statement)], []))
        run_source(tree, scope, file)
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


def _facts(statement: Any) -> Iterator[tuple[str, Any]]:
    """Names and values of a statement in the body of a class."""
    if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
        yield statement.target.id, statement.value
    elif isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
        yield statement.targets[0].id, statement.value


def _attribute(value: Any, name: str) -> Any:
    """An attribute of what a script has attributes of: nothing of Python's own is reached."""
    if not isinstance(value, _WITH_ATTRIBUTES) and not (
        isinstance(value, Tensor) and name == "tolist"
    ):
        raise RuntimeError(f"a script's {type(value).__name__} has no attribute {name}")
    _check_name(name)
    return getattr(value, name)


def _set_attribute(value: Any, name: str, to: Any) -> None:
    if not isinstance(value, (nn.Module, LoadedObject)):
        raise RuntimeError(f"a script's {type(value).__name__} has no attribute {name}")
    _check_name(name)
    setattr(value, name, to)


_KINDS: dict[str, Any] = {
    "Tensor": Tensor, "int": int, "float": float, "bool": bool, "str": str, "complex": complex,
    "List": list, "Dict": dict, "Tuple": tuple, "NoneType": type(None), "number": (int, float),
}  # fmt: skip


def _isinstance(value: Any, names: list[str]) -> bool:
    """Whether *value* is of one of the types of those names, whatever the types within are."""
    for name in names:
        kind = _KINDS.get(name.partition("[")[0], type(value).__name__ == name.rpartition(".")[2])
        if kind is True or (kind and isinstance(value, kind)):
            return not (kind is int and isinstance(value, bool))
    return False


def _check_name(name: str) -> None:
    if name.startswith("__") and name.endswith("__") and name not in _NAMES:
        raise RuntimeError(f"the source of a script may not name {name}")


def _check(node: ast.AST) -> None:
    """Raise RuntimeError for syntax and names that no script has."""
    for each in ast.walk(node):
        if not isinstance(each, _SYNTAX):
            raise RuntimeError(f"the source of a script has no {type(each).__name__}")
        if isinstance(each, ast.Attribute):
            _check_name(each.attr)
        if isinstance(each, ast.Name) and each.id != "__torch__":
            _check_name(each.id)


def _is_operator(node: ast.Attribute) -> bool:
    """Whether *node* is ``torch.name``, ``ops.library``, its ``name``, or ``CONSTANTS.c0``."""
    match node.value:
        case ast.Name(id="torch" | "ops" | "CONSTANTS"):
            return True
        case ast.Attribute(value=ast.Name(id="ops")):
            return True
    return False


class _Meaning(ast.NodeTransformer):
    """What source means in Python: types go, and values that they make are made."""

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.annotation = None
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        node.decorator_list = []
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return self.visit(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """Reads are checked when they run; what is written is an attribute of ``self``."""
        if _is_operator(node):
            return node
        value = self.visit(node.value)
        if isinstance(node.ctx, ast.Load):
            read = ast.Name("getattr", ast.Load())
            made = ast.Call(read, [value, ast.Constant(node.attr)], [])
            return ast.copy_location(made, node)
        raise RuntimeError("the source of a script sets no such attribute")

    def visit_Assign(self, node: ast.Assign) -> Any:
        """``self.name = value`` is a call of ``setattr``."""
        (target,) = node.targets
        if not isinstance(target, ast.Attribute):
            return self.generic_visit(node)
        args = [self.visit(target.value), ast.Constant(target.attr), self.visit(node.value)]
        made = ast.Expr(ast.Call(ast.Name("setattr", ast.Load()), args, []))
        return ast.copy_location(made, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        called = node.func.id if isinstance(node.func, ast.Name) else ""
        if called in ("annotate", "unchecked_cast"):
            kind, value = node.args
            value = self.visit(value)
            if (
                called == "annotate"
                and isinstance(kind, ast.Name)
                and (kind.id in _NUMBERS or kind.id == "number")
            ):
                make = ast.Name("number", ast.Load())
                args = [value, ast.Constant(kind.id)]
                value = ast.copy_location(ast.Call(make, args, []), node)
            return value
        if called == "isinstance":
            kinds = getattr(node.args[1], "elts", [node.args[1]])
            names = ast.List([ast.Constant(ast.unparse(kind)) for kind in kinds], ast.Load())
            node.args[1:] = [names]
            node.args[0] = self.visit(node.args[0])
            return node
        if called == "uninitialized":
            return ast.copy_location(ast.Constant(None), node)
        return self.generic_visit(node)
