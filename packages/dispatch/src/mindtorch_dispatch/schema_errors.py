"""Texts of malformed schemas: torch's, one function per message.

Sources: torch/csrc/jit/frontend/function_schema_parser.cpp, schema_type_parser.cpp, lexer.cpp,
source_range.cpp and ATen/core/function_schema.h, as torch 2.13 prints them.
"""

from __future__ import annotations

SCHEMA_UNKNOWN_TYPE = (
    "unknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, "
    "Scalar; for a full list, please see "
    "https://github.com/pytorch/pytorch/blob/main/aten/src/ATen/native/README.md#func "
)


def schema_excerpt(text: str, start: int, end: int) -> str:
    """Five lines of *text* with the range marked, the way torch shows source."""
    if start >= len(text):
        return text
    before = text[:start].split("\n")
    column = len(before[-1])
    lines = text.split("\n")
    at = len(before) - 1
    width = min(end - start, len(lines[at]) - column)
    mark = " " * column + "~" * width + " <--- HERE"
    after = [line for line in lines[at + 1 : at + 3] if line]
    return "\n".join([*lines[max(at - 2, 0) : at + 1], mark, *after]) + "\n"


def schema_expected(what: str, found: str, excerpt: str) -> RuntimeError:
    """jit/frontend/lexer.h, Lexer::reportError."""
    return RuntimeError(f"expected {what} but found '{found}' here:\n{excerpt}")


def schema_invalid(message: str, excerpt: str) -> RuntimeError:
    """jit/frontend/error_report.cpp."""
    return RuntimeError(f"\n{message}:\n{excerpt}")


def schema_overload_name(overload: str) -> RuntimeError:
    """jit/frontend/function_schema_parser.cpp, parseName."""
    return RuntimeError(f"{overload} is not a legal overload name for aten operators")


def schema_only_name() -> RuntimeError:
    """jit/frontend/function_schema_parser.cpp, parseSchema."""
    return RuntimeError("Tried to parse a function schema but only the operator name was given")


def schema_default_order(argument: str, schema: str) -> RuntimeError:
    """ATen/core/function_schema.h, FunctionSchema::checkSchema (an assertion, with its path)."""
    return RuntimeError(
        "!seen_default_arg || arg.kwarg_only() INTERNAL ASSERT FAILED at "
        '"/__w/pytorch/pytorch/aten/src/ATen/core/function_schema.h":342, please report a bug to '
        f"PyTorch. Non-default positional argument follows default argument. Parameter {argument} "
        f"in {schema}"
    )


def schema_is_no_name() -> RuntimeError:
    """torch csrc/jit/frontend/function_schema_parser.cpp, parseName."""
    return RuntimeError("Tried to parse an operator name but function schema was given")
