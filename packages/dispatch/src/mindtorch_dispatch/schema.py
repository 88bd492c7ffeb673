"""Schema: torch's operator schema language, read into objects.

``parse_schema("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor")`` gives
a :class:`FunctionSchema`; a malformed text raises torch's error.

One schema costs a few microseconds. Arguments are immutable and shared between schemas: an
argument's text is parsed once (``Tensor self`` occurs in nearly every schema).
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from typing import Any

from . import schema_errors as errors
from .function_schema import FunctionSchema
from .schema_reader import KEYWORDS, SchemaReader, check_defaults
from .schema_types import AliasInfo, Argument, SchemaType

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
# looked up. Of a piece that is not known its type mostly is, and most defaults are a word or a
# whole number; all else is read by the SchemaReader. A text that has anything unusual in it (a
# string default, nested parentheses, "...") goes to it as a whole, which also gives the errors.
_arguments: dict[str, Argument] = {}
_keyword_arguments: dict[str, Argument] = {}
_results: dict[str, Argument] = {}
#: By the text of a type: what the reader makes of it.
_types: dict[str, tuple[SchemaType, AliasInfo | None, int | None]] = {}
#: The types whose defaults may be a word or a whole number, and what is made of a number.
_NUMBERS: dict[str, Callable[[str], Any]] = {
    "IntType": int,
    "SymIntType": int,
    "NumberType": int,
    "OptionalType": int,
    "FloatType": float,
    "BoolType": int,
}
_WORDS: dict[str, Any] = {"None": None, "True": True, "False": False}
#: More digits may be more than 64 bits have.
_FEW_DIGITS = 18


def _argument(text: str, known: dict[str, Argument], kwarg_only: bool) -> Argument | None:
    """Read one argument alone; None if the text is not just that."""
    head, given, default = text.partition("=")
    kind, _, name = head.rpartition(" ")
    if known is _results and not kind:
        kind, name = name, ""
    made: Argument | None = None
    if not name or (name.isidentifier() and name not in KEYWORDS and name.isascii()):
        found = _types.get(kind) or _read_type(kind)
        if found is None:
            pass
        elif not given:
            made = Argument(name, *found, kwarg_only)
        elif known is not _results:
            sort = found[0]._kind
            number = _NUMBERS.get(sort)
            value: Any = None
            whole = default[default[:1] == "-" :]
            if number is None:
                usual = default == "None" and sort in ("TensorType", "GeneratorType")
            elif default in _WORDS:
                usual, value = True, _WORDS[default]
            elif usual := whole.isdecimal() and whole.isascii() and len(whole) < _FEW_DIGITS:
                value = number(default)
            if usual:
                made = Argument(name, *found, kwarg_only, True, value, default)
    if made is None:
        made = _read(text, known is _results, kwarg_only)
    if made is not None:
        known[text] = made
    return made


def _read_type(text: str) -> tuple[SchemaType, AliasInfo | None, int | None] | None:
    """What a type alone means; None if the text is not just that."""
    reader = SchemaReader(text)
    try:
        found = reader.sized_type()
    except (RuntimeError, ValueError, IndexError):
        return None
    if reader.tokens[reader.at]:
        return None
    _types[text] = found
    return found


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
    if not (arrow and paren) or '"' in text or "..." in text or "#" in text or "'" in text:
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
