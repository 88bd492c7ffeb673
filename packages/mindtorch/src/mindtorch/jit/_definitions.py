"""Classes, modules, enums and named tuples as a script has them.

Source: torch/jit/_recursive.py, torch/csrc/jit/frontend/concrete_module_type.cpp.
"""

from __future__ import annotations

import enum
import inspect
from typing import Any

from .. import nn
from ._ir import Value
from ._operators import MISSING, Argument, Schema
from ._source_range import compile_error
from ._sugared_value import Arguments, Several, Simple, Sugared
from ._types import STR, TENSOR, Type, class_type, is_subtype

__all__ = [
    "ClassConstructor", "ClassDefinition", "EnumClass", "EnumDefinition", "FunctionValue",
    "MethodValue", "ModuleDefinition", "ModuleValue", "NamedTupleClass", "NamedTupleDefinition",
    "called",
]  # fmt: skip


def called(e: Any, schemas: list[Any], given: Arguments) -> tuple[Any, list[Value]]:
    """The first of several functions that takes these arguments, and what goes into it.

    Raises RuntimeError if none does.
    """
    args, kwargs = given.values(e)
    reason = ""
    for convert in (False, True):
        for each in schemas:
            schema: Schema = each.schema
            found = e.builder.matched(schema, args, kwargs, None, convert)
            if not isinstance(found, str):
                return each, found[0]
            reason = f"\n{schema}:\n{found}\n"
    raise compile_error(e.where, reason)


class FunctionValue(Sugared):
    """A function that was compiled."""

    def __init__(self, functions: list[Any]) -> None:
        self.functions = functions

    def kind(self) -> str:
        return "function"

    def call(self, e: Any, given: Arguments) -> Sugared:
        function, inputs = called(e, self.functions, given)
        name = e.builder.constant_function(function)
        result = function.schema.returns[0]
        return Simple(e.builder.value("prim::CallFunction", [name, *inputs], result))


class MethodValue(Sugared):
    """A method of a module or object: several, where it has overloads."""

    def __init__(self, owner: Value, names: list[str], definition: Any) -> None:
        self.owner, self.names, self.definition = owner, names, definition

    def kind(self) -> str:
        return "method"

    def call(self, e: Any, given: Arguments) -> Sugared:
        methods = [self.definition.method(name, e.where) for name in self.names]
        method, inputs = called(e, methods, given)
        result = method.schema.returns[0]
        return Simple(
            e.builder.value("prim::CallMethod", [self.owner, *inputs], result, name=method.name)
        )


class ClassDefinition:
    """A class whose objects are values."""

    def __init__(self, scripts: Any, python: type, name: str) -> None:
        self.scripts, self.python, self.name = scripts, python, name
        self.type = class_type(name, self)
        self.attributes: dict[str, Type] = {}
        self.methods: dict[str, Any] = {}
        self.compiling = ""

    def define(self) -> None:
        """Compile all methods, the first of them ``__init__``."""
        names = [n for n, f in vars(self.python).items() if inspect.isfunction(f)]
        for name in sorted(names, key=lambda n: n != "__init__"):
            self.method(name)

    def static(self, name: str) -> Any:
        """What the class has under *name*; None if there is nothing."""
        return inspect.getattr_static(self.python, name, None)

    def has(self, name: str) -> bool:
        """Whether it has an attribute or method *name*."""
        return name in self.attributes or inspect.isfunction(getattr(self.python, name, None))

    def method(self, name: str, where: Any = None) -> Any:
        """A compiled method."""
        found = self.methods.get(name)
        if found is None:
            self.methods[name] = found = self.scripts.new_method(self, name)
            found.ensure_defined()
        if found.schema is None:
            raise compile_error(
                where,
                f"method '{name}' is called recursively. Recursive calls are not supported",
            )
        return found

    def method_result(self, e: Any, name: str) -> Type:
        """The type of what a method returns."""
        result: Type = self.method(name, e.where).schema.returns[0]
        return result

    def attribute(self, e: Any, value: Value, name: str) -> Sugared | None:
        """An attribute or method of an object; None if there is none."""
        kind = self.attributes.get(name)
        if kind is not None:
            return Simple(e.builder.attribute(value, name, kind))
        found = inspect.getattr_static(self.python, name, None)
        if isinstance(found, property) and found.fget is not None:
            return MethodValue(value, [name], self).call(e, Arguments([], {}))
        if isinstance(found, staticmethod):
            function: Sugared = e.python_value(found.__func__, name)
            return function
        return MethodValue(value, [name], self) if inspect.isfunction(found) else None

    def set_attribute(self, e: Any, owner: Value, name: str, value: Value) -> None:
        """Set an attribute; ``__init__`` declares it."""
        kind = self.attributes.get(name)
        if kind is None:
            if self.compiling != "__init__":
                raise compile_error(
                    e.where,
                    f"Tried to set nonexistent attribute: {name}. Did you forget to initialize "
                    "it in __init__()?",
                )
            kind = self.attributes[name] = (
                e.scripts.declared_attribute(self.python, name) or value.type()
            )
        set_attribute(e, owner, name, kind, value)


def set_attribute(e: Any, owner: Value, name: str, kind: Type, value: Value) -> None:
    """Add the node that sets an attribute. Raises RuntimeError for a value of another type."""
    value = e.builder.converted(value, kind, True)
    if not is_subtype(value.type(), kind):
        raise compile_error(
            e.where,
            f"Wrong type for attribute assignment. Expected {kind} but got {value.type()}",
        )
    e.builder.node("prim::SetAttr", [owner, value], [], name=name)


class ClassConstructor(Sugared):
    """A class: called, it makes an object."""

    def __init__(self, definition: ClassDefinition) -> None:
        self.definition = definition

    def kind(self) -> str:
        return "class"

    def call(self, e: Any, given: Arguments) -> Sugared:
        made = e.builder.value("prim::CreateObject", [], self.definition.type)
        if self.definition.has("__init__"):
            MethodValue(made, ["__init__"], self.definition).call(e, given)
        return Simple(made)

    def attr(self, e: Any, name: str) -> Sugared:
        found = inspect.getattr_static(self.definition.python, name, None)
        if isinstance(found, staticmethod):
            function: Sugared = e.python_value(found.__func__, name)
            return function
        return super().attr(e, name)


class NamedTupleDefinition:
    """A class of named tuples."""

    def __init__(self, python: Any, name: str, types: list[Type]) -> None:
        self.python, self.name, self.types = python, name, types
        self.names = list(python._fields)
        defaults = python._field_defaults
        self.schema = Schema(
            python.__name__,
            "",
            tuple(
                Argument(n, kind, defaults.get(n, MISSING))
                for n, kind in zip(self.names, types, strict=True)
            ),
            (),
        )
        self.type = class_type(name, self, "NamedTuple")


class NamedTupleClass(Sugared):
    """A class of named tuples: called, it makes one."""

    def __init__(self, definition: NamedTupleDefinition) -> None:
        self.definition = definition

    def call(self, e: Any, given: Arguments) -> Sugared:
        _, inputs = called(e, [self.definition], given)
        return Simple(e.builder.value("prim::TupleConstruct", inputs, self.definition.type))


class EnumDefinition:
    """An enum."""

    def __init__(self, python: Any, name: str, kind: Type) -> None:
        self.python, self.name, self.value_type = python, name, kind
        self.type = class_type(name, self, "Enum")

    def has(self, name: str) -> bool:
        """Whether members have an attribute *name*."""
        return name in ("name", "value")

    def attribute(self, e: Any, value: Value, name: str) -> Sugared | None:
        """The name or the value of a member."""
        if name == "name":
            return Simple(e.builder.value("prim::EnumName", [value], STR))
        if name == "value":
            return Simple(e.builder.value("prim::EnumValue", [value], self.value_type))
        return None


class EnumClass(Sugared):
    """An enum's class."""

    def __init__(self, definition: EnumDefinition) -> None:
        self.definition = definition

    def attr(self, e: Any, name: str) -> Sugared:
        members = self.definition.python.__members__
        if name not in members:
            raise compile_error(e.where, f"Enum '{self.definition.name}' has no attribute '{name}'")
        return Simple(e.builder.constant(members[name], self.definition.type))

    def iterated(self, e: Any) -> Sugared:
        members: list[enum.Enum] = list(self.definition.python)
        return Several([Simple(e.builder.constant(m, self.definition.type)) for m in members])


class ModuleDefinition:
    """The type of modules of one class with attributes of the same types.

    :ivar python: the class that the program wrote.
    :ivar sources: the classes that methods come from: for a layer of the library, its script.
    :ivar attributes: types of parameters, buffers and other attributes, in order.
    :ivar parameters, buffers: their names.
    :ivar modules: types of the modules within.
    :ivar constants: values that never change.
    :ivar others: Python objects that are attributes: functions.
    :ivar failed: why an attribute has no type.
    """

    def __init__(self, scripts: Any, python: type, sources: tuple[type, ...]) -> None:
        self.scripts, self.python, self.sources, self.name = scripts, python, sources, ""
        self.type = class_type("", self, "Module")
        self.attributes: dict[str, Type] = {}
        self.parameters: list[str] = []
        self.buffers: list[str] = []
        self.modules: dict[str, Type] = {}
        self.constants: dict[str, Any] = {}
        self.others: dict[str, Any] = {}
        self.failed: dict[str, str] = {}
        self.methods: dict[str, Any] = {}
        self.hooks: list[str] = []

    def has(self, name: str) -> bool:
        """Whether it has an attribute or method *name*."""
        groups = (self.attributes, self.modules, self.constants, self.others)
        return any(name in group for group in groups) or self.static(name) is not None

    def static(self, name: str) -> Any:
        """What the class has under *name*; None if there is nothing."""
        return next((vars(each)[name] for each in self.sources if name in vars(each)), None)

    method = ClassDefinition.method
    method_result = ClassDefinition.method_result

    def overloads_of(self, name: str) -> list[str]:
        """The names of a method's overloads, or its own."""
        count = len(getattr(self.static(name), "script_overloads_", ()))
        return [f"{name}__{i}" for i in range(count)] if count else [name]

    def attribute(self, e: Any, value: Value, name: str) -> Sugared | None:
        """An attribute, a module within or a method; None if there is none."""
        if name in self.modules:
            kind = self.modules[name]
            return ModuleValue(e.builder.attribute(value, name, kind), kind.definition)
        if name in self.attributes:
            return Simple(e.builder.attribute(value, name, self.attributes[name]))
        if name in self.constants:
            found: Sugared = e.scripts.constant(e, self.constants[name])
            return found
        if name in self.others:
            found = e.python_value(self.others[name], name)
            return found
        static = self.static(name)
        if isinstance(static, property):
            return MethodValue(value, [name], self).call(e, Arguments([], {}))
        if isinstance(static, staticmethod):
            found = e.python_value(static.__func__, name)
            return found
        if inspect.isfunction(static):
            return e.scripts.method_value(e, value, self, name, static)  # type: ignore[no-any-return]  # sugared
        return None

    def missing(self, name: str) -> str:
        """Why there is no attribute *name*."""
        text = f"Module '{self.python.__name__}' has no attribute '{name}' "
        return text + self.failed.get(name, "")


class ModuleValue(Sugared):
    """A module."""

    def __init__(self, value: Value, definition: ModuleDefinition) -> None:
        self.value, self.definition = value, definition

    def kind(self) -> str:
        return "module"

    def as_value(self, e: Any) -> Value:
        return self.value

    def has_attr(self, e: Any, name: str) -> bool:
        return self.definition.has(name)

    def attribute_type(self, name: str) -> Type | None:
        """The type of an attribute."""
        return self.definition.attributes.get(name)

    def attr(self, e: Any, name: str) -> Sugared:
        found = self.definition.attribute(e, self.value, name)
        if found is None:
            found = self._contents(e, name)
        if found is None:
            raise compile_error(e.where, self.definition.missing(name))
        return found

    def _contents(self, e: Any, name: str) -> Sugared | None:
        """A method that goes over the modules within."""
        if name in ("values", "children") or (name == "modules" and not self.definition.modules):
            return _Known(Several(self._children(e)))
        if name == "keys":
            return _Known(Several([Simple(e.builder.constant(n)) for n in self.definition.modules]))
        if name in ("items", "named_children"):
            names = [Simple(e.builder.constant(n)) for n in self.definition.modules]
            pairs = zip(names, self._children(e), strict=True)
            return _Known(Several([Several(pair) for pair in pairs]))
        return None

    def _children(self, e: Any) -> list[Sugared]:
        found = [self.definition.attribute(e, self.value, name) for name in self.definition.modules]
        return [each for each in found if each is not None]

    def elements(self, e: Any) -> list[Sugared] | None:
        if issubclass(self.definition.python, (nn.ModuleList, nn.Sequential)):
            return self._children(e)
        if issubclass(self.definition.python, nn.ModuleDict):
            return [Simple(e.builder.constant(name)) for name in self.definition.modules]
        if issubclass(self.definition.python, nn.ParameterList):
            names = self.definition.parameters
            return [Simple(e.builder.attribute(self.value, n, TENSOR)) for n in names]
        return None

    def item(self, e: Any, index: Value, type_: Type | None = None) -> Sugared:
        at = index.toIValue()
        if isinstance(at, str) and at in self.definition.modules:
            return self.attr(e, at)
        items = self.elements(e)
        if items is None:
            if self.definition.has("__getitem__"):
                return self.attr(e, "__getitem__").call(e, Arguments([Simple(index)], {}))
            return super().item(e, index)
        if not isinstance(at, int):
            raise compile_error(
                e.where,
                "Unable to extract string literal index. ModuleDict indexing is only supported "
                "with "
                "string literals. For example, 'i = \"a\"; self.layers[i](x)' will fail because i "
                "is not a literal. Enumeration of ModuleDict is supported, e.g. 'for k, v in "
                "self.items(): ...'"
                if issubclass(self.definition.python, nn.ModuleDict)
                else "Expected integer literal for index but got a variable or non-integer. "
                "ModuleList/Sequential indexing is only supported with integer literals. For "
                "example, 'i = 4; self.layers[i](x)' will fail because i is not a literal. "
                "Enumeration is supported, e.g. 'for index, v in enumerate(self): out = v(inp)'",
            )
        if not -len(items) <= at < len(items):
            raise compile_error(e.where, f"Index {at} out of range of length {len(items)}")
        return items[at]

    def length(self, e: Any) -> Value:
        made: Value = e.builder.constant(len(self.definition.modules))
        return made

    def call(self, e: Any, given: Arguments) -> Sugared:
        return self.attr(e, "forward").call(e, given)

    def set_attr(self, e: Any, name: str, value: Value) -> None:
        kind = self.definition.attributes.get(name)
        if kind is None:
            if name in self.definition.constants or name in self.definition.modules:
                raise compile_error(
                    e.where, f"Assignment to attribute '{name}' of a module is not supported"
                )
            raise compile_error(
                e.where,
                f"Tried to set nonexistent attribute: {name}. Did you forget to initialize it in "
                "__init__()?",
            )
        set_attribute(e, self.value, name, kind, value)


class _Known(Sugared):
    """A function without arguments whose result is known."""

    def __init__(self, result: Sugared) -> None:
        self.result = result

    def call(self, e: Any, given: Arguments) -> Sugared:
        return self.result
