"""What an expression of a script may be beside a value of its graph: functions, modules, types.

Source: torch/csrc/jit/frontend/sugared_value.cpp.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._ops import ops
from ._ir import Value
from ._operators import overloads
from ._source_range import compile_error
from ._types import BOOL, INT, STR, TENSOR, Type, list_of, told

__all__ = [
    "Arguments", "Builtin", "Cast", "Constant", "Counter", "ExceptionClass", "ExceptionMessage",
    "Namespace", "Range",
    "Several", "Simple", "Special", "Sugared", "Zipped",
]  # fmt: skip

#: Attributes of tensors that are operators: those of the library ``prim``, and the others.
_PRIM_OF_TENSORS = frozenset(
    "dtype device grad data is_cuda is_cpu is_xla is_xpu is_sparse is_sparse_csr is_mkldnn "
    "is_quantized is_vulkan is_meta is_mps is_mtia is_nested requires_grad layout itemsize nbytes "
    "name".split()
)
_ATEN_OF_TENSORS = {
    "shape": "size", "ndim": "dim", "T": "numpy_T", "mT": "mT", "H": "matrix_H", "mH": "mH",
    "real": "real", "imag": "imag", "is_leaf": "is_leaf", "retains_grad": "retains_grad",
}  # fmt: skip


class Arguments:
    """The arguments of a call: what they are, by place and by name."""

    def __init__(self, args: Sequence[Sugared], kwargs: dict[str, Sugared]) -> None:
        self.args, self.kwargs = list(args), kwargs

    def values(self, e: Any) -> tuple[list[Value], dict[str, Value]]:
        """All of them as values of the graph."""
        named = {name: each.as_value(e) for name, each in self.kwargs.items()}
        return [each.as_value(e) for each in self.args], named


class Sugared:
    """What an expression is. *e* is the emitter, which adds to the graph."""

    def kind(self) -> str:
        """What errors call it."""
        return "value"

    def as_value(self, e: Any) -> Value:
        """It as a value of the graph. Raises RuntimeError if it is none."""
        raise compile_error(e.where, f"{self.kind()} cannot be used as a value")

    def attr(self, e: Any, name: str) -> Sugared:
        """Its attribute *name*. Raises RuntimeError if it has none."""
        raise compile_error(e.where, f"attribute lookup is not defined on {self.kind()}")

    def has_attr(self, e: Any, name: str) -> bool:
        """Whether it has an attribute *name*."""
        raise compile_error(e.where, f"attribute lookup is not defined on {self.kind()}")

    def call(self, e: Any, given: Arguments) -> Sugared:
        """What it returns, called. Raises RuntimeError if it cannot be."""
        raise compile_error(e.where, f"cannot call a {self.kind()}")

    def elements(self, e: Any) -> list[Sugared] | None:
        """Its elements, where they are known; else None."""
        return None

    def unpacked(self, e: Any, count: int | None) -> list[Sugared]:
        """Its elements, for as many names. Raises RuntimeError if it has none."""
        found = self.elements(e)
        if found is None:
            raise compile_error(e.where, f"{self.kind()} cannot be used as a tuple")
        return found

    def length(self, e: Any) -> Value:
        """How many elements it has, for a loop over them."""
        raise compile_error(e.where, f"'{self.kind()}' object is not iterable")

    def item(self, e: Any, index: Value, type_: Type | None = None) -> Sugared:
        """The element at *index*."""
        raise compile_error(e.where, f"'{self.kind()}' object is not subscriptable")

    def iterated(self, e: Any) -> Sugared:
        """What a loop over it goes over."""
        return self

    def set_attr(self, e: Any, name: str, value: Value) -> None:
        """Set its attribute *name*."""
        raise compile_error(e.where, f"attribute assignment is not defined on {self.kind()}")


class Simple(Sugared):
    """A value of the graph."""

    def __init__(self, value: Value) -> None:
        self.value = value

    @property
    def type(self) -> Type:
        """The value's type."""
        found: Type = self.value.type()
        return found

    def kind(self) -> str:
        return f"value of type '{self.type.annotation_str}'"

    def as_value(self, e: Any) -> Value:
        return self.value

    def attr(self, e: Any, name: str) -> Sugared:
        type_, value = self.type, self.value
        if type_ == TENSOR:
            if name in _PRIM_OF_TENSORS:
                return Simple(e.builder.call(f"prim::{name}", [value]))
            if name in _ATEN_OF_TENSORS:
                return Simple(e.builder.call(f"aten::{_ATEN_OF_TENSORS[name]}", [value]))
        fields = getattr(type_.definition, "names", ())
        if type_.base in ("NamedTuple", "Tuple") and name in fields:
            index = fields.index(name)
            at = e.builder.constant(index)
            return Simple(e.builder.value("prim::TupleIndex", [value, at], type_.args[index]))
        if type_.base in ("Class", "Module", "Interface", "Enum"):
            found = type_.definition.attribute(e, value, name)
            if found is not None:
                return found  # type: ignore[no-any-return]  # a definition gives sugared values
        elif type_.base == "Device" and name in ("type", "index"):
            return Simple(e.builder.call(f"prim::{name}", [value]))
        elif overloads(f"aten::{name}"):
            return Builtin(f"aten::{name}", value)
        if type_.base == "Future" and name in ("wait",):
            return Builtin("aten::wait", value)
        raise compile_error(
            e.where,
            f"'{told(type_)}' object has no attribute or method '{name}'.",
        )

    def has_attr(self, e: Any, name: str) -> bool:
        type_ = self.type
        if type_.base in ("Class", "Module", "Interface", "Enum"):
            return bool(type_.definition.has(name))
        if type_.base == "NamedTuple":
            return name in type_.definition.names
        raise compile_error(
            e.where,
            f"hasattr's first argument must be an object or NamedTuple, but got {self.kind()} "
            "instead",
        )

    def set_attr(self, e: Any, name: str, value: Value) -> None:
        if self.type.base not in ("Class", "Module"):
            text = f"Tried to set an attribute: {name} on a non-class: {told(self.type)}"
            raise compile_error(e.where, text)
        self.type.definition.set_attribute(e, self.value, name, value)

    def call(self, e: Any, given: Arguments) -> Sugared:
        if self.type.base in ("Class", "Module"):
            name = "forward" if self.type.base == "Module" else "__call__"
            return self.attr(e, name).call(e, given)
        raise compile_error(e.where, f"'{self.type.annotation_str}' object is not callable")

    def elements(self, e: Any) -> list[Sugared] | None:
        if self.type.base in ("Tuple", "NamedTuple"):
            return [Simple(each) for each in e.builder.unpack(self.value)]
        return None

    def unpacked(self, e: Any, count: int | None) -> list[Sugared]:
        found = self.elements(e)
        if found is None and self.type.base == "List":
            if count is None:
                raise compile_error(
                    e.where,
                    "cannot statically infer the expected size of a list in this context",
                )
            made = e.builder.node("prim::ListUnpack", [self.value], [self.type.element] * count)
            found = [Simple(each) for each in made.outputs()]
        if found is None and self.type == TENSOR and count is not None:
            made = e.builder.call("aten::unbind", [self.value, e.builder.constant(0)])
            found = Simple(made).unpacked(e, count)
        if found is None:
            raise compile_error(
                e.where,
                f"Provided {self.type.annotation_str} but expected tuple. '{self.type}' cannot be "
                "used as a tuple",
            )
        return found

    def iterated(self, e: Any) -> Sugared:
        if self.type.base == "Dict":
            return Simple(e.builder.call("aten::keys", [self.value]))
        found = self.elements(e)
        if found is not None:
            return Several(found)
        if self.type.base in ("List", "Tensor", "str"):
            return self
        if self.type.base == "Class":
            return self.attr(e, "__iter__").call(e, Arguments([], {}))
        raise compile_error(e.where, f"'{self.type.annotation_str}' object is not iterable")

    def length(self, e: Any) -> Value:
        if self.type.base in ("List", "Tensor", "str"):
            found: Value = e.builder.call("aten::len", [self.value])
            return found
        return super().length(e)

    def item(self, e: Any, index: Value, type_: Type | None = None) -> Sugared:
        kind, given = self.type.base, [self.value, index]
        if kind in ("List", "Dict", "str"):
            return Simple(e.builder.call("aten::__getitem__", given))
        if kind == "Tensor":
            given.insert(1, e.builder.constant(0))
            return Simple(e.builder.call("aten::select", given))
        if kind in ("Class", "Module"):
            return self.attr(e, "__getitem__").call(e, Arguments([Simple(index)], {}))
        raise compile_error(e.where, f"'{self.type.annotation_str}' object is not subscriptable")


class Several(Sugared):
    """A tuple whose elements need not be values: modules, functions."""

    def __init__(self, items: Sequence[Sugared]) -> None:
        self.items = list(items)

    def kind(self) -> str:
        return "Tuple"

    def as_value(self, e: Any) -> Value:
        made: Value = e.builder.tuple([each.as_value(e) for each in self.items])
        return made

    def elements(self, e: Any) -> list[Sugared] | None:
        return self.items

    def length(self, e: Any) -> Value:
        made: Value = e.builder.constant(len(self.items))
        return made

    def item(self, e: Any, index: Value, type_: Type | None = None) -> Sugared:
        at = index.toIValue()
        if not isinstance(at, int):
            raise compile_error(e.where, "Expected integer literal for index")
        if not -len(self.items) <= at < len(self.items):
            raise compile_error(e.where, f"Tuple index out of range: {at} is out of range")
        return self.items[at]


class Builtin(Sugared):
    """An operator, of a value if it is a method."""

    def __init__(self, name: str, receiver: Value | None = None) -> None:
        self.name, self.receiver = name, receiver

    def kind(self) -> str:
        return "builtin"

    def call(self, e: Any, given: Arguments) -> Sugared:
        if self.name == "aten::len" and given.args and not isinstance(given.args[0], Simple):
            return Simple(given.args[0].length(e))
        args, kwargs = given.values(e)
        return Simple(e.builder.call(self.name, args, kwargs, self.receiver))


class Namespace(Sugared):
    """A module of Python."""

    def __init__(self, module: Any) -> None:
        self.module = module

    def kind(self) -> str:
        return "python value"

    def has_attr(self, e: Any, name: str) -> bool:
        return hasattr(self.module, name)

    def attr(self, e: Any, name: str) -> Sugared:
        if isinstance(self.module, type(ops.aten)):
            return Builtin(f"{self.module.name}::{name}")
        if not hasattr(self.module, name):
            raise compile_error(e.where, f"module has no attribute '{name}'")
        return e.python_value(getattr(self.module, name), name)  # type: ignore[no-any-return]


class Special(Sugared):
    """A function that the compiler knows itself: ``isinstance``, ``annotate``."""

    def __init__(self, name: str) -> None:
        self.name = name

    def kind(self) -> str:
        return self.name


class Cast(Special):
    """``int``, ``float``, ``bool``, ``complex``, ``str``: a type as a function."""

    def __init__(self, name: str, operator: str, type_: Type) -> None:
        super().__init__(name)
        self.operator, self.type = operator, type_

    def call(self, e: Any, given: Arguments) -> Sugared:
        args, kwargs = given.values(e)
        if not args and self.type in (STR, INT, BOOL):
            return Simple(e.builder.constant({STR: "", INT: 0, BOOL: False}[self.type]))
        if args and args[0].type() == self.type and self.type != STR:
            return Simple(args[0])
        if args and args[0].type().base == "Class":
            return Simple(args[0]).attr(e, f"__{self.name}__").call(e, Arguments([], {}))
        return Simple(e.builder.call(self.operator, args, kwargs))


class Range(Sugared):
    """``range(…)``."""

    def __init__(self, start: Value | None, stop: Value, step: Value | None) -> None:
        self.start, self.stop, self.step = start, stop, step

    def kind(self) -> str:
        return "range"

    def length(self, e: Any) -> Value:
        if self.start is None:
            return self.stop
        given = [self.start, self.stop, self.step]
        found: Value = e.builder.call("aten::__range_length", given)
        return found

    def item(self, e: Any, index: Value, type_: Type | None = None) -> Sugared:
        if self.start is None:
            return Simple(index)
        given = [index, self.start, self.step]
        return Simple(e.builder.call("aten::__derive_index", given))

    def as_value(self, e: Any) -> Value:
        made = e.builder.call(
            "aten::list", [e.builder.value("prim::rangelist", [self.stop], list_of(INT))]
        )
        return made  # type: ignore[no-any-return]  # a value of the graph


class Constant(Sugared):
    """A constant, which goes into the graph where it is used."""

    def __init__(self, value: Any, type_: Type | None = None) -> None:
        self.value, self.type = value, type_

    def as_value(self, e: Any) -> Value:
        made: Value = e.builder.constant(self.value, self.type)
        return made

    def attr(self, e: Any, name: str) -> Sugared:
        return Simple(self.as_value(e)).attr(e, name)

    def elements(self, e: Any) -> list[Sugared] | None:
        return [Constant(each) for each in self.value] if isinstance(self.value, tuple) else None

    def item(self, e: Any, index: Value, type_: Type | None = None) -> Sugared:
        if isinstance(self.value, tuple):
            return Several([Constant(each) for each in self.value]).item(e, index)
        return Simple(self.as_value(e)).item(e, index)

    def iterated(self, e: Any) -> Sugared:
        return self if isinstance(self.value, tuple) else Simple(self.as_value(e)).iterated(e)


class Zipped(Sugared):
    """What ``zip`` and ``enumerate`` give: an element of each at a time."""

    def __init__(self, parts: Sequence[Sugared], start: Value | None = None) -> None:
        self.parts, self.start = list(parts), start

    def kind(self) -> str:
        return "iterabletree"

    def elements(self, e: Any) -> list[Sugared] | None:
        columns = [part.elements(e) for part in self.parts if not isinstance(part, Range)]
        if not columns or any(column is None for column in columns):
            return None
        count = min(len(column) for column in columns if column is not None)
        rows: list[list[Sugared]] = [[] for _ in range(count)]
        for part in self.parts:
            found = part.elements(e)
            for i, row in enumerate(rows):
                row.append(Simple(e.builder.constant(i)) if found is None else found[i])
        return [Several(row) for row in rows]

    def length(self, e: Any) -> Value:
        counts = [part.length(e) for part in self.parts]
        made: Value = e.builder.call("prim::min", [e.builder.list(counts, INT)])
        return made

    def item(self, e: Any, index: Value, type_: Type | None = None) -> Sugared:
        return Several([part.item(e, index) for part in self.parts])


class Counter(Sugared):
    """The numbers of ``enumerate``."""

    def __init__(self, start: Value | None) -> None:
        self.start = start

    def length(self, e: Any) -> Value:
        made: Value = e.builder.constant((1 << 63) - 1)
        return made

    def item(self, e: Any, index: Value, type_: Type | None = None) -> Sugared:
        if self.start is None:
            return Simple(index)
        return Simple(
            e.builder.call("aten::__derive_index", [index, self.start, e.builder.constant(1)])
        )


class ExceptionClass(Sugared):
    """A class of errors. *name* is empty for AssertionError, whose texts say so themselves."""

    def __init__(self, name: str) -> None:
        self.name = name

    def kind(self) -> str:
        return "exception"

    def call(self, e: Any, given: Arguments) -> Sugared:
        args, _ = given.values(e)
        if not args:
            message = e.builder.constant("")
        elif len(args) == 1:
            message = args[0]
        else:
            message = e.builder.tuple(args)
        if message.type() != STR:
            message = e.builder.call("aten::str", [message])
        if not self.name:
            message = e.builder.call("aten::add", [e.builder.constant("AssertionError: "), message])
        return ExceptionMessage(message, self.name)


class ExceptionMessage(Sugared):
    """An error that a script raises."""

    def __init__(self, message: Value, name: str) -> None:
        self.message, self.name = message, name
