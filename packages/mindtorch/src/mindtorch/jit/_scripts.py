"""All that is compiled for one script: its functions, classes and modules, by name.

Source: torch/jit/_recursive.py, torch/csrc/jit/python/python_sugared_value.cpp.
"""

from __future__ import annotations

import enum
import math
import types
import warnings
from typing import Any

from mindtorch_storage import Device, DType

from .. import nn
from .._ops import ops
from ..aten import torch
from ..backends.switching import Remembered
from ..core.constants import layout, memory_format
from ..core.operators import ops as library_ops
from ..core.warning import warn
from ..nn.functional.by_name import functional
from ..tensor import Tensor
from . import internal
from ._builtins import _find_builtin
from ._call_forms import NAMES
from ._compiled_function import CompiledFunction
from ._definitions import (
    ClassConstructor,
    ClassDefinition,
    EnumClass,
    EnumDefinition,
    FunctionValue,
    MethodValue,
    ModuleDefinition,
    ModuleValue,
    NamedTupleClass,
    NamedTupleDefinition,
)  # fmt: skip
from ._graph_builder import constant_type
from ._ir import Value
from ._module_types import ModuleTypes
from ._operators import overloads
from ._script_library import script_of
from ._source_range import compile_error
from ._sugared_value import (
    Arguments,
    Builtin,
    Constant,
    ExceptionClass,
    Namespace,
    Several,
    Simple,
    Special,
    Sugared,
)  # fmt: skip
from ._types import Type
from .internal import FunctionModifiers, _qualified_name, boolean_dispatched

__all__ = ["Scripts"]

_CONSTANTS = (Device, DType, layout, memory_format)
#: Functions of ``math`` under the name of their operator.
_MATH = {"log2": "", "fabs": "fabs", "trunc": "", "pow": "pow"}


class PythonValue(Sugared):
    """A Python object that has no meaning in a script unless it is called or read."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def kind(self) -> str:
        return f"python value of type '{type(self.value).__name__}'"

    def as_value(self, e: Any) -> Value:
        raise compile_error(
            e.where,
            f"{self.kind()} cannot be used as a value. Perhaps it is a closed over global "
            "variable? "
            "If so, please consider passing it in as an argument or use a local variable instead.",
        )

    def call(self, e: Any, given: Arguments) -> Sugared:
        if callable(self.value):
            name = getattr(self.value, "__name__", type(self.value).__name__)
            raise compile_error(
                e.where,
                f"Python builtin {self.value} is currently not supported in Torchscript"
                if isinstance(self.value, types.BuiltinFunctionType)
                else f"Could not export Python function call '{name}'. Remove calls to Python "
                "functions before export. Did you forget to add @script or @script_method "
                "annotation? If this is a nn.ModuleList, add it to __constants__",
            )
        return super().call(e, given)

    def attr(self, e: Any, name: str) -> Sugared:
        return super().attr(e, name)


class _Dispatched(Sugared):
    """One of two functions, by a truth among the arguments."""

    def __init__(self, scripts: Scripts, facts: dict[str, Any]) -> None:
        self.scripts, self.facts = scripts, facts

    def call(self, e: Any, given: Arguments) -> Sugared:
        name, index = self.facts["arg_name"], self.facts["index"]
        chosen: Any = self.facts["default"]
        found = given.kwargs.get(name)
        if found is None and index < len(given.args):
            found = given.args[index]
        if found is not None:
            chosen = found.as_value(e).toIValue()
            if not isinstance(chosen, bool):
                raise compile_error(e.where, f"value for boolean dispatch {name} must be constant")
        function = self.facts["if_true" if chosen else "if_false"]
        return self.scripts.sugared(e, function, "").call(e, given)


class Scripts:
    """What is compiled together."""

    def __init__(self) -> None:
        self.functions: dict[int, CompiledFunction] = {}
        self.classes: dict[type, Any] = {}
        self.order: list[Any] = []
        self._taken: set[str] = set()
        self._mangled = 0
        self._kept: list[Any] = []
        self.modules = ModuleTypes(self)

    def free_name(self, name: str) -> str:
        """A name that no other class or function has: *name*, or one like it."""
        where, _, own = name.rpartition(".")
        while name in self._taken:
            name = f"{where}.___torch_mangle_{self._mangled}.{own}"
            self._mangled += 1
        self._taken.add(name)
        return name

    # functions and methods ------------------------------------------------------------------------

    def function(self, fn: Any, where: Any = None) -> CompiledFunction:
        """*fn*, compiled; one of the library as its script. RuntimeError while it is compiled."""
        if internal_module(fn) and not hasattr(fn, "_jit_override_qualname"):  # no script yet
            fn = script_of(_qualified_name(fn)) or fn
        found = self.functions.get(id(fn))
        if found is None:
            self._kept.append(fn)
            name = self.free_name(_qualified_name(fn))
            found = self.functions[id(fn)] = CompiledFunction(self, fn, name)
            self.order.append(found)
            found.ensure_defined()
        if found.schema is None:
            raise compile_error(
                where,
                f" function '{found.name}' is called recursively. "
                "Recursive calls are not supported",
            )
        return found

    def new_method(self, owner: Any, name: str) -> CompiledFunction:
        """A method of a class or module, not yet compiled."""
        base, _, number = name.rpartition("__")
        overloaded = getattr(owner.static(base), "script_overloads_", None)
        if overloaded is not None and number.isdigit():
            fn = overloaded[int(number)]
        else:
            fn = owner.static(name)
            fn = fn.fget if isinstance(fn, property) else fn
        return CompiledFunction(self, fn, f"{owner.name}.{name}", owner)

    def method_value(self, e: Any, value: Value, definition: Any, name: str, fn: Any) -> Sugared:
        """A method of a module, as its marks say."""
        modifier = internal.get_torchscript_modifier(fn)
        if modifier in (FunctionModifiers.IGNORE, FunctionModifiers._DROP):
            return PythonValue(fn)
        if modifier == FunctionModifiers.UNUSED:
            return _Dropped()
        return MethodValue(value, definition.overloads_of(name), definition)

    def self_value(self, value: Value, owner: Any) -> Sugared:
        """What ``self`` is in a method."""
        if isinstance(owner, ModuleDefinition):
            return ModuleValue(value, owner)
        return Simple(value)

    # types ----------------------------------------------------------------------------------------

    def class_type(self, python: type) -> Type:
        """The type of a Python class."""
        found = self.classes.get(python)
        if found is None:
            found = self._new_class(python)
        return found.type  # type: ignore[no-any-return]  # a definition has a type

    def _new_class(self, python: type) -> Any:
        own = script_of(_qualified_name(python))
        source = own if isinstance(own, type) else python
        if python is nn.Module or (issubclass(python, nn.Module)):
            raise RuntimeError(f"Unknown type name '{python.__name__}'")
        name = self.free_name(_qualified_name(python))
        made: Any
        if issubclass(python, enum.Enum):
            values = {constant_type(member.value) for member in python}
            made = self.classes[python] = EnumDefinition(
                python, name, (values.pop() or Type("Any"))
            )
            self.order.append(made)
        elif issubclass(python, tuple) and hasattr(python, "_fields"):
            types_ = [self.annotation(python, each) for each in python._fields]
            made = self.classes[python] = NamedTupleDefinition(python, name, types_)
            self.order.append(made)
        else:
            made = self.classes[python] = ClassDefinition(self, source, name)
            self.order.append(made)
            made.define()
        return made

    def annotation(self, python: type, name: str) -> Type:
        """The type that a class says of an attribute; a tensor where it says nothing."""
        return self.declared_attribute(python, name) or Type("Tensor")

    def declared_attribute(self, python: type, name: str) -> Type | None:
        """The type that a class says of an attribute."""
        return self.modules.declared(python).get(name)

    # Python objects -------------------------------------------------------------------------------

    def global_name(self, name: str) -> Sugared | None:
        """What a name means in every script."""
        return NAMES.get(name)

    def constant(self, e: Any, value: Any) -> Sugared:
        """A value that never changes, as it is used."""
        if isinstance(value, (list, tuple)):
            return Several([self.constant(e, each) for each in value])
        return self.sugared(e, value, "")

    def sugared(self, e: Any, value: Any, name: str, constant: bool = True) -> Sugared:
        """What a Python object is in a script.

        :param constant: whether a number may be used: one in the globals of a program changes.
        """
        kind = constant_type(value)
        if kind is not None and not isinstance(value, Tensor):
            if not constant and not isinstance(value, (*_CONSTANTS, type(None))):
                return PythonValue(value)
            return Constant(value)
        if isinstance(value, (types.ModuleType, type(ops), type(ops.aten))):
            return Namespace(value)
        if value is library_ops:  # what functions of the library call the operators by
            return Namespace(ops.aten)
        if value is functional or isinstance(value, Remembered):  # and each other, and switches
            return Namespace(value)
        if isinstance(value, type):
            return self._of_class(value)
        if isinstance(value, enum.Enum):
            return Constant(value, self.class_type(type(value)))
        if isinstance(value, nn.Module):
            return PythonValue(value)
        if isinstance(value, tuple):
            return Several([self.sugared(e, each, "", constant) for each in value])
        inner = getattr(value, "_torchdynamo_inline", None)
        if inner is not None:
            value = inner
        special = _special(value)
        if special is not None:
            return special
        return self._of_function(value, name)

    def _of_class(self, value: type) -> Sugared:
        if issubclass(value, BaseException):
            module = value.__module__
            return ExceptionClass(f"{module}.{value.__qualname__}")
        if value is torch.device:
            return Builtin("aten::device")
        if value.__module__ == "builtins":
            return NAMES.get(value.__name__, PythonValue(value))
        if issubclass(value, nn.Module) or issubclass(value, Tensor):
            return PythonValue(value)
        self.class_type(value)
        made = self.classes[value]
        if isinstance(made, EnumDefinition):
            return EnumClass(made)
        if isinstance(made, NamedTupleDefinition):
            return NamedTupleClass(made)
        return ClassConstructor(made)

    def _of_function(self, value: Any, name: str) -> Sugared:
        if getattr(value, "__module__", None) == "math" and hasattr(math, value.__name__):
            own = _MATH.get(value.__name__, value.__name__)
            if own and overloads(f"aten::{own}"):
                return Builtin(f"aten::{own}")
            return PythonValue(value)
        builtin = _find_builtin(value) or self._torch_function(value)
        if builtin is not None:
            return Builtin(builtin)
        overload = getattr(value, "_qualified_op_name", None)
        if overload is not None and overloads(overload):
            return Builtin(overload)
        if value in boolean_dispatched if isinstance(value, types.FunctionType) else False:
            return _Dispatched(self, boolean_dispatched[value])
        if not isinstance(value, types.FunctionType):
            return PythonValue(value)
        modifier = internal.get_torchscript_modifier(value)
        if modifier in (FunctionModifiers.IGNORE, FunctionModifiers._DROP):
            return PythonValue(value)
        if modifier == FunctionModifiers.UNUSED:
            return _Dropped()
        if internal_module(value):
            written = script_of(_qualified_name(value))
            if written is not None:
                if hasattr(written, "script_dispatch_"):
                    return _Dispatched(self, written.script_dispatch_)
                value = written
        many = internal._get_fn_overloads(_qualified_name(value))
        return _Function(self, value) if not many else _Function(self, value)

    def _torch_function(self, value: Any) -> str | None:
        """The operator of a function of ``torch`` that only scripts have as one."""
        own = getattr(value, "__name__", None)
        if (
            own is None
            or getattr(torch, own, None) is not value
            or script_of(f"__torch__.torch.functional.{own}")
        ):
            return None
        return f"aten::{own}" if overloads(f"aten::{own}") else None


def internal_module(value: Any) -> bool:
    """Whether a function is one of the library."""
    return str(value.__module__).partition(".")[0] in ("mindtorch", "torch")


class _Dropped(Sugared):
    """A function that is marked as one that is not run: calling it is an error."""

    def kind(self) -> str:
        return "function"

    def call(self, e: Any, given: Arguments) -> Sugared:
        text = "This Python function is annotated to be ignored and cannot be run"
        nothing = e.builder.constant(None)
        e.builder.node("prim::RaiseException", [e.builder.constant(text), nothing], [])
        e.exited.add(id(e.env.frame.block))
        return Simple(e.builder.value("prim::Uninitialized", [], Type("Tensor")))


class _Function(Sugared):
    """A Python function, which is compiled when it is called."""

    def __init__(self, scripts: Scripts, fn: Any) -> None:
        self.scripts, self.fn = scripts, fn

    def kind(self) -> str:
        return "function"

    def call(self, e: Any, given: Arguments) -> Sugared:
        many = getattr(self.fn, "script_overloads_", None) or [self.fn]
        functions = [self.scripts.function(each, e.where) for each in many]
        return FunctionValue(functions).call(e, given)


#: Python functions that the compiler knows, by module and name.
_SPECIALS: dict[tuple[str, str], Sugared] = {
    ("jit", "annotate"): Special("annotate"), ("jit", "isinstance"): Special("isinstance"),
    ("jit", "is_scripting"): Special("is_scripting"), ("jit", "is_tracing"): Special("never"),
    ("jit", "_unwrap_optional"): Builtin("aten::_unwrap_optional"),
    ("jit", "_fork"): Special("fork"), ("jit", "fork"): Special("fork"),
    ("jit", "_wait"): Builtin("aten::wait"), ("jit", "wait"): Builtin("aten::wait"),
    ("jit", "_isinstance"): Special("isinstance"),
    ("core", "is_exporting"): Special("never"),
    ("overrides", "has_torch_function"): Special("never"),
    ("overrides", "has_torch_function_unary"): Special("never"),
    ("overrides", "has_torch_function_variadic"): Special("never"),
    ("overrides", "handle_torch_function"): Special("never"),
}  # fmt: skip


def _special(value: Any) -> Sugared | None:
    """What a function means that the compiler knows itself."""
    if value is warnings.warn or value is warn:
        return Builtin("aten::warn")
    if not isinstance(value, types.FunctionType) or not internal_module(value):
        return None
    parts = value.__module__.split(".")
    where = parts[1] if len(parts) > 1 else ""
    where = "jit" if where == "_jit_internal" else where
    return _SPECIALS.get((where, value.__name__))
