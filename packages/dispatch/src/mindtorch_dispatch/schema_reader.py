"""SchemaReader: reads torch's schema language, token by token, with torch's errors."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

from . import schema_errors as errors
from .function_schema import FunctionSchema
from .schema_types import (
    ESCAPES,
    AliasInfo,
    Argument,
    SchemaType,
    base_type,
    class_type,
    make_type,
)

__all__ = [
    "CONSTANTS",
    "CONSTANT_KINDS",
    "KEYWORDS",
    "LIST_KINDS",
    "LITERALS",
    "SchemaReader",
    "check_defaults",
]

_PARAMETRIC = {"Future": "FutureType", "Await": "AwaitType", "RRef": "RRefType"}

#: Names of dtypes in the order of torch's numbers for them, and the other names of some.
_DTYPES = (
    "uint8 int8 int16 int32 int64 float16 float32 float64 complex32 complex64 complex128 bool "
    "qint8 quint8 qint32 bfloat16 quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16 "
    "float8_e5m2 float8_e4m3fn float8_e5m2fnuz float8_e4m3fnuz uint16 uint32 uint64 "
    "uint1 uint2 uint3 uint4 uint5 uint6 uint7 int1 int2 int3 int4 int5 int6 int7 "
    "float8_e8m0fnu float4_e2m1fn_x2"
).split()
_OTHER_DTYPES = {
    **{"short": "int16", "int": "int32", "long": "int64"},
    **{"half": "float16", "float": "float32", "double": "float64"},
    "bit": "uint1",
    **{"chalf": "complex32", "cfloat": "complex64", "cdouble": "complex128"},
}
# Names that may stand as a default; torch keeps the numbers of its enums.
CONSTANTS: dict[str, int] = {
    "Mean": 1,
    "contiguous_format": 0,
    "strided": 0,
    **{name: number for number, name in enumerate(_DTYPES)},
    **{name: _DTYPES.index(meant) for name, meant in _OTHER_DTYPES.items()},
}
# Words that torch's lexer does not read as identifiers.
KEYWORDS = frozenset(
    "False None True and as assert break class continue def del elif else for global if import in "
    "is not or pass raise return while with".split()
)
LITERALS: dict[str, Any] = {"None": None, "True": True, "False": False}

_UNESCAPES = {v[1]: k for k, v in ESCAPES.items()}

_token_pattern: Any = None


def _pattern() -> Any:
    """The one regular expression of the tokenizer, compiled at first use."""
    global _token_pattern
    if _token_pattern is None:
        _token_pattern = re.compile(
            r"\s*(?:\#[^\n]*\s*)*"
            r"([A-Za-z_]\w*|->|\.\.\.|0[xX][0-9a-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?j?"
            r"""|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\S)"""
        )
    return _token_pattern


_SINGLE = frozenset("+-*/%@()[]:,={}><.?!&^|~")


def _token_kind(token: str) -> str:
    """The name torch's messages give to a token."""
    if not token:
        return "eof"
    first = token[0]
    if first.isalpha() or first == "_":
        return token if token in KEYWORDS else "ident"
    if first.isdigit() or (first == "." and token != "..." and len(token) > 1):
        return "number"
    if first in "\"'" and len(token) > 1:
        return "string_literal"
    return "arrow" if token == "->" else token


class SchemaReader:
    """One pass over the tokens of one text."""

    __slots__ = (
        *("allow_typevars", "at", "fresh_sets", "kwarg_only", "text", "tokens", "vararg", "varret"),
    )

    def __init__(self, text: str, *, allow_typevars: bool = True) -> None:
        self.text = text
        self.allow_typevars = allow_typevars
        self.tokens: list[str] = _pattern().findall(text)
        self.tokens.append("")
        self.at = 0
        self.kwarg_only = self.vararg = self.varret = False
        #: How many alias sets were named here, because the text has ``!`` and no name.
        self.fresh_sets = 0

    # -- tokens ---------------------------------------------------------------------------------

    def span(self, at: int) -> tuple[int, int]:
        """Where token *at* lies in the text; the end of the text for the last one."""
        for i, match in enumerate(_pattern().finditer(self.text)):
            if i == at:
                return match.start(1), match.end(1)
        return len(self.text), len(self.text)

    def expected(self, what: str) -> NoReturn:
        token = self.tokens[self.at]
        if len(token) == 1 and _token_kind(token) == token and token not in _SINGLE:
            what = "a valid token"
        raise errors.schema_expected(
            what, _token_kind(token), errors.schema_excerpt(self.text, *self.span(self.at))
        )

    def fail(self, message: str) -> NoReturn:
        raise errors.schema_invalid(message, errors.schema_excerpt(self.text, *self.span(self.at)))

    def take(self, token: str) -> bool:
        if self.tokens[self.at] == token:
            self.at += 1
            return True
        return False

    def need(self, token: str) -> None:
        if self.tokens[self.at] != token:
            self.expected("arrow" if token == "->" else token or "eof")
        self.at += 1

    def ident(self) -> str:
        token = self.tokens[self.at]
        if not token.isidentifier() or token in KEYWORDS:
            self.expected("ident")
        self.at += 1
        return token

    def listed(self, item: Callable[[], Any]) -> list[Any]:
        """``( item, item )``, the opening parenthesis being next."""
        self.need("(")
        got: list[Any] = []
        if not self.take(")"):
            got.append(item())
            while self.take(","):
                got.append(item())
            self.need(")")
        return got

    # -- types ----------------------------------------------------------------------------------

    def type(self) -> tuple[SchemaType, AliasInfo | None]:
        token = self.tokens[self.at]
        made: SchemaType | None
        alias: AliasInfo | None = None
        if token == "(":
            made = make_type("TupleType", *[t for t, _ in self.listed(self.type)])
        elif token in _PARAMETRIC:
            self.at += 1
            self.need("(")
            made = make_type(_PARAMETRIC[token], self.type()[0])
            self.need(")")
        elif token == "Union":
            self.at += 1
            made = make_type("UnionType", *[t for t, _ in self.listed(self.type)])
        elif token == "Dict":
            self.at += 1
            self.need("(")
            key = self.type()[0]
            self.need(",")
            made = make_type("DictType", key, self.type()[0])
            self.need(")")
            alias = self.alias()
        elif token == "__torch__":
            made = self.class_type()
        else:
            name = "NoneType" if self.take("None") else self.ident()
            made = base_type(name)
            if made is None or (made._kind == "VarType" and not self.allow_typevars):
                self.at -= 1
                self.fail(errors.SCHEMA_UNKNOWN_TYPE)
            alias = self.alias()
        tokens = self.tokens
        while True:
            token = tokens[self.at]
            if token == "[" and tokens[self.at + 1] == "]":
                self.at += 2
                made = make_type("ListType", made)
                alias = self.container_alias(alias)
            elif token == "?":
                self.at += 1
                made = make_type("OptionalType", made)
            else:
                return made, alias

    def class_type(self) -> SchemaType:
        parts = [self.ident()]
        for want in ("torch", "classes"):
            self.need(".")
            part = self.ident()
            if part != want:
                self.at -= 1
                self.fail(f"Expected classes namespace but got {part}")
            parts.append(part)
        for _ in range(2):
            self.need(".")
            parts.append(self.ident())
        name = ".".join(parts)
        return class_type(name)

    def alias(self) -> AliasInfo | None:
        if self.take("!"):  # torch: a set of its own on entry, none on return
            name = f"${self.fresh_sets}"
            self.fresh_sets += 1
            return AliasInfo(True, (name,), ())
        if self.tokens[self.at] != "(":
            return None
        self.at += 1
        before = self.alias_set()
        write = self.take("!")
        after = before
        if self.take("->"):
            after = self.alias_set()
        self.need(")")
        return AliasInfo(write, before, after)

    def alias_set(self) -> tuple[str, ...]:
        if self.take("*"):
            return ("*",)
        names = [self.ident()]
        while self.take("|"):
            names.append("*" if self.take("*") else self.ident())
        return tuple(names)

    def container_alias(self, inner: AliasInfo | None) -> AliasInfo | None:
        """The annotation of a list: its own, its elements', or both."""
        outer = self.alias()
        if inner is None:
            return outer
        if outer is None:
            # torch: a list that only has annotated elements is itself in no set; it counts as
            # written to where they are
            return AliasInfo(inner.is_write, (), (), inner)
        return AliasInfo(outer.is_write, outer._before, outer._after, inner)

    # -- arguments ------------------------------------------------------------------------------

    def argument(self) -> Argument | None:
        if self.take("*"):
            self.kwarg_only = True
            return None
        if self.take("..."):
            self.vararg = True
            return None
        if self.vararg:
            self.fail("... must be the last element of the argument list")
        made, alias, size = self.sized_type()
        name = self.ident()
        if self.take("="):
            start = self.at
            value = self.default(made, size)
            source = "".join(self.tokens[start : self.at])
            return Argument(name, made, alias, size, self.kwarg_only, True, value, source)
        return Argument(name, made, alias, size, self.kwarg_only)

    def result(self) -> Argument | None:
        if self.take("..."):
            self.varret = True
            return None
        if self.varret:
            self.fail("... must be the last element of the return list")
        made, alias, size = self.sized_type()
        token = self.tokens[self.at]
        name = self.ident() if token.isidentifier() and token not in KEYWORDS else ""
        return Argument(name, made, alias, size)

    def sized_type(self) -> tuple[SchemaType, AliasInfo | None, int | None]:
        made, alias = self.type()
        size: int | None = None
        if self.take("["):
            token = self.tokens[self.at]
            if _token_kind(token) != "number":
                self.expected("number")
            self.at += 1
            size = _stoll(token)
            self.need("]")
            made = make_type("ListType", made)
            alias = self.container_alias(alias)
            if self.take("?"):
                made = make_type("OptionalType", made)
        return made, alias, size

    def default(self, made: SchemaType, size: int | None) -> Any:
        kind = made._kind
        token = self.tokens[self.at]
        if kind in ("TensorType", "GeneratorType", "QuantizerType"):
            self.need("None")
            return None
        if kind == "DeviceObjType":
            if _token_kind(token) != "string_literal":
                self.expected("string_literal")
            return self.single("StringType")
        if kind == "ListType":
            element = made._contained[0]._kind
            if token != "[" and size is not None:
                return [self.single(element)] * size
            return self.constants(element)
        if kind in CONSTANT_KINDS:
            return self.single(kind)
        if token == "-":
            self.at += 1
        self.fail("unexpected type, file a bug report")

    def constants(self, element: str) -> list[Any]:
        start = self.at
        self.need("[")
        values = []
        if not self.take("]"):
            values.append(self.single(element))
            while self.take(","):
                values.append(self.single(element))
            self.need("]")
        if element not in LIST_KINDS:
            self.at = start
            self.fail("lists are only supported for float, int and complex types")
        return values

    def single(self, kind: str) -> Any:
        token = self.tokens[self.at]
        if token in LITERALS:
            self.at += 1
            return LITERALS[token]
        sort = _token_kind(token)
        if sort == "string_literal":
            text = self.unquote(token)
            self.at += 1
            return text
        if sort == "ident":
            self.at += 1
            if token not in CONSTANTS:
                self.fail("invalid numeric default value")
            return CONSTANTS[token]
        sign = ""
        if token == "-":
            sign = "-"
            self.at += 1
            token = self.tokens[self.at]
        if _token_kind(token) != "number":
            self.expected("number")
        self.at += 1
        text = sign + token
        if kind == "ComplexType" or "j" in token:
            # torch takes the last character for the "j", whatever it is
            return complex(0, _stod(text[:-1]))
        if kind == "FloatType" or "." in token or ("e" in token and token[:2] != "0x"):
            return _stod(text)
        return _stoll(text)

    def unquote(self, token: str) -> str:
        body = token[1:-1]
        if "\\" not in body:
            return body
        done = []
        i = 0
        while i < len(body):
            c = body[i]
            i += 1
            if c != "\\":
                done.append(c)
                continue
            c = body[i]
            i += 1
            if c == "x":
                self.fail("unsupported hex specifier")
            elif c in "01234567":
                digits = c
                while len(digits) < 3 and i < len(body) and body[i] in "01234567":
                    digits += body[i]
                    i += 1
                done.append(chr(int(digits, 8)))
            else:
                done.append(_UNESCAPES.get(c, "" if c == "\n" else "\\" + c))
        return "".join(done)

    # -- schema ---------------------------------------------------------------------------------

    def head(self) -> tuple[str, str]:
        """Name and overload name, with which every schema begins."""
        name = self.ident()
        if self.tokens[self.at] == ":" and self.tokens[self.at + 1] == ":":
            self.at += 2
            name = f"{name}::{self.ident()}"
        overload = ""
        if self.take("."):
            overload = self.ident()
            if overload == "default" or (overload[:2] == "__" and overload[-2:] == "__"):
                raise errors.schema_overload_name(overload)
        if self.tokens[self.at] not in ("(", ""):
            self.expected("eof")
        return name, overload

    def schema(self) -> FunctionSchema:
        name, overload = self.head()
        if not self.tokens[self.at]:
            raise errors.schema_only_name()
        arguments = [a for a in self.listed(self.argument) if a is not None]
        self.need("->")
        if self.tokens[self.at] == "(":
            returns = self.listed(self.result)
        else:
            returns = [self.result()]
        if self.tokens[self.at]:
            self.expected("eof")
        made = FunctionSchema(
            name,
            overload,
            arguments,
            [r for r in returns if r is not None],
            self.vararg,
            self.varret,
        )
        check_defaults(made)
        return made


LIST_KINDS = frozenset(("IntType", "SymIntType", "FloatType", "ComplexType", "BoolType"))
CONSTANT_KINDS = frozenset(
    "StringType OptionalType BoolType IntType SymIntType FloatType ComplexType NumberType "
    "ScalarTypeType LayoutType MemoryFormatType".split()
)


def _stoll(text: str) -> int:
    """C's reading of an integer: the leading digits, refused past 64 bits."""
    if text[:2] in ("0x", "0X"):
        return 0
    value = int(text)
    if not -(1 << 63) <= value < 1 << 63:
        raise IndexError("stoll")
    return value


def _stod(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        raise ValueError("stod") from None
    if value in (float("inf"), float("-inf")):
        raise IndexError("stod")
    return value


def check_defaults(schema: FunctionSchema) -> None:
    seen = False
    for argument in schema.arguments:
        if argument._has_default:
            seen = True
        elif seen and not argument.kwarg_only:
            raise errors.schema_default_order(argument.name, str(schema))
