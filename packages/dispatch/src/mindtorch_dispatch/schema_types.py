"""What a schema consists of: types, arguments, alias annotations, with torch's attribute names.

``str`` of each is what torch prints.
"""

from __future__ import annotations

from typing import Any

__all__ = [
    "BASE_TYPES",
    "AliasInfo",
    "ESCAPES",
    "Argument",
    "SchemaType",
    "base_type",
    "class_type",
    "make_type",
]

# torch's types by schema name: (kind, annotation). The annotation is what ``str(type)`` gives.
_BASE = {
    "Tensor": ("TensorType", "Tensor"),
    "int": ("IntType", "int"),
    "SymInt": ("SymIntType", "int"),
    "float": ("FloatType", "float"),
    "bool": ("BoolType", "bool"),
    "SymBool": ("SymBoolType", "bool"),
    "complex": ("ComplexType", "complex"),
    "str": ("StringType", "str"),
    "Scalar": ("NumberType", "number"),
    "ScalarType": ("ScalarTypeType", "ScalarType"),
    "Layout": ("LayoutType", "Layout"),
    "MemoryFormat": ("MemoryFormatType", "MemoryFormat"),
    "Device": ("DeviceObjType", "Device"),
    "DeviceIndex": ("IntType", "int"),
    "Stream": ("StreamObjType", "Stream"),
    "Generator": ("GeneratorType", "Generator"),
    "Storage": ("StorageType", "Storage"),
    "QScheme": ("QSchemeType", "QScheme"),
    "Quantizer": ("QuantizerType", "Quantizer"),
    "Any": ("AnyType", "Any"),
    "AnyClassType": ("AnyClassType", "AnyClassType"),
    "AnyEnumType": ("AnyEnumType", "AnyEnumType"),
    "NoneType": ("NoneType", "NoneType"),
}

#: The words that are types.
BASE_TYPES = frozenset(_BASE) - {"NoneType"}

# What ``Argument.type`` shows in place of ``real_type`` (torch: "fake" types of the schema).
_FAKE = {"SymInt": "int", "ScalarType": "int", "Layout": "int"}
_FAKE["MemoryFormat"] = "int"


class SchemaType:
    """A type of the schema language; interned, so equal types are one object."""

    __slots__ = ("_annotation", "_contained", "_kind", "_text", "has_typevars", "name", "text")

    def __init__(
        self, kind: str, text: str, annotation: str, contained: tuple[SchemaType, ...] = ()
    ) -> None:
        self._kind, self._text, self._annotation = kind, text, annotation
        self._contained = contained
        #: the schema name of a type that contains no other (``"Tensor"``), else ``""``.
        self.name = "" if contained else text
        #: the type as schemas write it: ``"Tensor?[]"`` (but ``Future[int]``, a whim of torch).
        self.text = annotation if kind in ("FutureType", "RRefType") else text
        #: whether a type variable is in it.
        self.has_typevars: bool = kind == "VarType" or any(c.has_typevars for c in contained)

    def kind(self) -> str:
        """torch's name for the sort of type: ``"TensorType"``, ``"ListType"``…"""
        return self._kind

    @property
    def annotation_str(self) -> str:
        """The type as a Python annotation: ``"List[Optional[Tensor]]"``."""
        return self._annotation

    def containedTypes(self) -> list[SchemaType]:
        """The types it is made of."""
        return list(self._contained)

    def getElementType(self) -> SchemaType:
        """The element of a list or optional."""
        return self._contained[0]

    def __str__(self) -> str:
        return self._annotation

    __repr__ = __str__

    def str(self) -> str:
        """:attr:`text`, as torch asks for it."""
        return self.text


_TYPES: dict[tuple[str, ...], SchemaType] = {}


def make_type(kind: str, *contained: SchemaType) -> SchemaType:
    """The type of a *kind* that contains others: a list, an optional, a tuple…"""
    key = (kind, *[c._kind + c._text for c in contained])
    made = _TYPES.get(key)
    if made is not None:
        return made
    texts = [c._text for c in contained]
    notes = [c._annotation for c in contained]
    if kind == "ListType":
        made = SchemaType(kind, texts[0] + "[]", f"List[{notes[0]}]", contained)
    elif kind == "OptionalType":
        if contained[0]._kind == "OptionalType":  # T?? is T?
            return contained[0]
        made = SchemaType(kind, texts[0] + "?", f"Optional[{notes[0]}]", contained)
    elif kind == "TupleType":
        note = ", ".join(notes) or "()"
        made = SchemaType(kind, f"({', '.join(texts)})", f"Tuple[{note}]", contained)
    else:  # Dict, Union, Future, RRef, Await
        head = kind[:-4]
        made = SchemaType(
            kind, f"{head}({', '.join(texts)})", f"{head}[{', '.join(notes)}]", contained
        )
    _TYPES[key] = made
    return made


def base_type(name: str) -> SchemaType | None:
    """The type that *name* alone denotes; None if there is none."""
    made = _TYPES.get((name,))
    if made is None:
        known = _BASE.get(name)
        if known is not None:
            text = "int" if name == "DeviceIndex" else name
            made = SchemaType(known[0], text, known[1])
        elif name[:1].islower():  # any lower-case word is a type variable
            made = SchemaType("VarType", name, name)
        else:
            return None
        _TYPES[(name,)] = made
    return made


def class_type(name: str) -> SchemaType:
    """The type of a registered class, by its full name."""
    made = _TYPES.get((name,))
    if made is None:
        made = _TYPES[(name,)] = SchemaType("ClassType", name, name)
    return made


def _fake(real: SchemaType) -> SchemaType:
    if real._contained:
        parts = [_fake(c) for c in real._contained]
        return make_type(real._kind, *parts)
    other = _FAKE.get(real._text)
    return real if other is None else base_type(other)  # type: ignore[return-value]  # it knows the words of _FAKE


class AliasInfo:
    """What an annotation such as ``(a! -> *)`` says of an argument's memory."""

    __slots__ = ("_after", "_before", "contained", "is_write")

    def __init__(
        self,
        is_write: bool,
        before: tuple[str, ...],
        after: tuple[str, ...],
        contained: AliasInfo | None = None,
    ) -> None:
        self.is_write = is_write
        self._before, self._after = before, after
        #: the annotation of the elements, where a list itself is annotated.
        self.contained = contained

    @property
    def before_set(self) -> set[str]:
        """Alias sets on entry."""
        return set(self._before)

    @property
    def after_set(self) -> set[str]:
        """Alias sets on return."""
        return set(self._after)

    def __str__(self) -> str:
        # torch keeps the sets unordered and prints the later entry first
        text = "(" + "|".join(reversed(self._before))
        if self.is_write:
            text += "!"
        if self._after != self._before:
            text += " -> " + "|".join(reversed(self._after))
        return text + ")"


class Argument:
    """A parameter or a result of a schema. Immutable, and shared between schemas."""

    __slots__ = (
        "N",
        "_has_default",
        "_text",
        "alias_info",
        "default_source",
        "default_value",
        "is_out",
        "is_write",
        "kwarg_only",
        "name",
        "real_type",
    )

    def __init__(
        self,
        name: str,
        real_type: SchemaType,
        alias_info: AliasInfo | None = None,
        N: int | None = None,
        kwarg_only: bool = False,
        has_default: bool = False,
        default_value: Any = None,
        default_source: str = "",
    ) -> None:
        self.name, self.real_type, self.alias_info = name, real_type, alias_info
        #: the size of a sized list: 2 in ``int[2]``.
        self.N = N
        self.kwarg_only = kwarg_only
        #: whether the operator writes to it; an ``out=`` argument is keyword-only besides.
        self.is_write = alias_info is not None and alias_info.is_write
        self.is_out = kwarg_only and self.is_write
        self._has_default, self.default_value = has_default, default_value
        #: the default as the text has it.
        self.default_source = default_source
        self._text: str | None = None

    def has_default_value(self) -> bool:
        """Whether it may be left out."""
        return self._has_default

    @property
    def type(self) -> SchemaType:
        """torch's stand-in type: ``int`` for ``ScalarType``, ``Layout``, ``SymInt``…"""
        return _fake(self.real_type)

    def __str__(self) -> str:
        text = self._text
        if text is None:
            text = self._text = self._format()
        return text

    def _format(self) -> str:
        real = self.real_type
        optional = real._kind == "OptionalType"
        plain = real._contained[0] if optional else real
        alias = self.alias_info
        if plain._kind == "ListType":
            text = plain._contained[0]._text
            if alias is not None and alias.contained is not None:
                text += str(alias.contained)
            text += f"[{'' if self.N is None else self.N}]"
        else:
            text = plain._text
        if alias is not None and alias._before:
            text += str(alias)
        if optional:
            text += "?"
        if self.name:
            text += " " + self.name
        if self._has_default:
            text += "=" + self._format_default(plain)
        return text

    def _format_default(self, plain: SchemaType) -> str:
        value = self.default_value
        if isinstance(value, str) and plain._kind == "StringType":
            return _quote(value)
        if isinstance(value, list):
            real = self.real_type
            if (
                len(value) > 1
                and real._kind == "ListType"
                and real._contained[0]._kind == "IntType"
                and value.count(value[0]) == len(value)
            ):  # ``int[2] stride=1`` stays so, but ``SymInt[2] stride=[1, 1]``
                return _constant(value[0])
            return "[" + ", ".join([_constant(v) for v in value]) + "]"
        return _constant(value)


def _constant(value: Any) -> str:
    if isinstance(value, float):
        return _float(value)
    if isinstance(value, complex):
        sign = "-" if str(value.imag).startswith("-") else "+"
        return f"{_float(value.real)}{sign}{_float(abs(value.imag))}j"
    return str(value)


def _float(value: float) -> str:
    if value == 0:
        return "0."
    text = f"{value:.17g}"  # as C++ streams print a double in full
    return text + "." if text.lstrip("-").isdigit() else text


ESCAPES = {
    "\\": "\\\\",
    "'": "\\'",
    '"': '\\"',
    "\a": "\\a",
    "\b": "\\b",
    "\f": "\\f",
    "\n": "\\n",
    "\r": "\\r",
    "\t": "\\t",
    "\v": "\\v",
}


def _quote(text: str) -> str:
    """torch's C-like quoting of a string default."""
    done = [
        ESCAPES.get(c) or (c if " " <= c <= "~" else "".join(f"\\{b:03o}" for b in c.encode()))
        for c in text
    ]
    return '"' + "".join(done) + '"'
