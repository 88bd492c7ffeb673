"""Schema: torch's operator schema language, read into objects.

``parse_schema("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")`` gives
a :class:`FunctionSchema`; a malformed text raises torch's error.

One schema costs a few microseconds. Arguments are immutable and shared between schemas: an
argument's text is parsed once (``Tensor self`` occurs in nearly every schema).
"""

from __future__ import annotations

import copyreg
from typing import Any

from . import schema_errors as errors
from .function_schema import FunctionSchema
from .schema_reader import (
    CONSTANT_KINDS,
    CONSTANTS,
    KEYWORDS,
    LIST_KINDS,
    LITERALS,
    SchemaReader,
    check_defaults,
)
from .schema_types import (
    BASE_TYPES,
    AliasInfo,
    Argument,
    SchemaType,
    base_type,
    make_type,
)

__all__ = [
    "AliasInfo",
    "Argument",
    "FunctionSchema",
    "SchemaType",
    "inferred_schema",
    "parse_operator",
    "parse_operator_name",
    "parse_schema",
]

# Note [Arguments are parsed once]: most argument texts recur ("Tensor self" in 3000 of torch's
# schemas), and an Argument is immutable, so a schema is split at its commas and each piece is
# looked up. Of a piece that is not known its type mostly is, and a default is a number, a word or
# a list of them; all else is read by the SchemaReader, whose tokenizer takes longer to make than
# all schemas of a program take to read. A text that has anything unusual in it (a string with a
# blank, "...") goes to it as a whole, which also gives the errors.
_arguments: dict[str, Argument] = {}
_keyword_arguments: dict[str, Argument] = {}
_results: dict[str, Argument] = {}
_Type = tuple[SchemaType, AliasInfo | None, int | None]
#: What the texts of types mean.
_types: dict[str, _Type] = {}
#: More digits may be more than 64 bits have.
_FEW_DIGITS = 18
_IN_FLOATS = frozenset("0123456789.e-")
#: In place of a default that is not read here.
_UNUSUAL: Any = object()


def _argument(text: str, known: dict[str, Argument], kwarg_only: bool) -> Argument | None:
    """Read one argument alone; None if the text is not just that."""
    head, given, default = text.partition("=")
    kind, _, name = head.rpartition(" ")
    if known is _results and not kind:
        kind, name = name, ""
    made: Argument | None = None
    if not name or (name.isidentifier() and name not in KEYWORDS and name.isascii()):
        found = _types.get(kind) or _type(kind)
        if found is None:
            pass
        elif not given:
            made = Argument(name, *found, kwarg_only)
        elif known is not _results:
            value = _default(found[0], found[2], default)
            if value is not _UNUSUAL:
                source = default.replace(" ", "")
                made = Argument(name, *found, kwarg_only, True, value, source)
    if made is None:
        made = _read(text, known is _results, kwarg_only)
    if made is not None:
        known[text] = made
    return made


def _default(kind: SchemaType, size: int | None, text: str) -> Any:
    """The default of a type that *text* says."""
    sort = kind._kind
    if not text:
        return _UNUSUAL
    if sort == "ListType":
        element = kind._contained[0]._kind
        if text[0] == "[" and text[-1] == "]" and element in LIST_KINDS:
            values = [_constant(element, t) for t in text[1:-1].split(", ")] if text[1:-1] else []
        elif text[0] != "[" and size is not None:
            values = [_constant(element, text)]
            if values[0] is not _UNUSUAL:
                values *= size
        else:
            return _UNUSUAL
        return _UNUSUAL if any([v is _UNUSUAL for v in values]) else values
    if sort in CONSTANT_KINDS:
        return _constant(sort, text)
    return None if text == "None" and sort in ("TensorType", "GeneratorType") else _UNUSUAL


def _constant(sort: str, text: str) -> Any:
    """What a number or a word stands for where a type of this *sort* is wanted."""
    if text in LITERALS:
        return LITERALS[text]
    whole = text[text[:1] == "-" :]
    if whole.isdecimal() and whole.isascii() and len(whole) < _FEW_DIGITS:
        if sort == "ComplexType":
            return _UNUSUAL
        return float(text) if sort == "FloatType" else int(text)
    if whole[:1].isdecimal() and _IN_FLOATS.issuperset(whole):
        usual = sort in ("FloatType", "NumberType", "OptionalType")
        if not usual or "." not in whole and "e" not in whole:  # or it has many digits
            return _UNUSUAL
        try:
            value = float(text)
        except ValueError:
            return _UNUSUAL
        return value if abs(value) != float("inf") else _UNUSUAL
    if text[0] == text[-1] == '"' and text[1:-1].isidentifier():
        return text[1:-1]
    return CONSTANTS.get(text, _UNUSUAL)


def _type(text: str) -> _Type | None:
    """What a type alone means; None if the text is not just that."""
    found = _types.get(text)
    if found is None:
        found = _composed_type(text) or _read_type(text)
        if found is not None:
            _types[text] = found
    return found


def _composed_type(text: str) -> _Type | None:
    """The type of a text such as ``Tensor``, ``Tensor(a!)``, ``int[2]?``; None for all others."""
    if text in BASE_TYPES:
        return base_type(text), None, None  # type: ignore[return-value]  # there is one
    if text[-1:] == "?":
        inner = _type(text[:-1])
        return inner and (make_type("OptionalType", inner[0]), inner[1], inner[2])
    head, _, end = text.rpartition("(" if text[-1:] == ")" else "[")
    inner = head and _type(head) or None
    if inner is None or inner[2] is not None:
        return None
    if inner[1] is not None:  # only the elements are in a set
        if end != "]" or inner[1].contained is not None:
            return None
        return make_type("ListType", inner[0]), AliasInfo(inner[1].is_write, (), (), inner[1]), None
    if end[-1:] == "]":
        size = end[:-1]
        if not size:
            return make_type("ListType", inner[0]), None, None
        if size.isdecimal() and size.isascii() and len(size) < _FEW_DIGITS:
            return make_type("ListType", inner[0]), None, int(size)
    elif head in BASE_TYPES and end[:1].isalpha() and end[1:] in (")", "!)", " -> *)"):
        before = (end[:1],)
        after = ("*",) if end[1:] == " -> *)" else before
        return inner[0], AliasInfo(end[1:] == "!)", before, after), None
    return None


def _read_type(text: str) -> _Type | None:
    """The same by the reader."""
    reader = SchemaReader(text)
    try:
        found = reader.sized_type()
    except (RuntimeError, ValueError, IndexError):
        return None
    return None if reader.tokens[reader.at] else found


def _read(text: str, result: bool, kwarg_only: bool) -> Argument | None:
    reader = SchemaReader(text)
    reader.kwarg_only = kwarg_only
    try:
        made = reader.result() if result else reader.argument()
    except (RuntimeError, ValueError, IndexError):
        return None
    return None if made is None or reader.tokens[reader.at] else made


def _with_lists(pieces: list[str]) -> list[str]:
    """Arguments that were split at all commas, those inside of list defaults too."""
    joined: list[str] = []
    opened = False
    for piece in pieces:
        if opened:
            joined[-1] += ", " + piece
        else:
            joined.append(piece)
        opened = joined[-1].count("[") != joined[-1].count("]")
    return joined


def _quick(text: str) -> FunctionSchema | None:
    """The schema if *text* is laid out the way torch prints it, else None."""
    head, arrow, tail = text.partition(") -> ")
    name, paren, inside = head.partition("(")
    if not (arrow and paren) or "..." in text or "#" in text or "'" in text:
        return None
    if '"' in text and not all([word.isidentifier() for word in text.split('"')[1::2]]):
        return None
    if "!" in text and text.count("!") != text.count("!)") + text.count("! ->"):
        return None  # alias sets without names are numbered through the text
    name, dot, overload = name.partition(".")
    plain = name.replace("::", "_", 1)
    if not (plain.isidentifier() and name[:1] != ":" and name[-1:] != ":"):
        return None
    if plain in KEYWORDS or (dot and not overload.isidentifier()):
        return None
    if overload == "default" or overload[:2] == "__" or overload in KEYWORDS:
        return None
    arguments: list[Argument] = []
    known, keyword = _arguments, False
    pieces = inside.split(", ") if inside else []
    if "[" in inside:
        pieces = _with_lists(pieces)
    for piece in pieces:
        found = known.get(piece)
        if found is None:
            if piece == "*":
                known, keyword = _keyword_arguments, True
                continue
            found = _argument(piece, known, keyword)
            if found is None:
                return None
        arguments.append(found)
    returns: list[Argument] = []
    if tail[:1] == "(":
        if tail[-1:] != ")":
            return None
        pieces = tail[1:-1].split(", ") if len(tail) > 2 else []
    else:
        pieces = [tail]
    for piece in pieces:
        found = _results.get(piece) or _argument(piece, _results, False)
        if found is None:
            return None
        returns.append(found)
    made = FunctionSchema(name, overload, arguments, returns)
    check_defaults(made)
    return made


def parse_schema(text: str) -> FunctionSchema:
    """Read one schema; the namespace and the overload name may be absent.

    Raises RuntimeError with torch's text for a malformed schema.
    """
    return _quick(text) or SchemaReader(text).schema()


def _text_of(schema: FunctionSchema) -> tuple[Any, tuple[str]]:
    """How a schema is pickled and copied: as its text."""
    return parse_schema, (str(schema),)


copyreg.pickle(FunctionSchema, _text_of)


def parse_operator(
    text: str, *, allow_typevars: bool = True
) -> tuple[str, str, FunctionSchema | None]:
    """Read a schema or a name alone: (name, overload name, the schema if there is one).

    :param allow_typevars: take any lower-case word for a type; registrations do not.
    """
    made = _quick(text)
    if made is None or (not allow_typevars and _has_typevars(made)):
        reader = SchemaReader(text, allow_typevars=allow_typevars)
        name, overload = reader.head()
        if not reader.tokens[reader.at]:
            return name, overload, None
        reader.at = 0
        made = reader.schema()
    return made.name, made.overload_name, made


def parse_operator_name(text: str) -> tuple[str, str]:
    """Read the name of an op: (name, overload name). A schema is refused, with torch's text."""
    name, dot, overload = text.partition(".")
    plain = name.replace("::", "_", 1)
    if (
        not (plain.isidentifier() and (overload.isidentifier() or not dot))
        or plain in KEYWORDS
        or name[:1] == ":"
        or name[-1:] == ":"
        or overload == "default"
        or overload[:2] == "__"
        or overload in KEYWORDS
        or not text.isascii()
    ):
        name, overload, schema = parse_operator(text)
        if schema is not None:
            raise errors.schema_is_no_name()
    return name, overload


def _has_typevars(schema: FunctionSchema) -> bool:
    for argument in schema.arguments:
        if argument.real_type.has_typevars:
            return True
    return any([r.real_type.has_typevars for r in schema.returns])


_one_tensor: Any = None


def inferred_schema(name: str, overload: str) -> FunctionSchema:
    """The schema that torch reads off a C++ function from one Tensor to a Tensor."""
    global _one_tensor
    if _one_tensor is None:
        _one_tensor = parse_schema("f(Tensor _0) -> Tensor _0")
    return FunctionSchema(name, overload, _one_tensor.arguments, _one_tensor.returns)
